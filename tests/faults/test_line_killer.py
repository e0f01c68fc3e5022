"""The line killer kills at every line, wherever it is executed, and finds the programs that do not survive it."""

from pathlib import Path

import pytest

from tests.faults import tiny
from tests.faults.line_killer import Killer, campaign, chosen, memory_folder

WATCH = (Path(tiny.__file__),)


@pytest.fixture
def prepared():
    with memory_folder() as room:
        letters = room / "prepared" / "in"
        letters.mkdir(parents=True)
        for name in "abc":
            (letters / name).write_text(name)
        yield room / "prepared"


def killed(prepared, program, again=None, most=1000):
    check = tiny.nothing_lost_nothing_doubled
    return campaign(prepared, program, again or program, check, watch=WATCH, most=most)


def test_a_careful_program_survives_being_killed_at_every_line(prepared):
    found = killed(prepared, tiny.careful)
    assert found.lines == found.points == found.killed == 23  # 1, then 3 letters of 7 lines, then the end of the loop
    assert "23 kills at 23 of 23 lines" in str(found)


def test_lines_of_a_child_process_count_too(prepared):
    found = killed(prepared, tiny.by_a_child, tiny.careful)
    assert found.killed == found.points >= 23


@pytest.mark.parametrize("program", [tiny.careless, tiny.hasty], ids=lambda program: program.__name__)
def test_a_program_that_doubles_or_loses_is_found(prepared, program):
    with pytest.raises(AssertionError) as failure:
        killed(prepared, program)
    assert any("tiny.py:" in note for note in failure.value.__notes__)


def test_an_undisturbed_run_and_the_point_behind_its_end(prepared):
    killer = Killer(WATCH)
    assert killer.kill(tiny.careful, prepared, 24).killed is False
    tiny.nothing_lost_nothing_doubled(prepared)


def test_a_program_that_fails_by_itself_is_no_kill(prepared):
    with pytest.raises(AssertionError, match="ended with 99"):
        Killer(WATCH).lines(lambda folder: 1 // 0, prepared)


def test_a_second_run_that_fails_is_found(prepared):
    with pytest.raises(AssertionError, match="second run ended with 99"):
        killed(prepared, tiny.careful, lambda folder: 1 // 0)


def test_points_are_spread_over_the_whole_run():
    assert chosen(10, 10, seed=1) == list(range(1, 11))
    points = chosen(100_000, 500, seed=1)
    assert len(points) == 500
    assert points == chosen(100_000, 500, seed=1)
    assert all(0 < point - 200 * i <= 200 for i, point in enumerate(points))
