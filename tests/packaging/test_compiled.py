"""The wheel with compiled modules: built where that can be done, and asked what the plain build is asked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.architecture.reading import ROOT
from tests.packaging.test_wheel import build

WHEEL = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
MODULES = [path.removesuffix(".py").replace("/", ".") for path in WHEEL["hooks"]["custom"]["compiled"]]
# What changes a module while it runs has no hold on one that is compiled.
QUESTIONS = ("tests/games/bagh_chal", "tests/every_game", "-k", "bagh and not weakened")


def missing() -> list[str]:
    """What a machine lacks that cannot compile."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    header = Path(sysconfig.get_path("include")) / "Python.h"
    parts = {
        "mypyc": find_spec("mypyc"),
        "setuptools": find_spec("setuptools"),
        f"the C compiler {compiler}": shutil.which(compiler),
        f"{header}": header.is_file(),
    }
    return [name for name, found in parts.items() if not found]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this checkout in which the compiled modules lie beside their sources, as in the wheel."""
    if lacking := missing():
        pytest.skip(f"nothing can be compiled here without {', '.join(lacking)}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_COMPILE", "1")
        wheel = build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")
    assert not wheel.name.endswith("none-any.whl"), "it fits one kind of machine only"
    copy = tmp_path_factory.mktemp("checkout")
    for name in ("engine", "games", "pbem", "templates", "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(copy, [name for name in archive.namelist() if name.endswith(".so")])
    return copy


def run(where: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A Python that finds what lies there before anything that is installed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    call = [sys.executable, *words]
    environment = {**kept, "PYTHONPATH": str(where)}
    return subprocess.run(call, cwd=where, env=environment, capture_output=True, text=True, check=False)


def test_compiled_modules_are_those_that_are_used(checkout: Path) -> None:
    told = f"import importlib\nfor name in {MODULES}: print(importlib.import_module(name).__file__)"
    files = run(checkout, "-c", told).stdout.split()
    assert [Path(file).suffix for file in files] == [sysconfig.get_config_var("EXT_SUFFIX")[-3:]] * len(MODULES)
    assert all(Path(file).is_relative_to(checkout) for file in files)


def test_they_answer_as_the_plain_ones_do(checkout: Path) -> None:
    asked = run(checkout, "-m", "pytest", "-x", "-n0", "-p", "no:cacheprovider", *QUESTIONS)
    assert asked.returncode == 0, asked.stdout[-3000:] + asked.stderr[-1000:]


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert any(name.startswith("the C compiler") for name in missing())
