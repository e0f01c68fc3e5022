"""Correspondence: what becomes of a mail. Whoever proves a seat by its key is obeyed and answered; nobody else is.

`opening` reads, `speaking` says who speaks, `proofs` what a key is worth, and `deciding` what becomes of the mail.
`commands`, `press` and `addresses` are what can be asked for, `codes` what is mailed to an address and comes back,
`limits` how often somebody is answered, `bounces` what came back to us.
"""

from __future__ import annotations

from pbem.correspondence.deciding import settled
from pbem.correspondence.opening import ROUTES, Opened, opened, read, taken_apart

__all__ = ["ROUTES", "Opened", "opened", "read", "settled", "taken_apart"]
