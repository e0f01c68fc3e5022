"""The order vectors: reading and filing (F1-F12)."""

import pytest

from engine import Dice, Refusal
from games.yuan import GAME
from games.yuan.box import SCENARIOS, Placed
from games.yuan.options import Options
from games.yuan.orders import Unreadable, from_mapping, from_text
from games.yuan.pieces import Clan
from games.yuan.state import Opening, State
from games.yuan.tiles import lay
from tests.games.yuan.table import Table
from tests.games.yuan.vectors import of_kind, words

ORDERS = of_kind("orders")
KEYS = words("id kind name rules open cases hand scenario clan filed_in_turn at_deadline events income")
CASE_KEYS = {"text", "yaml", "reads", "error", "used"}


def test_no_key_is_left_unread():
    assert not {key for vector in ORDERS for key in vector} - KEYS
    assert not {key for vector in ORDERS for case in vector.get("cases", ()) for key in case} - CASE_KEYS


def planning(vector) -> State:
    """A planning position on the vector's map: seat 1 holds what the vector says, all others nothing."""
    options = Options(scenario="river_control")
    assert vector.get("scenario", "river_control") == "river_control"
    land = lay(SCENARIOS["river_control"].tiles, False)
    asked = vector.get("clan", {"chao": 4, "provinces": {}})
    held = land.numbered(list(asked["provinces"]))
    clans = (
        Clan("mu", "1", asked["chao"], lands=held, cities=held),
        *(Clan(clan, seat, 4) for clan, seat in (("suhey", "2"), ("weyu", "3"), ("xiangi", "4"))),
    )
    return State(options=options, phase="plan", turn=1, land=land, clans=clans, wheel=options.wheel)


def opened(vector, case) -> State:
    """The position in which the vector's decision is open to seat 1."""
    if vector["open"] == "plan":
        return planning(vector)
    options = Options(players=2, auction=True)
    opening = Opening(order=("1", "2"), clans=("mu", "suhey"), attempt=1, bidders=("1", "2"))
    if vector["open"] == "bid":
        return State(options=options, phase="bids", land=lay((), False), opening=opening, wheel=options.wheel)
    tiles = tuple(Placed(f"M-{'HG'[i]}", tuple(slot), 0) for i, slot in enumerate(case["used"]))
    order = ("1", "2") if len(tiles) % 2 == 0 else ("2", "1")
    opening = Opening(order=order, clans=("mu", "suhey"), hands=(("1", tuple(vector["hand"])),))
    return State(
        options=options, phase="tiles", tiles=tiles, land=lay(tiles, False), opening=opening, wheel=options.wheel
    )


CASES = [(vector, case) for vector in ORDERS for case in vector.get("cases", ())]


@pytest.mark.parametrize(("vector", "case"), CASES, ids=[f"{v['id']}-{c.get('text', c.get('yaml'))}" for v, c in CASES])
def test_reading(vector, case):
    order = case.get("text", case.get("yaml"))
    answer = GAME.read(opened(vector, case), "1", order)
    if "error" in case:
        assert isinstance(answer, Refusal)
        assert answer.code == case["error"]
        assert str(answer)  # the words find all their facts
        return
    # A plan may be refused on the vector's empty board for what it does; what it says is what is asked here.
    read = from_text(order) if isinstance(order, str) else from_mapping(order)
    assert read == from_mapping(case["reads"])
    assert from_text(str(read)) == read
    assert not isinstance(answer, Refusal) or answer.code != "Y-FORMAT"


@pytest.mark.parametrize("vector", [v for v in ORDERS if v.get("filed_in_turn")], ids=lambda v: v["id"])
def test_filing_in_turn(vector):
    table = Table(planning(vector), Dice.script([]))
    for filed in vector["filed_in_turn"]:
        assert table.file("1", filed["text"]) == filed.get("error")
        assert str(table.filed["1"]) == filed["stands"]


@pytest.mark.parametrize("vector", [v for v in ORDERS if "at_deadline" in v], ids=lambda v: v["id"])
def test_nothing_filed(vector):
    assert vector["filed_in_turn"] == []
    state = planning(vector)
    assert str(GAME.default(state, "1")) == vector["at_deadline"]
    table = Table(state, Dice.script([]))
    table.close()
    told = [[event.kind, event.rule] for event in table.events if event.facts.get("clan") == "mu"]
    assert [pair for pair in told if pair in vector["events"]] == vector["events"]
    assert table.state.clan_of("1").chao == state.clan_of("1").chao + vector["income"]


def test_a_text_or_a_mapping_that_is_no_order_at_all():
    for order in ("", "   ", "ß", "PLAN 雲 D1"):
        with pytest.raises(Unreadable):
            from_text(order)
    for order in ({}, {"action": None}, {"action": "play"}, {"action": "bid"}, {"action": "bid", "chao": 2.5}):
        with pytest.raises(Unreadable):
            from_mapping(order)
