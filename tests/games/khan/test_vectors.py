"""The vectors of the rules document: from the seeds, hard cases, chance, reading (KHAN-24 to KHAN-28, KHAN-30)."""

from __future__ import annotations

import pytest

from engine import Refusal
from games.khan import GAME
from games.khan.material import (
    GROUND,
    LEADERS,
    NAMES,
    NUMBERS,
    SEAT_NUMBER,
    SEATS,
    SHAPE_NUMBER,
    SHAPES,
    SPECIALS,
)
from games.khan.reading import parse
from games.khan.scoring import bonuses, ranking, scores, winners
from tests.games.khan.table import VECTORS, Table, card_ids, ids, line, standing_of, words

HEAD = {"vector", "what", "rules"}
PLAYED = [each for each in VECTORS if "expect" in each and "table" not in each]
SCORED = [each for each in VECTORS if "territories" in each]
READS = [(each["vector"], read) for each in VECTORS for read in each.get("reads", ())]


def by_name(found):
    return [pytest.param(each, id=each["vector"]) for each in found]


def test_every_vector_is_of_a_kind_that_is_run():
    kinds = [("expect" in each) + ("reads" in each) + ("territories" in each) + ("line" in each) for each in VECTORS]
    assert kinds == [1] * len(VECTORS)
    assert len({each["vector"] for each in VECTORS}) == len(VECTORS) == 113
    assert (len(PLAYED), len(SCORED), len(READS)) == (87, 4, 15)


@pytest.mark.parametrize("found", by_name(PLAYED))
def test_vector(found):
    assert set(found) - HEAD <= {"players", "state", "setup", "picks", "do", "expect"}
    table = Table(found)
    for order in found.get("do", ()):
        table.do(order)
    expect(table, found["expect"])
    assert not table.picks.results, "picks are left over"


@pytest.mark.parametrize("found", by_name(SCORED))
def test_bonus_vector(found):
    assert set(found) - HEAD == {"territories", "bonus"}
    sizes = [tuple(found["territories"][seat]) for seat in SEATS]
    assert dict(zip(SEATS, bonuses(sizes), strict=True)) == found["bonus"]


@pytest.mark.parametrize("read", [pytest.param(read, id=f"{name}-{read['gives']}") for name, read in READS])
def test_reading_vector(read):
    found = parse(read["text"] if "text" in read else read["yaml"])
    assert (found.code if isinstance(found, Refusal) else str(found)) == read["gives"]


# --- what may be expected -----------------------------------------------------------------------------------------


def expect(table, wanted):
    for key, value in wanted.items():
        CHECKS[key](table, value)


def _cells(table, wanted):
    for cell, content in wanted.items():
        assert table.state.content(NUMBERS[cell]) == content, cell
        if content == "river":
            assert GROUND[NUMBERS[cell]] == "river"


def _supply(table, wanted):
    assert {shape: table.state.supply[SHAPE_NUMBER[shape]] for shape in wanted} == wanted


def _courts(table, wanted):
    courts = {leader.id: court for leader, court in zip(LEADERS, table.state.courts, strict=True)}
    assert {leader: courts[leader] for leader in wanted} == wanted


def told(table):
    return [{"ev": event.kind, "rule": event.rule, **event.facts} for event in table.told]


def fits(event, wanted):
    return all(key in event and event[key] == value for key, value in wanted.items())


def _events(table, wanted):
    rest = iter(told(table))
    for one in wanted:
        assert any(fits(event, one) for event in rest), f"{one} does not come, or not in this order"


def _not_events(table, wanted):
    for one in wanted:
        assert not any(fits(event, one) for event in told(table)), one


def _seat(table, wanted):
    assert SEATS[table.state.seat] == wanted


def _at(table, wanted):
    assert table.state.point == wanted
    if wanted == "over":
        assert GAME.pending(table.state) == ()


def _removed(table, wanted):
    assert [LEADERS[leader].id for leader in table.state.removed] == wanted


def _hand(table, wanted):
    for seat, cards in wanted.items():
        hand = table.state.hands[SEAT_NUMBER[seat]]
        assert len(hand) == cards if isinstance(cards, int) else sorted(hand) == sorted(ids(cards)), seat


