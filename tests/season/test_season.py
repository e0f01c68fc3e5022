"""A thousand small seasons in every run of the tests (G19), the same in each; a hundred thousand, and long ones, are
`python -m tests.season`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem import resolving
from pbem.brakes import outages, trips
from pbem.brakes.heartbeat import Beat
from pbem.care.settling import settle
from pbem.game.eras import Loss
from pbem.ledger import letters, mailed
from pbem.ledger.letters import Arrival, Arriving
from pbem.ledger.tables import NIGHT
from pbem.ledger.transaction import Write
from tests.faults.figures import counted, so_many, told
from tests.faults.line_killer import memory_folder
from tests.pbem.host.conftest import secret
from tests.season import campaign, world
from tests.season import season as seasons
from tests.season.at_hand import at_hand
from tests.season.many import GAMES, NIGHTS, Found, many
from tests.season.questions import sound_and_true
from tests.season.season import Season, begin, play
from tests.season.world import Broken, Carrier

LONG = "PBEM_LONG" in os.environ
FEW = range(1, 13)
NO_PART = {"tests/conftest.py"}  # it finds the sample games
PART = 50  # seeds in one test, so that the processes of a run share them
BEGUN, ENOUGH = time.monotonic(), 27 * 60  # a run must end on a slow machine, too; there it plays fewer seasons
RARE = ("killed", "disk full", "wrong clock", "nights off", "taken back", "substitute", "strangers", "twice",
        "restored, and older", "all mail anew")  # fmt: skip

pytestmark = [pytest.mark.slow, pytest.mark.timeout(0 if LONG else 300)]


def test_a_season_as_hosts_have_it(tmp_path: Path) -> None:
    """With children in processes of their own, and pictures."""
    season = play(tmp_path / "host", 1, 3, 4)
    season.end()
    assert season.seen["killed"] > 0
    assert season.seen["accepted"] > 15
    assert season.seen["turns"] > 2


@pytest.mark.timeout(0 if LONG else 900)  # some twenty seconds; machines may have more to do
@pytest.mark.parametrize("first", campaign.EACH_RUN[::PART])
def test_many_seasons_keep_every_promise(first: int) -> None:
    if not LONG and time.monotonic() - BEGUN > ENOUGH:
        pytest.skip(f"seeds from {first}: this run of all tests has gone on for {ENOUGH // 60} minutes already")
    with memory_folder() as room:
        found = many(room, range(first, first + PART))
    if LONG:
        campaign.note(found)
    assert not found.broken, str(found)
    for what in RARE:
        assert found.seen[what] > 0, f"{what} did not come about in any of {len(found.seeds)} seasons"
    counted(len(found.seeds), f"seasons of {GAMES} games and {NIGHTS} nights in each run, 0 broken")
    counted(found.seen["turns"], "turns in them")


@pytest.mark.skipif(not LONG, reason="a campaign of hours: `make faults`")
def test_the_campaign_before_a_release_goes_on() -> None:
    """New seeds on this build: all that are missing, or as many as were asked for."""
    missing = campaign.RELEASE[-1]
    found = campaign.go_on(campaign.RELEASE, so_many(0, missing), os.cpu_count() or 1)
    told(campaign.done())
    assert not found.broken, str(found)


def test_a_campaign_goes_on_where_it_was(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    assert campaign.go_on(range(1, 4), 2, notes=notes).seeds == [1, 2]
    assert campaign.go_on(range(1, 4), notes=notes).seeds == [3]
    assert campaign.go_on(range(1, 4), notes=notes).seeds == []
    assert campaign.done(notes) == campaign.Done(frozenset({1, 2, 3}), {})


def test_notes_are_short_however_many_seeds_were_played(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    for seeds in ([1, 2], [5], [3, 4], [9]):
        campaign.note(Found(seeds, Counter(turns=10)), notes)
    [line] = notes.read_text().splitlines()
    assert json.loads(line)["seeds"] == [[1, 5], [9, 9]]
    assert json.loads(line)["turns"] == 40
    assert campaign.done(notes).here == {1, 2, 3, 4, 5, 9}


def test_a_build_is_all_that_seasons_load() -> None:
    """Another change than one of these files could make no season end otherwise."""
    asked = (
        "import json, sys; from tests import conftest; from tests.season import many; from pathlib import Path;"
        f"[many.small(Path({{room!r}}) / str(seed), seed) for seed in {list(FEW)}];"
        "print(json.dumps([one.__file__ for one in list(sys.modules.values()) if getattr(one, '__file__', None)]))"
    )
    with memory_folder() as room:
        said = subprocess.run([sys.executable, "-c", asked.format(room=str(room))], cwd=campaign.ROOT, check=True,
                              capture_output=True, text=True).stdout  # fmt: skip
    loaded = {Path(name) for name in json.loads(said)}
    ours = {path.relative_to(campaign.ROOT) for path in loaded if campaign.ROOT in path.parents}
    ours = {path for path in ours if path.parts[0] in ("engine", "games", "pbem", "tests")}
    found = {path.relative_to(campaign.ROOT).as_posix() for path in campaign.files()} | NO_PART
    assert {path.as_posix() for path in ours} - found == set()
    assert len(ours) > 200


def test_a_seed_that_broke_is_told_and_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another build has played counts apart."""
    notes, heard = tmp_path / "notes", list[str]()
    with monkeypatch.context() as weakened:
        weakened.setattr(mailed, "guard", lambda ledger: None)
        campaign.go_on(range(6, 8), tell=heard.append, notes=notes)
    assert list(campaign.done(notes).broken) == [6]
    assert "python -m tests.season --small 6" in "\n".join(heard)
    assert campaign.go_on(range(6, 8), notes=notes).seeds == [6]
    assert campaign.done(notes).broken == {}
    monkeypatch.setattr(campaign, "build", lambda: "another")
    assert campaign.done(notes) == (set(), {}, {6, 7}, set())


