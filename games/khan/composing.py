"""How orders are put together: the kind of action, then a card, a leader or a shape, then where."""

from __future__ import annotations

from typing import Any

from engine.composing import Composer, Part, Purse, Said, says
from games.khan.conquest import points_each, sharers
from games.khan.foretelling import notices
from games.khan.material import BOARD, CARD_IDS, CARD_NUMBER, CARDS, LEADER_NUMBER, NAMES, SHAPE_NUMBER, SHAPES
from games.khan.orders import Anywhere, Chase, Conquer, Invade, Pass, Place, Special, order_of
from games.khan.state import ACTION_1, ACTION_2, CONQUER_1, CONQUER_2, THIRD, State
from games.khan.telling import seat_names

TURN = "turn"  # what a pass needs for itself
KIND, CARD, CELL, CELLS = says("What to do"), says("Card"), says("Cell"), says("Cells")
SHAPE, REGION, NOTHING = says("Shape"), says("Region"), says("nothing")
KINDS = {
    Invade: Part("A", KIND, says("A: invade with a card"), 1),
    Chase: Part("B", KIND, says("B: chase a leader"), 1),
    Conquer: Part("C", KIND, says("C: conquer"), 1),
    Anywhere: Part("D", KIND, says("D: invade anywhere"), 2),
    Pass: Part("pass", KIND, says("pass"), needs=(TURN,), changes=(TURN,)),
}
LEFT = {ACTION_1: 2, ACTION_2: 1, THIRD: 1, CONQUER_1: 2, CONQUER_2: 1}
FACES = {
    "river": says("beside the river"),
    "neighbours": says("on the border"),
    "joker": says("anywhere"),
    "mountain": says("mountain"),
    "ice": says("ice"),
    "tundra": says("tundra"),
    "rock_desert": says("rock desert"),
    "sand_desert": says("sand desert"),
    "rainforest": says("rainforest"),
}
SPECIALS = {
    "none": says("no special card"),
    "morale": says("High Morale: a third action"),
    "protection": says("Protection of the Great Khan: nobody may cover your yurts"),
    "gods": says("Support of the Gods: nobody may cover black yurts"),
    "explore": says("Exploration: reserve a shape"),
}


class Orders(Composer):
    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat
        if state.point in LEFT:
            self.purse = Purse(says("actions"), LEFT[state.point], shared=True)
        hand = [CARD_IDS[card] for card in state.hands[seat]]
        self.discarding = [(card, says("Discard {card}", card=labelled(card))) for card in hand]
        self.discarded: dict[tuple[str, ...], tuple[Part, ...]] = {}
        """What was said of a choice of discards: each comes with every cell."""

    def parts(self, move: Any) -> tuple[Part, ...]:
        """Each kind of order in its own way; agreeing, refusing and passing are said in one word."""
        match order_of(move):
            case Invade(card=card, cell=cell):
                warned = tuple(map(_said, notices(self.state, self.seat, move)))
                held = Part(f" {card}", CARD, labelled(card), needs=(card, TURN), changes=(card,))
                there = Part(f" {cell}", CELL, notes=warned, needs=(cell,), changes=(cell,), places=(cell,))
                return (KINDS[Invade], held, there)
            case Chase(leader=leader):
                return (KINDS[Chase], self.leader(move, leader))
            case Conquer(shape=shape, cells=cells):
                return (KINDS[Conquer], self.shape(shape), self.covering(move, cells))
            case Anywhere(cell=cell, discard=discard):
                if discard not in self.discarded:
                    self.discarded[discard] = self.discards(discard)
                return (KINDS[Anywhere], Part(f" {cell}", CELL, places=(cell,)), *self.discarded[discard])
            case Special():
                return self.special(move)
            case Place(cell=cell):
                return (Part(str(move), CELL, says("{name}", name=cell), places=(cell,)),)
            case Pass():
                return (KINDS[Pass],)
            case _:
                return super().parts(move)

    def leader(self, move: Chase, leader: str) -> Part:
        left = self.state.courts[LEADER_NUMBER[leader]]
        label = says("{leader}, yurts at its court: {left}", leader=leader, left=left)
        warned = tuple(map(_said, notices(self.state, self.seat, move)))
        here = (NAMES[self.state.leaders[LEADER_NUMBER[leader]]],)
        return Part(f" {leader}", says("Leader"), label, notes=warned, needs=(TURN,), changes=(TURN,), places=here)

    def shape(self, shape: str) -> Part:
        number = SHAPE_NUMBER[shape]
        facts: dict[str, Any] = {"shape": shape, "points": SHAPES[number].points, "left": self.state.supply[number]}
        label = says("{shape}, points: {points}, left: {left}", **facts)
        return Part(f" {shape}", SHAPE, label, needs=(shape, TURN), changes=(shape,))  # the last one may be taken

    def covering(self, move: Conquer, cells: tuple[str, ...]) -> Part:
        """The cells of a shape; whoever taps them need not know in which order they are written."""
        said = f" {' '.join(cells)}"
        return Part(said, CELLS, notes=self.sharing(move), needs=cells, changes=cells, places=cells, any_order=True)

    def sharing(self, move: Conquer) -> tuple[Said, ...]:
        """KHAN-7.6, KHAN-14.1: whose the shape would be, and what it would bring each; whose consent it needs."""
        owners = sharers(self.state, BOARD.mask(move.cells))
        each = points_each(SHAPE_NUMBER[move.shape], len(owners))
        facts = {"owners": tuple(seat_names(owners)), "each": each}
        owned = says("Most yurts: {owners}. Points for each owner: {each}.", "KHAN-7.6", **facts)
        return (owned, *map(_said, notices(self.state, self.seat, move)))

    def discards(self, chosen: tuple[str, ...]) -> tuple[Part, ...]:
        """Each card of the hand goes or stays."""
        parts, before = [], " -"
        for card, asks in self.discarding:
            parts.append(Part(f"{before} {card}", asks) if card in chosen else Part("", asks, NOTHING))
            before = "" if card in chosen else before
        return tuple(parts)

    def special(self, move: Special) -> tuple[Part, ...]:
        first = Part(f"S {move.card}", says("Special card"), SPECIALS[move.card])
        if move.region:
            return (first, Part(f" {move.region}", REGION, FACES[move.region]))
        return (first, Part(f" {move.shape}", SHAPE)) if move.shape else (first,)


def labelled(card: str) -> Said:
    """A card with what it allows (KHAN-6.2)."""
    return says("{card} ({face})", card=card, face=FACES[CARDS[CARD_NUMBER[card]].face])


def _said(notice: Any) -> Said:
    return Said(notice.text, notice.rule, tuple((name, _kept(fact)) for name, fact in notice.facts.items()))


def _kept(fact: Any) -> Any:
    return tuple(fact) if isinstance(fact, list) else fact
