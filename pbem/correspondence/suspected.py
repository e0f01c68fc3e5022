"""Orders that a list or a bulk mailer seems to have sent: nothing in them is taken, and their player is told.

Robots are never answered. But some mail programs and servers mark what a person wrote as such mail, and silence would
be taken for consent. What tells them apart is a new, complete form with the key of the open decision: no robot fills
one in. Its seat is told so once a day, at its registered address.
"""

from __future__ import annotations

from datetime import datetime

from engine import Notice
from pbem.config import Config
from pbem.correspondence.opening import Opened
from pbem.correspondence.speaking import Speaker
from pbem.game.hosting import sheet_of
from pbem.ledger import games
from pbem.ledger.letters import IGNORED, Waiting
from pbem.ledger.transaction import Write
from pbem.rulings.noticing import post_notice
from pbem.submitting import budgets
from pbem.submitting.budgets import AUTOMATIC
from pbem.submitting.taken import Settled

NOT_TAKEN = (
    "Orders with your key came in a mail whose head says that a mailing list or a bulk mailer sent it (List-Id, or"
    " Precedence: bulk). No orders are taken from such mail, and nothing has changed. Send them again straight from"
    " your mail program to the host. This is said at most once a day."
)


def told(tx: Write, config: Config, opened: Opened, found: Speaker | None, message: Waiting, now: datetime) -> Settled:
    """Ignore an automatic mail; tell the seat whose new orders are in it, where a person may have written them."""
    why = opened.mail.automatic
    if found is None or not found.is_current or opened.known or found.row.status != games.OPEN:
        return Settled(IGNORED, why)
    settled = Settled(IGNORED, why, game=found.row.name, seat=found.seat)
    if not budgets.left(tx, config.limits, AUTOMATIC, found.player, now):
        return settled.without_answer
    sheet = sheet_of(tx, config, found.row)
    lines = (Notice("", "automatic", NOT_TAKEN),)
    post_notice(
        tx, sheet, found.row, found.seat, "refused", now, lines=lines, answers=message.message_id, player=found.player,
        budget=AUTOMATIC.name,
    )  # fmt: skip
    return settled
