"""demo and bench, of one small game: whole games through the real path, and figures."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pbem.cli.demo import called
from tests.pbem.cli.desk import Desk


def test_a_demonstration_verifies_and_says_where_to_look(bare: Desk) -> None:
    said = bare("demo", "shown", "--only", "nim", "--only", "nim").out
    assert said.startswith("1 game, ")
    assert f"  {bare.folder / 'shown' / 'outbox' / 'nim-1'}/  nim\n" in said
    assert "audit verify: nim-1: true." in said
    assert bare("--config", "shown", "status", "--all").out.startswith("nim-1 (nim): over at turn ")
    again = bare.data("demo", "shown", "--only", "nim")
    assert list(again) == ["folder", "games", "nights", "turns", "files", "unfinished", "verified"]
    assert (again["verified"], again["unfinished"]) == (True, [])


def test_a_demonstration_that_was_stopped_is_begun_again(bare: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem import demo

    with monkeypatch.context() as stopped:
        stopped.setattr(demo, "night", lambda *args: 1 / 0)
        bare("demo", "shown", "--only", "nim", code=70)
    bare("demo", "shown", "--only", "nim")


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("demo", "mine"), 3, "mine holds something that is no demonstration; name another folder."),
        (("demo", "mine/letter.txt"), 3, "mine/letter.txt is a file; name a folder."),
        (("demo", "x", "--only", "nimm"), 3, "Did you mean nim?"),
        (("demo", "x", "y"), 2, "unexpected extra argument (y). See `pbem demo --help`."),
        (("bench", "nimm"), 3, "Did you mean nim?"),
        (("bench", "--games", "0"), 2, "'0' is not a whole number from 1"),
        (("bench", "--games", "x"), 2, "'x' is not a whole number from 1"),
        (("bench", "--seconds", "0"), 2, "--seconds"),
        (("bench", "--seconds", "soon"), 2, "--seconds"),
    ],
)
def test_refused(bare: Desk, args: tuple[str, ...], code: int, says: str) -> None:
    """A folder with anything in it is nobody's to make anew."""
    (bare.folder / "mine").mkdir()
    (bare.folder / "mine" / "letter.txt").write_text("dear\n")
    bare.refused(*args, code=code, says=says)
    assert (bare.folder / "mine" / "letter.txt").exists()
    assert not (bare.folder / "x").exists()


def test_a_host_is_no_demonstration(desk: Desk) -> None:
    desk.refused("demo", ".", code=3, says="is no demonstration")
    assert desk.data("player", "list")


def test_figures(bare: Desk) -> None:
    said = bare("bench", "nim", "--games", "2", "--seconds", "0.02", "--json")
    assert list(said.json) == ["random_play", "nights"]
    [speed], [night] = said.json.values()
    assert (speed["what"], night["game"], night["games"], night["turns"]) == ("nim", "nim", 2, 2)
    assert speed["done"] > 0
    assert "random play  nim: " in said.err, "what happens is told meanwhile, beside the answer"


def test_what_is_to_be_typed_next_can_be_typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`make demo` runs the program in its .venv, which no shell finds by its name."""
    program = tmp_path / "my host" / "pbem"
    program.parent.mkdir()
    program.touch(0o755)
    monkeypatch.setattr(sys, "argv", [str(program)])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert called() == f"'{program}'"
    monkeypatch.setenv("PATH", str(program.parent))
    assert called() == "pbem"
