"""A stranger's view: from the export alone, on a machine with only Python, hands and flips follow from the committed
seed, and any turn is shown as any seat saw it."""

import json
import re
import shutil
import subprocess
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from engine import games
from engine.canon import canonical
from pbem.audit import book as books
from pbem.audit.export import export
from pbem.audit.show import show
from tests.faults.figures import counted
from tests.pbem import hosted
from tests.pbem.audit.forging import rewrite
from tests.pbem.audit.test_verify import FORGERIES, first

PYTHON = shutil.which("python3", path="/usr/bin:/usr/local/bin")
pytestmark = pytest.mark.skipif(PYTHON is None, reason="python3 of the system is missing")
OURS = tuple(game for game in games() if game not in ("nim", "vault"))


def bare(*args):
    """As on a stranger's machine: the system's Python, isolated, with no environment and another folder."""
    command = [PYTHON, "-I", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, cwd="/", env={}, check=False)


@pytest.fixture
def exported(ledger, tmp_path):
    def make(rules, turns=200, **options):
        hosted.play(ledger, "steppe", rules, seed=5, turns=turns, **options)
        with books.of_ledger(ledger, "steppe") as book:
            export(book, tmp_path / "steppe.pbem", referee=True)
        return tmp_path / "steppe.pbem"

    return make


def test_the_python_that_is_used_has_nothing_of_ours():
    done = bare("-c", "import importlib.util as u; print([n for n in ('pbem', 'engine', 'yaml') if u.find_spec(n)])")
    assert "pbem" not in done.stdout
    assert "engine" not in done.stdout


def test_a_finished_game_of_khan_is_checked_and_turn_9_is_shown_as_red_saw_it(exported, ledger):
    path = exported("khan", players="2")
    checked = bare(path)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "The seed is the one committed to, and every draw comes from it: " in checked.stdout
    shown = bare(path, "9", "red")
    assert (shown.returncode, shown.stderr) == (0, "")
    # Not of the orders, which it does not look into: seen red.
    assert re.search(r"steppe: \d+ steps played again; each comes out of the seed and the moves", shown.stdout)
    with books.of_ledger(ledger, "steppe") as book:
        [mine] = show(book, 9, "red")
        [theirs] = show(book, 9, "yellow")
    assert f"position: {mine.position}" in shown.stdout
    assert all(f'"{card["card"]}"' in shown.stdout for card in mine.facts["hand"])
    secret = {card["card"] for card in theirs.facts["hand"]} - {card["card"] for card in mine.facts["hand"]}
    assert secret
    assert not any(f'"{card}"' in shown.stdout for card in secret)
    assert '"cells"' not in shown.stdout.partition("position:")[0]  # the board, which never changes, is left out
    assert f"position: {theirs.position}" in bare(path, "9", "yellow").stdout
    assert "alone:" not in bare(path, "6", "red").stdout
    whole = bare(path, "6", "all").stdout
    assert all(f"to {seat} alone: cards=[" in whole for seat in ("red", "yellow"))  # the deal; seen red


def test_another_hand_than_the_seed_gives_is_refused(exported, ledger, tmp_path):
    """A host who deals otherwise and hashes everything anew is caught by the rules in the file."""
    exported("khan", players="2")

    def dealt(facts, seq, kind):
        if kind == "turn" and not facts["moves"]:
            (why, n, value), *rest = facts["draws"]
            return facts | {"draws": [[why, n, (value + 1) % n], *rest]}
        return None

    rewrite(ledger.path, "steppe", dealt)
    with books.of_ledger(ledger, "steppe") as book:
        export(book, tmp_path / "forged.pbem", referee=True)
    for args in ((), ("0", "red")):
        assert "WRONG: turn 0: the draw for" in bare(tmp_path / "forged.pbem", *args).stderr


