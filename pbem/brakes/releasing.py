"""Releasing: a referee's ruling lets runs go on; if he wishes, the deadlines that have passed are moved before."""

from __future__ import annotations

from datetime import datetime

from pbem.brakes import holding, outages
from pbem.brakes.holding import Held
from pbem.config import Config
from pbem.ledger import Ledger
from pbem.locks import NIGHT, alone

PATIENCE = 10.0  # seconds to wait for a run at work


def released(
    config: Config, ledger: Ledger, brake: str, now: datetime, reason: str, *, move: bool = False
) -> tuple[Held, list[str]]:
    """What was released, and the games whose deadlines were moved."""
    with alone(config.place, NIGHT, PATIENCE):
        with ledger.write() as tx:
            held = holding.release(tx, brake, now, reason)
        return held, outages.move_all(config, ledger, now, held.game) if move else []
