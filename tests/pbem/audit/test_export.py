"""Exports: one file that proves itself anywhere, tells nothing too early, and is refused when it was touched."""

import ast
import json
import runpy
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from engine.canon import canonical
from pbem.audit import book as books
from pbem.audit import checker, running
from pbem.audit.export import PROGRAMS, export
from pbem.audit.exported import ExportBook
from pbem.audit.recompute import replay
from pbem.audit.verify import verify
from pbem.audit.why import why
from pbem.audit.witnesses import Witness
from pbem.clock import stamp
from pbem.errors import Trouble
from pbem.ledger import append, chains
from pbem.ledger.public import NEVER, PUBLIC
from pbem.ledger.troubles import LedgerExists
from pbem.seeding.protocol import HOST_ALONE
from tests.faults.figures import counted
from tests.pbem import hosted
from tests.pbem.hosted import START


@pytest.fixture
def file(played, tmp_path):
    """Export that game; gives the path."""

    def make(game, name=None, **how):
        target = tmp_path / (name or f"{game}.pbem")
        with books.of_ledger(played, game) as book:
            export(book, target, **how)
        return target

    return make


def run(path, *more):
    """The checker as a stranger would run it: no packages, no site, another folder."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(path), *more], capture_output=True, text=True, cwd="/", check=False
    )


def changed(path, target, change):
    """A copy of the file in which the rows are changed."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "history.jsonl":
                lines = [json.loads(line) for line in data.split(b"\n") if line]
                change(lines)
                data = b"".join(canonical(line) + b"\n" for line in lines)
            new.writestr(name, data)
    return target


# --- a game that is over ----------------------------------------------------------------------------------------------


def test_a_finished_game_is_checked_without_a_ledger(played, file):
    found = verify(ExportBook(file("jade")))
    with books.of_ledger(played, "jade") as book:
        expected = verify(book)
    assert found.ok
    assert (found.rows, found.turns, found.draws, found.head) == (
        expected.rows,
        expected.turns,
        expected.draws,
        expected.head,
    )
    assert found.whole  # moves are held against what was ordered, too
    with books.of_ledger(played, "jade") as book:
        private = [line for line in book.lines() if line.content.kind in NEVER]
    assert found.sealed == len(private)
    assert found.notes == [
        f"{found.sealed} rows are sealed: the chain of hashes holds, what they say are no part of the public history.",
        HOST_ALONE,
        "The mails and letters are not in this file; their hashes are.",
    ]


def test_the_referee_can_add_the_mails(file):
    found = verify(ExportBook(file("amber", referee=True, mails=True)))
    assert found.mails == 14
    assert not verify(ExportBook(file("amber", name="other", mails=True))).mails  # his alone: they hold addresses


def test_replayed_from_the_file_it_is_the_same_to_the_byte(played, file):
    from_file = [(step.context, canonical(step.state), step.position) for step in replay(ExportBook(file("jade")))]
    with books.of_ledger(played, "jade") as book:
        assert [(step.context, canonical(step.state), step.position) for step in replay(book)] == from_file
        assert [step.context for step in replay(book, upto=2)] == ["0", "1", "2"]


def test_the_same_history_gives_the_same_file(file):
    assert file("jade").read_bytes() == file("jade", name="again").read_bytes()


def test_an_export_takes_no_other_files_place(file):
    file("jade")
    with pytest.raises(LedgerExists):
        file("jade")


def test_it_holds_no_address_and_no_bytes_of_letters(played, file):
    with zipfile.ZipFile(file("jade")) as archive:
        names = [name for name in archive.namelist() if not name.startswith("rules/")]
        wanted = ["README.txt", "__main__.py", "checker.py", "history.jsonl", "seen.py", "settled.py", "signature.py"]
        assert sorted(names) == wanted
        history = archive.read("history.jsonl")
    with played.read() as tx:
        assert chains.secret_of(tx, "jade").secret.hex().encode() not in history


# --- the stand-alone checker (G37) ------------------------------------------------------------------------------------


def test_g37_the_checker_is_short_and_needs_nothing():
    source = Path(checker.__file__).read_text()
    assert len(source.splitlines()) <= 120
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names


