"""Hosting: players are registered, games are started, and a game is taken out of the ledger as values."""

from __future__ import annotations

import re
import secrets as random_source
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations
from typing import Any

from engine.dice import commitment
from engine.registry import AnyGame
from engine.series import Result
from pbem.attending.attendance import Attendance
from pbem.attending.silence import Policy
from pbem.bots.programs import known_bot
from pbem.clock import read_instant
from pbem.config import Config
from pbem.deadlines.schedule import Schedule
from pbem.deadlines.wallclock import known_zone
from pbem.errors import Trouble
from pbem.game.eras import eras_of
from pbem.game.sheet import BOT, End, Host, Recorded, Sheet, Sitter, Standing
from pbem.game.turning import Played, Then, creation, opening
from pbem.intake.near import nearest
from pbem.ledger import chains, games, journal, matches, openings, outbox, players, queues
from pbem.ledger.games import GameRow
from pbem.ledger.seals import KeyLost, Keys, Seal
from pbem.ledger.signing import public_key
from pbem.ledger.transaction import Read, Write
from pbem.matches.match import Match, game_name
from pbem.people.addresses import NOBODY, known_address
from pbem.rulebook import chosen_options, known
from pbem.seeding import asking
from pbem.seeding.protocol import ALONE, BEACON, Wish
from pbem.seeding.protocol import HOST as BY_HOST
from pbem.seeding.reading import seeding_of

NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
RESERVED = frozenset({"mail"})  # the outbox keeps its mails there
NONCE = 200  # characters that a player may throw into the dice
LANGUAGES = ("en", "fr", "it")


