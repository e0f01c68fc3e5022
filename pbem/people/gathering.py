"""Gathering: a game waits for its players, and begins when all its seats are taken."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine import Refusal, Seat
from pbem.attending.silence import Policy
from pbem.config import Config
from pbem.deadlines.schedule import Schedule
from pbem.errors import Trouble
from pbem.game.hosting import NewGame, free_name, new_game, player_named, refuse_same_person, with_bots
from pbem.intake.near import nearest
from pbem.ledger import openings, players
from pbem.ledger.openings import Opening
from pbem.ledger.players import PlayerRow
from pbem.ledger.transaction import Read, Write
from pbem.people.reliability import of_player
from pbem.rulebook import chosen_options, known
from pbem.seeding.protocol import Wish


@dataclass(frozen=True, slots=True)
class Joined:
    """A seat that was taken. `begun`: it was the last one, and the game has begun."""

    opening: str
    seat: Seat
    free: int
    begun: bool


def opened(
    tx: Write, config: Config, wanted: NewGame, until: datetime | None, least: int | None, now: datetime
) -> Opening:
    """Announce a game. Who is named for a seat has it. What is wanted is checked now, not when the last one joins."""
    rules = known(wanted.rules)
    seats = rules.seats(chosen_options(rules, dict(wanted.options)))
    free_name(tx, wanted.name)
    for seat in wanted.seats:
        if seat not in seats:
            raise Trouble(f"There is no seat {seat!r} with these options; the seats are {', '.join(seats)}.")
    named = with_bots(tx, config, wanted.seats, now)
    taken = {seat: player_named(tx, name).commitment for seat, name in named.items()}
    if not (wanted.same_person or config.same_person):
        sitting = {seat: player_named(tx, name) for seat, name in named.items()}
        refuse_same_person(rules.teams(chosen_options(rules, dict(wanted.options))), sitting)
    if len(taken) == len(seats):
        raise Trouble("All seats are taken; leave --open out and the game begins.")
    if until is not None and until <= now:
        raise Trouble("The day until which the game waits is past.")
    said = {
        "rules": rules.id,
        "options": dict(wanted.options),
        "schedule": wanted.schedule.to_json(),
        "silence": str(wanted.silence.fit(tuple(seats))),
        "seats": list(seats),
        "least": least,
        "tells_looks": wanted.tells_looks,
        "masks": wanted.masks,
    }
    if wanted.same_person or config.same_person:
        said["same_person"] = True
    if wanted.dice is not None:
        said["dice"] = wanted.dice.to_json()
    openings.begin(tx, wanted.name, said, taken, until, now)
    found = openings.get(tx, wanted.name)
    assert found is not None
    return found


def named(tx: Read, name: str) -> Opening:
    """The opening of that name, or Trouble with the nearest one."""
    found = openings.get(tx, name)
    if found is None:
        near = nearest(name, (one.name for one in openings.every(tx)))
        raise Trouble(f"No game named {name!r} waits for players" + (f"; did you mean {near}?" if near else "."))
    return found


def why_not(tx: Read, name: str, player: PlayerRow | None, seat: Seat | None, now: datetime) -> Refusal | None:
    """Why nobody, or this player, can take a seat."""
    found = openings.get(tx, name)
    if found is None or found.is_past(now):
        waiting = [one.name for one in openings.every(tx) if not one.is_past(now)]
        text = "No game named {game} waits for players. Those that do: {games}."
        return Refusal("", "no_opening", text, {"game": name, "games": waiting or ["-"]})
    if seat is not None and seat not in found.free:
        text = "Seat {seat} of {game} is not free; these are: {free}."
        return Refusal("", "seat_taken", text, {"seat": seat, "game": name, "free": list(found.free)})
    if player is None:
        return None
    if _has_a_seat(tx, found, player):
        return Refusal("", "has_a_seat", "You have a seat in {game} already.", {"game": name})
    percent, least = of_player(tx, player.commitment).percent, found.wanted["least"]
    if least is not None and percent is not None and percent < least:
        text = (
            "The host of {game} asks for players who keep at least {least} of 100 deadlines; you have kept {percent}."
        )
        return Refusal("", "reliability", text, {"game": name, "least": least, "percent": percent})
    return None


def _has_a_seat(tx: Read, found: Opening, player: PlayerRow) -> bool:
    """Return whether this person sits in the game; somebody with the same address is the same person."""
    if player.commitment in found.seats.values():
        return True
    if found.wanted.get("same_person"):
        return False
    sitting = players.among(tx, found.seats.values()).values()
    return any(players.is_same_person(player, other) for other in sitting)


def joined(tx: Write, config: Config, name: str, player: PlayerRow, now: datetime, seat: Seat | None = None) -> Joined:
    """Give a player the seat that he wishes, or the first that is free. With the last one the game begins."""
    if (why := why_not(tx, name, player, seat, now)) is not None:
        raise Trouble(str(why))
    found = openings.get(tx, name)
    assert found is not None
    seat = seat or found.free[0]
    openings.join(tx, name, seat, player.commitment, now)
    left = len(found.free) - 1
    return Joined(name, seat, left, left == 0 and _begun(tx, config, name, now))


def _begun(tx: Write, config: Config, name: str, now: datetime) -> bool:
    """Begin the game, unless somebody who had joined was forgotten meanwhile: then his seat is free again."""
    found = openings.get(tx, name)
    assert found is not None
    sitting = {seat: players.get(tx, player) for seat, player in found.seats.items()}
    gone = [seat for seat, player in sitting.items() if player is None or player.name is None]
    for seat in gone:
        openings.leave(tx, name, seat, now)
    if gone:
        return False
    openings.close(tx, name, now, begun=True)
    new_game(tx, config, _wanted(found, {seat: row.name or "" for seat, row in sitting.items() if row}), now)
    return True


def _wanted(found: Opening, seats: dict[Seat, str]) -> NewGame:
    said: dict[str, Any] = found.wanted
    return NewGame(
        rules=said["rules"],
        name=found.name,
        seats=seats,
        options=said["options"],
        schedule=Schedule.from_json(said["schedule"]),
        silence=Policy.read(said["silence"]),
        tells_looks=said["tells_looks"],
        masks=said["masks"],
        same_person=True,  # whoever joined was asked then
        dice=Wish.from_json(said["dice"]) if "dice" in said else None,
    )


def left(tx: Write, name: str, player: PlayerRow, now: datetime) -> Seat | None:
    """Take a player's seat back; gives which it was, None where he has none."""
    found = openings.get(tx, name)
    seat = None
    if found is not None:
        seat = next((one for one, who in found.seats.items() if who == player.commitment), None)
    if seat is not None:
        openings.leave(tx, name, seat, now)
    return seat
