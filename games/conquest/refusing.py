"""Why an order cannot stand: the first reason that applies, in facts, with what would be legal (section 6.4)."""

from __future__ import annotations

from itertools import islice
from typing import Any

from engine import Refusal
from games.conquest.actions import DECLINE, END, Action, Counter, Drop, Step, in_text_order
from games.conquest.exchange import answers, beside, colours, drops_of, may_take, takes
from games.conquest.geography import BIT, COLOURS, DATA, DRY, EDGES, GRAIL, INDEX, NAMES, PORTS, SEA, joined
from games.conquest.geography import graph as steps_graph
from games.conquest.legal import actions
from games.conquest.reading import Answer, Order, Said, Walk, understood
from games.conquest.state import ALL, Exchange, State, partner
from games.conquest.striking import forbidden
from games.conquest.units import LIMIT, PIECE, Unit, loaded, parted
from games.conquest.ways import NO_LIMIT, Sight, cheapest, is_way, reach, sight

COLOUR_NAMES: dict[str, str] = DATA["colour_names"]
SHOWN = 12  # so many legal actions stand in a refusal; a list of three hundred helps nobody


def read(state: State, seat: str, order: object) -> Action | Refusal:
    """The legal action an order means, or the first reason why it is none."""
    if state.over is not None:
        rule = f"CONQ-{state.over.rule}"
        return Refusal("CONQ-18.2", "game_over", "The game ended by {by}; nothing can be ordered.", {"by": rule})
    asked = state.seat_of(state.exchange.victim if state.exchange else state.mover)
    if seat != asked:
        text = "It is the decision of seat {asked}, not of seat {seat}."
        return Refusal("CONQ-18.3", "not_asked", text, {"asked": asked, "seat": seat})
    meant = understood(order)
    if meant is None:
        return _unreadable(state, order)
    if state.exchange is not None:
        return _answer(state, state.exchange, meant)
    return _turn(state, meant)


def _unreadable(state: State, order: object) -> Refusal:
    text = '"{order}" was not understood. A move looks like `e sc5-sa6`, an answer like `counter e sd7`.'
    legal = tuple(map(str, islice(actions(state), SHOWN)))
    return Refusal("CONQ-18.1", "unreadable", text, {"order": str(order)[:200]}, legal)


# --- the mover's turn ---------------------------------------------------------------------------------------------


def _turn(state: State, meant: Order) -> Action | Refusal:
    if isinstance(meant, Said) and meant.word == "end":
        return END
    if not isinstance(meant, Walk):
        text = "Nothing was taken from you just now; there is nothing to answer."
        return Refusal("CONQ-18.2", "no_exchange", text, {}, ("end",))
    unknown = next((cell for cell in meant.cells if cell not in INDEX), None)
    if unknown is not None:
        return _unknown_cell(unknown)
    start, to = INDEX[meant.cells[0]], INDEX[meant.cells[-1]]
    unit = state.board.cells[start]
    if unit is None or unit.colour != state.mover:
        return _not_yours("CONQ-4.1", start, unit)
    letter = meant.piece or unit.letter
    if all(letter != name for name, _ in unit.named):
        return _no_such_piece(start, unit)
    return _Move(state, unit, letter, start, to).judged(tuple(INDEX[cell] for cell in meant.cells))


def _unknown_cell(cell: str) -> Refusal:
    row = cell.rstrip("0123456789")
    same = [name for name in NAMES if name.rstrip("0123456789") == row]
    if not same:
        return Refusal("CONQ-1.1", "unknown_cell", "There is no cell {cell}.", {"cell": cell})
    facts = {"cell": cell, "row": row, "first": same[0], "last": same[-1]}
    text = "There is no cell {cell}; row {row} runs from {first} to {last}."
    return Refusal("CONQ-1.1", "unknown_cell", text, facts)


def _not_yours(rule: str, at: int, unit: Unit | None) -> Refusal:
    if unit is None:
        return Refusal(rule, "not_yours", "No piece of yours stands on {cell}: it is empty.", {"cell": NAMES[at]})
    facts = {"cell": NAMES[at], "owner": COLOUR_NAMES[COLOURS[unit.colour]], "piece": PIECE[unit.letter]}
    return Refusal(rule, "not_yours", "No piece of yours stands on {cell} ({owner}'s {piece} does).", facts)


