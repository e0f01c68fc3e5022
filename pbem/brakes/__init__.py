"""Brakes: what a run looks at before silence counts. Where something is odd it holds, tells the host once, and waits
for it to be over or for a ruling.

`braking` is the looks of a night; `heartbeat` knows when the host was last at work, `trips` what is odd, `holding`
writes it down and tells of it, `outages` moves the deadlines that came while nobody was at work, and `settings` is the
section of pbem.toml.
"""
