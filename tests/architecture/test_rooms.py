"""The rooms keep to themselves: imports, names of games, luck, floats, first lines, lengths (DESIGN 2)."""

import pytest

from tests.architecture import circles, doors, luck, printing, reading_well
from tests.architecture.reading import Finding, Path, Source, sources

EVERYWHERE = (
    doors.through_the_wrong_door,
    reading_well.without_first_line,
    reading_well.too_long,
    reading_well.unfinished,
)
PURE = (luck.reaching_outside, luck.counting_in_fractions, luck.changing_values)


@pytest.mark.parametrize("check", EVERYWHERE, ids=lambda check: check.__name__)
def test_nothing_is(check):
    found = [finding for source in sources() for finding in check(source)]
    assert not found, "\n".join(map(str, found))


@pytest.mark.parametrize("check", PURE, ids=lambda check: check.__name__)
def test_nothing_in_engine_and_games_is(check):
    found = [finding for source in sources("engine", "games") for finding in check(source)]
    assert not found, "\n".join(map(str, found))


def test_no_game_is_named_in_engine_or_host():
    found = list(doors.naming_a_game(doors.all_lines()))
    assert not found, "\n".join(map(str, found))


def test_no_file_imports_itself_in_a_circle():
    found = list(circles.round_in_a_circle(sources()))
    assert not found, found[0]


CIRCLE = {
    "pbem/mails/__init__.py": "from pbem.mails.reading import read",
    "pbem/mails/reading.py": "from pbem.orders.form import Form",
    "pbem/orders/__init__.py": "from pbem.orders import way",
    "pbem/orders/form.py": "import sys",
    "pbem/orders/way.py": "if True:\n    from pbem import mails",
}


def test_a_planted_circle_is_found():
    (found,) = circles.round_in_a_circle(Source(Path(place), text) for place, text in CIRCLE.items())
    assert {"pbem.mails", "pbem.orders", "pbem.orders.way"} <= set(found.what.split())


@pytest.mark.parametrize("way", [
    "import sys",
    "def later():\n    from pbem import mails",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pbem import mails",
])  # fmt: skip
def test_what_waits_is_no_circle(way):
    texts = {**CIRCLE, "pbem/orders/way.py": way}
    assert not list(circles.round_in_a_circle(Source(Path(place), text) for place, text in texts.items()))


PLANTED = [
    (doors.through_the_wrong_door, "engine/a.py", "from games.yuan import GAME"),
    (doors.through_the_wrong_door, "engine/a.py", "import pbem.clock"),
    (doors.through_the_wrong_door, "engine/a.py", "import yaml"),
    (doors.through_the_wrong_door, "games/yuan/a.py", "from pbem import clock"),
    (doors.through_the_wrong_door, "games/yuan/a.py", "from games.khan.board import CELLS"),
    (doors.through_the_wrong_door, "games/yuan/phases/a.py", "from ... import khan"),
    (doors.through_the_wrong_door, "games/yuan/a.py", "import jinja2"),
    (doors.through_the_wrong_door, "pbem/a.py", "def f():\n    from games import yuan"),
    (doors.through_the_wrong_door, "pbem/a.py", "import requests"),
    (reading_well.without_first_line, "pbem/a.py", "import sys"),
    (reading_well.without_first_line, "pbem/a.py", '"""Utilities."""'),
    (reading_well.too_long, "pbem/a.py", "def f():\n" + "    x = 1\n" * 60),
    (reading_well.unfinished, "pbem/a.py", "# " + "TO" + "DO later"),
    (luck.reaching_outside, "engine/a.py", "import random"),
    (luck.reaching_outside, "engine/a.py", "def f():\n    from time import monotonic"),
    (luck.reaching_outside, "engine/a.py", "x = hash('a')"),
    (luck.reaching_outside, "engine/a.py", "x = open('f')"),
    (luck.reaching_outside, "engine/a.py", "import sys\nx = sys.modules['os'].environ"),
    (luck.counting_in_fractions, "engine/a.py", "x = 0.5"),
    (luck.counting_in_fractions, "engine/a.py", "x = 1 / 2"),
    (luck.changing_values, "engine/a.py", "@dataclass(slots=True)\nclass State: ..."),
]


@pytest.mark.parametrize(("check", "place", "text"), PLANTED)
def test_a_planted_fault_is_found(check, place, text):
    assert list(check(Source(Path(place), text)))


@pytest.mark.parametrize(("check", "place", "text"), [
    (doors.through_the_wrong_door, "games/yuan/phases/a.py", "from ..state import S\nimport engine\nimport yaml"),
    (doors.through_the_wrong_door, "pbem/cli/a.py", "import click\nfrom pbem import clock\nfrom engine import load"),
    (luck.counting_in_fractions, "games/yuan/a.py", "x = files(a) / 'data' / name"),
    (luck.reaching_outside, "engine/a.py", "class A:\n    def __hash__(self):\n        return hash((1, 2))"),
])  # fmt: skip
def test_what_is_allowed_is_not_found(check, place, text):
    assert not list(check(Source(Path(place), text)))


@pytest.mark.parametrize("line", ["load('yuan')", "from games.bagh_chal import x", "# as in Bagh-Chal", "BAGHCHAL = 1"])
def test_a_named_game_is_found(line):
    (found,) = doors.naming_a_game([("pbem/a.py", 7, line)])
    assert isinstance(found, Finding)
    assert found.place == "pbem/a.py:7"


def test_nothing_prints_past_the_writer_that_escapes():
    found = [finding for source in sources() for finding in printing.printing_elsewhere(source)]
    assert not found, "\n".join(map(str, found))


@pytest.mark.parametrize("text", [
    "print('x')", "import click\nclick.echo('x')", "import click\nsay = click.secho", "from click import echo",
    "import sys\nsys.stderr.write('x')",
    "from sys import stdout", "from rich.console import Console", "import logging\nlogging.basicConfig()",
    "import sys\nsys.exit(f'{x}')", "import traceback\ntraceback.print_exc()",
])  # fmt: skip
def test_every_planted_way_past_the_writer_is_found(text):
    assert list(printing.printing_elsewhere(Source(Path("pbem/cli/a.py"), text)))
    assert not list(printing.printing_elsewhere(Source(Path(printing.WRITER), text)))


def test_a_program_that_stands_alone_prints_in_its_say():
    inside = "def say(text):\n    print(safe(text))\n"
    assert not list(printing.printing_elsewhere(Source(Path("pbem/audit/checker.py"), inside)))
    assert list(printing.printing_elsewhere(Source(Path("pbem/audit/checker.py"), f"{inside}print('x')")))
