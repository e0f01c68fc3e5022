"""Correspondence: what becomes of a mail. Whoever proves a seat by its key is obeyed and answered; nobody else is.

`opening` reads, `speaking` says who speaks, `deciding` what becomes of it; `commands`, `press` and `addresses` are what
can be asked for, `answering` and `limits` how, and how often, it is answered, `bounces` what came back.
"""

from __future__ import annotations

from pbem.correspondence.deciding import settled
from pbem.correspondence.opening import ROUTES, Opened, opened, read, taken_apart

__all__ = ["ROUTES", "Opened", "opened", "read", "settled", "taken_apart"]
