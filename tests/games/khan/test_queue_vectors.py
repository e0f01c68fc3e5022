"""The vectors of queues, standing instructions and resignation, through the kernel's own queue (KHAN-17, KHAN-30)."""

from __future__ import annotations

import pytest

from engine import Refusal
from engine.advance import advance, take_effect
from engine.queue import NO_ORDERS, filed
from games.khan import GAME
from games.khan.material import SEATS
from pbem.intake.fields import read_form
from pbem.intake.judge import judge
from tests.games.khan.table import VECTORS, Table, drawn
from tests.games.khan.test_vectors import HEAD, expect

TABLES = [each for each in VECTORS if "table" in each]


class Post(Table):
    """A table whose players write files: what a host does with them, without its mail."""

    def __init__(self, found):
        super().__init__(found)
        self.seats = GAME.seats(self.state.options)
        self.orders = dict.fromkeys(self.seats, NO_ORDERS)
        self.turn = 1

    def queues(self):
        return {seat: list(held.queue) for seat, held in self.orders.items()}

    def arrives(self, step):
        """One file or resignation, and what the seats are told of their orders."""
        seat = step["seat"]
        if step.get("resign"):
            move = GAME.resignation(self.state, seat)
            return [] if move is None else self.effect(seat, move) + self.advance()
        refusals = [why for order in step["file"] if (why := GAME.why_never(self.state, seat, order)) is not None]
        if refusals:
            return [f"{seat}: {refusals[0].code}"]
        return self.file(seat, list(step["file"])) + self.advance()

    def file(self, seat, orders):
        """Orders that take effect at once do so, whoever is asked; the others wait for their decisions."""
        told = []
        while orders and self.at_once(seat, orders[0]):
            told += self.effect(seat, GAME.read(self.state, seat, orders.pop(0)))
        if orders:
            self.orders[seat] = filed(GAME, self.state, seat, self.orders[seat], tuple(orders), {})
        return told

    def at_once(self, seat, order):
        move = GAME.read(self.state, seat, order)
        return not isinstance(move, Refusal) and GAME.at_once(self.state, seat, move)

    def effect(self, seat, move):
        return self.after(
            take_effect(GAME, self.state, self.orders, lambda context: self.dice, seat, move, turn=self.turn)
        )

    def advance(self):
        return self.after(advance(GAME, self.state, self.orders, lambda context: self.dice, turn=self.turn))

    def after(self, went):
        self.state, self.turn, self.orders = went.state, went.turn, dict(went.orders)
        for step in went.steps:
            self.told += step.events
        stopped = [step.stopped for step in went.steps] + [went.stopped]
        return [f"{seat}: {one.why.code}" for each in stopped for seat, ones in each.items() for one in ones]


def alike(notice, wanted):
    """The same error, or, where the wording is free, something told to the same seat."""
    seat, _, code = wanted.partition(": ")
    return notice == wanted if code[:1] == "E" and code[1:].isdigit() else notice.startswith(f"{seat}: ")


@pytest.mark.parametrize("found", [pytest.param(each, id=each["vector"]) for each in TABLES])
def test_vector(found):
    assert set(found) - HEAD <= {"players", "state", "setup", "table", "do", "expect"}
    post = Post(found)
    for order in found.get("do", ()):
        post.do(order)
    for step in found["table"]:
        notices, wanted = post.arrives(step), step.get("notices", [])
        assert len(notices) == len(wanted), notices
        assert all(map(alike, notices, wanted)), notices
    expect(post, found["expect"])


def test_a_special_card_that_cannot_be_used_stops_the_queue_although_step_4_is_skipped():
    """KHAN-17.5, KHAN-17.3: an S order is taken at step 4, so there it fails, and its seat is asked."""
    given = {"at": "action 2", "hands": {"red": "RUS-MO"}, "active": {"yellow": "gods"}}
    post = Post({"vector": "skip", "players": 2, "state": given})
    step = {"seat": "red", "file": ["standing special skip", "A RUS-MO A9", "S gods", "D B9"]}
    assert post.arrives(step) == ["red: E51"]
    assert (post.state.point, post.acting, post.queues()["red"]) == ("special", "red", [])


def test_a_skipped_step_4_leaves_the_orders_for_later_alone():
    """KHAN-17.5: the orders behind it are for the next turn."""
    post = Post({"vector": "skip", "players": 2, "state": {"at": "action 2", "hands": {"red": "RUS-MO"}}})
    assert post.arrives({"seat": "red", "file": ["standing special skip", "A RUS-MO A9", "D B9"]}) == []
    assert (post.state.point, post.acting, post.queues()["red"]) == ("action 1", "yellow", ["D B9"])


def test_an_instruction_for_another_seat_does_not_touch_the_queue():
    """KHAN-17.2: instructions hold at once, from a seat that is asked or not."""
    post = Post({"vector": "later", "players": 3, "state": {"at": "action 1"}})
    post.arrives({"seat": "yellow", "file": ["B KIP"]})
    post.arrives({"seat": "yellow", "file": ["standing consent never blue, special skip"]})
    assert post.queues()["yellow"] == ["B KIP"]
    assert str(post.state.standing[1].to) == "('', '', 'never', '')"
    assert post.state.standing[1].special == "skip"


