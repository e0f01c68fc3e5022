"""G24: the tool that changes programs finds tests that look at nothing, and lets no mutant of a watched line live."""

from __future__ import annotations

import ast
import os
import select
import signal
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults.coverage import RUNS
from tests.faults.figures import told
from tests.faults.mutants import __main__ as tool
from tests.faults.mutants import children, equivalent, measured
from tests.faults.mutants.changes import mutants
from tests.faults.mutants.lines import Watched, learnt
from tests.faults.mutants.rooms import ROOMS, ROOT
from tests.faults.mutants.trying import KILLED, NOT_REACHED, SURVIVED, TOO_LONG, Trial

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


def tried(tmp_path: Path, tests: str, subject: str = SUBJECT) -> dict[str, int]:
    file, test = tmp_path / "subject_of_mutants.py", tmp_path / "test_subject.py"
    file.write_text(textwrap.dedent(subject))
    test.write_text(textwrap.dedent(tests).format(folder=str(tmp_path)))
    known = learnt([file], [str(test)], tmp_path / "lines.json")
    chosen = dict(enumerate(mutants(file)))
    fates = tool.tried(chosen, [str(test)], Trial(known, 20, {}), lambda *_: None, tmp_path / "fates")
    assert set(fates) == set(chosen)
    return Counter(fate for fate, _ in fates.values())


def test_tests_that_look_kill_every_mutant(tmp_path: Path) -> None:
    fates = tried(tmp_path, CAREFUL)
    told(f"{fates.get(KILLED, 0)} of {sum(fates.values())} mutants of a small program killed")
    assert set(fates) == {KILLED}
    assert fates[KILLED] >= 9


def test_tests_that_look_at_nothing_let_mutants_live(tmp_path: Path) -> None:
    """Seen red: lines that run and are not looked at."""
    fates = tried(tmp_path, BLIND)
    assert fates[SURVIVED] >= 4
    assert fates[NOT_REACHED] >= 1


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
        "x = field(repr=False)\ny = zip(x, x, strict=True)\n"
    )
    assert list(mutants(subject)) == []


BAKED = """\
    LEAST = 4

    def table():
        return {1: 0, 2: 4}

    PRINTED = table()

    def due(level):
        return PRINTED[level] >= LEAST
"""
READING = """\
    import sys
    sys.path.insert(0, {folder!r})
    from subject_of_mutants import due

    def test_due():
        assert [due(1), due(2)] == [False, True]
"""


def test_what_runs_at_import_is_imported_anew(tmp_path: Path) -> None:
    """A constant, and a function whose answer is kept from the import on: to swap their code would change nothing."""
    fates = tried(tmp_path, READING, BAKED)
    assert fates == {KILLED: 6, SURVIVED: 2}  # 1 for 0 and 5 for 4 are as good here


REMEMBERED = """\
    from functools import cache

    @cache
    def due(level):
        return level + 1
"""
TWICE = """\
    import sys
    sys.path.insert(0, {folder!r})
    import pytest
    from subject_of_mutants import due

    @pytest.fixture(scope="module")
    def kept():
        return due(2)

    def test_first(kept):
        assert kept

    def test_second(kept):
        assert kept == 3

    def test_blind():
        assert due(5)

    def test_third():
        assert due(5) == 6
"""


def test_what_is_remembered_from_test_to_test_is_seen_by_each(tmp_path: Path) -> None:
    file, test = tmp_path / "subject_of_mutants.py", tmp_path / "test_subject.py"
    file.write_text(textwrap.dedent(REMEMBERED))
    test.write_text(textwrap.dedent(TWICE).format(folder=str(tmp_path)))
    known = learnt([file], [str(test)], tmp_path / "lines.json")
    names = {name.rpartition("::")[2] for name in known.of(file, [5])}
    assert names == {"test_first", "test_second", "test_blind", "test_third"}


ENDLESS = """\
    def count(most):
        found = 0
        while found < most:
            found += 1
        return found
"""
COUNTING = """\
    import sys
    sys.path.insert(0, {folder!r})
    from subject_of_mutants import count

    def test_count():
        assert count(3) == 3
"""


def test_what_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "GRACE", 0.5)
    fates = tried(tmp_path, COUNTING, ENDLESS)
    assert fates == {KILLED: 3, TOO_LONG: 2, SURVIVED: 1}  # not counted further, or down; to begin at 1 is as good


def test_what_waits_for_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """It uses no processor, so that nothing else would end it."""
    monkeypatch.setattr(children, "GRACE", 0.2)
    monkeypatch.setattr(children, "PATIENCE", 1)

    def work(begins: Callable[[int], None]) -> int:
        begins(0)
        signal.pause()
        return 0

    assert children.run(work, lambda _: 0.0) == children.Ended(None, 0)


ORPHANED = """\
    import sys
    from tests.faults.mutants.forking import forked

    if not (pid := forked()):
        while True:
            pass
    sys.stdout.write(f"{pid}\\n")
    sys.stdout.flush()
    sys.stdin.read()
"""


