"""G11: other releases of Python play the same games to the byte; beside Python the rules need only PyYAML."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml

from engine import games
from tests.conftest import SAMPLE_GAMES
from tests.faults.figures import told
from tests.faults.guarantees import ROOT

RELEASES = ("3.12", "3.13", "3.14")
COUNT = int(os.environ.get("PBEM_LONG", "0")) // 100 or 1  # games of each


def found(release: str) -> str | None:
    """A Python of that release: on the path, or where pyenv keeps them."""
    versions = sorted((Path.home() / ".pyenv" / "versions").glob(f"{release}.*/bin/python"))
    for place in (*map(str, versions[::-1]), shutil.which(f"python{release}")):
        if place and subprocess.run([place, "-c", ""], capture_output=True, check=False).returncode == 0:
            return place
    return None


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a bare Python lacks: the entry points of the games, and PyYAML (its part in Python)."""
    folder = tmp_path_factory.mktemp("packages")
    entries = distribution("pbem").read_text("entry_points.txt")
    about = folder / "pbem-0.dist-info"
    about.mkdir()
    (about / "entry_points.txt").write_text(entries or "")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: pbem\nVersion: 0\n")
    shutil.copytree(Path(yaml.__file__).parent, folder / "yaml", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    return folder


def digests(python: str, packages: Path) -> list[str]:
    path = os.pathsep.join([str(ROOT), SAMPLE_GAMES, str(packages)])
    setting = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "random"}
    command = [python, "-m", "tests.every_game", "digest", *games(), "--games", str(COUNT)]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(command, cwd=ROOT, env={**clean, **setting}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def here(packages: Path) -> list[str]:
    return digests(sys.executable, packages)


@pytest.mark.slow
@pytest.mark.timeout(0 if "PBEM_LONG" in os.environ else 300)
@pytest.mark.parametrize("release", RELEASES)
def test_g11_another_python_plays_the_same_bytes(packages: Path, here: list[str], release: str) -> None:
    python = found(release)
    if python is None or sysconfig.get_python_version() == release:
        pytest.skip(f"Python {release} is not here, or is the one that runs this")
    assert digests(python, packages) == here
    told(f"Python {release}: {COUNT} games of each of {len(here)} the same as under {sysconfig.get_python_version()}")
