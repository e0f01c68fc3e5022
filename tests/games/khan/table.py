"""A table for the tests: positions, dice and orders in the words of the test vectors (KHAN-23)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import yaml

from engine import Dice, Refusal
from engine.dice import DiceRanOut
from games.khan import GAME
from games.khan.material import (
    BLACK,
    BOARD,
    CARD_NUMBER,
    CARDS,
    LAST_LEADER,
    LEADER_NUMBER,
    LEADERS,
    NUMBERS,
    SEAT_NUMBER,
    SEATS,
    SHAPE_NUMBER,
    SHAPES,
    SPECIALS,
)
from games.khan.notation import write
from games.khan.opening import at_start
from games.khan.options import Options
from games.khan.playing import run
from games.khan.state import NOBODY, NOWHERE, Active, Laid, Standing
from games.khan.telling import Telling
from games.khan.turn import resign

VECTORS = yaml.load(
    (Path(__file__).parent / "vectors.yaml").read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)
)
PHASES = {"place": "placement", "conquer": "final", "final": "play", "over": "over"}


def vector(name):
    return next(each for each in VECTORS if each["vector"] == name)


class Picks:
    """Dice that answer as a vector's `picks` say; none may be left over."""

    def __init__(self, picks):
        self.results = []
        for pick in picks:
            self.results += [pick["pick"]] * pick["times"] if isinstance(pick, dict) else [pick]

    def below(self, n, why, index):
        if not self.results:
            raise DiceRanOut(f"nothing left for {why}")
        result = self.results.pop(0)
        expected, value = result if isinstance(result, list) else (n, result)
        assert expected == n, f"{why}: asked for one of {n}, the vector says {expected}"
        return n - 1 if value == "highest" else value


class Table:
    """A game in the middle of things: `do` takes orders as a vector writes them, `told` is what has happened."""

    def __init__(self, found):
        self.picks = Picks(found.get("picks", found.get("state", {}).get("picks", ())))
        scripted = "picks" in found or "picks" in found.get("state", {})
        self.dice = Dice(source=self.picks) if scripted else Dice(found["vector"].encode())
        self.told, self.answers = [], {}
        if "setup" in found:
            turned = GAME.setup(Options(players=found["players"], **found["setup"]), self.dice)
            self.state, self.told = turned.state, list(turned.events)
        else:
            self._begin(found["players"], found["state"])

    def _begin(self, players, given):
        telling = Telling(position(players, given), self.dice)
        if given["at"] != "over":
            run(telling)
        self.state, self.told = telling.state, telling.events

    @property
    def acting(self):
        """The seat whose orders need no name."""
        return SEATS[self.state.seat] if self.state.point != "consent" else GAME.pending(self.state)[0]

    def split(self, order):
        """`seat: order`, or an order of the acting seat."""
        seat, colon, rest = order.partition(": ")
        return (seat, rest) if colon and seat in SEATS else (self.acting, order)

    def read(self, order):
        return GAME.read(self.state, *self.split(order))

    def do(self, order):
        if isinstance(order, dict):
            ((text, code),) = order.items()
            refusal = self.read(text)
            assert isinstance(refusal, Refusal), f"{text} is legal"
            assert refusal.code == code, refusal
            return
        seat, text = self.split(order)
        move = GAME.default(self.state, seat) if text == "default" else GAME.read(self.state, seat, text)
        assert not isinstance(move, Refusal), f"{order}: {move}"
        self.take(seat, move)

    def take(self, seat, move):
        """A move; answers to a proposal wait for each other as they do with the host."""
        self.answers[seat] = move
        if GAME.at_once(self.state, seat, move) or set(self.answers) == set(GAME.pending(self.state)):
            moves, self.answers = self.answers, {}
            turned = GAME.resolve(self.state, moves, self.dice)
            self.state = turned.state
            self.told += turned.events


# --- positions ----------------------------------------------------------------------------------------------------


def position(players, given):
    """The state a vector describes: what it does not name is as its head says."""
    options = Options(players=players)
    state = at_start(options, options.start_cells, 0)
    if given["at"] == "place":
        return state
    seat = SEAT_NUMBER[given.get("seat", "red")]
    state = replace(
        state,
        phase=PHASES.get(given["at"].split()[0], "play"),
        point=given["at"],
        seat=NOBODY if given["at"] == "over" else seat,
        todo=(),
        turn=9,
        own_turn=(5,) * players,
        gone=tuple(SEAT_NUMBER[name] for name in given.get("gone", ())),
        yurts=tuple(mask(given.get("yurts", {}).get(colour, "")) for colour in (*SEATS[:players], BLACK)),
    )
    return _cards(_specials(_shapes(_leaders(state, given), given), given), given)