def test_a_mutant_does_not_outlive_the_tool() -> None:
    """Seen red: with a plain fork the child of a killed tool runs on for ever."""
    program = [sys.executable, "-c", textwrap.dedent(ORPHANED)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as parent:
        assert parent.stdout is not None
        child = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
        ended, _, _ = select.select([child], [], [], 30)
        if not ended:
            signal.pidfd_send_signal(child, signal.SIGKILL)
        os.close(child)
        assert ended


def test_a_test_that_fails_by_itself_has_found_nothing(tmp_path: Path) -> None:
    """Seen red: without the second asking, such a test would count as one that notices everything."""
    file, test = tmp_path / "subject_of_mutants.py", tmp_path / "test_subject.py"
    file.write_text(SUBJECT)
    moody = f"{BLIND}        assert not __import__('pathlib').Path({str(tmp_path)!r}, 'on').exists()\n"
    test.write_text(textwrap.dedent(moody).format(folder=str(tmp_path)))
    known = learnt([file], [str(test)], tmp_path / "lines.json")
    (tmp_path / "on").touch()
    chosen = dict(enumerate(mutants(file)))
    fates = tool.tried(chosen, [str(test)], Trial(known, 20, {}), lambda *_: None, tmp_path / "fates")
    assert KILLED not in {fate for fate, _ in fates.values()}


def test_short_tests_come_first_and_within_the_time() -> None:
    file = Path("/x.py")
    seconds = {"slow": 9.0, "quick": 0.1, "other": 1.0}
    tests = Watched({"seconds": seconds, "lines": {"/x.py": {"3": ["slow", "quick"], "5": [""]}}})
    assert tests.of(file, [3]) == ["quick", "slow"]
    assert tests.of(file, [3], ["slow"]) == ["slow", "quick"]  # it has found something before
    assert tests.within(["quick", "slow"], 5) == ["quick"]
    assert tests.within(["slow", "quick"], 5) == ["slow"]  # one at least
    assert tests.of(file, [5]) == ["quick", "slow", "other"]  # it runs at import: all, those of the file first
    assert tests.reaches(file, [2, 3])
    assert not tests.reaches(file, [7])
    assert tests.imports(file, [5])
    assert not tests.imports(file, [3])


MARK = """\
[["{file}"]]
in = "{where}"
was = {was!r}
is = {now!r}
why = "{why}"
"""


def test_a_mark_that_names_no_mutant_is_stale() -> None:
    mutant = next(mutants(ROOT / "engine" / "dice.py"))
    file, where, was, now = equivalent.named(mutant)
    found = equivalent.marks(MARK.format(file=file, where=where, was=was, now=now, why="nobody can tell them apart"))
    assert [mark.name for mark in found] == [(file, where, was, now)]
    assert equivalent.stale(found) == []
    assert equivalent.stale([replace(found[0], was="it read otherwise")])
    assert equivalent.stale([replace(found[0], file="engine/nowhere.py")])


def test_a_mark_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="why"):
        equivalent.marks(MARK.format(file="engine/dice.py", where="x", was="y", now="z", why="the same"))


def test_every_mark_names_a_mutant() -> None:
    assert equivalent.stale(equivalent.marks()) == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_files_and_tests(room: str) -> None:
    assert len(ROOMS[room].files()) >= 1
    assert all((ROOT / test).exists() for test in ROOMS[room].tests)


def test_what_was_measured_is_told() -> None:
    """The table shows what the last trials came to, of rooms below their goals as well."""
    counted = measured.known()["mutants"]
    told(measured.in_words("mutants found", counted))
    assert set(counted) <= set(ROOMS)
    for room, found in counted.items():
        fates = [found[fate] for fate in (KILLED, TOO_LONG, SURVIVED, NOT_REACHED, "equivalent")]
        assert sum(fates) == found["tried"], room
        assert found["share"] == round(sum(fates[:2]) / (found["tried"] - found["equivalent"]), 4)
        assert found["goal"] == ROOMS[room].goal


def test_what_was_covered_is_told() -> None:
    """The share that is held to the goal counts lines and branches together."""
    counted = measured.known()["branches"]
    told(measured.covered_in_words(counted))
    assert set(counted) == {room for run in RUNS.values() for room in run.rooms}
    assert [room for room, found in counted.items() if not measured.well(found)] == []
    assert measured.covered_in_words({"dice": {"covered": 11, "of": 12, "goal": 1, "on": "2026-11-19"}}) == (
        "branches run: dice 11 of 12 (goal 100 %; 2026-11-19)"
    )


def test_a_room_below_its_goal_is_told(tmp_path: Path) -> None:
    kept = tmp_path / "measured.json"
    measured.keep("mutants", "dice", {"share": 0.94, "goal": 0.95, "tried": 50, "of": 100, "too long": 2}, kept)
    measured.keep("mutants", "rules", {"share": 0.9, "goal": 0.9, "tried": 10, "of": 10, "too long": 0}, kept)
    found = measured.known(kept)["mutants"]
    assert [room for room in found if not measured.well(found[room])] == ["dice"]
    assert measured.in_words("mutants", found) == (
        "mutants: dice 94.0 % (50 drawn of 100, 2 by time), rules 90.0 % (10 drawn of 10, 0 by time)"
    )
