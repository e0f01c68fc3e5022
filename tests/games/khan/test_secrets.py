"""Secrets: what a seat is told does not depend on what it may not know (KHAN-20, KHAN-29.3, KHAN-29.4)."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest

from engine import Dice, Refusal
from engine.advance import advance, take_effect
from engine.canon import canonical
from engine.events import REFEREE
from engine.queue import NO_ORDERS, SeatOrders
from games.khan import GAME
from games.khan.material import SEAT_NUMBER, SEATS
from games.khan.state import ALWAYS, ASK, NEVER, SKIP, Needed, Standing
from pbem.correspondence.status import waited_for
from pbem.game import outgoing
from tests.every_game import letters
from tests.every_game.witnesses_moment import Moment
from tests.games.khan.table import drawn
from tests.games.khan.walking import states, walk

PROBES = ("pass", "agree", "A RUS-JO G6", "B SEL", "D G6", "D G6 - RUS-JO", "S gods", "S none", "C T2 B8 B9", "P G6")
SHARED = {"yellow": "B9", "green": "C8", "blue": "D8", "red": "B8", "black": "C9"}
GUARDED = {"yellow": ["gods", "mountain"], "blue": "protection"}
AGREED = ({"yellow": "agree", "blue": "agree"}, {"yellow": "agree"}, {"blue": "agree"})
REFUSED = (({"blue": "agree", "yellow": "refuse"}, ()), ({"blue": "agree"}, ("yellow",)), ({}, ("yellow",)))


def redealt(state, seat, luck):
    """The same position for that seat (None: for the public) with everything else dealt and said anew."""
    hidden = [number for number in state.seats if seat is None or number != SEAT_NUMBER[seat]]
    cards = [*state.draw, *(card for number in hidden for card in state.hands[number])]
    luck.shuffle(cards)
    hands = list(state.hands)
    for number in hidden:
        count = len(hands[number])
        hands[number], cards = tuple(sorted(cards[:count])), cards[count:]
    standing = list(state.standing)
    for number in hidden:
        if number not in state.gone:
            to = tuple("" if other == number else luck.choice(("", ASK, NEVER)) for other in state.seats)
            standing[number] = Standing(luck.choice((ASK, ALWAYS, NEVER)), (*to, "", "")[:4], luck.choice((ASK, SKIP)))
    other = replace(state, hands=tuple(hands), draw=tuple(cards), standing=tuple(standing))
    return replace(other, proposal=answered(other, hidden, luck)) if state.proposal else other


def answered(state, hidden, luck):
    """Other answers given so far; one who is asked stays so, that the point is open."""
    need = list(state.proposal.need)
    for place, each in enumerate(need):
        if each.seat in hidden and each.seat not in state.gone and luck.random() < 0.5:
            need[place] = Needed(each.seat, "" if each.answer else luck.choice(("agree", "refuse")))
    some_open = any(not each.answer for each in need)
    return state.proposal._replace(need=tuple(need)) if some_open else state.proposal


def knows(state, seat):
    """All that a seat can get to hear before anything else happens."""
    view = GAME.view(state, seat)
    told = [view.pending, view.decision, view.position, view.facts, GAME.decision(state)]
    if seat is None:
        return canonical(told)
    luck = random.Random(view.position)
    asked = seat in GAME.pending(state)
    menu = list(GAME.moves(state, seat)) if asked else []
    some = luck.sample(menu, min(25, len(menu)))
    told += [asked, list(map(str, menu)), str(GAME.default(state, seat)) if asked else "", str(GAME.outcome(state))]
    told += [canonical([event.to_json() for event in GAME.preview(state, seat, move)]).decode() for move in some]
    told += [[str(notice) for notice in GAME.notices(state, seat, move)] for move in some]
    for probe in (*PROBES, *map(str, some)):
        answer, never = GAME.read(state, seat, probe), GAME.why_never(state, seat, probe)
        told.append(answer.to_json() if isinstance(answer, Refusal) else str(answer))
        told.append(never.to_json() if never else None)
    told += [str(GAME.resignation(state, seat)), str(GAME.why_not_standing(state, seat, {"consent": "never"}))]
    ahead = [GAME.foresee(state, seat, move) for move in some]
    told += [after and GAME.position(after) for after in ahead]
    return canonical(told)


@pytest.mark.parametrize("part", range(4))
def test_what_a_seat_hears_does_not_depend_on_secrets(part):
    """KHAN-20.3: some hundred positions, each for every seat and the public, against another deal."""
    luck = random.Random(part)
    pairs = 0
    for state in states()[part::4]:
        for seat in (*GAME.seats(state.options), None):
            other = redealt(state, seat, luck)
            GAME.check(other)
            assert knows(other, seat) == knows(state, seat)
            pairs += other != state
    assert pairs > 75


def test_the_pairs_do_differ():
    """The owner of a hand notices when it is dealt anew: the comparison is not blind."""
    luck = random.Random(1)
    noticed = tried = 0
    for state in states():
        for seat in GAME.seats(state.options):
            other = redealt(state, None, luck)
            if other.hands[SEAT_NUMBER[seat]] != state.hands[SEAT_NUMBER[seat]]:
                tried += 1
                noticed += knows(other, seat) != knows(state, seat)
    assert noticed == tried > 100


@pytest.mark.parametrize("seed", range(3))
def test_events_tell_cards_only_to_their_owner(seed):
    """KHAN-20.1, KHAN-20.2: face up to all, drawn to one, the order of the pile to the referee."""
    told = []
    list(walk(seed, told=told))
    for event in (event for turned in told for event in turned.events):
        assert event.audience is None
        secret = {
            "deal": {"cards"},
            "refill": {"cards"},
            "shuffle": {"order"},
            "reshuffle": {"order"},
            "consent": {"how"},
        }
        owner = event.facts.get("seat", REFEREE)
        hidden = {reader: set(facts) for reader, facts in event.hidden.items()}
        assert hidden == ({owner: secret[event.kind]} if event.kind in secret else {})
        for reader in (*SEATS, None):
            seen = set(event.seen_by(reader).facts)
            assert seen == set(event.facts) | (secret.get(event.kind, set()) if reader == owner else set())


def test_after_the_end_everything_is_open():
    """KHAN-20.4, KHAN-29.3."""
    *_, last = walk(4)
    assert GAME.view(last, None).position == GAME.position(last).replace(";opt=", ";view=public;opt=", 1)
    assert GAME.view(last, None).facts["hands_open"]["red"] == [
        card["card"] for card in GAME.view(last, "red").facts["hand"]
    ]


def test_nobody_sees_who_is_still_asked():
    """KHAN-20.5, KHAN-29.4: in the views of others all needed seats seem to be asked; those who resigned are known."""
    table = drawn(4, yurts=SHARED, active=GUARDED, standing={"blue": "always"})
    table.do("C T5P B8 C8 D8 B9 C9")
    assert GAME.pending(table.state) == ("yellow",)
    for reader in ("red", "green", None):
        view = GAME.view(table.state, reader)
        assert view.pending == ("yellow", "blue")
        assert ";need=yellow:? blue:?" in view.position
        assert "std=" not in view.position
    assert GAME.view(table.state, "blue").pending == ("yellow",)
    assert GAME.view(table.state, "yellow").pending == ("yellow", "blue")
    assert GAME.view(table.state, "blue").position.endswith("need=yellow:? blue:agree;std=blue:consent always")
    assert GAME.shown(table.state, "yellow", GAME.read(table.state, "yellow", "agree"), "red") == ""
    assert GAME.shown(table.state, "yellow", GAME.read(table.state, "yellow", "agree"), "yellow") == "agree"
    for reader, waits in (("red", ("yellow", "blue")), ("green", ("yellow", "blue")), ("blue", ("yellow",))):
        assert waited_for("khan", GAME.dump(table.state), reader) == waits
    resigned = GAME.resolve(table.state, {"green": GAME.resignation(table.state, "green")}, table.dice).state
    assert GAME.view(resigned, None).facts["gone"] == ["green"]


def test_the_site_names_nobody_who_is_still_asked():
    """KHAN-29.4: the same, whoever has answered by a standing instruction."""
    pages = []
    for standing in ({}, {"blue": "always"}, {"yellow": "always"}):
        table = drawn(4, yurts=SHARED, active=GUARDED, standing=standing)
        table.do("C T5P B8 C8 D8 B9 C9")
        pages.append(letters._first_page(Moment(GAME, table.state.options, table.state, {}, None, None, ())))
    assert pages[0] == pages[1] == pages[2]
    assert "Player yellow" in pages[0].split("waits for")[1].split("Deadline")[0]


def answered_by(given, silent=()):
    """The same proposal of red's, answered by hand, by standing answer (whoever is in neither), or not at all."""
    standing = {seat: "always" for seat in ("yellow", "blue") if seat not in given and seat not in silent}
    table = drawn(4, yurts=SHARED, active=GUARDED, standing=standing)
    table.do("C T5P B8 C8 D8 B9 C9")
    orders = {seat: SeatOrders((given[seat],)) if seat in given else NO_ORDERS for seat in SEATS}
    return table.state, advance(GAME, table.state, orders, lambda of: Dice(of.encode()), turn=5, late=silent)


