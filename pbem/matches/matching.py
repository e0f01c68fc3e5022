"""Matches: several games of the same players, one after another. The next one begins where the one before it ends."""

from __future__ import annotations

import secrets as random_source
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import pbem
from engine import BadOption
from engine.dice import commitment
from engine.registry import AnyGame
from engine.series import Series
from pbem.attending.attendance import Attendance
from pbem.attending.silence import Policy
from pbem.config import Config
from pbem.deadlines.schedule import Schedule
from pbem.errors import Trouble
from pbem.game.hosting import (
    free_name,
    host_of,
    refuse_same_person,
    sitter_of,
    sitting_at,
    sound_nonces,
    store_then,
    with_bots,
)
from pbem.game.sheet import End, Host, Sheet
from pbem.game.turning import next_game
from pbem.intake.near import nearest
from pbem.ledger import chains, matches
from pbem.ledger.matches import MatchRow
from pbem.ledger.players import PlayerRow
from pbem.ledger.transaction import Read, Write
from pbem.matches.match import Match, Member, game_name, seated, series_of
from pbem.rulebook import chosen_options, known

MOST = 99  # games of a match


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMatch:
    """What a host says when he starts a match. The seats are those of game 1."""

    rules: str
    name: str
    seats: Mapping[str, str]  # seat -> player's name
    best_of: int | None = None  # None: the series that the rules declare with these options
    options: Mapping[str, str] = field(default_factory=dict)
    schedule: Schedule = field(default_factory=Schedule)
    silence: Policy = field(default_factory=Policy)
    nonces: Mapping[str, str] = field(default_factory=dict)
    same_person: bool = False  # whether one person may play against themselves
    seed: bytes | None = None  # of which the seeds of all its games are made
    secret: bytes | None = None  # tests that compare whole ledgers name it


def new_match(tx: Write, config: Config, wanted: NewMatch, now: datetime) -> Sheet:
    """Start a match: its chain begins, and so does its first game, whose sheet is given."""
    wanted = replace(wanted, schedule=wanted.schedule.anchored(now))  # all games of a match keep one rhythm
    rules = known(wanted.rules)
    options = chosen_options(rules, dict(wanted.options))
    series = _series(rules, options, wanted.best_of)
    _fit(rules, options, series)
    for name in (wanted.name, *(game_name(wanted.name, number) for number in range(1, series.games + 1))):
        free_name(tx, name)
    sitting = sitting_at(tx, rules.seats(options), with_bots(tx, config, wanted.seats, now))
    if not (wanted.same_person or config.same_person):
        refuse_same_person(rules.teams(options), sitting)
    sound_nonces(wanted.nonces, sitting)
    seed, secret = (given or random_source.token_bytes(32) for given in (wanted.seed, wanted.secret))
    chains.begin(tx, wanted.name, secret, seed)
    teams = rules.teams(options)
    created = {
        "rules": rules.id,
        "version": rules.version,
        "options": options.to_json(),
        "best_of": wanted.best_of,
        "games": series.games,
        "sides": [{"seats": list(team), "players": [sitting[seat].commitment for seat in team]} for team in teams],
        "schedule": wanted.schedule.to_json(),
        "seed_commitment": commitment(seed, wanted.name),
        "pbem": pbem.__version__,
    }
    row = tx.append(wanted.name, "match_created", now, created)
    end, sides = End(row.seq, row.hash, row.at), tuple(team[0] for team in teams)
    first = tx.keys.seal(game_name(wanted.name, 1))
    match = Match(wanted.name, 1, options.to_json(), wanted.best_of, sides, teams, (), {}, secret, seed, end, first)
    then = next_game(
        _first(match, config, host_of(config, tx.keys), wanted, sitting),
        now,
        Attendance(wanted.silence.fit(tuple(sitting))),
    )
    store_then(tx, then, now)
    assert then.game is not None, "a match begins with a game"
    return then.game[0]


def _first(match: Match, config: Config, host: Host, wanted: NewMatch, sitting: Mapping[str, PlayerRow]) -> Sheet:
    """The sheet of the first game."""
    blank = Sheet(
        "", wanted.rules, {}, {}, wanted.schedule, host, b"", b"", {}, "", match, tells_looks=config.tells_looks
    )
    sides = {
        team[0]: tuple(
            Member(sitter_of(sitting[seat]), sitting[seat].commitment, wanted.nonces.get(seat)) for seat in team
        )
        for team in match.teams
    }
    return seated(blank, sides)


def _series(rules: AnyGame, options: Any, best_of: int | None) -> Series:
    """The series that is to be played, or Trouble that says what is missing."""
    declared = series_of(rules, options.to_json(), None)
    if best_of is None and declared is None:
        raise Trouble("The rules declare no series of games with these options; say --best-of N.")
    if best_of is not None and declared is not None:
        raise Trouble(
            f"With these options the rules themselves declare a match of {declared.games} games [{declared.rule}]; "
            "leave --best-of out, or choose other options."
        )
    if best_of is not None and not 2 <= best_of <= MOST:
        raise Trouble(f"A match is the best of 2 to {MOST} games.")
    found = series_of(rules, options.to_json(), best_of)
    assert found is not None, "agreed or declared"
    return found


def _fit(rules: AnyGame, options: Any, series: Series) -> None:
    """Raise Trouble when some game of the series could not be played with these options by these seats."""
    teams = rules.teams(options)
    if len(teams) < 2:
        raise Trouble("There is only one side with these options, and a match takes two.")
    sides, seats = [team[0] for team in teams], sorted(rules.seats(options))
    for number in range(1, series.games + 1):
        try:
            chosen = series.options(number, options)
        except BadOption as bad:
            raise Trouble(f"Game {number} of this match could not be played: {bad}") from None
        taken = sorted(seat for team in series.seating(number, sides, teams).values() for seat in team)
        if not taken == seats == sorted(rules.seats(chosen)):
            raise Trouble(f"Game {number} of this match would have other seats than game 1.")


# --- out of the ledger ------------------------------------------------------------------------------------------------


def match_named(tx: Read, name: str) -> MatchRow:
    """The match of that name, or Trouble with the nearest one."""
    row = matches.get(tx, name)
    if row is None:
        near = nearest(name, (row.name for row in matches.every(tx)))
        hint = f"did you mean {near}?" if near else "`pbem match list` lists them."
        raise Trouble(f"There is no match named {name!r}; {hint}")
    return row