def test_what_broke_on_another_build_is_played_first_and_then_what_none_has_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes"
    with monkeypatch.context() as before:
        before.setattr(campaign, "build", lambda: "the build before")
        campaign.note(Found([1, 2, 3], Counter(turns=10), {2: "seed 2 broke"}), notes)
    assert campaign.go_on(range(1, 5), 2, notes=notes).seeds == [2, 4]
    so_far = campaign.done(notes)
    assert (so_far.here, so_far.elsewhere, so_far.broke_elsewhere) == ({2, 4}, {1, 2, 3}, {2})
    assert str(so_far).startswith("2 of 100000 seeds before a release, on build ")
    assert str(so_far).endswith(", 0 broken; 4 with those of builds before it, 1 of the 1 that broke there hold here")


@pytest.fixture
def room() -> Iterator[Path]:
    with memory_folder() as folder, at_hand():
        settle(folder / "template", secret=secret("season"))
        yield folder


def played(room: Path, seed: int, games: int = 3, nights: int = 5) -> Season:
    return play(room / f"season-{seed}-{len(list(room.iterdir()))}", seed, games, nights, template=room / "template")


def test_one_seed_repeats_it(room: Path) -> None:
    assert len({played(room, 3).end() for _ in range(2)}) == 1


@pytest.mark.parametrize("seed", [1041, 1086, 1133])
def test_answers_to_commands_after_a_restore_go_under_ids_of_their_own(room: Path, seed: int) -> None:
    """These seasons broke: an answer adds no row to its game before it is written, so two may know the same head."""
    played(room, seed, GAMES, NIGHTS).end()


def test_a_second_restore_is_not_asked_for_what_the_first_one_lost(room: Path) -> None:
    """This season broke: nothing had left since the copy, and the referee had agreed to the loss of all before it."""
    played(room, 2901, GAMES, NIGHTS).end()


def test_a_full_disk_ends_a_run_with_a_game_in_hand_as_a_kill_does(room: Path) -> None:
    """This season broke: a game was in hand at two kills and a full disk, two of the three times alone."""
    played(room, 4025, GAMES, NIGHTS).end()


def test_what_tells_of_a_refused_mail_has_an_id_of_its_own_after_a_restore(room: Path) -> None:
    """This season broke: the same mail was refused before the restore and after it, and both were told under one id."""
    played(room, 7976, GAMES, NIGHTS).end()


def test_whose_orders_are_struck_after_the_deadline_is_not_silent(room: Path) -> None:
    """This season broke: the host was braked over a deadline, and the referee struck then what had come in time."""
    played(room, 21803, GAMES, NIGHTS).end()


def test_children_change_nothing(tmp_path: Path) -> None:
    with at_hand():
        here = play(tmp_path / "here", 5, 2, 2)
    assert here.seen == play(tmp_path / "apart", 5, 2, 2).seen


