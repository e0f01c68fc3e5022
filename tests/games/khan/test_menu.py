"""The menu against the judge: both come to the same orders by different ways (KHAN-17.6, KHAN-19)."""

from __future__ import annotations

import random

import pytest

from engine import Refusal
from games.khan import GAME
from games.khan.judging import why_not
from games.khan.legal import CONQUERING
from games.khan.material import CARD_NUMBER, CARDS, LEADERS, NAMES, NUMBERS, REGIONS, SHAPE_NUMBER, SHAPES
from games.khan.orders import PLACES, Anywhere, Chase, Conquer, Invade, Special, order_of
from tests.games.khan.table import drawn
from tests.games.khan.walking import states

WORDS = {"P": 0, "A": 1, "B": 2, "C": 3, "D": 4, "S": 5, "consent": 6, "pass": 7}


def asked(state):
    return [(seat, list(GAME.moves(state, seat))) for seat in GAME.pending(state)]


@pytest.mark.parametrize("part", range(4))
def test_every_order_of_the_menu_is_read_and_stands(part):
    luck = random.Random(part)
    for state in states()[part::4]:
        for seat, menu in asked(state):
            for move in luck.sample(menu, min(len(menu), 60)):
                text = str(move)
                for written in (text, text.lower(), text.upper().replace(" ", "  , ")):
                    assert GAME.read(state, seat, written) == move
                assert GAME.read(state, seat, mapping(move)) == move
            assert GAME.default(state, seat) in menu
            assert len(set(menu)) == len(menu) == len({str(move) for move in menu})


def mapping(listed):
    """KHAN-17.1: the same order as YAML."""
    move = order_of(listed)
    names = {"P": "place", "A": "invade", "B": "chase", "C": "conquer", "D": "anywhere", "S": "special"}
    fields = {key: value for key, value in move._asdict().items() if value and key != "do"}
    fields = {key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()}
    return {"do": names.get(move.do, move.do), **fields}


@pytest.mark.parametrize("part", range(4))
def test_what_is_not_on_the_menu_is_refused_with_a_reason(part):
    """Orders of all kinds at random, and every conquest there could ever be."""
    luck = random.Random(part)
    for state in states()[part::4]:
        for seat, menu in asked(state):
            wanted, number = set(menu), ("red", "yellow", "blue", "green").index(seat)
            for move in [*strangers(luck, state.hands[number]), *CONQUERING[luck.randrange(16) :: 16]]:
                refusal = why_not(state, number, move)
                assert (refusal is None) == (move in wanted), move
                assert refusal is None or (refusal.code[0] == "E" and str(refusal).endswith("."))


def strangers(luck, hand):
    cells, cards = list(NAMES.values()), [card.id for card in CARDS]
    for _ in range(30):
        card = luck.choice([CARDS[held].id for held in hand] or cards)
        yield Invade(luck.choice((card, luck.choice(cards))), luck.choice(cells))
        yield f"D {luck.choice(cells)} - {luck.choice(cards)}"
        yield f"D {luck.choice(cells)}"
        yield PLACES[luck.choice(list(PLACES))]
    yield from (Chase(leader.id) for leader in LEADERS)
    yield from (Special(card) for card in ("none", "morale", "protection", "gods"))
    yield from (Special("gods", region=region) for region in REGIONS)
    yield from (Special("explore", shape=shape.id) for shape in SHAPES)


def test_the_menu_stands_in_canonical_order():
    """KHAN-1.13, KHAN-17.6: by kind, then as each kind says."""
    for state in states():
        for _, menu in asked(state):
            assert menu == sorted(menu, key=place)


def place(listed):
    """Where an order belongs in the enumeration."""
    move = order_of(listed)
    kind = WORDS[move.do]
    match move.do:
        case "P":
            return kind, NUMBERS[move.cell]
        case "A":
            return kind, CARD_NUMBER[move.card], NUMBERS[move.cell]
        case "B":
            return kind, [leader.id for leader in LEADERS].index(move.leader)
        case "C":
            return kind, SHAPE_NUMBER[move.shape], [NUMBERS[cell] for cell in move.cells]
        case "D":
            return kind, NUMBERS[move.cell], len(move.discard), [CARD_NUMBER[card] for card in move.discard]
        case "S":
            region = REGIONS.index(move.region) if move.region else -1
            card = ("none", "morale", "protection", "gods", "explore").index(move.card)
            return kind, card, region, SHAPE_NUMBER.get(move.shape, -1)
        case _:
            return kind, str(move)


def test_two_orders_with_the_same_canonical_form_are_the_same():
    """KHAN-17.6: cells and cards in any order."""
    table = drawn(hands={"red": "RUS-JO SEL-MO"}, yurts={"red": "B8 C8 D8"})
    assert GAME.read(table.state, "red", "C T3I D8 B8 C8") == Conquer("T3I", ("B8", "C8", "D8"))
    assert str(GAME.read(table.state, "red", "D G6 - SEL-MO RUS-JO")) == "D G6 - RUS-JO SEL-MO"


def test_an_order_of_action_d_is_its_text_and_is_taken_apart():
    """KHAN-6.5: with any number of discards, as it is read from a mapping, too."""
    table = drawn(hands={"red": "RUS-JO SEL-MO"})
    for cards in ((), ("SEL-MO",), ("RUS-JO", "SEL-MO")):
        order = Anywhere("G6", cards)
        assert order_of(str(order)) == order
        assert GAME.read(table.state, "red", {"do": "anywhere", "cell": "g6", "discard": list(cards)}) == str(order)


def test_a_refusal_names_legal_orders_and_those_stand():
    luck = random.Random("legal")
    named = 0
    for state in states():
        for seat, menu in asked(state):
            texts = {str(move) for move in menu}
            number = ("red", "yellow", "blue", "green").index(seat)
            for move in luck.sample(list(strangers(luck, state.hands[number])), 40):
                refusal = why_not(state, number, move)
                if isinstance(refusal, Refusal) and refusal.code != "E10":
                    assert set(refusal.legal) <= texts, (str(move), refusal)
                    named += len(refusal.legal)
    assert named > 1000


@pytest.mark.parametrize(
    ("text", "move", "same"),
    [
        ("invade sel-mo, g4", "A SEL-MO G4", True),
        ("conquérir t4s l1 k1 j2 k2", "C T4S K1 L1 J2 K2", True),
        ("d d1 - SEL-TU RUS-NB", "D D1 - RUS-NB SEL-TU", True),
        ("spéciale exploration T5N", "S explore T5N", True),
        ("passer", "pass", True),
        ("invade SEL-MO G5", "A SEL-MO G4", False),
        ("invade", "A SEL-MO G4", False),
    ],
)
def test_an_if_means_the_same_order_in_any_words(text, move, same):  # KHAN-17.1, KHAN-17.6
    assert GAME.same_move(text, move) is same
