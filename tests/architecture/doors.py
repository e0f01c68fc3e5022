"""Which way the doors open: engine <- games <- pbem, and what else each room may use."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator

from engine import games
from tests.architecture.reading import ROOMS, ROOT, Finding, Source, lines_of

# What an entry of pyproject's dependencies is called when it is imported.
IMPORTED_AS = {
    "pyyaml": "yaml",
    "markdown-it-py": "markdown_it",
    "resvg-py": "resvg_py",
    "dkimpy": "dkim",
    "dnspython": "dns",
}


def through_the_wrong_door(source: Source) -> Iterator[Finding]:
    for line, module in source.imports():
        first = module.partition(".")[0]
        if first in ROOMS:
            if not _own_or_below(source, module):
                yield source.finding(line, f"{source.room} imports {module}")
        elif first not in sys.stdlib_module_names | allowed(source.room):
            yield source.finding(line, f"{source.room} imports {module}")


def allowed(room: str) -> set[str]:
    """Other people's packages that a room may use."""
    return {"engine": set(), "games": {"yaml"}, "pbem": declared()}[room]


def declared() -> set[str]:
    """The import names of everything pyproject.toml declares as a dependency of the program."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = [
        *project["dependencies"],
        *(line for extra in ("cluster", "mail", "png", "backup") for line in extras[extra]),
    ]
    names = {re.split(r"[\s\[<>=!~]", line, maxsplit=1)[0].lower() for line in lines}
    # Packages that these bring along and whose names stand in their own documentation.
    return {IMPORTED_AS.get(name, name.replace("-", "_")) for name in names} | {"markupsafe"}


def _own_or_below(source: Source, module: str) -> bool:
    first, _, rest = module.partition(".")
    if source.room == "games" and first == "games":
        return rest.partition(".")[0] == source.game  # what games share stands in the engine
    return first == source.room or first == "engine"


def naming_a_game(lines: Iterable[tuple[str, int, str]]) -> Iterator[Finding]:
    """A game's id in `pbem` or `engine`, in any spelling: games are found through the registry."""
    ids = {*games(), *(path.stem for path in (ROOT / "tests" / "paragraphs").glob("*.txt"))}
    spelled = "|".join(re.escape(game).replace(r"\-", "[-_ ]?") for game in sorted(ids))
    named = re.compile(rf"(?<![a-z])(?:{spelled})(?![a-z])", re.IGNORECASE)
    for place, number, line in lines:
        if found := named.search(line):
            yield Finding(f"{place}:{number}", f"names the game {found[0]!r}")


def all_lines() -> Iterator[tuple[str, int, str]]:
    return lines_of("engine", "pbem")