def told_of(before, went, reader):
    """What a report tells of it, and what conditions of the reader's orders may look at."""
    sheet = SimpleNamespace(rules=GAME)
    return outgoing._steps(sheet, before, went.steps, reader), went.done.get(reader, ())


@pytest.mark.parametrize("reader", ["red", "green", None])
def test_nobody_else_learns_how_a_proposal_was_answered(reader):
    """KHAN-20: given, standing or by default. Reports named those who had answered by hand, and those who had not."""
    agreed = [told_of(*answered_by(given), reader) for given in AGREED]
    assert agreed[0] == agreed[1] == agreed[2]
    refused = [told_of(*answered_by(given, silent), reader) for given, silent in REFUSED]
    assert refused[0] == refused[1] == refused[2] != agreed[0]


def test_nobody_else_learns_that_standing_instructions_were_sent():
    """KHAN-17.2, KHAN-20: they are secret."""
    table = drawn(4, yurts=SHARED)
    move = GAME.read(table.state, "blue", "standing consent never")
    orders = dict.fromkeys(SEATS, NO_ORDERS)
    went = take_effect(GAME, table.state, orders, lambda of: Dice(of.encode()), "blue", move, turn=5)
    assert [told_of(table.state, went, reader) for reader in ("red", None)] == [((), ()), ((), ())]
    ((step,), _) = told_of(table.state, went, "blue")
    assert step.moves == (("blue", "standing consent never", "given"),)


def test_standing_instructions_are_shown_to_their_seat_alone():
    table = drawn(3)
    move = GAME.read(table.state, "blue", "standing consent never")
    assert GAME.shown(table.state, "blue", move, "blue") == "standing consent never"
    assert GAME.shown(table.state, "blue", move, "red") == GAME.shown(table.state, "blue", move, None) == ""
    turned = GAME.resolve(table.state, {"blue": move}, table.dice)
    assert turned.events == ()
