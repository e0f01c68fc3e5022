"""The host is killed at any line of collecting, submitting and the night, and comes right when run again (G1, G10).

Some dozens of states in every run; `PBEM_LONG=1` takes all, and so every line, and a night of every installed game with
every value of each of its options.
"""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine import games
from pbem import nightly
from pbem.arriving import drop
from pbem.ledger import journal, letters
from pbem.ledger.chain import HOST
from pbem.ledger.opening import facts_of
from tests.conftest import SAMPLE_GAMES
from tests.every_game.option_sets import option_sets
from tests.faults import a_host, held
from tests.faults.figures import so_many, told
from tests.faults.line_killer import Killer, campaign, memory_folder
from tests.faults.recording import Recording

ROOT = Path(__file__).parent.parent.parent
WATCH = (ROOT / "pbem", ROOT / "engine", ROOT / "games", Path(SAMPLE_GAMES))
LONG = "PBEM_LONG" in os.environ
MOST = so_many(24, 5000)
NIGHTS = [(game, number) for game in games() for number in range(len(option_sets(game, 0)))] if LONG else [("jarmo", 2)]

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.timeout(0 if LONG else 300)]


@pytest.fixture
def prepared():
    with built() as folder:
        yield folder


@contextmanager
def built(*more):
    """A host in memory, with a game of each of these besides its own."""
    with memory_folder() as room:
        a_host.build(room / "prepared", more)
        yield room / "prepared"


@contextmanager
def hosting(game, options):
    """A host in memory with one game that nobody answers in."""
    with memory_folder() as room:
        a_host.found(room / "prepared", {"one": a_host.silent(game, options)})
        yield room / "prepared"


def undisturbed(prepared, *programs):
    """What runs that nobody kills leave behind, each on a copy of its own."""
    for program in programs:
        folder = prepared.parent / program.__name__
        shutil.copytree(prepared, folder)
        program(folder)
        yield a_host.remains(folder)


def one_of(*wanted):
    """The check that a folder holds just what one of these runs left, to the byte."""

    def check(folder):
        found = a_host.remains(folder)
        if found not in wanted:
            near = wanted[0]
            differing = sorted(name for name in found.keys() | near.keys() if found.get(name) != near.get(name))
            raise AssertionError(f"not as if nothing had happened: {differing}\n{_first_difference(found, near)}")

    return check


def _first_difference(found, wanted):
    lines = [set(one["ledger"].splitlines()) for one in (found, wanted)]
    return "\n".join(str(min(only, default="nothing")[:600]) for only in (lines[0] - lines[1], lines[1] - lines[0]))


def test_collecting_is_killed_anywhere(prepared):
    (fetched,) = undisturbed(prepared, a_host.fetch)
    assert fetched["ledger"].count(b'"kind":"submission"') == 3
    survived("collecting", campaign(prepared, a_host.fetch, a_host.fetch, one_of(fetched), watch=WATCH, most=MOST))


def survived(what, found):
    told(f"{what}: {found}")
    enough(found)


def enough(found):
    assert found.points >= 10
    assert found.killed >= 1, found


def test_the_night_is_killed_anywhere(prepared):
    """Run again later it ends the night that was begun, under its date; killed before it began, it is a later night."""
    survived("the night", night_killed(prepared, MOST))


def night_killed(prepared, most, **how):
    whole = one_of(*undisturbed(prepared, a_host.night, a_host.later))
    return campaign(prepared, a_host.night, a_host.later, whole, watch=WATCH, most=most, **how)


@pytest.mark.skipif(not held.possible(), reason="this kernel lets no calls be held")
def test_children_of_a_night_change_no_file(prepared):
    """So one process alone changes the folder. A child opens nothing to be written but /dev/null, and that once."""
    shutil.copytree(prepared, prepared.parent / "seen")
    recording = Recording(prepared.parent / "seen")
    Killer(WATCH).record(a_host.night, recording)
    _host, *children = recording.callers.values()
    [opening] = held.numbers(held.OPENAT)
    assert len(children) >= 3
    for calls in children:
        assert calls[opening] == 1
        assert calls.keys() <= {opening, *held.numbers(held.IOCTL, held.SENDTO, held.FCNTL)}


@pytest.mark.parametrize(("game", "number"), NIGHTS, ids=lambda value: str(value))
def test_the_night_of_every_variant_is_killed_anywhere(game, number):
    """Every line that such a night executes, in whichever process."""
    options = option_sets(game, 0)[number]
    with hosting(game, options) as prepared:
        found = night_killed(prepared, so_many(10, 5000), calls=False, kills=1)
    said = " ".join(f"{name}={getattr(options, name)}" for name in options.specs()) if number else "as it comes"
    told(f"{game}, {said}: {found.covered:,} of {found.lines:,} lines in {found.points} states")
    assert found.covered >= 2000
    enough(found)


@pytest.mark.skipif(not LONG, reason="PBEM_LONG=1 asks for a night of every installed game at once")
def test_the_night_of_all_games_is_killed_anywhere():
    with built(*games()) as prepared:
        survived("a night of all games", night_killed(prepared, so_many(0, 40), calls=False, kills=1))


def test_submitting_is_killed_anywhere(prepared):
    """What was acknowledged stands; what was stored is settled by the next run; nothing is there twice or by halves."""
    survived("submitting", campaign(prepared, a_host.submit, a_host.fetch, nothing_lost, watch=WATCH, most=MOST))


def nothing_lost(folder):
    with a_host.opened(folder) as (_, ledger), ledger.read() as tx:
        assert not letters.waiting(tx), "a message still waits"
        taken = [facts_of(tx, row.facts())["orders"] for row in journal.rows(tx, "heaps", kinds=["submission"])]
        stored = [row for row in journal.rows(tx, HOST, kinds=["letter"]) if row.facts()["route"] == "submit"]
    assert all(orders == ["b3"] for orders in taken)
    assert len(taken) == 1 + len(stored)  # the file also lies in the inbox, a message of its own
    said = (folder / "receipt").read_text() if (folder / "receipt").exists() else ""
    if said:  # an empty file was killed before it said anything
        assert said == "accepted"
        assert stored


def put_away_too_early(folder):
    """The weakened build: files leave the folder before their bytes are in the ledger."""
    read, put_away = drop._read, drop._put_away

    def early(*arguments):
        one = read(*arguments)
        if one is not None:
            put_away(one)
        return one

    drop._read, drop._put_away = early, lambda one: None
    a_host.fetch(folder)


def without_looking_back(folder):
    """The weakened build: a night does not look for one that was begun and not ended."""
    nightly.nights.unfinished = lambda tx: None
    a_host.later(folder)


def test_a_build_that_moves_files_too_early_is_found(prepared):
    whole = one_of(*undisturbed(prepared, a_host.fetch))
    with pytest.raises(AssertionError, match="not as if nothing had happened"):
        campaign(prepared, put_away_too_early, a_host.fetch, whole, watch=WATCH, most=30)


def test_a_build_that_forgets_the_night_it_began_is_found(prepared):
    whole = one_of(*undisturbed(prepared, a_host.night, a_host.later))
    with pytest.raises(AssertionError, match="not as if nothing had happened"):
        campaign(prepared, a_host.night, without_looking_back, whole, watch=WATCH, most=30)
