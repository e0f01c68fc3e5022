"""Stored games: each is played again through `submit` and `nightly`, and comes out the same to the letter (G23)."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.faults.figures import counted
from tests.playthroughs.transcript import parse, replay
from tests.playthroughs.versions import check, in_folder

STORED = sorted((Path(__file__).parent / "games").glob("*.txt"))


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_stored_game_comes_out_the_same(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    again = list[str]()
    check(path.stem, text, lambda script: again.append(in_folder(tmp_path)(script)) or again[0])
    counted(1, "stored games played again")
    lines = list(zip_longest(again[0].split("\n"), text.split("\n")))
    counted(len(lines), "lines of their states and events")
    counted(sum(one != other for one, other in lines), "differences")


def test_a_changed_order_is_noticed(tmp_path: Path) -> None:
    """The comparison bites: another order in the file is another game."""
    text = next(path for path in STORED if path.stem.startswith("bagh-chal")).read_text(encoding="utf-8")
    script = parse(text)
    _, form = next(sent for night in script.nights for sent in night if "orders" in sent[1])
    form["orders"] = ["nonsense"]
    assert replay(tmp_path / "host", script) != text


ENVIRONMENTS = (
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LANG": "tr_TR.UTF-8", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "LANG": "C"},
)
CHECK = """
import sys
import os
import subprocess
import sys
from pathlib import Path
from tests.playthroughs.transcript import parse, replay
text = Path(sys.argv[1]).read_text(encoding="utf-8")
sys.exit(replay(Path(sys.argv[2]), parse(text)) != text)
"""


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=lambda environment: environment["TZ"])
@pytest.mark.parametrize("name", ["bagh-chal-classic", "yuan-rivers"])
def test_the_same_bytes_in_any_environment(name: str, environment: dict[str, str], tmp_path: Path) -> None:  # G11
    path = next(path for path in STORED if path.stem == name)
    command = [sys.executable, "-c", CHECK, str(path), str(tmp_path / "host")]
    subprocess.run(command, env=os.environ | environment, cwd=Path(__file__).parents[2], check=True)
