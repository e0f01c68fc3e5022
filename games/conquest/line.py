"""The position line of Conquest: eight fields, one canonical spelling (section 7 of the rules)."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from operator import lt

from engine import BadOption, BadPosition
from games.conquest.board import EMPTY, Board
from games.conquest.geography import BIT, COLOURS, GRAIL, INDEX, NAMES, WATER
from games.conquest.options import Choices
from games.conquest.state import ALL, CALM, Calm, Exchange, Four, Over, State, Table
from games.conquest.units import LETTERS, NUMBER, Unit, parse

PIECES = sum(NUMBER.values()) * len(COLOURS)  # CONQ-2.3
FREE_ENDS = ("11.1", "11.2", "11.3", "11.4", "11.5", "11.7", "13.2")
ALLIED_ENDS = ("14.5", "14.6", "14.7", "14.8")
_NUMBER = r"(0|[1-9]\d{0,5})"
_FOUR = "/".join([_NUMBER] * 4)
_LINE = re.compile(
    rf"cq1 (free|alliance)([234]):(exchange|quiet):(all|land):([1-9]\d?) "
    rf"([1-9]\d{{0,5}}):([swne]):([swne]):{_NUMBER}:{_NUMBER} {_FOUR} {_FOUR} "
    rf"(-|[swne]:-1|[swne]:\d) (\S+) (\S+)",
    re.ASCII,
)
_EXCHANGE = re.compile(rf"counter:([{COLOURS}]):([a-z0-9]+):([{LETTERS}])", re.ASCII)
_OVER = re.compile(rf"over:(\d\d\.\d):(-|[{COLOURS}](?:\+[{COLOURS}])*)", re.ASCII)


def write(state: State) -> str:
    """The line of a state."""
    table = state.table
    opts = f"{table.mode}{table.players}:{table.empty_ship}:{table.alliance_win}:{table.opening_limit}"
    turn = f"{state.round}:{COLOURS[state.starter]}:{COLOURS[state.mover]}:{state.paid}:{state.risks}"
    taken, kills = ("/".join(map(str, four)) for four in (state.taken, state.kills))
    calm = "-" if state.calm is None else f"{COLOURS[state.calm.owner]}:{state.calm.turns}"
    units = ",".join([f"{name}={unit.text}" for name, unit in zip(NAMES, state.board.cells, strict=True) if unit])
    return f"cq1 {opts} {turn} {taken} {kills} {calm} {_phase(state)} {units or '-'}"


def _phase(state: State) -> str:
    if state.over is not None:
        winners = "+".join(COLOURS[colour] for colour in state.over.winners) or "-"
        return f"over:{state.over.rule}:{winners}"
    if state.exchange is not None:
        exchange = state.exchange
        return f"counter:{COLOURS[exchange.victim]}:{NAMES[exchange.cell]}:{exchange.letter}"
    return "move"


def read(line: str) -> State:
    """The state of a line; BadPosition for one that `write` would not write, or that no game can have."""
    found = _LINE.fullmatch(line)
    if found is None:
        raise BadPosition(f"not a position of Conquest: {line[:80]!r}")
    (mode, players, ship, win, limit, round_, starter, mover, paid, risks, *rest) = found.groups()
    taken, kills, (calm, phase, units) = _four(rest[:4]), _four(rest[4:8]), rest[8:]
    state = State(
        table=_table(mode, int(players), ship, win, int(limit)),
        board=_board(units, COLOURS.index(mover)),
        round=int(round_),
        starter=COLOURS.index(starter),
        mover=COLOURS.index(mover),
        paid=int(paid),
        risks=int(risks),
        taken=taken,
        kills=kills,
        calm=None if calm == "-" else Calm(COLOURS.index(calm[0]), int(calm[2:])),
    )
    state = _in_phase(state, phase)
    _check_calm(state)
    if pieces(state) > PIECES:
        raise BadPosition(f"{pieces(state)} pieces and kills together; the game has {PIECES}")
    if write(state) != line:
        raise BadPosition("the line is not in its canonical order")
    return state


def pieces(state: State) -> int:
    """All pieces on the map and all that have fallen: no piece is ever lost from this sum (CONQ-8.7)."""
    return sum(state.board.pieces) + sum(state.kills)


def _four(texts: list[str]) -> Four:
    south, west, north, east = map(int, texts)
    return south, west, north, east


@lru_cache(maxsize=256)
def _table(mode: str, players: int, ship: str, win: str, limit: int) -> Table:
    try:
        Choices(mode=mode, players=players, empty_ship=ship, alliance_win=win, opening_limit=limit)
    except BadOption as bad:
        raise BadPosition(str(bad)) from None
    return Table(mode, players, ship, win, limit)


def _board(text: str, mover: int) -> Board:
    units: list[tuple[int, Unit]] = []
    for entry in [] if text == "-" else text.split(","):
        at, unit = placed = _placed(entry)
        if unit.tired and unit.colour != mover:
            raise BadPosition(f"{NAMES[at]}={unit.text}: only the mover's pieces have spent points")
        units.append(placed)
    cells = [at for at, _ in units]
    if not all(map(lt, cells, cells[1:])):
        raise BadPosition("each cell stands once, in canonical order")  # CONQ-2.1
    return EMPTY.put(units)


@lru_cache(maxsize=1 << 14)
def _placed(entry: str) -> tuple[int, Unit]:
    """A unit on its cell; most of a map does not change from one line to the next."""
    cell, _, stack = entry.partition("=")
    if cell not in INDEX:
        raise BadPosition(f"there is no cell {cell}")  # CONQ-1.1
    try:
        unit = parse(stack)
    except ValueError as wrong:
        raise BadPosition(str(wrong)) from None  # CONQ-2.2, CONQ-4.4
    at = INDEX[cell]
    if unit.vessel != bool(BIT[at] & WATER):
        raise BadPosition(f"{NAMES[at]}={unit.text}: vessels stand on water, land pieces on land")  # CONQ-7.1
    if BIT[at] & GRAIL and unit.letter in "ec":
        raise BadPosition(f"{NAMES[at]}={unit.text}: no elephant or chariot stands on the Grail")  # CONQ-5.6
    return at, unit


def _in_phase(state: State, phase: str) -> State:
    if phase == "move":
        return state
    if found := _OVER.fullmatch(phase):
        rule, names = found.groups()
        winners = tuple(COLOURS.index(name) for name in names.split("+")) if names != "-" else ()
        if rule not in (ALLIED_ENDS if state.table.allied else FREE_ENDS) or list(winners) != sorted(set(winners)):
            raise BadPosition(f"no game ends as {phase}")
        return replace(state, over=Over(rule, winners))
    if found := _EXCHANGE.fullmatch(phase):
        victim, cell, letter = found.groups()
        if cell not in INDEX or not _captor(state, INDEX[cell], letter):
            raise BadPosition(f"{phase}: the mover has no such capturing piece there")
        if COLOURS.index(victim) in _own_side(state):
            raise BadPosition(f"{phase}: the mover's own side is not his victim")
        exchange = Exchange(COLOURS.index(victim), INDEX[cell], letter)
        return replace(state, exchange=exchange)
    raise BadPosition(f"{phase[:40]!r} is no phase of the game")


def _own_side(state: State) -> tuple[int, ...]:
    if not state.table.allied:
        return (state.mover,)
    return tuple(colour for colour in ALL if (colour - state.mover) % 2 == 0)


def _captor(state: State, at: int, letter: str) -> bool:
    """Whether the mover's piece of that letter can have captured there: a root, or aboard the vessel it took."""
    unit = state.board.cells[at]
    if unit is None or unit.colour != state.mover:
        return False
    return unit.letter == letter or (unit.vessel and [piece.letter for piece in unit.cargo] == [letter])


def _check_calm(state: State) -> None:
    calm = state.calm
    if calm is None:
        return
    if calm.turns == -1 and calm.owner != state.mover:
        raise BadPosition("calm -1 stands for a piece that fell in its owner's own turn")
    if calm.turns > CALM or (calm.turns == CALM and state.over is None):
        raise BadPosition(f"the game ends at the end of the turn that makes the calm {CALM}")  # CONQ-11.4
