"""A match as values: which game of it this is, who sits where in the next one, how it stands. No ledger behind it."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from engine import Outcome, Seat
from engine.dice import commitment
from engine.registry import AnyGame
from engine.series import BestOf, Result, Seating, Series, Side, Verdict, result_of
from pbem.game.sheet import End, Sheet, Sitter
from pbem.ledger.seals import Seal
from pbem.reports.report import MatchStands, SideStands


@dataclass(frozen=True, slots=True)
class Match:
    """A match, as the sheet of one of its games knows it."""

    name: str
    number: int  # of this game
    options: Mapping[str, Any]  # those the match was begun with
    best_of: int | None  # None: the rules declare the series
    sides: tuple[Side, ...]
    teams: tuple[tuple[Seat, ...], ...]  # the seats of each side in game 1
    results: tuple[Result, ...]  # of the games before this one
    players: Mapping[Seat, str]  # their commitments, by the seats of this game
    secret: bytes
    seed: bytes
    end: End  # of the match's own chain
    seal: Seal | None = None  # of the game that is begun next


class Member(NamedTuple):
    """Somebody who plays in a match, wherever he sits: what goes with him from game to game."""

    sitter: Sitter
    commitment: str
    nonce: str | None


def series_of(rules: AnyGame, options: Mapping[str, Any], best_of: int | None) -> Series | None:
    """The series that was agreed on, or that the rules declare with these options."""
    return rules.series(rules.Options(**options)) if best_of is None else BestOf(best_of)


def series(match: Match, rules: AnyGame) -> Series:
    """The series of a match that was begun."""
    found = series_of(rules, match.options, match.best_of)
    assert found is not None, "a match is begun with a series"
    return found


def seating(match: Match, rules: AnyGame, number: int) -> Seating:
    """Who sits where in that game."""
    return series(match, rules).seating(number, match.sides, match.teams)


# --- how it stands ----------------------------------------------------------------------------------------------------


def results(sheet: Sheet, outcome: Outcome | None) -> tuple[Result, ...]:
    """What its games came to, this one included when it has an outcome."""
    match = _match(sheet)
    if outcome is None:
        return match.results
    return (*match.results, result_of(outcome, seating(match, sheet.rules, match.number)))


def verdict(sheet: Sheet, outcome: Outcome | None) -> Verdict:
    """How the match stands, or how it ended."""
    match = _match(sheet)
    return series(match, sheet.rules).verdict(match.sides, results(sheet, outcome))


def told(sheet: Sheet, outcome: Outcome | None) -> MatchStands | None:
    """What the players of a game are told of its match; None when it is no game of a match."""
    match = sheet.match
    if match is None:
        return None
    counted, found = series(match, sheet.rules), verdict(sheet, outcome)
    seats = seating(match, sheet.rules, match.number)
    goes_on = outcome is not None and not found.over
    return MatchStands(
        name=match.name,
        number=match.number,
        games=counted.games,
        scored=counted.scored,
        played=len(match.results) + (outcome is not None),
        sides=tuple(
            SideStands(place, seats[side], found.won[side], found.points[side]) for place, side in by_place(found)
        ),
        over=found.over,
        rule=found.rule,
        next=game_name(match.name, match.number + 1) if goes_on else "",
    )


def by_place(found: Verdict) -> Iterator[tuple[int, Side]]:
    """The sides with their places: 1, 2, ... with equals together."""
    place = 1
    for sides in found.places:
        for side in sides:
            yield place, side
        place += len(sides)


# --- its games --------------------------------------------------------------------------------------------------------


def game_name(match: str, number: int) -> str:
    return f"{match}-{number}"


def seed_of(seed: bytes, number: int) -> bytes:
    """The seed of one game: settled as soon as the match is, and known to nobody before that game is over."""
    return hmac.digest(seed, b"game%d" % number, "sha256")


def members(sheet: Sheet) -> dict[Side, tuple[Member, ...]]:
    """Who plays for each side, as they sit now."""
    match = _match(sheet)
    return {
        side: tuple(Member(sheet.sitters[seat], match.players[seat], sheet.nonces.get(seat)) for seat in seats)
        for side, seats in seating(match, sheet.rules, match.number).items()
    }


def next_sheet(sheet: Sheet, outcome: Outcome) -> Sheet:
    """The sheet of the game after this one."""
    match = replace(_match(sheet), number=_match(sheet).number + 1, results=results(sheet, outcome))
    return seated(replace(sheet, match=match), members(sheet))


def seated(sheet: Sheet, sides: Mapping[Side, tuple[Member, ...]]) -> Sheet:
    """The sheet with its members, options and secrets as they are in the game that its match has come to."""
    match, rules = _match(sheet), sheet.rules
    options = series(match, rules).options(match.number, rules.Options(**match.options))
    sits = {
        seat: member
        for side, seats in seating(match, rules, match.number).items()
        for seat, member in zip(seats, sides[side], strict=True)
    }
    seats, name = rules.seats(options), game_name(match.name, match.number)
    seed = seed_of(match.seed, match.number)
    return replace(
        sheet,
        name=name,
        options=options.to_json(),
        sitters={seat: sits[seat].sitter for seat in seats},
        secret=seed_of(match.secret, match.number),
        seed=seed,
        nonces={seat: nonce for seat in seats if (nonce := sits[seat].nonce) is not None},
        commitment=commitment(seed, name),
        match=replace(match, players={seat: sits[seat].commitment for seat in seats}),
        seal=match.seal,
        signing_key=sheet.host.signing_key,
    )


def _match(sheet: Sheet) -> Match:
    assert sheet.match is not None, "a game of a match"
    return sheet.match
