"""`pbem init` and `pbem new`: what a host does before the first turn."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from pbem.cli.completing import installed_games, zones
from pbem.cli.frame import F, Session, as_json, at_time, digest, moment, pass_session, whole
from pbem.cli.output import emit, say

if TYPE_CHECKING:
    from pbem.game.hosting import NewGame
    from pbem.seeding.protocol import Wish


@click.command()
@click.argument("folder", required=False, default=".", type=click.Path(path_type=Path))
@click.option(
    "--zone",
    default="UTC",
    metavar="ZONE",
    shell_complete=zones,
    help="The host's own time zone, such as Europe/Paris.",
)
@as_json
def init(folder: Path, zone: str, as_json: bool) -> None:
    """Make a working host in FOLDER (this one, unless told otherwise): pbem.toml, ledger, inbox, outbox."""
    from pbem.care.settling import settle

    config = settle(folder, zone)
    if as_json:
        emit({"folder": str(config.folder), "config": str(config.folder / "pbem.toml"), "ledger": str(config.ledger)})
        return
    say(f"A host stands in {config.folder}. Look at pbem.toml, then:")
    prefix = "" if Path.cwd() == config.folder else f"cd {shlex.quote(os.path.relpath(config.folder))}; "
    say(f"  {prefix}pbem player add Anna anna@example.org")
    say("  pbem games")


_SILENCE = "What silence does, such as `stand-in drop=3` or `hold=2d`; else as in pbem.toml."
_SCHEDULE = "When turns fall due, such as 'all-in 20:00 Europe/Paris think=24h'."
_SEED = "The dice's seed (64 hexadecimal digits), for tests and re-matches."


def beginning(command: F) -> F:
    """The arguments and options with which a game or a match is begun."""
    with_all: Callable[[F], F]
    for with_all in reversed(
        (
            click.argument("game", shell_complete=installed_games),
            click.option("--name", required=True, help="How it is called, such as jade-river."),
            click.option(
                "--seat", "seats", multiple=True, metavar="SEAT=PLAYER", help="Who sits where; once each seat."
            ),
            click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game."),
            click.option("--schedule", metavar="WORDS", help=_SCHEDULE),
            click.option("--silence", metavar="WORDS", help=_SILENCE),
            click.option(
                "--nonce",
                "nonces",
                multiple=True,
                metavar="SEAT=TEXT",
                help="A player's text for the dice, which the host knows first: it proves nothing against him.",
            ),
            click.option("--seed", metavar="HEX", type=digest, help=_SEED),
            click.option("--same-person", is_flag=True, help="One person may play both sides of the game."),
        )
    ):
        command = with_all(command)
    return command


class Opening(NamedTuple):
    """What --open and its two companions say: how long a game waits for its players, and for which."""

    waits: bool
    until: str | None
    least: str | None

    def must_fit(self, begins_with: bool) -> None:
        """What is for a game that begins now does not go with one that waits, nor the other way round."""
        if self.waits and begins_with:
            raise click.UsageError("--nonce and --seed are for a game that begins now; leave --open out.")
        if not self.waits and (self.until is not None or self.least is not None):
            raise click.UsageError("--until and --min-reliability go with --open.")


def opening_options(command: F) -> F:
    """The options of a game that waits for its players, given as one value."""

    @click.option("--open", "waits", is_flag=True, help="It waits for players at the seats that nobody is named for.")
    @click.option("--until", metavar="ISO", help="With --open: how long it waits.")
    @click.option("--min-reliability", "least", metavar="PERCENT", help="With --open: who keeps so many deadlines.")
    @wraps(command)
    def with_opening(waits: bool, until: str | None, least: str | None, **given: Any) -> Any:
        return command(opening=Opening(waits, until, least), **given)

    return cast("F", with_opening)


def dice_options(command: F) -> F:
    """Add the options that say what is mixed into the host's seed, given as one value."""

    @click.option("--dice", type=click.Choice(["host", "players"]), help="Who settles the dice; else as in pbem.toml.")
    @click.option("--beacon", metavar="WORDS", help="The dice wait for this public value, which nobody knows yet.")
    @click.option("--beacon-at", "after", metavar="ISO", help="With --beacon: when its value becomes known.")
    @wraps(command)
    def with_dice(dice: str | None, beacon: str | None, after: str | None, **given: Any) -> Any:
        return command(wish=_wish(dice, beacon, after), **given)

    return cast("F", with_dice)


def _wish(dice: str | None, beacon: str | None, after: str | None) -> Wish | None:
    """Return how the dice are to be settled; None where nothing is said of it."""
    from pbem.clock import read_instant, stamp
    from pbem.seeding.protocol import BEACON, LONGEST_BEACON, Wish

    if (beacon is None) != (after is None):
        raise click.UsageError("--beacon and --beacon-at go together.")
    if beacon is None or after is None:
        return None if dice is None else Wish(dice)
    if dice is not None:
        raise click.UsageError("Say --dice or --beacon, and not both.")
    if not beacon.strip() or len(beacon) > LONGEST_BEACON or not beacon.isprintable():
        raise click.UsageError(f"--beacon has 1 to {LONGEST_BEACON} letters on one line.")
    return Wish(BEACON, beacon.strip(), stamp(read_instant(after)))


