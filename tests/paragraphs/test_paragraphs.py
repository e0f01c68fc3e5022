"""Every paragraph of every rules document is cited by the code that applies it and by a test (G20)."""

import subprocess
import sys

import pytest

from tests.faults.figures import counted, told
from tests.paragraphs.matrix import HERE, ROOT, listed, matrix, of_this_project, paragraphs


@pytest.mark.parametrize("game", listed())
def test_every_paragraph_has_code_and_a_test(game):
    found = matrix(game)
    assert not found.gaps, "\n".join((f"{len(found.gaps)} gaps of {game}:", *found.gaps))
    covered = sum(paragraph in found.code and paragraph in found.tests for paragraph in found.paragraphs)
    counted(covered, "paragraphs with code and with a test")
    counted(len(found.gaps), "gaps")
    told(f"{game}: {covered} of {len(found.paragraphs)}")


@pytest.mark.parametrize("game", listed())
def test_only_paragraphs_that_exist_are_cited(game):
    assert not matrix(game).strangers


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