def test_what_a_stranger_runs_can_be_read_by_old_pythons():
    """They say which Python they need; a traceback says nothing to a stranger."""
    for name in PROGRAMS.values():
        source = Path(checker.__file__).parent.joinpath(name).read_text()
        ast.parse(source, feature_version=(3, 7))
    assert ": str" not in Path(running.__file__).read_text()  # Python 2 reads this one, too


def test_the_file_says_what_it_can_do(file):
    with zipfile.ZipFile(file("jade")) as archive:
        expected = archive.read("README.txt").decode()
    for ask in ("help", "--help", "-h"):
        assert run(file("jade", name=f"jade {ask}"), ask).stdout == expected + "\n"
    assert "takes the\none of his own pbem" in expected


DAMAGE = {
    "cut": lambda data: data[:-9],
    "no list": lambda data: b"[]\n" + data,
    "deep": lambda data: b"[" * 100_000,
    "a row that is none": lambda data: data + b"7\n",
}


@pytest.mark.parametrize("damage", list(DAMAGE))
@pytest.mark.parametrize("asked", [(), ("2", "red")])
def test_a_damaged_file_is_told_in_a_sentence(file, tmp_path, damage, asked):
    with zipfile.ZipFile(file("jade")) as old, zipfile.ZipFile(tmp_path / "x", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, DAMAGE[damage](data) if name == "history.jsonl" else data)
    done = run(tmp_path / "x", *asked)
    assert done.returncode == 1
    assert done.stderr.startswith("WRONG: ")
    assert done.stderr.count("\n") == 1


def test_the_checker_alone_says_what_is_no_export(tmp_path):
    (tmp_path / "x").write_text("hello")
    for wrong in (tmp_path / "x", tmp_path, tmp_path / "y"):
        done = run(checker.__file__, str(wrong))
        assert done.returncode == 1
        assert done.stderr.startswith(f"WRONG: {wrong} is no export of pbem, or is damaged (")


