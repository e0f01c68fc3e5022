"""Every paragraph of every rules document is cited by the code that applies it and by a test (G20)."""

import subprocess
import sys

import pytest

from tests.faults.figures import counted, told
from tests.paragraphs.cases import Cases, cases
from tests.paragraphs.matrix import HERE, ROOT, listed, matrix, of_this_project, paragraphs

FEWEST = 600  # numbered cases of all games
OF_A_GAME = {"yuan": 150, "khan": 120, "conquest": 120}
OF_A_SMALL_GAME = 40


def cases_of(game: str) -> Cases:
    return cases(paragraphs(game)[0].partition("-")[0], ROOT / "tests" / "games" / game.replace("-", "_"))


@pytest.mark.parametrize("game", listed())
def test_every_paragraph_has_code_and_a_test(game):
    found = matrix(game)
    assert not found.gaps, "\n".join((f"{len(found.gaps)} gaps of {game}:", *found.gaps))
    covered = sum(paragraph in found.code and paragraph in found.tests for paragraph in found.paragraphs)
    counted(covered, "paragraphs with code and with a test")
    counted(len(found.gaps), "gaps")
    numbered = cases_of(game)
    counted(numbered.all, "numbered cases that cite a paragraph")
    counted(numbered.vectors, "of them vectors")
    told(f"{game}: {covered} of {len(found.paragraphs)} paragraphs, {numbered.all} cases")


@pytest.mark.parametrize("game", listed())
def test_only_paragraphs_that_exist_are_cited(game):
    assert not matrix(game).strangers


@pytest.mark.parametrize("game", listed())
def test_every_game_has_its_cases(game):
    """No paragraph is cited by a helper alone, and there are as many cases as a game of its size wants."""
    numbered = cases_of(game)
    assert not set(paragraphs(game)) - set(numbered.each)
    assert numbered.all >= OF_A_GAME.get(game, OF_A_SMALL_GAME)


def test_there_are_enough_cases_in_all():
    assert sum(cases_of(game).all for game in listed()) >= FEWEST


VECTORS = """
- {name: one, rules: [YUAN-1.1, YUAN-1.2]}
- {name: no paragraph, rules: [KHAN-1.1]}
- {kinds: [{rules: [YUAN-2.1]}]}
"""
TESTS = """
ROWS = [
    1,  # YUAN-3.1
    2,
    "YUAN-3.2",
]

@pytest.mark.parametrize("number", ROWS)
def test_rows_of_which_some_cite(number): pass

@pytest.mark.parametrize("number", [1, 2, 3])
def test_rows_of_one_that_cites(number):
    'YUAN-3.3'

@pytest.mark.parametrize("seed", range(100))
def test_made_by_a_program(seed): pass  # YUAN-3.4

# YUAN-3.5: a comment above
def test_alone(): pass

def test_of_nothing(): pass

def helper(): return "YUAN-9.9"
"""


def test_cases_are_counted(tmp_path):
    """All but the entry, the row, the test and the helper that cite no paragraph of the game."""
    (tmp_path / "vectors.yaml").write_text(VECTORS)
    (tmp_path / "test_it.py").write_text(TESTS)
    found = cases("YUAN", tmp_path)
    assert (found.vectors, found.tests, found.all) == (2, 7, 9)
    assert found.each == {
        **{"YUAN-1.1": 1, "YUAN-1.2": 1, "YUAN-2.1": 1},
        **{"YUAN-3.1": 1, "YUAN-3.2": 1, "YUAN-3.3": 3, "YUAN-3.4": 1, "YUAN-3.5": 1},
    }


def test_every_game_of_the_project_has_its_list():
    assert set(of_this_project()) <= set(listed())


@pytest.mark.parametrize("file", sorted(HERE.glob("*.txt")), ids=lambda file: file.stem)
def test_a_list_names_each_paragraph_once_and_leaves_none_out(file):
    ids = paragraphs(file.stem)
    numbers = [tuple(map(int, one.partition("-")[2].split("."))) for one in ids]
    assert numbers == sorted(set(numbers))
    assert len({one.partition("-")[0] for one in ids}) == 1
    for chapter in {chapter for chapter, _ in numbers}:
        within = [number for at, number in numbers if at == chapter]
        assert within == list(range(1, len(within) + 1)), f"chapter {chapter}"


def test_a_gap_and_a_stranger_are_found(tmp_path):
    """The matrix bites: 2.1 and 2.10 are told apart, a missing test is a gap, an unknown paragraph is a stranger."""
    code, tests = tmp_path / "code", tmp_path / "tests"
    code.mkdir()
    tests.mkdir()
    ids = paragraphs("yuan")
    (code / "all.py").write_text("\n".join(f"# {one}" for one in ids if one != "YUAN-1.1"))
    (tests / "all.yaml").write_text("\n".join(f"- {one}" for one in ids if one != "YUAN-2.8") + "\n# YUAN-99.1")
    found = matrix("yuan", code, tests)
    assert found.gaps == ("YUAN-1.1: cited by no code", "YUAN-2.8: cited by no test")
    assert found.strangers == ("YUAN-99.1 in all.yaml",)


def test_the_command_prints_the_matrix_and_fails_on_a_gap():
    names = listed()
    done = subprocess.run([sys.executable, "-m", "tests.paragraphs"], cwd=ROOT, capture_output=True, text=True)
    wrong = any(matrix(game).gaps or matrix(game).strangers for game in names)
    assert done.returncode == (1 if wrong else 0), done.stderr
    for game in names:
        assert f"# {game}\n" in done.stdout
        assert f"{game}: {len(paragraphs(game))} paragraphs" in done.stdout