def test_the_form_of_an_order_file_reaches_the_state():
    """KHAN-17.2: the top key `standing` is a move at once."""
    post = Post({"vector": "form", "players": 3, "state": {"at": "action 1"}})
    standing = {"consent": "never", "consent_to": {"blue": "always"}, "special": "skip"}
    assert GAME.why_not_standing(post.state, "yellow", standing) is None
    move = GAME.kept_standing(post.state, "yellow", standing)
    assert str(move) == "standing consent never, consent always blue, special skip"
    assert GAME.at_once(post.state, "yellow", move)
    assert GAME.read(post.state, "yellow", str(move)) == move
    post.effect("yellow", move)
    assert GAME.view(post.state, "yellow").facts["standing"] == ["consent never", "consent always blue", "special skip"]
    assert GAME.view(post.state, "red").facts["standing"] == []
    for wrong in ({"consent": "default"}, {"consent": "yes"}, {"consent_to": {"green": "never"}}, {"x": "y"}, {}):
        assert GAME.why_not_standing(post.state, "yellow", wrong).code == "E02"
    assert GAME.why_not_standing(post.state, "yellow", {"consent_to": {"yellow": "never"}}).code == "E02"


def test_after_the_end_and_after_resigning_nothing_stands():
    """KHAN-17.7: files of a seat that has resigned are refused, its instructions are gone."""
    post = Post({"vector": "gone", "players": 3, "state": {"at": "action 1", "standing": {"yellow": "always"}}})
    post.arrives({"seat": "yellow", "file": ["B KIP"]})
    assert post.arrives({"seat": "yellow", "resign": True}) == ["yellow: resigned"]
    assert post.queues()["yellow"] == []
    assert post.state.standing[1].consent == "ask"
    assert GAME.why_not_standing(post.state, "yellow", {"consent": "never"}).code == "E01"
    assert GAME.read(post.state, "yellow", "standing consent never").code == "E01"
    assert GAME.read(post.state, "yellow", "resign").code == "E01"
    assert GAME.resignation(post.state, "yellow") is None
    assert post.arrives({"seat": "blue", "resign": True}) == []
    assert GAME.pending(post.state) == ()
    assert GAME.resignation(post.state, "red") is None


def test_a_form_with_standing_answers_and_a_whole_turn():
    """KHAN-17.2, KHAN-17.3: the host gives the instructions to the state, and judges as far as it can see."""
    given = {"at": "action 1", "hands": {"red": "RUS-MO SEL-MO"}, "yurts": {"red": "C9"}}
    post = Post({"vector": "form", "players": 2, "state": given})
    text = """game: g
seat: red
orders: [A RUS-MO A9, A SEL-MO B9, S morale, C T3I A9 B9 C9]
standing: {consent: never, special: skip}
"""
    form = read_form(text.encode(), body=False).form
    verdict = judge(GAME, post.state, form, turns=range(1, 2), seats=post.seats)
    assert verdict.is_taken
    assert [str(move) for move in verdict.at_once] == ["standing consent never, special skip"]
    assert verdict.stands.standing == {}
    assert str(verdict.notices[0]) == "From now on: standing consent never, special skip."
    assert [[event.kind for event in read.events] for read in verdict.read] == [
        ["invade"],
        ["invade"],
        ["special"],
        ["conquest"],
    ]
    wrong = read_form(text.replace("B9, S", "A9, S").encode(), body=False).form
    refused = judge(GAME, post.state, wrong, turns=range(1, 2), seats=post.seats)
    assert [problem.why.code for problem in refused.problems] == ["E11"]


def test_what_can_be_foreseen():
    """Nothing behind a card that is turned or drawn, nor behind another seat's answer."""
    given = {
        "hands": {"red": "RUS-MO SEL-JO"},
        "active": {"yellow": "protection"},
        "yurts": {"red": "B8 B9 C9", "yellow": "C8"},
    }
    table = Table({"vector": "foresee", "players": 3, "state": {"at": "action 1", **given}})
    points = {}
    for order in ("A RUS-MO A9", "C T2 B9 C9", "D A9", "B SEL", "C T2 B8 C8", "standing special skip", "resign"):
        after = GAME.foresee(table.state, "red", GAME.read(table.state, "red", order))
        points[order] = after and after.point
    assert points == {
        "A RUS-MO A9": "action 2",
        "C T2 B9 C9": "action 2",
        "D A9": "special",
        "B SEL": None,
        "C T2 B8 C8": None,
        "standing special skip": "action 1",
        "resign": None,
    }
    table = Table({"vector": "foresee", "players": 3, "state": {"at": "special"}})
    ahead = {
        order: GAME.foresee(table.state, "red", GAME.read(table.state, "red", order))
        for order in ("S none", "S morale")
    }
    assert ahead["S none"] is None
    assert ahead["S morale"].point == "third"


def test_a_special_card_for_the_next_turn_waits_behind_the_answer_to_step_4():
    """KHAN-17.3, KHAN-17.5: by then yellow's Protection may have ended. As the first order it is an answer."""
    table = drawn(3, at="special", seat="red", active={"yellow": "protection"})
    move = GAME.read(table.state, "red", "standing special skip")
    state = GAME.resolve(table.state, {"red": move}, table.dice).state
    assert GAME.interrupts(state, "red")
    for orders, codes in ((("S none", "A RUS-JO G6", "S protection"), []), (("S protection",), ["E51"])):
        text = "game: g\nseat: red\norders:\n" + "".join(f"  - {order}\n" for order in orders)
        found = judge(GAME, state, read_form(text.encode()).form, turns=range(1, 2), seats=SEATS[:3])
        assert [problem.why.code for problem in found.problems] == codes
