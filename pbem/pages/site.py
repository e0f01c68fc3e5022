"""A host's site as a folder of files: every game as the public sees it, the matches, the rules of the games, calendars
of deadlines, and files to check the games with. It speaks the host's language; the rules are there in all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from engine import games as installed
from engine.registry import AnyGame
from pbem.audit import book as books
from pbem.audit import export
from pbem.config import Config
from pbem.deadlines import calendars
from pbem.deadlines.forecast import Coming, forecast
from pbem.errors import Trouble
from pbem.game.overview import Details, Glance, details, glances
from pbem.ledger import Ledger, games, players
from pbem.ledger.transaction import Read
from pbem.matches.standings import Standings, all_standings
from pbem.pages.document import document
from pbem.pages.public import public_page
from pbem.pages.rules import has_rules, rules_file, rules_of
from pbem.pages.seat import Place
from pbem.pages.waiting import Waiting, waiting
from pbem.reports import environment, plain, when
from pbem.reports.telling import Placed, Sentence, Who, ranked
from pbem.reports.words import Memo, Words
from pbem.rulebook import NoRules, known

INDEX = "index.html"
FEED = "calendar.ics"
Named = tuple[str, str]  # what a link says, and where it leads
LANGUAGES = {"en": "English", "fr": "français", "it": "italiano"}


class Shown(NamedTuple):
    """A game on the first page."""

    name: str
    title: str
    status: str
    turn: int
    players: tuple[Who, ...] = ()
    waits: tuple[Who, ...] = ()
    deadline: str = ""
    ranking: tuple[Placed, ...] = ()
    reason: Sentence | None = None
    page: str = ""
    file: str = ""
    feed: str = ""
    rules: str = ""
    trouble: str = ""


class Written(NamedTuple):
    """What came of it."""

    games: int
    files: int


def site(ledger: Ledger, config: Config, folder: Path, now: datetime) -> Written:
    """Write the site; each file is whole or as it was before."""
    folder.mkdir(parents=True, exist_ok=True)
    lang = environment.language(config.site.lang)
    rules = list(_rules(folder, lang))
    with ledger.read() as tx:
        seen = list(glances(tx, config))
        found = [_game(tx, config, folder, one) for one in seen]
        matches = list(all_standings(tx))
        openings = list(waiting(tx, config, now))
        keys = sorted(books.ledger_keys(tx))
        feeds = _feeds(tx, config, folder, found, _coming(tx, config, seen), now)
    for one in found:
        if one.file:
            _verification(ledger, folder, one)
    _write(folder / INDEX, first_page(config, found, openings, matches, rules, feeds, now, keys))
    files = sum(bool(file) for one in found for file in (one.page, one.file, one.feed))
    return Written(len(found), 2 + files + len(feeds) + len(rules) * len(environment.LANGUAGES))


def first_page(
    config: Config,
    found: Sequence[Shown],
    openings: Sequence[Waiting],
    matches: Sequence[Standings],
    rules: Sequence[Named],
    feeds: Sequence[Named],
    now: datetime,
    keys: Sequence[str] = (),
) -> str:
    """What is played, what is over, which games wait for players, how the matches stand."""
    lang = environment.language(config.site.lang)
    return document(
        "site.html.j2",
        lang,
        host=plain.one_line(config.host),
        made=when.told(now, config.zone, lang),
        going=[one for one in found if one.status != games.OVER],
        over=[one for one in found if one.status == games.OVER],
        openings=openings,
        strangers=config.open_to_strangers,
        matches=[
            (match, [tuple(plain.one_line(name, 60) for name in score.players) for score in match.scores])
            for match in matches
        ],
        rules=rules,
        keys=keys,
        feed=FEED,
        feeds=feeds,
    )


# --- the games -------------------------------------------------------------------------------------------------------


def _game(tx: Read, config: Config, folder: Path, one: Glance) -> Shown:
    """A game's public page, and what the first page says of it; one whose rules are not installed is named, no more."""
    if one.trouble is not None:
        return Shown(one.name, one.rules, one.status, one.turn, trouble=one.trouble)
    rules = known(one.rules)
    if one.status == games.SEEDING:
        return shown(config, rules, details(tx, config, one.name))._replace(page="", file="")
    found = shown(config, rules, details(tx, config, one.name))
    _write(
        folder / found.page, public_page(tx, config, one.name, lang=config.site.lang, place=Place(INDEX, found.rules))
    )
    return found


