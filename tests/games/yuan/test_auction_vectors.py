"""The auction vectors: attempts of one bidding round (A1-A8)."""

import pytest

from engine import Dice
from games.yuan import GAME
from games.yuan.auction import decide
from games.yuan.box import AUCTION_CHAO
from tests.games.yuan.table import Table
from tests.games.yuan.vectors import of_kind, words

AUCTIONS = of_kind("auction")
KEYS = words("id kind name rules bids won_by drawn pays keeps silent other_keeps")


def test_no_key_is_left_unread():
    assert not {key for vector in AUCTIONS for key in vector} - KEYS


@pytest.mark.parametrize("vector", AUCTIONS, ids=lambda vector: vector["id"])
def test_one_round(vector):
    last = len(vector["bids"])
    drawn = tuple(vector.get("drawn", ()))
    for attempt, bids in enumerate(vector["bids"], 1):
        dice = Dice.script([(len(drawn), 0)] if drawn and attempt == last else [])
        result = decide(attempt, bids, dice)
        if attempt < last:
            assert result.winner is None
            assert set(result.tied) == set(vector["bids"][attempt])  # those tied at the top bid again
    assert result.winner == (drawn[0] if drawn else vector["won_by"])
    assert result.drawn is bool(drawn)
    assert not drawn or result.tied == drawn
    assert result.price == vector["pays"]
    assert AUCTION_CHAO - result.price == vector["keeps"]


@pytest.mark.parametrize("vector", [v for v in AUCTIONS if "silent" in v], ids=lambda vector: vector["id"])
def test_silent_seats_bid_nothing_and_the_last_keeps_all(vector):
    line = (
        "yuan=house-1;opt=players:3 scenario:crossing auction;ph=bids;t=0;to=1 3;clans=mu suhey weyu;"
        "cap=NE:suhey PO:weyu;try=1 1 3;tem=AN DU GAI HE KE ME NI SO TO WA;mu=2 2 BAI:c"
    )
    table = Table(GAME.from_position(line), Dice.script([(2, 0)]))
    for _ in vector["bids"]:
        table.close()
    table.close()
    winner, other = table.state.clan_of("1"), table.state.clan_of("3")
    assert (winner.id, winner.chao) == ("suhey", vector["keeps"])
    assert (other.id, other.chao) == ("weyu", vector["other_keeps"])
