"""The ledger: everything that happened, in one file, only ever added to.

`Ledger`, `Read` and `Write` are found here; they are imported when first asked for, because SQLModel takes half a
second to load and most commands need no ledger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.ledger.store import Ledger
    from pbem.ledger.transaction import Read, Row, Write

__all__ = ["Ledger", "Read", "Row", "Write"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("pbem.ledger.store" if name == "Ledger" else "pbem.ledger.transaction"), name)