def mask(cells):
    return BOARD.mask(words(cells))


def words(value):
    return value.split() if isinstance(value, str) else list(value)


def _leaders(state, given):
    cells, courts = list(state.leaders), list(state.courts)
    for leader, cell in given.get("leaders", {}).items():
        cells[LEADER_NUMBER[leader]] = NUMBERS[cell]
    for leader, court in given.get("courts", {}).items():
        courts[LEADER_NUMBER[leader]] = court
    removed = tuple(LEADER_NUMBER[leader] for leader in given.get("removed", ()))
    for leader in range(len(LEADERS)):
        if leader in removed or len(removed) == LAST_LEADER:
            cells[leader], courts[leader] = NOWHERE, 0
    return replace(state, leaders=tuple(cells), courts=tuple(courts), removed=removed)


def _shapes(state, given):
    laid, supply, covered = [], list(state.supply), 0
    for one in given.get("shapes", ()):
        owners = tuple(sorted(SEAT_NUMBER[name] for name in one["owners"]))
        laid.append(Laid(SHAPE_NUMBER[one["id"]], mask(one["cells"]), owners, 1))
        supply[laid[-1].shape] -= 1
        covered |= laid[-1].mask
    return replace(state, shapes=tuple(laid), supply=tuple(supply), covered=covered)


def _specials(state, given):
    held = [list(cards) for cards in state.specials]
    active, reserved, last = list(state.active), list(state.reserved), [[0, 0] for _ in state.seats]
    for name, cards in given.get("specials", {}).items():
        for kind, count in cards.items():
            held[SEAT_NUMBER[name]][SPECIALS.index(kind)] = count
    for name, card in given.get("active", {}).items():
        kind, region = (card, "") if isinstance(card, str) else card
        active[SEAT_NUMBER[name]] = Active(SPECIALS.index(kind), region)
        held[SEAT_NUMBER[name]][SPECIALS.index(kind)] -= 1
    for name, shape in given.get("reserved", {}).items():
        reserved[SEAT_NUMBER[name]] = SHAPE_NUMBER[shape]
        held[SEAT_NUMBER[name]][SPECIALS.index("explore")] -= 1
    for name, uses in given.get("last", {}).items():
        for kind, when in uses.items():
            last[SEAT_NUMBER[name]][SPECIALS.index(kind) - 1] = {"previous turn": 4, "earlier": 3}[when]
    standing = [standing_of(given.get("standing", {}).get(SEATS[seat], "ask")) for seat in state.seats]
    return replace(
        state,
        specials=tuple(map(tuple, held)),
        active=tuple(active),
        reserved=tuple(reserved),
        last_special=tuple(map(tuple, last)),
        standing=tuple(standing),
    )


def standing_of(given):
    given = {"consent": given} if isinstance(given, str) else given
    to = tuple(given.get("to", {}).get(seat, "") for seat in SEATS)
    return Standing(given.get("consent", "ask"), to, given.get("special", "ask"))


def _cards(state, given):
    hands = [tuple(sorted(ids(given.get("hands", {}).get(SEATS[seat], "")))) for seat in state.seats]
    draw, discard = ids(given.get("draw", "")), ids(given.get("discard", ""))
    named = {*draw, *discard, *(card for hand in hands for card in hand)}
    others = tuple(card for card in range(len(CARDS)) if card not in named)
    if given.get("rest") == "discard":
        discard += others
    else:
        draw += others
    return replace(state, hands=tuple(hands), draw=draw, discard=discard)


def ids(cards):
    return tuple(CARD_NUMBER[card] for card in words(cards))


# --- drawn boards -------------------------------------------------------------------------------------------------


def drawn(players=2, at="action 1", **given):
    """A position from the words of a vector's `state`."""
    table = Table({"vector": "drawn", "players": players, "state": {"at": at, **given}})
    return table


def card_ids(cards):
    return [CARDS[card].id for card in cards]


def kinds(table):
    return [event.kind for event in table.told]


def shape_of(laid):
    return SHAPES[laid.shape].id


def line(state, viewer=None, queues=None):
    return write(state, viewer, queues or {})


def leave(table, *names):
    """Seats that resign, one after the other, without anybody being asked in between."""
    telling = Telling(table.state, table.dice)
    for name in names:
        resign(telling, SEAT_NUMBER[name])
    table.state = telling.state