@click.command()
@beginning
@click.option(
    "--tell-looks", is_flag=True, help="Reports tell when the host or referee looked at what is still secret."
)
@click.option("--masks", is_flag=True, help="Players may write to each other without saying who they are.")
@dice_options
@opening_options
@at_time
@as_json
@pass_session
def new(session: Session, /, opening: Opening, wish: Wish | None, now: str | None, as_json: bool, **given: Any) -> None:
    """Start a GAME: it is set up, and every seat's first report is queued for delivery.

    With --open it waits for players first: they join by mail (`join NAME`), or by `pbem opening join`.

    The host alone chooses the seed of the dice, and reports say so, unless the players (--dice players) or a public
    value (--beacon) have a say: then the commitment to the seed is mailed first, and the game begins after that.
    """
    opening.must_fit(bool(given["nonces"]) or given["seed"] is not None)
    if opening.waits and wish is not None and wish.beacon:
        raise click.UsageError("With --open nobody knows when the game begins; say --dice players, not --beacon.")
    wanted = replace(_wanted(session, **given), dice=wish)
    if opening.waits:
        _announced(session, wanted, opening, now, as_json)
    else:
        _begun(session, wanted, now, as_json)


def _wanted(
    session: Session,
    *,
    game: str,
    name: str,
    seats: tuple[str, ...],
    options: tuple[str, ...],
    schedule: str | None,
    silence: str | None,
    nonces: tuple[str, ...],
    seed: str | None,
    same_person: bool,
    tell_looks: bool,
    masks: bool,
) -> NewGame:
    """What was said on the command line, with the host's own schedule and silence where nothing was said."""
    from pbem.attending.silence import Policy
    from pbem.deadlines.schedule import Schedule
    from pbem.game.hosting import NewGame

    return NewGame(
        rules=game,
        name=name,
        seats=pairs("--seat", "SEAT=PLAYER", seats),
        options=pairs("--option", "NAME=VALUE", options),
        schedule=Schedule.read(schedule or "", session.config.schedule),
        silence=Policy.read(silence or "", session.config.silence),
        nonces=pairs("--nonce", "SEAT=TEXT", nonces),
        tells_looks=tell_looks,
        masks=masks,
        same_person=same_person,
        seed=None if seed is None else bytes.fromhex(seed),
    )


def _begun(session: Session, wanted: NewGame, now: str | None, as_json: bool) -> None:
    """The game begins."""
    from pbem.game.hosting import new_game
    from pbem.ledger.games import is_seeding

    with session.ledger(renders=True) as ledger, ledger.write() as tx:
        sheet = new_game(tx, session.config, wanted, moment(now))
        waits = is_seeding(tx, sheet.name)
    if as_json:
        facts = {"name": sheet.name, "game": sheet.rules.id, "seats": sheet.players, "options": dict(sheet.options)}
        emit(facts | {"schedule": str(sheet.schedule), "commitment": sheet.commitment, "waits_for_dice": waits})
        return
    who = spoken_seats(sheet.players)
    begun = "waits for its dice" if waits else "has begun"
    say(f"{sheet.name} {begun}: {sheet.rules.title['en']}, {who}; {sheet.schedule}.")
    say(f"The dice are committed to: {sheet.commitment}")
    say(f"`pbem deliver` sends the first {'letters' if waits else 'reports'}.")
    declared = sheet.rules.series(sheet.rules.Options(**sheet.options))
    if declared is not None:
        say(f"This is one game; with these options `pbem match new` plays a match of {declared.games}.")


def _announced(session: Session, wanted: NewGame, opening: Opening, now: str | None, as_json: bool) -> None:
    """The game waits for its players."""
    from pbem.cli.openings import to_json, words
    from pbem.clock import read_instant
    from pbem.people.gathering import opened

    last = None if opening.until is None else read_instant(opening.until)
    least = None if opening.least is None else whole(1, 100)(opening.least.strip().removesuffix("%").strip())
    with session.ledger() as ledger, ledger.write() as tx:
        found = opened(tx, session.config, wanted, last, least, moment(now))
    if as_json:
        emit(to_json(found, {}))
    else:
        say(words(found, {}))
        say(f"Players join by mail with `join {found.name}`, or by `pbem opening join {found.name} PLAYER`.")


def spoken_seats(players: Mapping[str, str]) -> str:
    """Who sits where, in words."""
    return ", ".join(f"{seat} {player}" for seat, player in players.items())


def pairs(option: str, form: str, given: tuple[str, ...]) -> dict[str, str]:
    """What was given as NAME=VALUE, each name once."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"{option} {text!r} is not of the form {form}.")
        if name.strip() in found:
            raise click.UsageError(f"{option} names {name.strip()} twice.")
        found[name.strip()] = value.strip()
    return found
