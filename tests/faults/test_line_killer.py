"""The line killer kills at every line, wherever it is executed, and finds the programs that do not survive it."""

from pathlib import Path

import pytest

from tests.faults import held, line_killer, tiny
from tests.faults.folder_states import Album
from tests.faults.line_killer import Killer, campaign, chosen, memory_folder, picked
from tests.faults.recording import Span

WATCH = (Path(tiny.__file__),)


@pytest.fixture
def prepared():
    with memory_folder() as room:
        letters = room / "prepared" / "in"
        letters.mkdir(parents=True)
        for name in "abc":
            (letters / name).write_text(name)
        yield room / "prepared"


def killed(prepared, program, again=None, most=1000, **how):
    check = tiny.nothing_lost_nothing_doubled
    return campaign(prepared, program, again or program, check, watch=WATCH, most=most, **how)


@pytest.fixture
def by_kills(monkeypatch):
    """A kernel that lets no calls be held."""
    monkeypatch.setattr(line_killer, "possible", lambda: False)


@pytest.fixture
def by_states():
    if not held.possible():
        pytest.skip("this kernel lets no calls be held")


def test_a_careful_program_survives_being_killed_at_every_line(prepared, by_states):
    found = killed(prepared, tiny.careful)
    assert found.lines == found.covered == 23  # 1, then 3 letters of 7 lines, then the end of the loop
    assert found.points == found.states == 13  # as it was; for each letter: a draft, written, a book, a letter less
    assert found.calls >= 12
    assert "23 of 23 lines" in str(found)


def test_truly_killed_at_every_line_it_survives_as_well(prepared, by_kills):
    found = killed(prepared, tiny.careful)
    assert found.lines == found.points == found.killed == 23


def test_every_kill_leaves_what_was_recorded(prepared, by_states):
    assert killed(prepared, tiny.careful, kills=23).killed == 23


def test_lines_of_a_child_process_count_too(prepared):
    found = killed(prepared, tiny.by_a_child, tiny.careful, alone=False)
    assert found.covered == found.lines >= 23


def test_what_a_child_writes_beside_its_parent_is_seen(prepared, by_states):
    found = killed(prepared, tiny.by_two, tiny.careful, alone=False)
    assert found.covered == found.lines
    assert found.states > 13


@pytest.mark.parametrize("way", ["by_states", "by_kills"])
@pytest.mark.parametrize("program", [tiny.careless, tiny.hasty], ids=lambda program: program.__name__)
def test_a_program_that_doubles_or_loses_is_found(prepared, program, way, request):
    request.getfixturevalue(way)
    with pytest.raises(AssertionError) as failure:
        killed(prepared, program)
    assert any("tiny.py:" in note for note in failure.value.__notes__)


def test_a_call_that_is_let_pass_unseen_is_found(prepared, by_states, monkeypatch):
    """The weakened tool: it takes renaming for harmless, and looks after every line whether that is so."""
    monkeypatch.setitem(held.HARMLESS, "rename", (82, 38))
    monkeypatch.setattr(line_killer, "EVERY", 1)
    with pytest.raises(AssertionError, match=r"no call told that \['book', 'draft'\] would change"):
        killed(prepared, tiny.renaming)


def test_a_folder_laid_out_again_is_the_same(prepared, tmp_path):
    folder = prepared / "in"
    (folder / "link").symlink_to("a")
    (folder / "b").chmod(0o600)
    (folder / "empty").mkdir(mode=0o700)
    (folder / "long").write_bytes(bytes(range(256)) * 1000)
    tiny.socket_in(folder)
    album = Album()
    state = album.taken(prepared)
    album.laid_out(state, tmp_path)
    assert album.taken(tmp_path) == state
    assert (tmp_path / "in" / "a").stat().st_mtime_ns == (folder / "a").stat().st_mtime_ns


def test_half_of_few_states_are_those_with_most_lines():
    spans = [Span({}, None, number, lines=number % 10) for number in range(100)]
    few = picked(spans, 20, seed=1)
    assert len(few) == 20
    assert sum(span.lines == 9 for span in few) >= 10
    assert [span.first for span in few] == sorted(span.first for span in few)
    assert picked(spans, 100, seed=1) == spans


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
