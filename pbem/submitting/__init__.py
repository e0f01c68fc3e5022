"""Submitting: a message that is stored becomes orders that stand, or a refusal; either way its seat gets a receipt.

The bytes are in the ledger before anything here looks at them. `identity` says whose they are, `verdict` and `decision`
what becomes of them, `receipt` what the seat is told, `taken` writes it down. Who asks for it is `pbem.messages`.
"""

from __future__ import annotations

from pbem.submitting.identity import Seated, identify
from pbem.submitting.receipt import describe, receipt_for
from pbem.submitting.taken import Settled
from pbem.submitting.verdict import foreseen, verdict_on

__all__ = [
    "Seated",
    "Settled",
    "describe",
    "foreseen",
    "identify",
    "receipt_for",
    "verdict_on",
]