def add_player(
    tx: Write, name: str, address: str, lang: str, zone: str, now: datetime, salt: bytes | None = None
) -> players.PlayerRow:
    """Register a player; Trouble says what is wrong with the name, the address, the language or the zone.

    Only tests that compare whole ledgers name the salt.
    """
    name = name.strip()
    if not name or len(name) > 60 or not name.isprintable():
        raise Trouble("A player's name has 1 to 60 letters that can be printed.")
    if lang not in LANGUAGES:
        raise Trouble(f"{lang!r} is not a language of the reports; choose one of {', '.join(LANGUAGES)}.")
    if name.startswith(BOT):
        raise Trouble(f"Names that begin with {BOT} are those of bots; `pbem new --seat SEAT='bot: greedy'` seats one.")
    if (known_as := players.by_name(tx, name)) is not None:
        same = "" if known_as.name == name else " (case and letters that only look alike make no difference)"
        raise Trouble(f"There is a player named {known_as.name} already{same}.")
    return players.add(
        tx, name, known_address(address), lang, known_zone(zone), now, salt or random_source.token_bytes(32)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """What a host says when he starts a game."""

    rules: str
    name: str
    seats: Mapping[str, str]  # seat -> player's name
    options: Mapping[str, str] = field(default_factory=dict)
    schedule: Schedule = field(default_factory=Schedule)
    nonces: Mapping[str, str] = field(default_factory=dict)
    silence: Policy = field(default_factory=Policy)
    same_person: bool = False  # whether one person may play against themselves
    masks: bool = False  # whether a seat may write to others without saying who it is
    dice: Wish | None = None  # how its dice are settled; None: as pbem.toml says
    tells_looks: bool = False  # whether reports tell of looks at what is secret; the host may say so for all his games
    seed: bytes | None = None
    secret: bytes | None = None  # of the chain; tests that compare whole ledgers name it


def host_of(config: Config, keys: Keys) -> Host:
    """Return who writes the mails, what goes with them, as pbem.toml says, and which key signs them."""
    return Host(config.host, config.address, config.post.tags, config.post.page, public_key(keys))


def new_game(tx: Write, config: Config, wanted: NewGame, now: datetime) -> Sheet:
    """Start a game: its chain begins, it is set up, and every seat's first report is queued."""
    rules = known(wanted.rules)
    options = chosen_options(rules, dict(wanted.options))
    free_name(tx, wanted.name)
    sitting = sitting_at(tx, rules.seats(options), with_bots(tx, config, wanted.seats, now))
    if not (wanted.same_person or config.same_person):
        refuse_same_person(rules.teams(options), sitting)
    sound_nonces(wanted.nonces, sitting)
    wish = settled_by(config, wanted, rules, options, now)
    seed, secret = (given or random_source.token_bytes(32) for given in (wanted.seed, wanted.secret))
    host = host_of(config, tx.keys)
    sheet = Sheet(
        wanted.name,
        wanted.rules,
        options.to_json(),
        {seat: sitter_of(player) for seat, player in sitting.items()},
        wanted.schedule.anchored(now),
        host,
        secret,
        seed,
        dict(wanted.nonces),
        commitment(seed, wanted.name),
        seal=tx.keys.seal(wanted.name),
        tells_looks=wanted.tells_looks or config.tells_looks,
        masks=wanted.masks,
        signing_key=host.signing_key,
    )
    created = creation(sheet, {seat: player.commitment for seat, player in sitting.items()})
    chains.begin(tx, sheet.name, secret, seed)
    attendance = Attendance(wanted.silence.fit(tuple(sitting)))
    if wish.by == BY_HOST:
        store(tx, sheet, opening(sheet, created, now, attendance), now)
    else:
        asking.begin(tx, sheet, created, wish, attendance, now)
    return sheet


def settled_by(config: Config, wanted: NewGame, rules: AnyGame, options: Any, now: datetime) -> Wish:
    """Return how the dice of a new game are settled; Trouble where that was asked for and cannot be. What pbem.toml
    says holds for games that use dice, unless something else is said."""
    wish, uses = wanted.dice, rules.uses_dice(options)
    if wish is None:
        return Wish(config.dice if uses and not wanted.nonces else BY_HOST)
    if wish.by == BY_HOST:
        return wish
    if not uses:
        raise Trouble(f"A game of {rules.title['en']} with these options uses no dice; leave --dice and --beacon out.")
    if wanted.nonces:
        raise Trouble("--nonce gives texts that the host knows before he chooses the seed; with --dice or --beacon "
                      "they come afterwards. Leave --nonce out.")  # fmt: skip
    if wish.by == BEACON and read_instant(wish.after) <= now:
        raise Trouble(f"The public value of --beacon is known since {wish.after}; name one that nobody knows yet.")
    return wish


def free_name(tx: Read, name: str) -> None:
    """Raise Trouble for what cannot name a game, and for a name that a game or a match has or will have."""
    if not NAME.fullmatch(name) or name in RESERVED:
        raise Trouble(f"{name!r} cannot name a game; use up to 40 small letters, digits and hyphens, like tiger-hill.")
    if games.get(tx, name):
        raise Trouble(f"There is a game named {name} already.")
    if openings.get(tx, name):
        raise Trouble(f"A game named {name} waits for its players already.")
    if matches.get(tx, name):
        raise Trouble(f"There is a match named {name} already.")
    match, _, number = name.rpartition("-")
    row = matches.get(tx, match) if number.isdecimal() else None
    if row is not None and name == game_name(match, int(number)) and int(number) <= row.games:
        raise Trouble(f"{name} is the name of a game of the match {match}.")


def sitting_at(tx: Read, seats: Iterable[str], wanted: Mapping[str, str]) -> dict[str, players.PlayerRow]:
    """Who sits where: every seat taken, by players who are known."""
    seats = tuple(seats)
    for seat in wanted:
        if seat not in seats:
            raise Trouble(f"There is no seat {seat!r} with these options; the seats are {', '.join(seats)}.")
    if missing := [seat for seat in seats if seat not in wanted]:
        raise Trouble(f"Nobody sits at {', '.join(missing)}; add --seat {missing[0]}=PLAYER.")
    return {seat: player_named(tx, wanted[seat]) for seat in seats}


def refuse_same_person(teams: Iterable[Iterable[str]], sitting: Mapping[str, players.PlayerRow]) -> None:
    """Raise Trouble where one person has two opposing seats. Bots may play each other."""
    sides = [[(seat, sitting[seat]) for seat in team if seat in sitting] for team in teams]
    for (one, seat, who), (other, opposite, player) in combinations(
        [(number, *held) for number, side in enumerate(sides) for held in side], 2
    ):
        if one != other and players.is_same_person(who, player) and not (who.name or "").startswith(BOT):
            same = f"{who.name} and {player.name} have the same address, and" if who.name != player.name else who.name
            verb = "have" if who.name != player.name else "has"
            raise Trouble(
                f"{same} {verb} seats {seat} and {opposite}, which play against each other. If this is meant, add "
                "--same-person, or set `same_person = true` under [people] in pbem.toml."
            )


def with_bots(tx: Write, config: Config, seats: Mapping[str, str], now: datetime) -> dict[str, str]:
    """Who sits where, the bots by their proper names; a bot is registered like a player when it is first seated."""
    named = dict(seats)
    for seat, name in seats.items():
        if name.startswith(BOT):
            named[seat] = f"{BOT} {known_bot(name.removeprefix(BOT), config.folder)}"
            if players.by_name(tx, named[seat]) is None:
                players.add(tx, named[seat], "bot@localhost", "en", "UTC", now, random_source.token_bytes(32))
    return named


def player_named(tx: Read, name: str) -> players.PlayerRow:
    found = players.by_name(tx, name)
    if found is None:
        near = nearest(name, (row.name for row in players.every(tx) if row.name))
        hint = f"did you mean {near}?" if near else "`pbem player add` registers one."
        raise Trouble(f"There is no player named {name!r}; {hint}")
    return found


def sound_nonces(nonces: Mapping[str, str], seats: Collection[str]) -> None:
    """Raise Trouble for a nonce of nobody, and for one that cannot be kept."""
    for seat, nonce in nonces.items():
        if seat not in seats:
            raise Trouble(f"A nonce was given for seat {seat!r}; the seats are {', '.join(seats)}.")
        if not nonce or len(nonce) > NONCE or not nonce.isprintable():
            raise Trouble(f"The nonce of seat {seat} must be 1 to {NONCE} letters that can be printed.")


def sitter_of(player: players.PlayerRow | None) -> Sitter:
    if player is None or player.name is None:
        return Sitter("", NOBODY, "en", "UTC")
    return Sitter(player.name, player.address or NOBODY, player.lang or "en", player.zone or "UTC", player.remind)


def store(tx: Write, sheet: Sheet, played: Played, now: datetime) -> None:
    """Write what a run came to. The mails already name the head, so it must come out as was foreseen."""
    for row in played.rows:
        tx.append(sheet.name, row.kind, now, row.body, row.turn, row.seat)
    end = tx.end(sheet.name)
    if (end.seq, end.hash) != (played.end.seq, played.end.hash):
        raise AssertionError(f"the chain of {sheet.name} did not come out as its reports say")
    for mail in played.mails:
        outbox.post(tx, sheet.name, mail.seat, mail.kind, mail.message_id, mail.kept, now, now, mail.turn)
    if played.then is not None:
        store_then(tx, played.then, now)


def store_then(tx: Write, then: Then, now: datetime) -> None:
    """Write what a game brings to its match, and the game that follows it."""
    for row in then.rows:
        tx.append(then.chain, row.kind, now, row.body)
    end = tx.end(then.chain)
    if (end.seq, end.hash) != (then.end.seq, then.end.hash):
        raise AssertionError(f"the chain of {then.chain} did not come out as its games say")
    if then.game is not None:
        sheet, played = then.game
        chains.begin(tx, sheet.name, sheet.secret, sheet.seed)
        store(tx, sheet, played, now)


# --- out of the ledger ------------------------------------------------------------------------------------------------


def game_named(tx: Read, name: str) -> GameRow:
    """The game of that name, or Trouble with the nearest one."""
    game = games.get(tx, name)
    if game is None:
        near = nearest(name, (row.name for row in games.every(tx)))
        hint = f"did you mean {near}?" if near else "`pbem status --all` lists them."
        raise Trouble(f"There is no game named {name!r}; {hint}")
    return game


def game_set_up(tx: Read, name: str) -> GameRow:
    """Return the game of that name; Trouble while its dice are being settled, as it has no position yet."""
    game = game_named(tx, name)
    if game.status == games.SEEDING:
        raise Trouble(f"{name} has not begun: its dice are being settled. `pbem show {name}` says what is missing.")
    return game


def sheet_of(tx: Read, config: Config, game: GameRow) -> Sheet:
    """What does not change while the game goes on."""
    created = journal.first(tx, game.name)
    assert created is not None, "a game begins with the row that created it"
    facts = created.facts()
    secret = chains.secret_of(tx, game.name)
    assert secret.seed is not None, "a game's chain has a seed"
    seeding = seeding_of(tx, game.name, facts) if "dice" in facts else None
    renewed = chains.new_commitment(tx, game.name)
    sitting = players.among(tx, game.seats.values())
    return Sheet(
        game.name,
        game.pinned,
        game.options,
        {seat: sitter_of(sitting.get(commitment)) for seat, commitment in _seated(game)},
        Schedule.from_json(game.schedule),
        host_of(config, tx.keys),
        secret.secret,
        secret.seed,
        facts["nonces"] if seeding is None else seeding.nonces or {},
        renewed or facts["seed_commitment"],
        _match_of(tx, game, facts["match"]) if "match" in facts else None,
        _seal_of(tx, game) if facts.get("sealed") else None,
        eras_of(game.attendance),
        facts.get("tells_looks", False),
        facts.get("masks", False),
        facts.get("signing_key", ""),
        ALONE if seeding is None or renewed else seeding.origin,  # a new seed was chosen when all texts were known
    )


def _seal_of(tx: Read, game: GameRow) -> Seal:
    """What seals the orders of a game that was begun so; without a key it stands still rather than go on in clear."""
    seal = tx.keys.seal(game.name)
    if seal is None:
        raise KeyLost(game.name, "of this host", tx.keys.path)
    return seal


def _match_of(tx: Read, game: GameRow, said: Mapping[str, Any]) -> Match:
    """The match as it stood when this game of it was begun."""
    row = matches.get(tx, said["name"])
    assert row is not None, "a game of a match has its match"
    secret, end, number = chains.secret_of(tx, row.name), tx.end(row.name), said["number"]
    assert secret.seed is not None, "a match has a seed"
    teams = tuple(tuple(side["seats"]) for side in row.sides)
    return Match(
        row.name,
        number,
        row.options,
        row.best_of,
        tuple(team[0] for team in teams),
        teams,
        tuple(map(Result.from_json, row.results[: number - 1])),
        game.seats,
        secret.secret,
        secret.seed,
        End(end.seq, end.hash, end.at),
        tx.keys.seal(game_name(row.name, number + 1)),
    )


def _seated(game: GameRow) -> list[tuple[str, str]]:
    """The seats in the order of the rules, whatever order a JSON text brought them in."""
    rules = known(game.pinned)
    return [(seat, game.seats[seat]) for seat in rules.seats(rules.Options(**game.options))]


def recorded(tx: Read, game: GameRow) -> Recorded:
    """Where the game stands now, as it was written down."""
    queued = queues.of_game(tx, game.name)
    end = tx.end(game.name)
    return Recorded(
        game.turn,
        game.state,
        {seat: queue.body or {} for seat, queue in queued.items()},
        {seat: queue.counter for seat, queue in queued.items()},
        game.deeds,
        game.at_once,
        game.resigned,
        game.deadline_at,
        End(end.seq, end.hash, end.at),
        {seat: queue.keyless for seat, queue in queued.items() if queue.keyless},
        game.attendance,
        {seat: queue.away for seat, queue in queued.items() if queue.away},
        game.schedule["zone"],
        {seat: queue.unanswered for seat, queue in queued.items() if queue.unanswered},
    )


def standing_of(tx: Read, game: GameRow, *, restored: bool = True) -> Standing:
    """Where the game stands now; the state as its JSON unless `restored`."""
    standing = recorded(tx, game).standing()
    return replace(standing, state=known(game.pinned).restore(game.state)) if restored else standing
