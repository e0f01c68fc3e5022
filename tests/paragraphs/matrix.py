"""Where each paragraph of a rules document is cited: in the game's code, in its tests, nowhere."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

from engine import games
from engine.registry import GROUP

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
Places = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Matrix:
    """One game: its paragraphs in order, and the files that cite each of them."""

    game: str
    paragraphs: tuple[str, ...]
    code: Places
    tests: Places

    @property
    def gaps(self) -> tuple[str, ...]:
        """Every paragraph that no code or no test cites, in words."""
        return tuple(
            f"{paragraph}: cited by no {what}"
            for paragraph in self.paragraphs
            for what, places in (("code", self.code), ("test", self.tests))
            if paragraph not in places
        )

    @property
    def strangers(self) -> tuple[str, ...]:
        """Citations of paragraphs that the rules document does not have."""
        known = set(self.paragraphs)
        cited = {**self.code, **self.tests}
        return tuple(f"{paragraph} in {', '.join(cited[paragraph])}" for paragraph in sorted(set(cited) - known))


def listed() -> tuple[str, ...]:
    """The games whose paragraphs are listed here and which are installed."""
    return tuple(game for game in games() if (HERE / f"{game}.txt").exists())


def of_this_project() -> tuple[str, ...]:
    """The installed games that are part of this project, not of somebody else's package."""
    return tuple(sorted(entry.name for entry in entry_points(group=GROUP) if entry.value.startswith("games.")))


def paragraphs(game: str) -> tuple[str, ...]:
    """The ids of the rules document, in its order."""
    return tuple((HERE / f"{game}.txt").read_text(encoding="utf-8").split())


def matrix(game: str, code: Path | None = None, tests: Path | None = None) -> Matrix:
    """The matrix of a game; its folders are `games/<name>` and `tests/games/<name>` unless told otherwise."""
    folder = game.replace("-", "_")
    ids = paragraphs(game)
    prefix = ids[0].split("-")[0]
    in_code = citations(prefix, _files(code or ROOT / "games" / folder, "*.py"))
    in_tests = citations(prefix, _files(tests or ROOT / "tests" / "games" / folder, "*.py", "*.yaml", "*.txt"))
    return Matrix(game, ids, in_code, in_tests)


def citations(prefix: str, files: Iterable[Path]) -> Places:
    """Paragraph -> the files that cite it. A letter after the number (`BAGH-3.2a`) names a part of the paragraph."""
    found: dict[str, list[str]] = defaultdict(list)
    cited = re.compile(rf"\b{prefix}-\d+\.\d+(?!\d)")
    for file in files:
        for paragraph in sorted(set(cited.findall(file.read_text(encoding="utf-8")))):
            found[paragraph].append(_short(file))
    return {paragraph: tuple(places) for paragraph, places in found.items()}


def _files(folder: Path, *kinds: str) -> list[Path]:
    """For code its Python, for tests their vectors and playthroughs too; prose proves nothing."""
    return sorted(path for kind in kinds for path in folder.rglob(kind))


def _short(file: Path) -> str:
    return file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else file.name