def shown(config: Config, rules: AnyGame, seen: Details) -> Shown:
    """What the first page says of a game."""
    one, lang = seen.glance, environment.language(config.site.lang, rules)
    words = Words(rules, lang, Memo())
    sitting = {
        seat: Who(plain.one_line(words.fact(seat)), plain.one_line(name, 60)) for seat, name in seen.players.items()
    }
    is_open = one.status == games.OPEN
    return Shown(
        one.name,
        rules.title.get(lang) or rules.title["en"],
        one.status,
        one.turn,
        players=tuple(sitting.values()),
        waits=tuple(sitting[waiting.seat] for waiting in one.waiting),
        deadline=when.told(one.deadline, config.zone, lang) if one.deadline and is_open else "",
        ranking=ranked(seen.outcome, sitting.__getitem__),
        reason=Sentence(words.ending(seen.outcome), seen.outcome.rule) if seen.outcome else None,
        page=f"{one.name}.html",
        file=f"{one.name}.pbem",
        feed=_feed_of(one.name) if is_open else "",
        rules=rules_file(rules.id, lang) if has_rules(rules.id) else "",
    )


def _verification(ledger: Ledger, folder: Path, one: Shown) -> None:
    """The game's history in a file, sealed while it goes on."""
    fresh = folder / f".{one.file}.new"
    fresh.unlink(missing_ok=True)
    with books.of_ledger(ledger, one.name) as book:
        export.export(book, fresh)
    fresh.replace(folder / one.file)


# --- the rules -------------------------------------------------------------------------------------------------------


def _rules(folder: Path, lang: str) -> Iterator[Named]:
    """The rules of every game that is installed, in all languages; gives titles and pages in that one."""
    for game in installed():
        try:
            title = known(game).title
        except NoRules:
            continue  # a package that is broken, which `pbem games` tells
        if not has_rules(game):
            continue
        languages = [(code, name, rules_file(game, code)) for code, name in LANGUAGES.items()]
        for code, _, file in languages:
            text = document("rules.html.j2", code, rules=rules_of(game, code), languages=languages, home=INDEX)
            _write(folder / file, text)
        yield title.get(lang) or title["en"], rules_file(game, lang)


# --- calendars -------------------------------------------------------------------------------------------------------


def _coming(tx: Read, config: Config, seen: Sequence[Glance]) -> list[Coming]:
    """The open deadlines as everybody may know them: who has answered already, by orders or by a standing instruction,
    is nobody's business before the turn is told."""
    asked = {one.name: tuple((waiting.seat, waiting.player) for waiting in one.waiting) for one in seen}
    return [replace(one, waits_for=asked[one.game]) for one in forecast(tx, config)]


def _feeds(
    tx: Read, config: Config, folder: Path, found: list[Shown], coming: list[Coming], now: datetime
) -> list[Named]:
    """A calendar of all deadlines, one of each game, and one of each player; gives names and files of the players'.
    What no deadline belongs to any more is left without one: programs that look at it again let go of what it said."""
    _feed(config, folder / FEED, coming, now)
    for one in found:
        path = folder / _feed_of(one.name)
        if one.feed or path.exists():
            _feed(config, path, [date for date in coming if date.game == one.name], now)
    seated = {row.name: set(row.seats.values()) for row in games.every(tx, games.OPEN)}
    feeds = []
    for player in players.every(tx):
        own = {name for name, seats in seated.items() if player.name and player.commitment in seats}
        path = folder / f"calendar-of-{player.commitment[:16]}.ics"
        if own or path.exists():
            _feed(config, path, [date for date in coming if date.game in own], now)
        if own and player.name:
            feeds.append((plain.one_line(player.name, 60), path.name))
    return sorted(feeds)


def _feed_of(game: str) -> str:
    return f"calendar-{game}.ics"


def _feed(config: Config, path: Path, coming: list[Coming], now: datetime) -> None:
    lang = environment.language(config.site.lang)
    _write(path, calendars.feed(coming, config.address.rpartition("@")[2], now, lang=lang).decode())


def _write(path: Path, text: str) -> None:
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise Trouble(f"{path} is no plain file; the site is not written over it.")
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(text.encode())
    beside.replace(path)