@pytest.mark.parametrize("itself", [True, False])
def test_g37_a_stranger_recomputes_every_draw(played, file, tmp_path, itself):
    path = file("jade")
    if itself:
        done = run(path)
    else:
        shutil.copy(checker.__file__, tmp_path / "checker.py")
        done = run(tmp_path / "checker.py", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert not itself or lines.pop() == f"`python3 {path} help` says what else this file can do."
    assert not itself or lines.pop() == HOST_ALONE
    with books.of_ledger(played, "jade") as book:
        expected = verify(book)
        draws = [draw for line in book.lines(books.STEPS) for draw in line.facts()["draws"]]
        opened = sum(line.content.kind in PUBLIC for line in book.lines())
    assert lines[0].startswith(f"jade: {expected.rows} rows stand on each other, {opened} of them opened; head ")
    assert expected.head in lines[0]
    assert lines[-1] == f"The seed is the one committed to, and every draw comes from it: {len(draws)}."
    assert [line.split()[2:4] for line in lines[1:-1]] == [[why, str(value)] for why, _, value in draws]
    counted(len(draws), "draws of games recomputed by the checker alone")


def test_g37_the_checker_in_this_process_says_the_same(file, capsys, monkeypatch):
    path = file("jade")
    monkeypatch.setattr(sys, "argv", ["checker.py", str(path)])
    runpy.run_path(checker.__file__, run_name="__main__")
    assert capsys.readouterr().out == "".join(run(path).stdout.splitlines(keepends=True)[:-2])


def reseal(lines):
    """All hashes made anew: what a host could do who wants to cheat after the fact."""
    import hashlib

    head = bytes(32)
    for row in lines[1:]:
        salted = "row" in row and bytes.fromhex(row["salt"]) + canonical(row["row"])
        leaf = hashlib.sha256(salted).digest() if salted else bytes.fromhex(row["leaf"])
        row["prev"], head = head.hex(), hashlib.sha256(head + leaf).digest()
        row["hash"] = head.hex()
    lines[0]["head"] = head.hex()


def find(lines, kind, turn=None):
    opened = [row["row"] for row in lines[1:] if "row" in row]
    return next(row for row in opened if row["kind"] == kind and turn in (None, row["turn"]))


def no_draw(lines):
    find(lines, "turn", 0)["body"]["draws"][3][2] += 1
    reseal(lines)


def other_seed(lines):
    find(lines, "revealed")["body"]["seed"] = "ab" * 32
    reseal(lines)


def skipped_turn(lines):
    find(lines, "turn", 2)["turn"] = 3  # another turn's dice would be better
    reseal(lines)


def silent_edit(lines):
    find(lines, "turn", 1)["body"]["events"] = []


def lost_row(lines):
    del lines[8]


def lost_end(lines):
    del lines[-1]


def secret_seed(lines):
    """Nobody could tell any more whether a single draw is fair."""
    del lines[lines.index(next(row for row in lines[1:] if row.get("row", {}).get("kind") == "revealed")) :]
    lines[0]["rows"] = len(lines) - 1
    reseal(lines)


def swapped(lines):
    one, other = [row for row in lines[2:] if "row" in row][:2]
    one["row"], other["row"] = other["row"], one["row"]


def sealed_set_up(lines):
    import hashlib

    row = lines[1]
    row["leaf"] = hashlib.sha256(bytes.fromhex(row["salt"]) + canonical(row.pop("row"))).hexdigest()


CHEATS = {
    no_draw: "turn 0: the draw for deal was",
    other_seed: "the seed is not the one committed to",
    skipped_turn: "stands where turn 2 should",
    silent_edit: "does not fit what it says",
    lost_row: "belongs to another place",
    lost_end: "rows are missing at the end",
    secret_seed: "the game is over, and no row reveals its seed",
    swapped: "belongs to another place",
    sealed_set_up: "the first row is not the set-up",
}


@pytest.mark.parametrize("cheat", list(CHEATS), ids=lambda cheat: cheat.__name__)
def test_g37_the_checker_finds(file, tmp_path, cheat):
    done = run(changed(file("jade"), tmp_path / "cheated", cheat))
    assert done.returncode == 1
    assert done.stderr.startswith("WRONG: ")
    assert CHEATS[cheat] in done.stderr
    counted(1, "ways to cheat found by it")


def moved_back(lines):
    find(lines, "turn", 2)["at"] = "2026-11-18T20:00:00Z"
    reseal(lines)


def other_link(lines):
    lines[5]["prev"] = "00" * 32


@pytest.mark.parametrize(("cheat", "said"), [
    (moved_back, "it is older than the row before it"), (other_link, "it does not stand on the row before it"),
])  # fmt: skip
def test_check_finds_more(file, tmp_path, cheat, said):
    found = verify(ExportBook(changed(file("jade"), tmp_path / "cheated", cheat)))
    assert said in found.fault
    assert found.to_json()["ok"] is False


@pytest.mark.parametrize("cheat", list(CHEATS), ids=lambda cheat: cheat.__name__)
def test_check_finds_too(file, tmp_path, cheat):
    found = verify(ExportBook(changed(file("jade"), tmp_path / "cheated", cheat)))
    assert not found.ok
    assert found.fault.endswith(".")


def test_g37_a_head_that_was_mailed_binds_the_host(played, file, tmp_path):
    """A host who redraws and hashes everything anew is caught by any mail sent since."""
    with books.of_ledger(played, "jade") as book:
        mailed = next(line for line in book.lines(("turn",)) if line.content.turn == 2).hash.hex()
    honest, cheated = file("jade"), tmp_path / "cheated"

    def quietly(lines):
        find(lines, "submission")["body"]["due_at"] = "2030-01-01T00:00:00Z"
        reseal(lines)

    changed(honest, cheated, quietly)
    assert verify(ExportBook(honest), [Witness(mailed)]).ok
    assert verify(ExportBook(cheated)).ok
    assert not verify(ExportBook(cheated), [Witness(mailed)]).ok


# --- a game that was begun by an older program ------------------------------------------------------------------------


def test_a_game_of_an_older_program_shows_submissions_as_hashes(ledger, tmp_path, monkeypatch):
    """Its rows hold private facts among the others. What can be checked without them is; the rest is said."""
    with monkeypatch.context() as patch:
        patch.setattr(append, "split", lambda chain, kind, body, secret, seq: canonical(body))
        patch.setattr(hosted, "KEEPS_PRIVATE", "pbem")
        hosted.play(ledger, "jade", "vault", seed=3)
    with books.of_ledger(ledger, "jade") as book:
        export(book, tmp_path / "public.pbem")
        export(book, tmp_path / "before.pbem", referee=True)  # which has the rows as a public file had them then
    public, before = (ExportBook(tmp_path / f"{name}.pbem") for name in ("public", "before"))
    with zipfile.ZipFile(public.path) as archive:
        assert b"player.example" not in archive.read("history.jsonl")
    found = verify(public)
    assert (found.ok, found.whole) == (True, False)
    assert found.turns == verify(before).turns
    assert "not held against what was ordered: in this file older games show rows of submissions" in found.unplayed
    assert "every draw comes from it" in run(public.path).stdout
    assert run(public.path, "1", "red").returncode == 0
    step = next(line for line in public.lines(("turn",)) if line.facts()["moves"])
    assert why(public, step.content.turn, 1).orders[0].orders is None
    assert verify(before).whole


# --- a game that is still running -------------------------------------------------------------------------------------


def test_a_running_game_shows_its_beginning_and_the_heads_of_its_turns(played, file):
    path = file("coral")
    book = ExportBook(path)
    found = verify(book)
    assert found.ok
    assert (found.rows, found.sealed, found.turns) == (1, 0, 0)  # how many rows there are is nobody's business
    assert any("the heads of 2 turns" in note for note in found.notes)
    assert any("not revealed" in note for note in found.notes)
    with books.of_ledger(played, "coral") as whole:
        rows = list(whole.lines())
    turns = [line for line in rows if line.content.kind == "turn"]
    assert book.published == {line.hash.hex(): line.content.turn for line in turns}
    assert (book.last_turn, book.until) == (turns[-1].content.turn, turns[-1].content.at)
    assert [line.hash for line in book.lines()] == [rows[0].hash]
    done = run(path)
    assert done.returncode == 0
    assert "1 of them opened" in done.stdout
    assert "not revealed yet" in done.stdout


def test_a_sealed_file_tells_nothing(played, file):
    """Only salts, bodies and seeds could tell; none of those of a sealed row is in the file."""
    with zipfile.ZipFile(file("coral")) as archive:
        history = archive.read("history.jsonl").decode()
    with books.of_ledger(played, "coral") as book:
        for line in list(book.lines())[1:]:
            assert line.salt.hex() not in history
            assert line.content.body.decode() not in history
        assert book.seed().hex() not in history
    assert '"deck"' not in history


def test_weakened_an_opened_file_of_a_running_game_tells_all(file):
    """Seen red: what the referee gets would fail the test above."""
    with zipfile.ZipFile(file("coral", referee=True)) as archive:
        assert '"deck"' in archive.read("history.jsonl").decode()


def test_the_referee_gets_a_running_game_opened(file):
    path = file("coral", referee=True)
    assert path.stat().st_mode & 0o777 == 0o600
    found = verify(ExportBook(path))
    assert found.ok
    assert (found.sealed, found.turns) == (0, 3)
    assert any("draws are taken as they stand" in note for note in found.notes)


def test_nobody_else_reads_it_while_it_is_written(file, tmp_path, monkeypatch):
    """Seen red: as the umask had it until it was whole, and left so where it was broken off."""
    (tmp_path / ".coral.pbem.part").touch(0o666)  # what an older run left

    def broken(self, *more):
        raise OSError(28, "no space left")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", broken)
    with pytest.raises(OSError, match="no space left"):
        file("coral", referee=True)
    assert (tmp_path / ".coral.pbem.part").stat().st_mode & 0o777 == 0o600


def test_a_sealed_row_has_nothing_to_say(file):
    book = ExportBook(file("coral"))
    assert list(book.lines(("turn",))) == []
    assert book.line(0) is None
    assert book.line(2) is None
    finished = ExportBook(file("jade"))
    hidden = next(line for line in finished.lines() if line.content is None)
    with pytest.raises(Trouble, match=f"Row {hidden.seq} is sealed"):
        hidden.facts()
    assert book.line(999) is None


# --- files that are no exports ----------------------------------------------------------------------------------------


def zipped(path, name, text):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, text)


