"""What a game says of itself to people: title, seats, options, and the rules its players read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import BadOption, UnknownGame, load
from engine.registry import AnyGame
from pbem.errors import CannotGoOn, Trouble
from pbem.paths import data

MOST_PLAYERS = 16  # more than any game has


class NoRules(CannotGoOn):
    """The rules of a game are not installed here, or cannot be loaded."""


def known(game: str) -> AnyGame:
    """The rules of that id; NoRules with the nearest name, or with what is wrong in the package that brings it."""
    try:
        return load(game)
    except UnknownGame as unknown:
        raise NoRules(str(unknown)) from None
    except Exception as broken:
        what = f"{type(broken).__name__}: {broken}"
        raise NoRules(f"The rules {game!r} are installed but cannot be loaded ({what}).") from broken


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a game."""

    name: str
    default: str
    values: str
    help: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One game in the list of games."""

    id: str
    version: str
    title: str
    seats: str
    options: tuple[Choice, ...]

    def to_json(self) -> dict[str, Any]:
        options = {c.name: {"default": c.default, "values": c.values, "help": c.help} for c in self.options}
        return {"id": self.id, "version": self.version, "title": self.title, "seats": self.seats, "options": options}


def entry(game: str, lang: str = "en") -> Entry:
    rules = known(game)
    options = tuple(
        Choice(name, spoken(default), spec.values, spec.help) for name, (default, spec) in rules.Options.specs().items()
    )
    return Entry(rules.id, rules.version, rules.title.get(lang, rules.title["en"]), _seats(rules), options)


def _seats(rules: AnyGame) -> str:
    """How many may play, and what their seats are called: what `pbem new --seat SEAT=PLAYER` takes."""
    named = _named(rules)
    spec = rules.Options.specs().get("players")
    count = f"{spec[1].values} seats" if spec else f"{len(named[0])} seats"
    largest = named[-1]
    if all(seats == largest[: len(seats)] for seats in named):
        return f"{count}: {', '.join(largest)}"
    return f"{count}: {'; '.join(', '.join(seats) for seats in named)}"


def _named(rules: AnyGame) -> list[tuple[str, ...]]:
    """The seats of each number of players there can be, fewest first; of the default set-up where none is chosen."""
    found = []
    for players in range(1, MOST_PLAYERS + 1) if "players" in rules.Options.specs() else ():
        try:
            found.append(tuple(rules.seats(rules.Options(players=players))))
        except BadOption:
            continue
    return found or [tuple(rules.seats(rules.Options()))]


def spoken(value: Any) -> str:
    """An option's value as a host writes it, or a dash for none."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        value = ",".join(map(str, value))
    return str(value) if value not in (None, "") else "-"


def chosen_options(rules: AnyGame, choices: dict[str, str]) -> Any:
    """The game's options with these choices, or Trouble that names what could be chosen."""
    try:
        return rules.Options(**choices)
    except BadOption as bad:
        raise Trouble(str(bad)) from None


def player_rules(game: str, lang: str) -> tuple[str, str]:
    """The player's rules in that language, or in English when there is no translation; and the language it is."""
    rules = known(game)
    for spoken in dict.fromkeys((lang, "en")):
        for folder in template_folders(rules):
            path = folder / f"rules.{spoken}.md"
            if path.is_file():
                return path.read_text(encoding="utf-8"), spoken
    raise Trouble(f"{rules.title['en']} brings no rules for its players.")


def template_folders(rules: AnyGame) -> tuple[Path, ...]:
    """Where this game's words and pictures may lie: with ours, or in the package that brought the game."""
    import sys

    package = sys.modules[type(rules).__module__.split(".")[0]]
    brought = [Path(folder) / "templates" / rules.id for folder in getattr(package, "__path__", ())]
    return (data("templates") / rules.id, *brought)
