"""I: mails that speak in the name of a seat, by all that proves nothing and by the one thing that does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.pbem.intake.hostile.case import ACCEPT, END, KEEP, REFUSE
from tests.pbem.intake.hostile.mails import IGNORE, OURS, mail, tag_of

OTHERS = "others"  # refused, and answered to the other seat of the game, whose key it is
TO_MANY = ", ".join(f"victim{number}@evil.example" for number in range(60))
PASSES = "pbem.example; dkim=pass header.d=players.example; spf=pass smtp.mailfrom=players.example; dmarc=pass"


@dataclass(frozen=True, slots=True)
class Seat:
    """What is known of the seat in whose name a mail comes, and of others whose keys are right for them alone."""

    game: str
    player: str
    key: str
    others_key: str  # of the other seat of the game
    next_key: str  # of the same seat, for the turn after this one
    elsewhere: str  # of the same seat of another game

    def form(self, key: str | None = None, seat: str = "'1'", game: str | None = None, turn: str = "1") -> str:
        """The form; without its line `key:` where the key is empty."""
        key = self.key if key is None else key
        lines = [f"game: {game or self.game}", f"seat: {seat}", f"turn: {turn}"] + [f"key: {key}"] * bool(key)
        return "\n".join([*lines, "orders:", "  - b3", END])

    def tag(self, key: str | None = None) -> str:
        return tag_of(key or self.key, self.game)

    @property
    def others_tag(self) -> str:
        return self.tag(self.others_key).replace(".1.1.", ".1.2.")

    def mail(
        self, body: str, *more: str, to: str = OURS, sender: str | None = None, subject: str = "Re: game"
    ) -> bytes:
        return mail(body, *more, to=to, sender=sender or f"Anna <{self.player}>", subject=subject,
                    message_id=f"<{self.game}@players.example>", path=f"<{self.player}>")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Claim:
    """One such mail, and what becomes of it."""

    id: str
    make: Callable[[Seat], bytes]
    fate: str


WRONG = {
    "none": "",
    "of-the-next-turn": "{next_key}",
    "of-another-game": "{elsewhere}",
    "noughts": "0000-0000",
    "short": "K",
    "half": "{key:.4}",
    "twice": "{key}{key}",
    "one-letter-more": "{key}A",
    "percent": "'%'",
    "star": "'*'",
    "pattern": "'.{{8}}'",
    "sql": "\"' OR '1'='1\"",
    "list": "[{key}]",
    "mapping": "{{a: {key}}}",
    "null": "~",
    "true": "'true'",
    "long": "A" * 490,
    "fullwidth": "\uff21\uff22\uff23\uff24-\uff11\uff12\uff13\uff14",
    "reversed": "{reversed}",
}
RIGHT = {
    "small": "{small}",
    "without-a-dash": "{joined}",
    "with-blanks": "'{spaced}'",
    "in-curly-quotes": "\u201c{key}\u201d",
    "with-a-long-dash": "{dashed}",
    "with-an-unseen-sign": "{key}\u200b",
}


def written(pattern: str, seat: Seat) -> str:
    """A key as that pattern writes it."""
    key = seat.key
    ways = {
        "small": key.lower(),
        "joined": key.replace("-", ""),
        "spaced": key.replace("-", " "),
        "reversed": key[::-1],
    }
    facts = {"key": key, "others_key": seat.others_key, "next_key": seat.next_key, "elsewhere": seat.elsewhere}
    return pattern.format(**facts, **ways, dashed=key.replace("-", "\u2013"))


def _keyed(name: str, pattern: str, fate: str) -> Claim:
    return Claim(name, lambda seat: seat.mail(seat.form(written(pattern, seat))), fate)


IN_PLACES: tuple[Claim, ...] = (
    Claim("I08-key-in-the-subject", lambda s: s.mail(s.form(""), subject=f"key: {s.key}"), KEEP),
    Claim("I08-key-in-a-header", lambda s: s.mail(s.form(""), f"X-Key: {s.key}"), KEEP),
    Claim("I08-key-in-the-name", lambda s: s.mail(s.form(""), sender=f"{s.key} <{s.player}>"), KEEP),
    Claim("I08-key-below-the-end", lambda s: s.mail(s.form("") + f"key: {s.key}\n"), KEEP),
    Claim("I08-key-above-the-form", lambda s: s.mail(f"My key is {s.key}.\n\n" + s.form("")), KEEP),
    Claim("I08-key-in-the-orders", lambda s: s.mail(s.form("").replace("b3", f"b3 {s.key}")), KEEP),
    Claim("I09-address", lambda s: s.mail(s.form(""), to=s.tag()), ACCEPT),
    Claim("I09-address-in-capitals", lambda s: s.mail(s.form(""), to=s.tag().upper()), ACCEPT),
    Claim("I09-address-with-a-name", lambda s: s.mail(s.form(""), to=f'"x, y" <{s.tag()}>'), ACCEPT),
    Claim("I09-address-in-the-copy", lambda s: s.mail(s.form(""), f"Cc: {s.tag()}"), ACCEPT),
    Claim("I09-address-in-the-subject", lambda s: s.mail(s.form(""), subject=s.tag()), KEEP),
    Claim("I09-address-to-reply-to", lambda s: s.mail(s.form(""), f"Reply-To: {s.tag()}"), KEEP),
    Claim("I09-address-in-the-text", lambda s: s.mail(f"To: {s.tag()}\n\n" + s.form("")), KEEP),
    Claim("I09-address-elsewhere", lambda s: s.mail(s.form(""), to=s.tag().replace("pbem.", "evil.")), KEEP),
    Claim("I09-address-in-quotes", lambda s: s.mail(s.form(""), f'Cc: "{s.tag()}" <a@b.example>'), KEEP),
    Claim("I09-address-with-a-wrong-key", lambda s: s.mail(s.form(""), to=s.tag("0000-0000")), KEEP),
    Claim("I09-address-of-another", lambda s: s.mail(s.form(), to=s.others_tag), REFUSE),
    Claim("I09-addresses-of-both", lambda s: s.mail(s.form(), f"Cc: {s.others_tag}", to=s.tag()), ACCEPT),
    Claim("I09-addresses-of-both-without-a-form", lambda s: s.mail("resign\n", f"Cc: {s.others_tag}", to=s.tag()),
          KEEP),
    Claim("I09-right-address-wrong-key", lambda s: s.mail(s.form("0000-0000"), to=s.tag()), REFUSE),
    Claim("I09-wrong-address-right-key", lambda s: s.mail(s.form(), to=s.tag("0000-0000")), ACCEPT),
    Claim("I09-many-addresses", lambda s: s.mail(s.form(""), "Cc: " + ", ".join(
        f"orders+{number:08}.1.1.x@pbem.example" for number in range(40))), KEEP),
    Claim("I10-other-seat-by-address", lambda s: s.mail(s.form("", seat="'2'"), to=s.tag()), REFUSE),
    Claim("I10-other-game-by-address", lambda s: s.mail(s.form("", game="game999"), to=s.tag()), REFUSE),
    Claim("I03-key-of-the-other-seat", lambda s: s.mail(s.form(s.others_key)), OTHERS),
    Claim("I10-no-such-game", lambda s: s.mail(s.form(game="nowhere")), KEEP),
    Claim("I10-no-such-seat", lambda s: s.mail(s.form(seat="'3'")), REFUSE),
    Claim("I10-path-for-a-game", lambda s: s.mail(s.form(game="../../etc/passwd")), KEEP),
    Claim("I10-sql-for-a-game", lambda s: s.mail(s.form(game="\"' OR 1=1 --\"")), KEEP),
    Claim("I10-nought-for-a-turn", lambda s: s.mail(s.form(turn="0")), REFUSE),
    Claim("I10-huge-turn", lambda s: s.mail(s.form(turn="999999999")), REFUSE),
    Claim("I12-reply-to-another", lambda s: s.mail(s.form(), "Reply-To: eve@evil.example"), ACCEPT),
    Claim("I13-reply-to-many", lambda s: s.mail(s.form(), f"Reply-To: {TO_MANY}"), ACCEPT),
    Claim("I13-copies-to-many", lambda s: s.mail(s.form(), f"Cc: {TO_MANY}"), ACCEPT),
    Claim("I13-blind-copies", lambda s: s.mail(s.form(), f"Bcc: {TO_MANY}"), ACCEPT),
    Claim("I13-receipts-wanted", lambda s: s.mail(s.form(), *(
        f"{name}: eve@evil.example" for name in
        ("Disposition-Notification-To", "Return-Receipt-To", "X-Confirm-Reading-To", "Errors-To", "Mail-Followup-To"))),
        ACCEPT),
    Claim("I02-new-sender", lambda s: s.mail(s.form(), sender="Anna <anna@elsewhere.example>"), ACCEPT),
    Claim("I02-no-key-right-sender", lambda s: s.mail(s.form(""), "Sender: " + s.player), KEEP),
    Claim("I14-forged-results", lambda s: s.mail(s.form(""), f"Authentication-Results: {PASSES}"), KEEP),
    Claim("I14-forged-spf", lambda s: s.mail(s.form(""), "Received-SPF: pass", "ARC-Seal: i=1; cv=pass"), KEEP),
    Claim("I14-forged-kind", lambda s: s.mail(s.form(""), "X-Pbem-Seat: 1", f"X-Original-To: {OURS}"), IGNORE),
    Claim("I15-as-the-host", lambda s: s.mail(s.form(), sender=OURS), IGNORE),
    Claim("I16-blanks-around", lambda s: s.mail(s.form(seat="'  1  '")), ACCEPT),
    Claim("I17-command-without-a-key", lambda s: s.mail("resign\n"), KEEP),
    Claim("I17-command-in-a-subject", lambda s: s.mail("", subject="withdraw"), KEEP),
    Claim("I17-command-with-a-wrong-key", lambda s: s.mail("withdraw\n", to=s.tag("0000-0000")), KEEP),
)  # fmt: skip

CLAIMS: tuple[Claim, ...] = (
    *(_keyed(f"I03-key-{name}", pattern, KEEP) for name, pattern in WRONG.items()),
    *(_keyed(f"I04-key-{name}", pattern, ACCEPT) for name, pattern in RIGHT.items()),
    *IN_PLACES,
)
