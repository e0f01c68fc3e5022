"""Taking orders by hand: a file submitted at the host's machine is one message, stored, judged and answered."""

from __future__ import annotations

import secrets as random_source
from contextlib import suppress
from datetime import datetime

from pbem.bounded import TaskDied
from pbem.config import Config
from pbem.errors import NO, Busy, CannotGoOn, Trouble
from pbem.ledger import Ledger, letters
from pbem.ledger.letters import Waiting
from pbem.ledger.troubles import LedgerTrouble
from pbem.locks import NIGHT, alone
from pbem.means import ALONE
from pbem.messages import Clerk, judging, settle, tripped
from pbem.nightly import resolve_with_bots
from pbem.submitting import Settled
from pbem.submitting.decision import Manner
from pbem.summary import Summary

ROUTE = "submit"
PATIENCE = 10.0  # seconds to wait for a night at work before the game is left to it


def take_file(config: Config, ledger: Ledger, raw: bytes, name: str, now: datetime) -> Settled:
    """Store the bytes, then judge them. A game that is resolved on arrival goes on at once when all have answered."""
    if len(raw) > (most := config.limits.message_bytes):
        raise Trouble(f"{name} has {len(raw)} bytes, and a message may have {most}.", NO)
    with judging(config):
        settled = _stored_and_judged(config, ledger, raw, name, now)
    # A night at work resolves the game itself, or the next one does: two runs at one game would be in each other's way.
    if settled.at_once:
        with suppress(Busy), alone(config.place, NIGHT, PATIENCE):
            resolve_with_bots(config, ledger, Summary(now), ALONE, settled.game)
    return settled


def _stored_and_judged(config: Config, ledger: Ledger, raw: bytes, name: str, now: datetime) -> Settled:
    message_id = f"submit:{random_source.token_hex(12)}"
    with ledger.write() as tx:
        sha256, _ = letters.arrive(tx, raw, now, ROUTE, message_id)
    message = Waiting(message_id, sha256, ROUTE, now)
    try:
        with Clerk(config.limits) as clerk:
            return settle(config, ledger, message, now, clerk, Manner(name, shown=True))
    except TaskDied as died:
        tripped(ledger, message, now, died)
        says = f"{name} is stored, but the rules of its game did not get through with it ({died.kind})"
        raise Trouble(f"{says}; `pbem nightly` tries it again.", NO) from died
    except CannotGoOn as missing:
        raise Trouble(f"{name} is stored and waits. {missing}", NO) from missing
    except (LedgerTrouble, Busy) as trouble:
        # Whoever brought it need not keep it: the bytes are in the ledger since the transaction before.
        raise Trouble(f"{name} is stored, but the ledger took no more; `pbem nightly` judges it.", NO) from trouble