def _no_such_piece(at: int, unit: Unit, names: list[str] | None = None) -> Refusal:
    named = names if names is not None else [name for name, _ in unit.named]
    facts = {"cell": NAMES[at], "unit": unit.shape, "names": named}
    return Refusal("CONQ-2.2", "no_such_piece", "{cell} holds {unit}: you can name {names}.", facts)


class _Move:
    """One move under judgment. The methods are the rows of the table of refusals, from the top down."""

    def __init__(self, state: State, unit: Unit, letter: str, start: int, to: int) -> None:
        self.state, self.unit, self.letter, self.start, self.to = state, unit, letter, start, to
        _, self.piece = parted(unit, letter)
        self.carried = unit.letter != letter
        self.seen: Sight = sight(state.board, state.friends(state.mover), self.piece)
        self.there = state.board.cells[to]
        self.own = self.there is not None and self.there.colour == state.mover
        self.facts: dict[str, Any] = {
            "piece": PIECE[letter],
            "from": NAMES[start],
            "to": NAMES[to],
            "limit": LIMIT[letter],
            "spent": self.piece.spent,
            "points": state.points_left,
        }

    def judged(self, cells: tuple[int, ...]) -> Action | Refusal:
        step = Step(self.letter, self.start, self.to)
        own_points = LIMIT[self.letter] - self.piece.spent
        cost = None if self.start == self.to else self.cost(min(own_points, self.state.points_left))
        if cost is None or forbidden(self.state, step) or self.state.nailed(self.state.mover):
            return self.place() or self.taking() or self.edges() or self.price(own_points) or self.no_way()
        written = len(cells) - 1
        if len(cells) > 2 and not (written == cost and is_way(self.letter, cells, self.carried, self.seen)):
            text = "The move is legal and costs {cost}; the way you wrote costs {written} or is blocked."
            facts = self.facts | {"cost": cost, "written": written}
            return Refusal("CONQ-5.7", "route", text, facts, (str(step),))
        return step

    def cost(self, points: int, lifted: str = "", change: bool = False) -> int | None:
        return cheapest(self.letter, self.start, self.to, self.carried, points, self.seen, lifted, change)

    def no(self, rule: str, code: str, text: str, legal: tuple[str, ...] = (), **facts: Any) -> Refusal:
        return Refusal(rule, code, text, self.facts | facts, legal)

    def place(self) -> Refusal | None:
        """Cells where the piece can never go, or not from where it is."""
        target, land = BIT[self.to], not self.piece.vessel
        if self.start == self.to:
            return self.no("CONQ-5.1", "same_cell", "From and to are the same cell.")
        if not land and target & DRY:
            return self.no("CONQ-7.1", "wrong_element", "A {piece} stays on the water; {to} is land.")
        if land and target & SEA:
            return self.no("CONQ-7.1", "wrong_element", "This {piece} stays on land; {to} is sea.")
        if land and target & PORTS and self.there is None:
            return self.no("CONQ-7.3", "no_vessel", "{to} is a port without a ship of yours.")
        if self.letter in "ec" and target & GRAIL:
            return self.no("CONQ-5.6", "grail", "Only knights and soldiers enter {to}.")
        if self.carried and self.unit.vessel and BIT[self.start] & SEA:
            return self.no("CONQ-7.3", "at_sea", "{from} is no port: nobody leaves the ship there.")
        return None

    def taking(self) -> Refusal | None:
        """What stands there and will neither be boarded nor taken."""
        there = self.there
        if there is None:
            return None
        if self.own:
            return self.no_room(there)
        if BIT[self.to] & self.state.friends(self.state.mover):
            name = COLOUR_NAMES[COLOURS[there.colour]]
            return self.no("CONQ-14.2", "ally", "That is your partner: {partner}.", partner=name)
        if may_take(self.piece, there) is not None:
            return self.no("CONQ-8.2", "cannot_take", "A soldier cannot take a unit with an elephant.")
        return None

    def no_room(self, there: Unit) -> Refusal | None:
        if loaded(self.piece, there) is not None:
            other = f"{there.letter} {NAMES[self.to]}-{NAMES[self.start]}"
            return self.no(
                "CONQ-6.2", "no_pick_up", "The soldier must come to the {piece}: `{instead}`.", instead=other
            )
        if loaded(there, self.piece) is not None and not self.piece.vessel:
            return None
        if there.vessel and not self.piece.vessel:
            text = "The {vessel} carries {hold} and takes nobody else." if there.cargo else "The {vessel} has no room."
            return self.no("CONQ-7.2", "hold", text, vessel=PIECE[there.letter], hold=there.hold)
        return self.no("CONQ-2.1", "occupied", "Your {other} stands on {to}.", other=PIECE[there.letter])

    def edges(self) -> Refusal | None:
        """A step over just the edge that is closed to the piece."""
        if self.letter == "e" and joined("bridge_x", self.start, self.to):
            return self.x_bridge()
        if self.letter in "ec" and (self.to, self.start) in EDGES["ramp"]:
            return self.v_down()
        if self.carried and BIT[self.to] & self.seen.ride & steps_graph(self.letter).next[self.start]:
            return self.direct_change()
        return None

    def x_bridge(self) -> Refusal:
        return self.no("CONQ-5.5", "x_bridge", "Elephants do not cross the X bridges.")

    def v_down(self) -> Refusal:
        return self.no("CONQ-5.4", "v_down", "Elephants and chariots climb the V cells and never come down.")

    def direct_change(self) -> Refusal:
        return self.no("CONQ-6.4", "direct_change", "No step from carrier to carrier: there must be a cell between.")

    def price(self, own_points: int) -> Refusal | None:
        """There is a way, but it costs too much, or it is a second risk."""
        cost = self.cost(NO_LIMIT)
        if cost is None or self.state.nailed(self.state.mover):
            return None
        points = self.state.points_left
        if cost > own_points:
            text = "The way costs {cost}, the {piece} has {own} left."
            return self.no("CONQ-4.4", "piece_limit", text, self.now(), cost=cost, own=own_points)
        if cost > points:
            text = "The way costs {cost}, you have {points} left."
            return self.no("CONQ-4.7", "points", text, self.now(), cost=cost)
        text = "With two pieces you may risk one exchange a turn, and you have."
        return self.no("CONQ-13.3", "vulnerable", text, cost=cost)

    def now(self) -> tuple[str, ...]:
        """What the piece may do: the moves that its points and its player's allow, and CONQ-13.3."""
        points = min(LIMIT[self.letter] - self.piece.spent, self.state.points_left)
        ends = reach(self.letter, self.start, self.carried, points, self.seen) if points > 0 else 0
        steps = [Step(self.letter, self.start, to) for to in range(len(NAMES)) if ends >> to & 1]
        return tuple(str(step) for step in steps if not forbidden(self.state, step)) or ("end",)

    def no_way(self) -> Refusal:
        """No way at all: perhaps there would be one without one of three rules."""
        if self.state.nailed(self.state.mover):
            text = "Nailed, {colour} moves nothing."
            return self.no("CONQ-10.5", "nailed", text, ("end",), colour=COLOUR_NAMES[COLOURS[self.state.mover]])
        if self.cost(NO_LIMIT, change=True) is not None:
            return self.direct_change()
        if self.letter == "e" and self.cost(NO_LIMIT, "x") is not None:
            return self.x_bridge()
        if self.letter in "ec" and self.cost(NO_LIMIT, "xv") is not None:
            return self.v_down()
        return self.no("CONQ-5.2", "blocked", "Every way from {from} to {to} is blocked.", self.now())


