"""The pages of seats in a language of brackets: their own words, what may be chosen, and what each choice would do.

The page's script says nothing but what its page hands it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine import load
from pbem.game.hosting import add_player
from pbem.ledger import players
from pbem.pages.seat import seat_page
from tests.pbem.correspondence.conftest import Post, make_post
from tests.pbem.host.conftest import NOON, Host, make_host
from tests.pbem.languages.pseudo import LANG, pseudo, spoken, unsaid
from tests.pbem.languages.test_brackets import DATES, PROPER, words
from tests.pbem.languages.test_brackets_by_mail import CUT
from tests.pbem.languages.test_letters import GAMES

__all__ = ["make_host", "make_post", "pseudo"]


HOLE = re.compile(r"\{\w+\}")
RULES = re.compile("(?s)<section lang=.*?</section>")  # which are written in each language by themselves
END = "end"  # the order that ends a turn
SEATS = ("orange", "yellow", "s", "w", "n", "e")  # the others sit at any host


@pytest.fixture
def host(make_post: Callable[[], Post], pseudo: None) -> Host:
    """A host whose players all read brackets."""
    found = make_post().host
    with found.ledger.write() as tx:
        for seat in SEATS:
            add_player(tx, f"player-{seat}", f"{seat}@players.example", LANG, "UTC", NOON)
        for player in list(players.every(tx)):
            assert player.address is not None
            players.change(tx, player, address=player.address, lang=LANG, zone="Asia/Kathmandu", at=NOON)
    return found


def blocks(page: str) -> dict[str, Any]:
    found = re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', page, re.DOTALL)
    return {name: json.loads(block) for name, block in found}


def told(page: str) -> Iterator[str]:
    """What a page says: itself, what its script is handed to say, and what is said of each choice."""
    yield spoken(RULES.sub("", page))
    handed = blocks(page)
    yield from (HOLE.sub("", text) for text in handed["says"].values())
    offer = handed["shown"]["order"]["offer"]
    yield from (text for text, _ in (offer["choices"] or {"says": ()})["says"])


def keys(page: str) -> Iterator[str]:
    """The words of the order form that a game has, and orders: the same in every language."""
    order = blocks(page)["shown"]["order"]
    offer = order["offer"]
    for part in (order["standing_choices"], order["conditions"], order["file_keys"], offer["examples"], [END]):
        yield from part


@pytest.mark.parametrize("name", GAMES)
def test_pages(host: Host, name: str) -> None:
    host.start(name)
    host.night()
    own = {"game", "pbem", *DATES, *(word for title in load(name).title.values() for word in re.findall(r"\w+", title))}
    for seat in host.row().pending:
        with host.ledger.read() as tx:
            page = seat_page(tx, host.config, "game", seat, None)
        said = [*told(page)]
        assert len(said) > 10
        left = {word for text in said for word in words(unsaid(CUT.sub(" ", text)))}
        assert left - own - {*PROPER.get(name, ())} - {*keys(page)} == set()