@pytest.mark.parametrize("text", [
    "", "null", "{}", "[]", '{"pbem_export":2,"game":"x","rows":0,"head":""}', "{",
    "\ud800".encode("utf-8", "surrogatepass"),
    '{"pbem_export":1,"game":"x","rows":1,"head":""}\n{"seq":1}', '{"pbem_export":1,"game":"x","rows":1,"head":""}\n7',
    '{"pbem_export":1,"game":"x","rows":1,"head":""}\n{"seq":1,"prev":"zz","hash":"","leaf":""}', "[" * 100_000,
])  # fmt: skip
def test_anything_else_is_refused_in_a_sentence(tmp_path, text):
    zipped(tmp_path / "x.pbem", "history.jsonl", text)
    with pytest.raises(Trouble, match="is not an export of pbem, or is damaged"):
        ExportBook(tmp_path / "x.pbem")


def test_no_zip_and_no_file(tmp_path):
    (tmp_path / "x.pbem").write_text("hello")
    for name in ("x.pbem", "y.pbem"):
        with pytest.raises(Trouble, match="is not an export"):
            ExportBook(tmp_path / name)
    zipped(tmp_path / "z.pbem", "other", "")
    with pytest.raises(Trouble, match="is not an export"):
        ExportBook(tmp_path / "z.pbem")