def _specials(table, wanted):
    for seat, cards in wanted.items():
        held = dict(zip(SPECIALS, table.state.specials[SEAT_NUMBER[seat]], strict=True))
        assert {kind: held[kind] for kind in cards} == cards


def _active(table, wanted):
    shown = {}
    for seat, active in enumerate(table.state.active):
        if active is not None:
            kind = SPECIALS[active.card]
            shown[SEATS[seat]] = [kind, active.region] if active.region else kind
    assert shown == wanted


def _reserved(table, wanted):
    reserved = enumerate(table.state.reserved)
    assert {SEATS[seat]: SHAPES[shape].id for seat, shape in reserved if shape is not None} == wanted


def _legal(table, wanted):
    for order, verdict in wanted.items():
        found = table.read(order)
        assert (found.code if isinstance(found, Refusal) else "legal") == verdict, order
        seat, _ = table.split(order)
        if seat in GAME.pending(table.state):
            on_menu = not isinstance(found, Refusal) and found in set(GAME.moves(table.state, seat))
            assert on_menu == (verdict == "legal"), order


def menu(table):
    (seat,) = GAME.pending(table.state)
    return [str(move) for move in GAME.moves(table.state, seat)]


def _default(table, wanted):
    (seat,) = GAME.pending(table.state)
    assert str(GAME.default(table.state, seat)) == wanted


def _scores(part):
    def check(table, wanted):
        found = scores(table.state)
        values = {SEATS[seat]: getattr(found[seat], part) for seat in table.state.seats}
        values = {seat: list(value) if isinstance(value, tuple) else value for seat, value in values.items()}
        assert values == wanted

    return check


def _winners(table, wanted):
    assert [SEATS[seat] for seat in winners(table.state)] == wanted
    if table.state.phase == "over":
        assert list(GAME.outcome(table.state).places[0]) == wanted


def _ranking(table, wanted):
    assert [[SEATS[seat] for seat in place] for place in ranking(table.state)] == wanted
    assert list(map(list, GAME.outcome(table.state).places)) == wanted


def _standing(table, wanted):
    for seat, given in wanted.items():
        assert table.state.standing[SEAT_NUMBER[seat]] == standing_of(given)


def _gone(table, wanted):
    assert [SEATS[seat] for seat in table.state.gone] == wanted


def _pending(table, wanted):
    assert list(GAME.pending(table.state)) == wanted


def _leaders(table, wanted):
    assert {leader.id: NAMES[cell] for leader, cell in zip(LEADERS, table.state.leaders, strict=True)} == wanted


def _draw_top(table, wanted):
    assert card_ids(table.state.draw[: len(words(wanted))]) == words(wanted)


def _queue(table, wanted):
    assert {seat: queue for seat, queue in table.queues().items() if queue} == wanted


CHECKS = {
    "cells": _cells,
    "supply": _supply,
    "courts": _courts,
    "events": _events,
    "not_events": _not_events,
    "seat": _seat,
    "at": _at,
    "removed": _removed,
    "hand": _hand,
    "discard_top": lambda table, wanted: _same(card_ids(table.state.discard[-1:]), [wanted]),
    "discards": lambda table, wanted: _same(len(table.state.discard), wanted),
    "specials": _specials,
    "active": _active,
    "reserved": _reserved,
    "legal": _legal,
    "legal_kinds": lambda table, wanted: _same(_kinds(menu(table)), wanted),
    "only": lambda table, wanted: _same(menu(table), wanted),
    "count_legal": lambda table, wanted: _same(len(menu(table)), wanted),
    "default": _default,
    "territories": _scores("territories"),
    "points": _scores("shapes"),
    "bonus": _scores("bonus"),
    "total": _scores("total"),
    "winners": _winners,
    "ranking": _ranking,
    "queue": _queue,
    "standing": _standing,
    "gone": _gone,
    "pending": _pending,
    "first": lambda table, wanted: _same(SEATS[table.state.first], wanted),
    "leaders": _leaders,
    "draw_top": _draw_top,
    "draw_last": lambda table, wanted: _same(card_ids(table.state.draw[-1:]), [wanted]),
    "line": lambda table, wanted: _same(line(table.state), wanted),
}


def _same(found, wanted):
    assert found == wanted


def _kinds(texts):
    return "".join(sorted({"-" if text == "pass" else text[0] for text in texts}))