def broken(room: Path, match: str) -> None:
    """One of the first seasons breaks, for that reason."""
    with pytest.raises(Broken, match=match):
        _some(room)


def _some(room: Path) -> None:
    for seed in range(1, 20):
        played(room, seed, 3, 6).end()


def test_weakened_a_host_that_was_off_and_does_not_know_is_found(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: silence that counts though nothing ran, so that nobody who came could be heard."""
    monkeypatch.setattr(seasons, "OFF", 0.4)
    monkeypatch.setattr(Beat, "off_since", lambda self, now: None)
    broken(room, "is prompt, and on record as")


def test_weakened_a_clock_that_is_believed_is_found(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: runs that do not ask whether their clock was set."""
    monkeypatch.setattr(seasons, "WRONG", 0.5)
    monkeypatch.setattr(trips, "of_time", lambda *asked: iter(()))
    broken(room, "a run under a wrong clock did")


def test_weakened_tries_that_are_not_noted_are_found(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: mails carried without a word of it in the ledger before, so that a run that was killed doubles them."""
    monkeypatch.setattr(seasons, "KILLED", 0.7)
    monkeypatch.setattr(seasons, "POINTS", ("mails-written",))
    monkeypatch.setattr(world, "Carrier", lambda seed: Carrier(seed, repeatable=True))
    broken(room, "left twice, and nothing was unknown of it")


def test_a_game_is_halted_for_a_machine_that_died_only_if_it_was_alone_in_hand(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seasons, "KILLED", 0.8)
    monkeypatch.setattr(seasons, "POINTS", ("attempt-counted",))
    assert any(played(room, seed, 1).seen["blamed"] for seed in range(20, 60))


def test_weakened_a_machine_that_died_once_is_held_against_a_game(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: a game is halted that was in hand, perhaps beside others, when one run was killed."""
    monkeypatch.setattr(seasons, "KILLED", 0.8)
    monkeypatch.setattr(resolving, "TRIES", 1)
    broken(room, "every run that tried it was killed")


def test_weakened_a_message_that_is_let_go_of_is_found(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: a message that is taken and has no fate afterwards."""
    real = letters.arrive_all

    def some(tx: Write, messages: Sequence[Arriving]) -> list[Arrival]:
        arrivals = iter(real(tx, [one for one in messages if b"m7@" not in one.raw]))
        return [Arrival("", True) if b"m7@" in one.raw else next(arrivals) for one in messages]

    monkeypatch.setattr(letters, "arrive_all", some)
    broken(room, "messages came, and their fates are")


def test_weakened_a_host_that_is_restored_and_goes_on_at_once_is_found(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: nobody asks whether the ledger is older than mails that have left."""
    monkeypatch.setattr(mailed, "guard", lambda ledger: None)
    broken(room, "went on as if nothing had left")


def test_a_projection_that_the_journal_does_not_give_is_found(room: Path) -> None:
    season = played(room, 1, 1, 1)
    sound_and_true(season.host.ledger)
    with season.host.ledger.write() as tx:
        tx.run(sa.update(NIGHT).values(done=False))
    with pytest.raises(Broken, match="not what the journal gives"):
        sound_and_true(season.host.ledger)


def test_weakened_a_restored_host_that_counts_silence_at_once_is_found(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: who had answered is silent, as the copy has no orders of his, and the deadline has passed."""
    monkeypatch.setattr(seasons, "COPIED", 0.9)
    monkeypatch.setattr(seasons, "RESTORED", 0.9)
    monkeypatch.setattr(outages, "move_all", lambda *given: [])
    broken(room, "is prompt, and on record as")


def test_weakened_keys_that_know_no_lost_time_are_found(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: what a player wrote for a decision that was lost is taken for the one that was opened in its place."""
    monkeypatch.setattr(seasons, "COPIED", 0.9)
    monkeypatch.setattr(seasons, "RESTORED", 0.6)
    monkeypatch.setattr(Loss, "is_before", lambda *given: False)
    broken(room, "for a decision .* that is lost was taken for another one")


def test_a_host_begins_with_what_was_wanted(room: Path) -> None:
    season = begin(room / "host", 1, 3, template=room / "template")
    assert len(season.host.all_games) == 3
    assert season.host.config.referee
