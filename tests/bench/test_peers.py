"""The bench beside the peers: its arithmetic, its protocol, its rooms, and the part of the document that it writes.

Our own program stands in for a peer; a real one is asked where it is installed, in its room or beside us.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.bench.peers import comparing, rooms, telling
from tests.bench.peers.comparing import Table, like
from tests.bench.peers.measuring import Work, asking, known, ratio, rounds, there_and_back
from tests.bench.peers.rooms import OURS, PEERS, NoRoom, Peer, invited, room
from tests.bench.peers.talking import Did, Lost, Talker

ROOT = Path(__file__).parents[2]
QUICK, SLOW = Work("a", "quick"), Work("b", "slow")


@pytest.fixture(scope="module")
def ours() -> Iterator[Talker]:
    talker = rooms.ours()
    yield talker
    talker.close()


# --- arithmetic -------------------------------------------------------------------------------------------------------


class Slowing:
    """A machine on which everything takes longer from one slice to the next."""

    def __init__(self) -> None:
        self.slices = 0

    def __call__(self, work: Work, seed: int, seconds: float) -> Did:
        self.slices += 1
        return Did(30 if work == QUICK else 10, 1 + self.slices)


def test_a_machine_that_grows_slower_hurts_all_alike() -> None:
    """Rounds that only go there would give whoever comes first more than three to one."""
    found = rounds([QUICK, SLOW], Slowing(), 1.0)
    assert ratio(found.rates, QUICK, SLOW) == pytest.approx(3.0)


def test_a_round_goes_there_and_back() -> None:
    assert there_and_back([QUICK, SLOW]) == [QUICK, SLOW, SLOW, QUICK]


def test_the_median_counts() -> None:
    rates = {QUICK: [30.0, 30.0, 30.0, 2.0, 900.0], SLOW: [10.0, 15.0, 10.0, 10.0, 10.0]}
    assert ratio(rates, QUICK, SLOW) == 3.0


def test_what_one_peer_lacks_has_no_ratio() -> None:
    assert ratio({QUICK: [1.0]}, QUICK, SLOW) is None


def test_who_is_lost_on_the_way_is_named_and_the_others_go_on() -> None:
    def ask(work: Work, seed: int, seconds: float) -> Did:
        if work == SLOW and seed > 2:
            raise Lost("out of breath")
        return Did(1, 1.0)

    found = rounds([QUICK, SLOW], ask, 1.0)
    assert found.lost == {SLOW: "out of breath"}
    assert found.rates == {QUICK: [1.0] * 5}


def test_games_of_like_size() -> None:
    board = {"legal": 12.0, "text": 60.0}
    assert like(board, {"legal": 4.0, "text": 180.0})
    assert not like(board, {"legal": 3.9, "text": 60.0})
    assert not like(board, {"legal": 12.0, "text": 181.0})


def test_a_missed_goal_is_remembered() -> None:
    table = Table("t", ("a",))
    assert [table.judged("x", 3.0, 3.0), table.judged("x", 1.06, 1.05, at_most=True)] == ["met", "missed"]
    assert table.missed == ["x: 1.06, wanted 1.05"]
    assert table.judged("nobody came", None, 3.0) == ""


def test_history_is_told_as_time_and_held_to_its_bound() -> None:
    """Half as many a second late is twice the time."""
    _, late, early, wanted = comparing.FLAT[0]
    assert wanted == 1.05
    table = comparing.flat({late: [50.0] * 5, early: [100.0] * 5})
    assert table.rows[0][1:] == ("2.00", "1.05", "missed")


# --- protocol ---------------------------------------------------------------------------------------------------------


def test_a_program_answers_rounds_and_sizes(ours: Talker) -> None:
    done, seconds = ours.round("bagh-chal", 1, 0.01)
    assert done >= 10
    assert seconds >= 0.01
    assert 5 < ours.sizes("bagh-chal")["legal"] < 25
    assert ours.versions["pbem"]


def test_the_same_program_twice_is_as_fast_as_itself(ours: Talker) -> None:
    """Two processes, one work: a protocol that counted what is not work would not come to one."""
    other = rooms.ours()
    try:
        talkers = {OURS: ours, "again": other}
        works = known(talkers, [Work(OURS, "bagh-chal"), Work("again", "bagh-chal"), Work("again", "nothing")])
        assert len(works) == 2
        found = ratio(rounds(works, asking(talkers), 0.02).rates, *works)
    finally:
        other.close()
    assert found is not None
    assert 0.5 < found < 2


@pytest.mark.parametrize("work", ["turn out of the ledger and back", "endless at its beginning"])
def test_turns_are_committed_to_a_ledger(ours: Talker, work: str) -> None:
    assert ours.round(work, 0, 0.0).seconds > 0


def test_a_program_that_dies_says_why(tmp_path: Path) -> None:
    with pytest.raises(Lost, match="with_nothing_at_all"):
        Talker(Path(sys.executable), "with_nothing_at_all.py")


# --- rooms ------------------------------------------------------------------------------------------------------------


def test_peers_that_cannot_be_had_are_named_and_the_others_come(tmp_path: Path) -> None:
    """One has no place for its room, one does not start in it."""
    (tmp_path / "roofless").write_text("a file stands where its room should be", encoding="utf-8")
    made = tmp_path / "speechless" / "bin"
    made.mkdir(parents=True)
    (made / "python").symlink_to(sys.executable)
    (made.parent / ".installed").write_text("here==1", encoding="utf-8")
    peers = {"roofless": Peer(("x==1",), "with_chess.py"), "speechless": Peer(("here==1",), "with_nothing.py")}
    with ExitStack() as kept:
        came, absent = invited(tmp_path, peers, kept)
        assert set(came) == {OURS}
        assert "with_nothing.py" in absent["speechless"]
        assert "roofless" in absent["roofless"]


def test_a_room_is_made_once(tmp_path: Path) -> None:
    """What stands in it is not asked for again, until other versions are wanted."""
    peer = Peer(("chess==1.11.2",), "with_chess.py")
    (tmp_path / ".installed").write_text("chess==1.11.2", encoding="utf-8")
    assert room(tmp_path, peer) == tmp_path / "bin" / "python"
    assert not (tmp_path / "bin").exists()


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_does_its_work(name: str) -> None:
    """Where it has a room already, or stands beside us."""
    python = ROOT / ".bench" / name / "bin" / "python"
    if not (ROOT / ".bench" / name / ".installed").exists():
        if not find_spec(name):
            pytest.skip(f"the peer {name} is not installed; `make bench` does it")
        python = Path(sys.executable)
    talker = Talker(python, PEERS[name].script)
    try:
        assert talker.versions[name] in PEERS[name].requirements[0]
        work = next(one for one in ("phase and save", "python_tic_tac_toe", name) if one in talker.works)
        assert talker.round(work, 0, 0.0).done >= 1
    finally:
        talker.close()


def test_all_that_is_compared_is_known_to_our_program(ours: Talker) -> None:
    wanted = {row.ours for row in comparing.TURNS} | {
        late.name for _, late, _, _ in comparing.FLAT if late.room == OURS
    }
    assert wanted | set(comparing.SEVEN) <= set(ours.works)


# --- tables -----------------------------------------------------------------------------------------------------------


def test_the_document_keeps_all_but_the_measured_part() -> None:
    document = f"before\n{telling.BEGIN}\nold\n{telling.END}\nafter\n"
    assert telling.written(document, "new") == f"before\n{telling.BEGIN}\n\nnew\n\n{telling.END}\nafter\n"
    with pytest.raises(ValueError, match="no place"):
        telling.written("nothing here", "new")


def test_our_document_has_a_place_for_it() -> None:
    document = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    assert telling.written(document, "x") != document


def test_a_run_names_machine_versions_absent_peers_and_missed_goals() -> None:
    table = Table("title", ("a", "b"), [("one", "2.00")], missed=["one: 2.00, wanted 3.00"])
    told = telling.measured(
        [table], {"chess": "1.11.2"}, {"diplomacy": "no network"}, 5, datetime(2026, 11, 18, tzinfo=UTC)
    )
    for part in (
        "2026-11-18",
        "5 rounds",
        "chess 1.11.2",
        "diplomacy (no network)",
        "one: 2.00, wanted 3.00",
        "| one | 2.00 |",
    ):
        assert part in told
    assert "cores" in telling.machine()
    assert "Every goal is met." in telling.measured([], {}, {}, 5, datetime(2026, 11, 18, tzinfo=UTC))


def test_no_room_is_told_by_the_installers_own_word(tmp_path: Path) -> None:
    with pytest.raises(NoRoom, match="ERROR"):
        rooms._run(sys.executable, "-c", "import sys; print('ERROR: no way', file=sys.stderr); sys.exit(1)")
