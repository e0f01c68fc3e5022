"""The wheel: built, installed alone into an empty environment, and used from another folder."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from tests.architecture.reading import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TOP = {"engine", "games", "pbem", "pbem-0.1.0.dist-info"}


def build(folder: Path, target: Path, kind: str) -> Path:
    """What an index would be given, made by the build backend that pyproject.toml names; no index is asked."""
    call = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", target]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [made] = target.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def files(folder: str) -> set[str]:
    """The files of a folder of the checkout that belong to the project."""
    listed = ["git", "ls-files", "-co", "--exclude-standard", folder]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return {name for name in done.stdout.splitlines() if (ROOT / name).is_file()}
    found = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(ROOT).as_posix() for path in found}


def test_everything_is_in_the_wheel_and_nothing_else(names: set[str]) -> None:
    code = files("pbem") | files("engine") | files("games")
    data = {f"pbem/_data/{name}" for name in files("templates") | files("cron")}
    compiled = {name for name in names if name.endswith(".mo")}  # catalogues, made by the build of those that are whole
    assert {name.replace(".mo", ".po") for name in compiled} <= data
    assert {name for name in names if ".dist-info/" not in name} == code | data | compiled
    assert {name.partition("/")[0] for name in names} == TOP, "nothing else lands in site-packages"


def test_what_the_program_reads_is_there(names: set[str]) -> None:
    games = [path.name for path in (ROOT / "templates").iterdir() if (path / "rules.en.md").exists()]
    assert games
    for game in games:
        assert f"pbem/_data/templates/{game}/rules.en.md" in names
    assert {"pbem/_data/cron/pbem.crontab", "pbem/ledger/migrations/env.py"} <= names
    assert "pbem/ledger/migrations/versions/0001_first.py" in names
    assert "pbem/ledger/migrations/versions/0002_post.py" in names
    assert not [name for name in names if name.endswith((".pyc", ".db", ".orig"))]


def test_the_wheel_says_who_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        about = archive.read("pbem-0.1.0.dist-info/METADATA").decode()
        points = archive.read("pbem-0.1.0.dist-info/entry_points.txt").decode()
    assert "Requires-Python: >=3.11\n" in about
    needed = re.findall(r"^Requires-Dist: ([A-Za-z0-9_.-]+)(?!.*extra ==)", about, re.M)
    assert [name.lower() for name in needed] == sorted(re.split("[><]", line)[0] for line in PROJECT["dependencies"])
    assert "pbem = pbem.cli:main" in points
    for game, place in PROJECT["entry-points"]["pbem.games"].items():
        assert f"{game} = {place}" in points


def test_the_source_archive_makes_the_same_wheel(names: set[str], tmp_path: Path) -> None:
    archive = build(ROOT, tmp_path / "sdist", "sdist")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    [folder] = (path for path in tmp_path.iterdir() if (path / "pyproject.toml").exists())
    assert (folder / "tests" / "packaging" / "test_wheel.py").exists()
    assert {path.name for path in (folder / "Makefile", folder / "LICENSE", folder / "README.md") if path.exists()} == {
        "Makefile", "LICENSE", "README.md",
    }  # fmt: skip
    with zipfile.ZipFile(build(folder, tmp_path / "again", "wheel")) as again:
        assert set(again.namelist()) == names


# --- installed --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bin(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment with the wheel in it.

    The packages it depends on are lent by the environment that runs the tests: its folder of packages is put on the
    path, without the editable entry by which the checkout itself would be found.
    """
    folder = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", python, "install", "-qq", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True)
    [packages] = folder.glob("lib/python*/site-packages")
    lent = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "lent.pth").write_text("\n".join(sorted(lent)) + "\n")
    return folder / "bin"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder that has nothing to do with the checkout."""
    return tmp_path


def pbem(bin: Path, elsewhere: Path, *args: str, program: str = "pbem") -> str:
    """The installed program, in an environment that knows nothing of the checkout."""
    env = {"PATH": f"{bin}:/usr/bin:/bin", "HOME": str(elsewhere), "LANG": "C.UTF-8"}
    done = subprocess.run([bin / program, *args], cwd=elsewhere, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_installed_program_is_the_wheels(bin: Path, elsewhere: Path) -> None:
    look = "import pbem, engine, games, pbem.paths as p; print(pbem.__file__, engine.__file__, games.__file__); "
    look += "print(p.data('templates'), p.data('cron'))"
    places = pbem(bin, elsewhere, "-c", look, program="python").split()
    assert len(places) == 5
    assert all(place.startswith(str(bin.parent)) for place in places), places


def test_it_plays_every_game(bin: Path, elsewhere: Path) -> None:
    assert {game["id"] for game in json.loads(pbem(bin, elsewhere, "games", "--json"))} == {
        *PROJECT["entry-points"]["pbem.games"]
    }
    begin = "\n".join(
        (
            "import sys",
            "from engine import games, load",
            "from pbem.cli import run",
            "def do(*args): run(list(args)) and sys.exit(f'{args} failed')",
            "do('init')",
            "for n in range(8): do('player', 'add', f'P{n}', f'p{n}@players.example', '--now', '2026-01-05T09:00Z')",
            "for game in games():",
            "    rules = load(game)",
            "    options = dict(rules.showcase[0])",
            "    seats = rules.seats(rules.Options(**options))",
            "    chosen = [word for name, value in options.items() for word in ('--option', f'{name}={value}')]",
            "    sitting = [word for n, seat in enumerate(seats) for word in ('--seat', f'{seat}=P{n}')]",
            "    do('rules', game)",
            "    do('new', game, '--name', game, *sitting, *chosen, '--now', '2026-01-05T09:00Z')",
        )
    )
    pbem(bin, elsewhere, "-c", begin, program="python")
    night = json.loads(pbem(bin, elsewhere, "nightly", "--now", "2026-01-05T21:00Z", "--json"))
    assert (night["resolved"], night["failed"]) == (len(PROJECT["entry-points"]["pbem.games"]), {})
    tell = (
        "from engine import games; from pbem.cli import run; [run(['report', g, '--format', 'html']) for g in games()]"
    )
    pages = pbem(bin, elsewhere, "-c", tell, program="python")
    assert pages.count("</html>") == pages.count("</svg>") == night["resolved"], (
        "maps are drawn by the wheel's templates"
    )
    assert "NOT TRUE" not in pbem(bin, elsewhere, "audit", "verify", "--all")
