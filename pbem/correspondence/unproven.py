"""Mails without a valid key: one answer a day to a registered address, in words of ours alone.

Anybody can put a player's address on a mail. So what such a mail says is not repeated, not even its Message-ID, and
its answer is counted to a budget that no answer to a proven seat is taken from.
"""

from __future__ import annotations

from datetime import datetime

from pbem.config import Config
from pbem.intake.mail.reading import MailReading
from pbem.ledger import outbox, players
from pbem.ledger.chain import HOST
from pbem.ledger.players import PlayerRow
from pbem.ledger.transaction import Read, Write
from pbem.post.own import envelope, next_id
from pbem.reports import environment, letter, plain
from pbem.submitting import budgets
from pbem.submitting.budgets import UNPROVEN

KIND = "unproven"
NOTE = (
    "A mail without a key",
    "A mail with your address as its sender came to %(host)s today without a valid key. Nothing in it was done. If you"
    " sent it: answer your last report, and leave it below what you write, as the key in it shows who you are. If you"
    " did not, do nothing. This is said at most once a day, whatever comes.",
)


def may_answer(tx: Read, config: Config, player: PlayerRow, now: datetime) -> bool:
    """Whether a mail without a key, with the address of that player, may be answered today."""
    return budgets.left(tx, config.limits, UNPROVEN, player.commitment, now) > 0


def answer(tx: Write, config: Config, mail: MailReading, now: datetime) -> None:
    """Tell a player of a mail with their address that proves no seat. Nobody else is answered."""
    player = players.by_address(tx, mail.sender) if mail.sender else None
    if player is None or player.name is None or not player.address or not may_answer(tx, config, player, now):
        return
    lang = environment.language(player.lang or "en")
    says, message_id = environment.says(lang), next_id(tx, config, KIND, now)
    subject, text = (says(words, host=config.host) for words in NOTE)
    cover = envelope(config, KIND, message_id, now, letter.Address(player.name, player.address), subject, lang)
    raw = letter.write(cover, plain.wrap(text))
    outbox.post(tx, HOST, None, KIND, message_id, raw, now, now, answers=player.commitment, budget=UNPROVEN.name)
