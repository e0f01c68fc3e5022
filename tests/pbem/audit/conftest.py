"""Games that have been played: vault with secrets, dice and a resignation; nim with everything open."""

import pytest

from pbem.ledger import games
from tests.pbem import hosted
from tests.pbem.hosted import NIGHT, START


@pytest.fixture
def played(ledger):
    """`jade` is a whole game of vault, `amber` a whole game of nim, `coral` a vault that is still running."""
    hosted.play(ledger, "jade", "vault", seed=3)
    hosted.play(ledger, "amber", "nim")
    with ledger.write() as tx:
        hosted.begin(tx, "coral", "vault")
        hosted.resolve(tx, "coral", {}, START + NIGHT)
        hosted.resolve(tx, "coral", {"blue": "resign"}, START + NIGHT, at_once=True)
        hand = games.get(tx, "coral").state["players"][0]["hand"]
        hosted.order(tx, "coral", "red", f"bid {hand[0]}", START + NIGHT)
    return ledger
