"""What the program imports of other people is declared, and what is declared is imported."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from tests.architecture.reading import ROOMS, ROOT, sources

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


SKIPS = re.compile(r"""importorskip\(\s*["'](\w+)""")


def name_of(requirement: str) -> str:
    """The distribution that a line of dependencies names, spelled as the index spells it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0]).lower()


def imported() -> set[str]:
    """The distributions that bring the modules our rooms import, wherever in a file."""
    brought_by = packages_distributions()
    first = {module.partition(".")[0] for source in sources() for _, module in source.imports()}
    others = first - {*sys.stdlib_module_names, *ROOMS, "tests"}
    return {name_of(brought_by[module][0]) for module in others}


def test_declared_is_imported_and_imported_is_declared() -> None:
    """Extras are for parts that come later; what a plain `pip install pbem` brings is what it needs, and no more."""
    extras = {name_of(line) for name in ("cluster", "mail", "png") for line in PROJECT["optional-dependencies"][name]}
    assert imported() - extras == {name_of(line) for line in PROJECT["dependencies"]}


def test_what_tests_are_skipped_without_comes_with_them() -> None:
    """`make test` leaves no test out on a new machine for want of a package that the index has."""
    extras = PROJECT["optional-dependencies"]
    declared = {name_of(line) for name in ("cluster", "mail", "png", "test") for line in extras[name]}
    brought_by = packages_distributions()
    wanted = {(source.path, module) for source in sources("tests") for module in SKIPS.findall(source.text)}
    assert len(wanted) > 10, "they are found"
    for path, module in wanted:
        assert name_of(brought_by.get(module, [module])[0]) in declared, f"{path}: {module}"


@pytest.mark.parametrize("line", [*PROJECT["dependencies"]])
def test_every_dependency_has_both_bounds(line: str) -> None:
    """A host that is installed next year gets what was tested."""
    assert re.search(r">=[\d.]+,<[\d.]+$", line.partition(";")[0]), line


def test_nothing_of_an_extra_is_needed_to_begin() -> None:
    """Modules of extras are imported where they are used, if at all, and never while a module is loaded."""
    extras = {name_of(line) for name in ("cluster", "mail", "png") for line in PROJECT["optional-dependencies"][name]}
    brought_by = {module: name_of(found[0]) for module, found in packages_distributions().items()}
    for source in sources():
        tops = {line for line, _ in source.imports() if source.text.splitlines()[line - 1][:1] not in (" ", "\t")}
        for line, module in source.imports():
            if line in tops:
                assert brought_by.get(module.partition(".")[0]) not in extras, source.finding(line, module)
