"""The audit of settled dice: the order of rows, what was mixed in, and hosts that cheat."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pbem.audit import book as books
from pbem.audit.export import export
from pbem.audit.exported import ExportBook
from pbem.audit.recompute import replay
from pbem.audit.rolls import rolls
from pbem.audit.verify import verify
from pbem.ledger import games
from tests.pbem.host.conftest import DAY, DEADLINE, Host
from tests.pbem.seeding.conftest import BY_PLAYERS, Seeded


def played_to_its_end(game: Seeded) -> None:
    """Both players are silent for some nights, and then one gives up."""
    for number in range(1, 4):
        game.host.night(DEADLINE + number * DAY)
    game.host.order(game.seats[0], "resign", at=DEADLINE + 3 * DAY)
    game.host.night(DEADLINE + 4 * DAY)
    assert game.status == games.OVER


def run(path: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(path), *args], capture_output=True, text=True, check=False)


def test_a_whole_game_of_settled_dice_is_true_everywhere(host: Host, tmp_path: Path) -> None:
    game = Seeded(host, BY_PLAYERS)
    game.commit()
    game.reveal()
    played_to_its_end(game)
    with books.of_ledger(host.ledger, "game") as book:
        verdict = verify(book)
        assert verdict.fault is None
        assert verdict.draws
        assert any("secret texts of" in note for note in verdict.notes)
        assert not any("host alone" in note for note in verdict.notes)
        assert all(roll.text for roll in rolls(book))
        assert list(replay(book))
        export(book, tmp_path / "game.pbem")
    assert verify(ExportBook(tmp_path / "game.pbem")).fault is None
    done = run(tmp_path / "game.pbem")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Mixed into the seed after its commitment: texts of" in done.stdout
    assert run(tmp_path / "game.pbem", "1", "all").returncode == 0