# --- the victim's answer ------------------------------------------------------------------------------------------


def _answer(state: State, exchange: Exchange, meant: Order) -> Action | Refusal:
    if isinstance(meant, Said) and meant.word == "decline":
        return DECLINE
    if not isinstance(meant, Answer):
        legal = _legal_answers(state, exchange)
        text = "You are asked for an answer to the loss on {cell}: `decline` or one of {answers}."
        facts = {"cell": NAMES[exchange.cell], "answers": legal[1 : SHOWN + 1]}
        return Refusal("CONQ-18.2", "answer_expected", text, facts, legal)
    for cell in (meant.start, *(cell for _, cell in meant.drops)):
        if cell not in INDEX:
            return _unknown_cell(cell)
    start = INDEX[meant.start]
    unit = state.board.cells[start]
    side = (exchange.victim, partner(exchange.victim)) if state.table.allied else (exchange.victim,)
    if unit is None or unit.colour not in side:
        return _not_yours("CONQ-9.1", start, unit)
    if unit.colour not in tuple(colours(state, exchange.victim)):
        name = COLOUR_NAMES[COLOURS[unit.colour]]
        return Refusal("CONQ-10.5", "nailed", "Nailed, {colour} cannot answer.", {"colour": name})  # CONQ-14.4
    letter = meant.piece or unit.letter
    if letter == "t" or all(letter != name for name, _ in unit.named):
        return _no_such_piece(start, unit, [name for name, _ in unit.named if name != "t"])
    drops = in_text_order(tuple(Drop("s" if name == "t" else name, INDEX[cell]) for name, cell in meant.drops))
    return _judged_answer(state, exchange, Counter(letter, start, drops), unit)


