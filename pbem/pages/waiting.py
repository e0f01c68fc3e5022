"""Games that wait for players, as a host's site shows them: which seats are free, until when, and how one joins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple
from urllib.parse import quote

from engine import Seat
from pbem.config import Config
from pbem.ledger import openings, players
from pbem.ledger.openings import Opening
from pbem.ledger.transaction import Read
from pbem.pages.rules import has_rules, rules_file
from pbem.reports import environment, plain, when
from pbem.reports.telling import Who
from pbem.reports.words import Memo, Words
from pbem.rulebook import NoRules, known


class Waiting(NamedTuple):
    """A game that begins when all its seats are taken."""

    name: str
    title: str
    options: str
    players: tuple[Who, ...]
    free: tuple[Who, ...]
    until: str
    rules: str
    mail: str  # where a link leads that writes the mail by which one joins


def waiting(tx: Read, config: Config, now: datetime) -> Iterator[Waiting]:
    """The openings that are not past, by their names; without those that cannot begin, as their rules are gone."""
    for opening in openings.every(tx):
        if not opening.is_past(now):
            try:
                yield shown(config, opening, {seat: _name(tx, player) for seat, player in opening.seats.items()})
            except NoRules:
                continue


def shown(config: Config, opening: Opening, names: Mapping[Seat, str]) -> Waiting:
    """What the first page says of a game that waits, with the names of those who have a seat already."""
    rules = known(opening.wanted["rules"])
    lang = environment.language(config.site.lang, rules)
    words = Words(rules, lang, Memo())
    called = {seat: plain.one_line(words.fact(seat)) for seat in opening.wanted["seats"]}
    options = ", ".join(f"{name}={value}" for name, value in sorted(opening.wanted["options"].items()))
    return Waiting(
        opening.name,
        rules.title.get(lang) or rules.title["en"],
        plain.one_line(options),
        tuple(Who(called[seat], plain.one_line(name, 60)) for seat, name in names.items()),
        tuple(Who(called[seat], "") for seat in opening.free),
        when.told(opening.until, config.zone, lang) if opening.until else "",
        rules_file(rules.id, lang) if has_rules(rules.id) else "",
        _mail(config.address, opening.name),
    )


def _name(tx: Read, player: str) -> str:
    row = players.get(tx, player)
    return row.name if row and row.name else ""


def _mail(address: str, name: str) -> str:
    return f"mailto:{quote(address, safe='@')}?subject={quote(name)}&body={quote(f'join {name}')}"
