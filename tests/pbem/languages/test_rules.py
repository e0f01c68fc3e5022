"""`pbem rules GAME --lang fr`: the rules in the reader's language, or in English with a word that they are missing."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from pbem.reports.environment import LANGUAGES
from tests.pbem.languages.extracting import FRAME, ROOT, TEMPLATES, folders

GAMES = [folder for folder in folders() if folder != FRAME]
PARAGRAPH = re.compile(r"\b[A-Z]+-\d+(?:\.\d+)*\b")
WRITTEN = [path for path in sorted(TEMPLATES.glob("*/rules.*.md")) if ".en." not in path.name]


def asked(game: str, lang: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "pbem", "rules", game, "--lang", lang]
    return subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_rules_in_the_readers_language(path):
    game, lang = path.parent.name, path.name.split(".")[1]
    done = asked(game, lang)
    assert done.returncode == 0
    assert done.stdout.rstrip("\n") == path.read_text("utf-8").rstrip("\n")
    assert done.stderr == ""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_same_paragraphs_in_every_language(game, lang):
    """Every event links to its rule: a file that is missing, or a paragraph more or less, makes it fail."""
    english, other = ((TEMPLATES / game / f"rules.{spoken}.md").read_text("utf-8") for spoken in ("en", lang))
    assert {*PARAGRAPH.findall(other)} == {*PARAGRAPH.findall(english)}
    assert other.count("\n## ") == english.count("\n## ")


def test_a_language_that_nobody_wrote_is_said_to_be_missing():
    done = asked(GAMES[0], "eo")
    assert done.returncode == 0
    assert "not written in 'eo'" in done.stderr
