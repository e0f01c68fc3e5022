"""The registry: whatever package is installed, its games are found, and only the one asked for is imported."""

import subprocess
import sys

import pytest

from engine import Game, UnknownGame, games, load
from engine import registry as the_registry
from tests.conftest import SAMPLE_GAMES


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Installs further packages for one test: entry points by name, and modules by their text."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(package, entries, **modules):
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = "".join(f"{name} = {value}\n" for name, value in entries.items())
        (info / "entry_points.txt").write_text(f"[{the_registry.GROUP}]\n{lines}")
        for module, text in modules.items():
            (tmp_path / f"{module}.py").write_text(text)
        forget()

    yield install
    monkeypatch.undo()
    forget()


def forget():
    the_registry._entries.cache_clear()
    the_registry._loaded.cache_clear()


def test_games_are_listed_in_order_and_loaded_once():
    assert list(games()) == sorted(games())
    assert {"nim", "vault"} <= set(games())
    for name in games():
        assert isinstance(load(name), Game)
        assert load(name).id == name
        assert load(name) is load(name)


def test_every_game_says_who_it_is():
    for name in games():
        game = load(name)
        assert game.version
        assert game.title["en"]
        assert game.seats(game.Options())


def test_an_unknown_game_is_answered_with_the_nearest():
    with pytest.raises(UnknownGame) as unknown:
        load("Volt")
    assert str(unknown.value).startswith("There is no game 'Volt'. Did you mean vault? Installed: ")
    assert unknown.value.known == games()
    with pytest.raises(UnknownGame, match=r"There is no game 'zzzz'\. Installed: "):
        load("zzzz")


def test_a_package_installed_later_is_found(installed):
    installed(
        "more_games", {"nim-again": "more:GAME"},
        more="from sample_games.nim import game\nclass Again(game.Nim):\n    id = 'nim-again'\nGAME = Again()\n",
    )  # fmt: skip
    assert "nim-again" in games()
    assert load("nim-again").id == "nim-again"


@pytest.mark.parametrize("value", ["wrong:GAME", "wrong:TEXT", "wrong:Class"])
def test_an_entry_that_is_no_such_game_is_refused(installed, value):
    module = "from sample_games.nim import GAME\nfrom sample_games.nim.game import Nim as Class\nTEXT = 'a game'\n"
    installed("wrong_games", {"other": value}, wrong=module)
    with pytest.raises(TypeError, match=f"entry point '{value}' of group pbem.games is not a Game with the id 'other'"):
        load("other")


def test_two_packages_may_not_offer_the_same_game(installed):
    """Neither may win by the order in which packages happen to be found."""
    installed("rival_games", {"nim": "rival:GAME"}, rival="raise AssertionError('not to be imported')")
    assert games().count("nim") == 1
    with pytest.raises(TypeError, match=r"several packages offer a game 'nim': (rival|sample_games)"):
        load("nim")


def test_a_broken_package_breaks_only_its_own_game(installed):
    installed("broken_games", {"broken": "brokenmodule:GAME"}, brokenmodule="1 / 0\n")
    assert load("nim").id == "nim"
    with pytest.raises(ZeroDivisionError):
        load("broken")


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_listing_games_imports_none_of_them_and_loading_one_imports_only_it():
    listing = "import sys, engine; engine.games()"
    seen = "print([name for name in sys.modules if name.startswith(('games.', 'sample_games'))])"
    assert run(f"{listing}; {seen}") == "[]"
    loaded = run(f"{listing}; engine.load('nim'); {seen}")
    assert "sample_games.nim" in loaded
    assert "sample_games.vault" not in loaded


def test_a_process_without_the_package_does_not_know_its_games(monkeypatch):
    monkeypatch.delenv("PYTHONPATH")
    assert "nim" not in run("import engine; print(engine.games())")
    monkeypatch.setenv("PYTHONPATH", SAMPLE_GAMES)
    assert "nim" in run("import engine; print(engine.games())")
