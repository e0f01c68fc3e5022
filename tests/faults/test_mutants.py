"""G24: the tool that changes programs finds tests that look at nothing, and lets no mutant of a watched line live."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from tests.faults.figures import told
from tests.faults.mutants import __main__ as tool
from tests.faults.mutants.changes import mutants
from tests.faults.mutants.lines import Watched, learnt
from tests.faults.mutants.rooms import ROOMS

SUBJECT = """\
def price(level: int, near: int) -> int:
    \"\"\"What is due.\"\"\"
    printed = {1: 0, 2: 4}
    if level not in printed:
        raise ValueError("no such level")
    return max(0, printed[level] - near)
"""
CAREFUL = """\
    import sys
    sys.path.insert(0, {folder!r})
    import pytest
    from subject_of_mutants import price

    @pytest.mark.parametrize(("level", "near", "due"), [(1, 0, 0), (1, 3, 0), (2, 1, 3), (2, 4, 0), (2, 9, 0)])
    def test_price(level, near, due):
        assert price(level, near) == due

    def test_no_such_level():
        with pytest.raises(ValueError):
            price(3, 0)
"""
BLIND = """\
    import sys
    sys.path.insert(0, {folder!r})
    from subject_of_mutants import price

    def test_price():
        price(2, 1)
"""


def tried(tmp_path: Path, tests: str) -> dict[str, int]:
    subject, test = tmp_path / "subject_of_mutants.py", tmp_path / "test_subject.py"
    subject.write_text(SUBJECT)
    test.write_text(textwrap.dedent(tests).format(folder=str(tmp_path)))
    known = learnt([subject], [str(test)], tmp_path / "lines.json")
    fates: dict[str, int] = {}
    for mutant in mutants(subject):
        fate = tool.tried(mutant, known, tmp_path, 20)
        fates[fate] = fates.get(fate, 0) + 1
    return fates


def test_tests_that_look_kill_every_mutant(tmp_path: Path) -> None:
    fates = tried(tmp_path, CAREFUL)
    told(f"{fates.get(tool.KILLED, 0)} of {sum(fates.values())} mutants of a small program killed")
    assert set(fates) == {tool.KILLED}
    assert fates[tool.KILLED] >= 9


def test_tests_that_look_at_nothing_let_mutants_live(tmp_path: Path) -> None:
    """Seen red: lines that run and are not looked at."""
    fates = tried(tmp_path, BLIND)
    assert fates[tool.SURVIVED] >= 4
    assert fates[tool.NOT_REACHED] >= 1


def test_every_mutant_is_another_program_and_only_in_one_place(tmp_path: Path) -> None:
    subject = tmp_path / "subject.py"
    subject.write_text(SUBJECT)
    said = {ast.unparse(mutant.tree()) for mutant in mutants(subject)}
    assert len(said) == len(list(mutants(subject)))
    assert ast.unparse(ast.parse(SUBJECT)) not in said
    assert any("2 where it was 1" in str(mutant) for mutant in mutants(subject))


def test_what_is_no_program_of_its_own_is_left_alone(tmp_path: Path) -> None:
    subject = tmp_path / "subject.py"
    subject.write_text(
        '"""Words."""\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    LIMIT = 3\n__all__ = ["x"]\n'
    )
    assert list(mutants(subject)) == []


def test_short_tests_come_first_and_within_the_time(tmp_path: Path) -> None:
    file = Path("/x.py")
    tests = Watched(
        {"seconds": {"slow": 9.0, "quick": 0.1, "other": 1.0}, "lines": {"/x.py": {"3": ["slow", "quick"]}}}
    )
    assert tests.of(file, 3, 3, 20) == ["quick", "slow"]
    assert tests.of(file, 3, 3, 5) == ["quick"]
    assert tests.of(file, 7, 7, 20) == ["quick", "other", "slow"]  # nobody knows: all of them
    assert tests.reaches(file, 2, 4)
    assert not tests.reaches(file, 7, 7)


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_files_and_tests(room: str) -> None:
    assert len(ROOMS[room].files()) >= 1
    assert all((tool.ROOT / test).exists() for test in ROOMS[room].tests)