def test_a_history_too_long_to_read_is_refused(file, monkeypatch):
    from pbem.audit import exported

    path = file("jade")
    monkeypatch.setattr(exported, "LARGEST", 100)
    with pytest.raises(Trouble, match="are the most a check reads"):
        ExportBook(path)


def test_a_row_that_says_more_than_a_row_does(file, tmp_path):
    path = changed(file("jade"), tmp_path / "cheated", lambda lines: lines[1]["row"].update(extra=1))
    with pytest.raises(Trouble, match="row 1 says more"):
        ExportBook(path)


def test_the_time_of_the_export_is_not_in_it(file):
    with zipfile.ZipFile(file("jade")) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert START.year == 2026


def test_a_small_file_that_unpacks_to_much_is_not_unpacked(file, tmp_path):
    """A bomb: 1.5 MB that unpack to a thousand times that. Time is none, and so is memory."""
    import resource

    with zipfile.ZipFile(file("jade")) as old:
        header = old.read("history.jsonl").partition(b"\n")[0]
    with zipfile.ZipFile(tmp_path / "bomb", "w", zipfile.ZIP_DEFLATED) as bomb, bomb.open("history.jsonl", "w") as all:
        all.write(header + b"\n")
        for _ in range(200):
            all.write(b'{"a":1}\n' * (1 << 17))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    with pytest.raises(Trouble, match=r"damaged: its history has .* are the most a check reads"):
        ExportBook(tmp_path / "bomb")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < 1


def test_mails_that_are_newer_than_the_file_of_a_running_game_are_no_proof_against_it(played, file):
    """Seen red: the game goes on, so its mails know more than the file; but of what is in it they must know nothing
    else."""
    with books.of_ledger(played, "coral") as book:
        last = next(line.content.turn for line in list(book.lines(("turn",)))[::-1])
        head = next(line.hash.hex() for line in book.lines(("turn",)))
    newer, older = (Witness("ab" * 32, "coral", "x.eml", last + more) for more in (1, 0))
    opened = ExportBook(file("coral", referee=True))
    found = verify(opened, [newer])
    assert found.ok
    assert "1 mailed heads may be newer than this file; ask for a newer one." in found.notes
    assert not verify(opened, [older]).ok
    assert not verify(opened, [Witness("ab" * 32)]).ok
    public = ExportBook(file("coral", name="public"))  # which knows heads of turns, and no others
    found = verify(public, [older, Witness(head)])
    assert (found.ok, found.whole, found.heads) == (True, False, 1)
    assert found.unplayed.startswith("1 mailed heads not compared")
    assert verify(public, [Witness(head)]).whole


@pytest.mark.parametrize("game", ["jade", "coral"])
def test_a_file_that_says_it_ends_early_takes_no_mails_word_away(file, tmp_path, game):
    """Seen red: rewritten and said to end at turn 0, a history was true beside all mails of later turns."""
    mail = Witness("ab" * 32, game, "x.eml", 1, START.replace(year=2027))

    def early(lines):
        lines[0] |= {"last_turn": 0, "until": stamp(START)}

    path = changed(file(game, referee=True), tmp_path / "early", early)
    assert verify(ExportBook(path)).ok
    assert "about decision 1, was mailed and is not in this" in verify(ExportBook(path), [mail]).fault


def test_there_is_no_export_of_the_hosts_own_rows(played, tmp_path):
    with books.of_ledger(played, "@host") as book, pytest.raises(Trouble, match="is no game"):
        export(book, tmp_path / "x.pbem")
    assert not (tmp_path / "x.pbem").exists()
