"""Pages for a browser: a seat's own, with which it writes its orders, and the public ones of a host's site.

A page is one file that needs nothing from outside. `frames` are the turns it steps through, `offer` is what it lets its
seat choose, `rules` what it cites, `document` the file itself; `seat` and `public` gather what a page may hold,
`mailing` puts it into the mails that leave, `site` writes a whole folder.
"""
