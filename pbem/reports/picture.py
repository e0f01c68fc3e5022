"""A map in a page: as a picture that comes with the mail, as a drawing inside a page that stands alone, or in words."""

from __future__ import annotations

import binascii
import hashlib
import re
from functools import lru_cache
from html import escape, unescape
from typing import NamedTuple

from pbem.reports import plain

COLUMN = 600  # pixels that a picture takes in a letter at most
LONG_LINE = 800  # characters after which a line is broken at a blank that is there

_words = re.compile(r"<title>(.*?)</title>\s*<desc>(.*?)</desc>", re.DOTALL)
_blank = re.compile(rf"(.{{1,{LONG_LINE}}}) ")


class Drawing(NamedTuple):
    """A map ready for a mail: its SVG as it is stored, its name in the page, and what it shows, in words."""

    svg: bytes
    cid: str
    words: str
    wide: int = COLUMN

    @property
    def source(self) -> str:
        """How the page names it."""
        return f"cid:{self.cid}"


@lru_cache(maxsize=16)
def drawing(svg: str) -> Drawing:
    """An SVG of a template, made ready. The seats of a turn mostly see the same one."""
    lines = (plain.clean(svg).rstrip("\n") + "\n").split("\n")
    data = "\n".join(map(_broken, lines)).encode("ascii", "xmlcharrefreplace")
    return Drawing(data, f"{hashlib.sha256(data).hexdigest()}@pbem", words_of(svg))


def words_of(svg: str) -> str:
    """The name and the description of a picture."""
    found = _words.search(svg)
    if found is None:
        return ""
    words = ". ".join(unescape(words).strip(" .") for words in found.groups())
    return " ".join(words.split()) + "."


def _broken(line: str) -> str:
    """A line that may travel as it is: in SVG a line feed says no more than a blank."""
    return _blank.sub(r"\1\n", line) if len(line) > LONG_LINE else line


def with_inside(page: str, cid: str, picture: bytes, kind: str) -> str:
    """The page that needs nothing beside it: a drawing stands in the place of its image, a PNG inside the image."""
    if kind.startswith("image/svg"):
        before, image, after = page.partition(f'<img src="cid:{cid}"')  # as `frame/report.html.j2` writes it
        return before + picture.decode().strip() + after.partition(">")[2] if image else page
    return page.replace(f'"cid:{cid}"', f'"data:{kind};base64,{binascii.b2a_base64(picture, newline=False).decode()}"')


def without_image(page: str) -> str:
    """The page where no picture can be had: its words stand in its place."""
    return _any_image.sub(lambda found: f"<p>{escape(unescape(found['words']), quote=False)}</p>", page, count=1)


_any_image = re.compile(r'<img src="cid:[0-9a-f]{64}@pbem" alt="(?P<words>[^"]*)"[^>]*>')
