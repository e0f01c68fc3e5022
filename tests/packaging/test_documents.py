"""The documents: every line that calls pbem names commands and options that exist, and named files are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture.reading import ROOT
from tests.packaging.commands import Line, calls, faults, in_document

DOCUMENTS = (*ROOT.glob("*.md"), *ROOT.glob("cron/*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("pbem/**/*.md"))


def lines() -> list[Line]:
    return [line for path in DOCUMENTS for line in in_document(path)]


@pytest.mark.parametrize("line", lines(), ids=str)
def test_a_command_line_is_one_that_pbem_understands(line: Line) -> None:
    assert not list(faults(line)), str(line)


def test_the_tours_are_there() -> None:
    told = {line.words[:1] for line in in_document(ROOT / "README.md")}
    for command in ("init", "player", "new", "deliver", "nightly", "status", "check", "submit", "rules", "audit"):
        assert (command,) in told, f"README.md shows no `pbem {command}`"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pbem stauts", ["pbem has no command 'stauts'"]),
        ("pbem status --now", ["--now needs a value"]),
        ("pbem status --verbose", ["pbem status has no option --verbose"]),
        ("pbem audit undo tiger-hill", ["pbem audit has no command 'undo'"]),
        ("pbem show a b", ["pbem show takes 1 words, and here are 2"]),
        ("cd x && pbem nightly | pbem fetc", ["pbem has no command 'fetc'"]),
        ("/opt/pbem/bin/pbem --config x nightly --jobs=2 --dry-run >/dev/null  # pbem nonsense", []),
        ("echo pbem nonsense", []),
    ],
)
def test_a_planted_fault_is_found(text: str, found: list[str]) -> None:
    assert [fault for line in calls("here:1", text) for fault in faults(line)] == found


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_that_are_named_are_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"`((?:[a-z_]+/)*[A-Za-z_.-]+\.(?:md|py|toml|crontab|service|timer))`", text)
    named += re.findall(r"\]\(([^)#:]+)\)", text)
    made = {"orders.yml", "events.j2", "pbem.toml"}  # by pbem itself, or by who reads this
    unknown = [name for name in named if name not in made and not (path.parent / name).exists()]
    assert not [name for name in unknown if not (ROOT / name).exists() and not list(ROOT.glob(f"*/**/{name}"))]


def test_set_up_is_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"^## Set up\n.*?^```sh\n(.*?)^```", text, re.M | re.S)
    assert block is not None
    assert [line.split("#")[0].strip() for line in block[1].splitlines()] == ["make demo", "make test"]


def in_source() -> list[Line]:
    """The command lines that messages, help and templates tell people to type."""
    found = []
    for path in sorted([*ROOT.glob("pbem/**/*.py"), *ROOT.glob("templates/**/*.j2"), *ROOT.glob("cron/pbem*")]):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for call in re.findall(r"`(pbem [^`]*)`", line):
                written = re.sub(r"\{[^}]*\}", "X", re.sub(r"(--\w+) \.\.\.", r"\1 X", call)).replace("...", " ")
                found += calls(f"{path.relative_to(ROOT).as_posix()}:{number}", written)
    return found


def test_what_people_are_told_to_type_is_understood() -> None:
    told = in_source()
    assert len(told) > 30
    assert not [f"{line}: {fault}" for line in told for fault in faults(line)]
