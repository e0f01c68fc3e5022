"""Every turn vector, with every question it asks: the examples of the booklet and the hard cases (V01-V112)."""

from __future__ import annotations

import pytest

from engine import Dice, Refusal
from games.yuan import GAME
from games.yuan.bits import parts
from games.yuan.costs import levels, price
from games.yuan.ending import seats_of
from games.yuan.orders import from_text
from games.yuan.powers import power_of
from games.yuan.reach import reach
from tests.games.yuan.vectors import LETTERS, clans_from, of_kind, seat_of, state_of, words

TURNS = of_kind("turn")
KEYS = words(
    "id kind name rules options rivers turn need last terrain temples before after orders temples_after winners events"
    " kinds verdicts prices groups reach plans"
)


def having(key):
    return pytest.mark.parametrize(
        "vector", [vector for vector in TURNS if key in vector], ids=lambda vector: vector["id"]
    )


def orders_of(vector, state):
    """The orders as moves; a clan without a line passes."""
    moves = {}
    for line in (vector.get("orders") or "").splitlines():
        if line.strip():
            letter, text = line.split(maxsplit=1)
            seat = seat_of(state, letter)
            move = GAME.read(state, seat, text)
            assert not isinstance(move, Refusal), f"{line}: {move}"
            moves[seat] = move
    return {clan.seat: GAME.read(state, clan.seat, "PASS") for clan in state.clans} | moves


def test_no_key_is_left_unread():
    assert not {key for vector in TURNS for key in vector} - KEYS


@having("after")
def test_the_turn_ends_as_the_vector_says(vector):
    state = state_of(vector)
    after, events = GAME.resolve(state, orders_of(vector, state), Dice.script([]))
    assert after.clans == clans_from(vector["after"], state.land)
    temples = vector.get("temples_after", vector.get("temples")) or ""
    assert state.land.named(after.temples) == sorted(temples.split())
    winners = [clan for clan in after.clans if clan.id in {LETTERS[letter] for letter in vector.get("winners", ())}]
    assert after.winners == (seats_of(winners) if winners else None)
    assert set(vector.get("events", ())) <= {event.rule for event in events}
    GAME.check(after)


@having("kinds")
def test_the_events_come_in_this_order(vector):
    state = state_of(vector)
    _, events = GAME.resolve(state, orders_of(vector, state), Dice.script([]))
    kinds = [event.kind for event in events]
    assert kinds[: len(kinds) - kinds[::-1].index("levels")] == vector["kinds"]


@having("verdicts")
def test_orders_are_taken_or_refused(vector):
    state = state_of(vector)
    for question, expected in vector["verdicts"].items():
        letter, text = question.split(maxsplit=1)
        answer = GAME.read(state, seat_of(state, letter), text)
        assert (answer.code if isinstance(answer, Refusal) else "ok") == expected, question


@having("prices")
def test_prices(vector):
    state = state_of(vector)
    for question, expected in vector["prices"].items():
        letter, text = question.split(maxsplit=1)
        clan = state.clan_of(seat_of(state, letter))
        plan = from_text(f"PLAN ANYWHERE {text}")
        level = levels(clan, state.land, state.temples, state.options.volcanoes)
        assert price(plan.levels, level) == expected, question


@having("groups")
def test_groups(vector):
    state = state_of(vector)
    for letter, expected in vector["groups"].items():
        clan = state.clan_of(seat_of(state, letter))
        found = [state.land.named(group) for group in parts(clan.lands, state.land.neighbours)]
        assert found == [sorted(group.split()) for group in expected.split("|")]


@having("reach")
def test_reach(vector):
    state = state_of(vector)
    for question, expected in vector["reach"].items():
        letter, start, end = question.split()
        ways = reach(state.land, power_of(LETTERS[letter], state.options.powers))
        number = state.land.number
        assert bool(ways[number[start]] >> number[end] & 1) is expected, question


@having("plans")
def test_number_of_legal_plans(vector):
    state = state_of(vector)
    for letter, count in vector["plans"].items():
        plans = list(GAME.moves(state, seat_of(state, letter)))
        assert len(plans) == len(set(plans)) == count


@pytest.mark.parametrize("vector", [v for v in TURNS if "before" in v], ids=lambda v: v["id"])
def test_every_listed_plan_reads_back(vector):
    """The menu and the judge of orders agree, and no plan outside the menu is taken."""
    state = state_of(vector)
    seat = state.clans[0].seat
    menu = list(GAME.moves(state, seat))
    for move in menu[::7]:
        assert GAME.read(state, seat, str(move)) == move
    assert GAME.restore(GAME.dump(state)) == state
