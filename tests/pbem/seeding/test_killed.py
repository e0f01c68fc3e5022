"""A night that ends rounds of texts and begins games, killed anywhere and run again, comes to the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import config, keys
from pbem.game.hosting import NewGame, new_game
from pbem.game.taking import take_file
from pbem.ledger import Ledger
from pbem.seeding.protocol import PLAYERS, Wish
from tests.faults import a_host
from tests.faults.figures import so_many
from tests.faults.line_killer import campaign, memory_folder
from tests.faults.test_killed_anywhere import WATCH, enough, one_of, undisturbed
from tests.pbem.seeding.conftest import hash_of, text_of

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.timeout(300)]

SENT = {
    "one": (("red", hash_of("red")),),  # the others are silent: the night closes, and asks for the text
    "two": (*((seat, hash_of(seat)) for seat in ("red", "green", "blue")), ("red", text_of("red"))),  # two are withheld
    "three": (),  # nobody takes part: the night begins the game
}


@pytest.fixture
def waiting() -> Iterator[Path]:
    with memory_folder() as room:
        folder = room / "prepared"
        a_host.found(folder, {"safe": a_host.GAMES["safe"]})
        settings = config.load(folder / "pbem.toml")
        ledger = Ledger.open(folder / "ledger.db")
        for name, sent in SENT.items():
            _begin(ledger, settings, name)
            for seat, nonce in sent:
                key = keys.key(a_host.secret(name), seat, 0)
                text = f"game: {name}\nseat: {seat}\nturn: 0\nkey: {key}\nnonce: {nonce}\nend: orders\n"
                assert take_file(settings, ledger, text.encode(), "nonce.yml", a_host.BEGUN).fate == "accepted"
        ledger.close()
        yield folder


def _begin(ledger: Ledger, settings: config.Config, name: str) -> None:
    seats = {seat: f"player {seat}" for seat in ("red", "green", "blue")}
    seed, secret = a_host.secret(f"seed {name}"), a_host.secret(name)
    wish = Wish(PLAYERS)
    wanted = NewGame(rules="vault", name=name, seats=seats, dice=wish, seed=seed, secret=secret)
    with ledger.write() as tx:
        new_game(tx, settings, wanted, a_host.BEGUN)


def test_a_night_that_settles_dice_is_killed_anywhere(waiting: Path) -> None:
    first, later = undisturbed(waiting, a_host.night, a_host.later)
    for act in (b'"act":"close"', b'"act":"void"', b'"act":"mix"'):
        assert first["ledger"].count(act) > (act == b'"act":"close"')
    enough(campaign(waiting, a_host.night, a_host.later, one_of(first, later), watch=WATCH, most=so_many(24, 2000)))