def test_another_seed_than_the_one_committed_to_shows_no_turn(exported, tmp_path):
    """Seen red: draws made of another seed all come out of it, and yet it is not the seed of the first mail."""
    path = exported("nim", turns=2)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(tmp_path / "forged.pbem", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "history.jsonl":
                rows = [json.loads(line) for line in data.splitlines()]
                last = {"kind": "revealed", "body": {"seed": "ab" * 32}, "chain": "steppe", "seq": len(rows)}
                salt = bytes(32)
                leaf = sha256(salt + canonical(last)).digest()
                hash = sha256(bytes.fromhex(rows[-1]["hash"]) + leaf).hexdigest()
                rows.append({"row": last, "salt": salt.hex(), "prev": rows[-1]["hash"], "hash": hash})
                rows[0] |= {"head": hash, "rows": len(rows) - 1}
                data = b"\n".join(map(canonical, rows))
            new.writestr(name, data)
    for args in ((), ("1", "1")):
        assert "WRONG: the seed is not the one committed to" in bare(tmp_path / "forged.pbem", *args).stderr


@pytest.mark.parametrize("name", [
    "another state", "an event kept back", "an illegal move", "a move called silence", "a move in other letters",
    "a move left out", "nobody to move",
])  # fmt: skip
def test_what_is_sound_by_its_hashes_and_false_is_shown_to_nobody(exported, ledger, tmp_path, name):
    """Seen red: a move was called silence, and nobody was to move; that was shown as what follows from the orders."""
    exported("vault")
    kind, change, _ = FORGERIES[name]
    rewrite(ledger.path, "steppe", first(kind, change))
    with books.of_ledger(ledger, "steppe") as book:
        export(book, tmp_path / "forged.pbem")
    done = bare(tmp_path / "forged.pbem", "1", "all")
    assert done.stdout == ""
    assert done.stderr.startswith("WRONG: ")


def test_a_take_back_opens_what_stood_there(exported, tmp_path):
    """Seen red: a host took back to a turn, and opened it with a state that he liked better."""
    path = exported("nim", turns=2)
    with zipfile.ZipFile(path) as file:
        programs = {name: file.read(name) for name in file.namelist() if name != "history.jsonl"}
        header, *rows = map(json.loads, file.read("history.jsonl").splitlines())
    states = [row["row"]["body"]["state"] for row in rows if row["row"]["kind"] == "turn"]
    for turn, (state, code) in enumerate(((states[0], 0), (states[1], 1)), 1):
        back = {"kind": "taken_back", "turn": 1, "body": {"state": state}, "chain": "steppe", "seq": len(rows) + 1}
        leaf = sha256(bytes(32) + canonical(back)).digest()
        head = sha256(bytes.fromhex(rows[-1]["hash"]) + leaf).hexdigest()
        last = {"row": back, "salt": bytes(32).hex(), "prev": rows[-1]["hash"], "hash": head}
        said = [header | {"head": head, "rows": len(rows) + 1}, *rows, last]
        with zipfile.ZipFile(tmp_path / f"{turn}.pbem", "w") as new:
            new.writestr("history.jsonl", b"\n".join(map(canonical, said)))
            for name, data in programs.items():
                new.writestr(name, data)
        done = bare(tmp_path / f"{turn}.pbem", "0", "all")
        assert done.returncode == code
        assert ("the state is not what stood when turn 1 was opened" in done.stderr) == bool(code)


@pytest.mark.parametrize("game", [*OURS, "nim", "vault", "nim@0"])
def test_every_game_can_be_played_again_where_nothing_is_installed(exported, game):
    path = exported(game, turns=4)
    for seat in ("all", "public"):
        done = bare(path, "2", seat)
        assert (done.returncode, done.stderr) == (0, "")
        assert f"turn 2, as {seat} saw it" in done.stdout
    counted(1, "games played again where only Python is installed")
    with zipfile.ZipFile(path) as archive:
        shipped = [name for name in archive.namelist() if name.startswith("rules/")]
    others = {other.replace("-", "_") for other in OURS if other != game}
    assert not [name for name in shipped if Path(name).parts[2:3] and Path(name).parts[2] in others]


@pytest.mark.parametrize("args", [(), ("2", "all")])
def test_whoever_reads_no_further_is_not_told_that_anything_is_wrong(exported, args):
    """Seen red: `python3 FILE 9 red | head` said WRONG of an honest file."""
    path = exported("khan", turns=8, players="2")
    command = [PYTHON, "-I", "-u", str(path), *args]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/", env={}) as shown:
        shown.stdout.readline()
        shown.stdout.close()
        assert shown.stderr.read() == b""


def test_what_it_says_when_it_is_asked_wrongly(exported, ledger, tmp_path):
    path = exported("nim", turns=2)
    for args in (("9", "1"), ("1", "9"), ("x", "1")):
        done = bare(path, *args)
        assert done.returncode == 1
        assert done.stderr.startswith("There are turns 0 to ")
    assert "shows a turn as that seat saw it" in bare(path, "1").stderr
    with books.of_ledger(ledger, "steppe") as book:
        export(book, tmp_path / "sealed.pbem")
    assert (
        bare(tmp_path / "sealed.pbem", "1", "1").stderr
        == "The turns are not in this file: its game is not over, or its rules were not at hand.\n"
    )
    with zipfile.ZipFile(tmp_path / "sealed.pbem") as archive:
        assert not [name for name in archive.namelist() if name.startswith("rules/")]


def test_weakened_without_the_rules_in_the_file_nothing_can_be_played(exported, tmp_path):
    """Seen red: the same file without them."""
    path = exported("nim", turns=2)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(tmp_path / "less.pbem", "w") as new:
        for name in old.namelist():
            if not name.startswith("rules/"):
                new.writestr(name, old.read(name))
    assert "ModuleNotFoundError" in bare(tmp_path / "less.pbem", "1", "1").stderr