def _judged_answer(state: State, exchange: Exchange, counter: Counter, unit: Unit) -> Counter | Refusal:
    _, piece = parted(unit, counter.piece)
    facts: dict[str, Any] = {"piece": PIECE[counter.piece], "from": NAMES[counter.start], "cell": NAMES[exchange.cell]}
    if counter.drops and counter.drops not in set(drops_of(state.board, piece, counter.start)):
        return _bad_drop(state, counter, piece, facts)
    rule = may_take(piece, state.board.unit(exchange.cell))
    if rule is not None:
        elephant = rule == "CONQ-8.2"
        text = "A soldier cannot take a unit with an elephant." if elephant else "A {piece} takes only vessels."
        return Refusal(rule, "cannot_take", text, facts, _legal_answers(state, exchange))
    friends = state.friends(exchange.victim)
    if not takes(state.board, friends, counter.piece, counter.start, counter.drops, exchange.cell):
        legal = _legal_answers(state, exchange)
        text = "No way of one or two cells leads from {from} to {cell}. Legal answers: {answers}."
        return Refusal("CONQ-9.2", "out_of_reach", text, facts | {"answers": legal[:SHOWN]}, legal)
    return counter


def _bad_drop(state: State, counter: Counter, piece: Unit, facts: dict[str, Any]) -> Refusal:
    """CONQ-9.6: what can be set down, and where."""
    carried = sorted(set(piece.pieces[1:]), key="skce".index)
    if not carried:
        return Refusal("CONQ-9.6", "bad_drop", "The {piece} on {from} carries nothing.", facts)
    places = {
        letter: [c for c in range(len(NAMES)) if beside(state.board, letter, counter.start) >> c & 1]
        for letter in carried
    }
    open_to = [f"{letter} {' '.join(NAMES[cell] for cell in cells) or '-'}" for letter, cells in places.items()]
    legal = tuple(str(Counter(counter.piece, counter.start, (Drop(one, to),))) for one in carried for to in places[one])
    text = "These pieces cannot be set down there. Each makes one step to an empty cell: {open}."
    return Refusal("CONQ-9.6", "bad_drop", text, facts | {"open": open_to}, legal)


def _legal_answers(state: State, exchange: Exchange) -> tuple[str, ...]:
    return ("decline", *map(str, answers(state, exchange.victim, exchange.cell)))


def why_never(state: State, order: object) -> Refusal | None:
    """Why no position could take an order that is written for later: nobody could read it, or its cells are none."""
    meant = understood(order)
    if meant is None:
        return _unreadable(state, order)
    named = meant.cells if isinstance(meant, Walk) else ()
    if isinstance(meant, Answer):
        named = (meant.start, *(cell for _, cell in meant.drops))
    unknown = next((cell for cell in named if cell not in INDEX), None)
    return None if unknown is None else _unknown_cell(unknown)


def is_answer(order: object) -> bool:
    """CONQ-18.7: `decline` and `counter ...` are for the exchange that is open, and wait for no other."""
    meant = understood(order)
    return isinstance(meant, Answer) or meant == Said("decline")


def why_not_say(state: State, seat: str, to: str | None) -> Refusal | None:
    """CONQ-16.2: partners of different seats exchange no messages, so none goes to all; free, all may (CONQ-16.1)."""
    if not state.table.allied or state.over is not None:
        return None
    partners = sorted({state.seat_of(partner(colour)) for colour in ALL if state.seat_of(colour) == seat} - {seat})
    if not partners or (to is not None and to not in partners):
        return None
    text = (
        "Partners exchange no messages while the game lasts: {partner} would read this. Write to an opponent by name."
    )
    return Refusal("CONQ-16.2", "no_press", text, {"partner": partners[0]})
