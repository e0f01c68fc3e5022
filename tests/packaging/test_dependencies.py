"""What the program imports of other people is declared, and what is declared is imported."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.architecture.reading import ROOMS, ROOT, sources

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOR_HOSTS = ("cluster", "mail", "png", "backup")  # extras; the others are for developers


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
    extras = {name_of(line) for name in FOR_HOSTS for line in PROJECT["optional-dependencies"][name]}
    assert imported() - extras == {name_of(line) for line in PROJECT["dependencies"]}


def test_what_tests_are_skipped_without_comes_with_them() -> None:
    """`make test` leaves no test out on a new machine for want of a package that the index has."""
    extras = PROJECT["optional-dependencies"]
    declared = {name_of(line) for name in (*FOR_HOSTS, "test") for line in extras[name]}
    brought_by = packages_distributions()
    wanted = {(source.path, module) for source in sources("tests") for module in SKIPS.findall(source.text)}
    assert len(wanted) > 10, "they are found"
    for path, module in wanted:
        assert name_of(brought_by.get(module, [module])[0]) in declared, f"{path}: {module}"


EXTRAS = [line for lines in PROJECT["optional-dependencies"].values() for line in lines if not line.startswith("pbem[")]


@pytest.mark.parametrize("line", [*PROJECT["dependencies"], *EXTRAS])
def test_every_dependency_has_both_bounds(line: str) -> None:
    """A host that is installed next year gets what was tested."""
    assert re.search(r">=[\d.]+,<[\d.]+$|==[\d.]+$", line.partition(";")[0].strip()), line


# --- the lock of a release --------------------------------------------------------------------------------------------

LOCK = ROOT / "requirements.lock"
LOCKED = re.compile(
    r"^([a-z0-9][a-z0-9._-]*)==([\w.+!-]+)(?: ;[^\n\\]*)?((?: \\\n +--hash=sha256:[0-9a-f]{64})+)$", re.M
)


def locked(text: str = "") -> dict[str, str]:
    """The version of each package in the lock; every line of it has hashes."""
    text = text or LOCK.read_text(encoding="utf-8")
    found = {name: version for name, version, _ in LOCKED.findall(text)}
    assert len(found) == len(re.findall(r"^[a-z0-9]", text, re.M)), "a package without hashes"
    return found


def test_the_lock_has_all_that_a_host_needs() -> None:
    """`make lock` renews it. Each version lies within the bounds of pyproject.toml."""
    have, extras = locked(), PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *(line for name in FOR_HOSTS for line in extras[name])]
    for line in wanted:
        requirement = Requirement(line)
        version = have.get(name_of(line))
        assert version is not None, f"{line}: not in the lock; run `make lock`"
        assert requirement.specifier.contains(version), f"{line}: the lock has {version}; run `make lock`"
    assert "://" not in "".join(line for line in LOCK.read_text().splitlines() if not line.lstrip().startswith("#"))


def test_weakened_a_package_without_hashes_is_found() -> None:
    text = LOCK.read_text(encoding="utf-8")
    with pytest.raises(AssertionError, match="without hashes"):
        locked(f"{text}zzz==1.0\n    # via pbem (pyproject.toml)\n")


@pytest.mark.slow
def test_the_bill_of_materials_names_what_is_locked(tmp_path: Path) -> None:
    """`make sbom`, by the tool that it calls."""
    made = tmp_path / "pbem.cdx.json"
    call = [
        Path(sys.executable).with_name("cyclonedx-py"),
        "requirements",
        LOCK,
        "--pyproject",
        ROOT / "pyproject.toml",
    ]
    subprocess.run([*call, "--output-reproducible", "--of", "JSON", "-o", made], check=True, capture_output=True)
    bill = json.loads(made.read_text())
    assert bill["bomFormat"] == "CycloneDX"
    assert {part["name"]: part["version"] for part in bill["components"]} == locked()
    for part in bill["components"]:
        assert any(place.get("hashes") for place in part["externalReferences"]), part["name"]


def test_nothing_of_an_extra_is_needed_to_begin() -> None:
    """Modules of extras are imported where they are used, if at all, and never while a module is loaded."""
    extras = {name_of(line) for name in FOR_HOSTS for line in PROJECT["optional-dependencies"][name]}
    brought_by = {module: name_of(found[0]) for module, found in packages_distributions().items()}
    for source in sources():
        tops = {line for line, _ in source.imports() if source.text.splitlines()[line - 1][:1] not in (" ", "\t")}
        for line, module in source.imports():
            if line in tops:
                assert brought_by.get(module.partition(".")[0]) not in extras, source.finding(line, module)
