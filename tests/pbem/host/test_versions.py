"""G23: a game keeps the rules it was begun under, and a shadow run finds those that new rules would play otherwise."""

import pytest

from engine import Event, UnknownGame, games, load
from engine import registry as the_registry
from engine.game import Turned
from pbem.audit import book as books
from pbem.audit.verify import verify
from pbem.care.doctor import shadowed
from pbem.care.shadow import REASON, shadow
from pbem.game.hosting import NewGame, new_game
from pbem.rulebook import NoRules, known
from pbem.seeding.protocol import HOST_ALONE
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, secret


def begin(host, rules, name="game"):
    with host.ledger.write() as tx:
        seats = {seat: f"player-{seat}" for seat in ("1", "2")}
        wanted = NewGame(rules=rules, name=name, seats=seats, seed=secret("seed"), secret=secret(f"chain {name}"))
        new_game(tx, host.config, wanted, NOON)


def verdict(host, name="game"):
    with books.of_ledger(host.ledger, name) as book:
        return verify(book)


def rows(host, kind, name="game"):
    with books.of_ledger(host.ledger, name) as book:
        return [line.facts() for line in book.lines((kind,))]


@pytest.fixture
def otherwise(monkeypatch):
    """Whoever installs this has changed the rules and forgotten to move their version."""

    def install():
        rules = type(load("nim"))
        resolve = rules.resolve

        def changed(self, state, moves, dice):
            turned = resolve(self, state, moves, dice)
            return Turned(turned.state, (*turned.events, Event("boasted", "NIM-9", {})))

        monkeypatch.setattr(rules, "resolve", changed)

    return install


# --- versions side by side --------------------------------------------------------------------------------------------


def test_an_older_version_is_loaded_by_its_number_and_not_listed():
    assert "nim@0" not in games()
    assert (load("nim@0").version, load("nim").version) == ("0", "1")
    assert load("nim@1") is load("nim")
    with pytest.raises(UnknownGame, match="Version 7 of nim is needed and versions 1, 0 are installed"):
        load("nim@7")
    with pytest.raises(UnknownGame, match="There is no game 'chess'"):
        load("chess@1")


def test_an_entry_that_offers_another_version_than_it_says(monkeypatch):
    entries = the_registry._entries()
    monkeypatch.setattr(the_registry, "_entries", lambda: {**entries, "nim@5": entries["nim@0"]})
    with pytest.raises(TypeError, match=r"'nim@5' of group pbem.games offers version 0 of nim"):
        load("nim@5")


def test_a_live_game_goes_on_under_the_version_it_was_begun_under(host):
    """Silence is what tells the two apart: the older Nim takes the whole last heap, the newer one from the first."""
    begin(host, "nim@0", "old")
    begin(host, "nim", "new")
    host.night()
    [_, old], [_, new] = rows(host, "turn", "old"), rows(host, "turn", "new")
    assert (old["moves"]["1"]["move"], new["moves"]["1"]["move"]) == ("c5", "a1")
    assert (host.row("old").pinned, host.row("new").pinned) == ("nim@0", "nim@1")
    assert host.order("2", "b1", at=DEADLINE, name="old").fate == "accepted"
    host.night(DEADLINE + DAY)
    assert (verdict(host, "old").ok, verdict(host, "old").turns, verdict(host, "old").notes) == (True, 3, [HOST_ALONE])


def test_weakened_under_the_newest_version_the_old_game_does_not_replay(host, monkeypatch):
    """Seen red: without the pin the old game's turns do not follow from its orders."""
    begin(host, "nim@0")
    host.night()
    monkeypatch.setattr("pbem.audit.recompute.known", lambda name: load(name.partition("@")[0]))
    assert "is not what silence means" in verdict(host).fault


def test_a_game_whose_version_is_gone_stands_still_and_says_so(host, monkeypatch):
    begin(host, "nim@0")
    entries = {name: entry for name, entry in the_registry._entries().items() if name != "nim@0"}
    monkeypatch.setattr(the_registry, "_entries", lambda: entries)
    with pytest.raises(NoRules, match="Version 0 of nim is needed and version 1 is installed"):
        known("nim@0")
    [held] = host.night().held
    assert "game cannot go on: Version 0 of nim is needed" in held
    assert len(rows(host, "turn")) == 1


# --- the shadow run ---------------------------------------------------------------------------------------------------


def test_games_that_come_out_the_same_are_left_alone(host):
    begin(host, "nim", "first")
    begin(host, "nim@0", "second")
    host.night()
    assert [(one.game, one.steps, one.same) for one in shadow(host.config, NOON)] == [
        ("first", 2, True),
        ("second", 2, True),
    ]
    assert (host.status("first"), rows(host, "ruling", "first")) == ("open", [])


def test_games_that_would_come_out_otherwise_are_held(host, otherwise):
    begin(host, "nim")
    host.night()
    otherwise()
    [found] = shadow(host.config, DEADLINE)
    assert found.steps == 1
    assert "the events are not what comes out" in found.difference
    assert host.status() == "held"
    [ruling] = rows(host, "ruling")
    assert (ruling["act"], ruling["reason"]) == ("pause", REASON)
    assert "The rules on this host have changed" in host.mails("1")[-1].text
    assert host.night(DEADLINE + DAY).resolved == 0
    assert "put them back, or install the new ones as another version" in found.difference
    [again] = shadow(host.config, DEADLINE + DAY)  # what is held is looked at, and not held twice
    assert (again.same, again.status, len(rows(host, "ruling"))) == (False, "held", 1)


def test_a_held_game_is_well_again_when_its_rules_are_back(host, otherwise, monkeypatch):
    begin(host, "nim")
    host.night()
    resolve = type(load("nim")).resolve
    otherwise()
    shadow(host.config, DEADLINE)
    monkeypatch.setattr(type(load("nim")), "resolve", resolve)
    [held] = shadow(host.config, DEADLINE + DAY)
    assert (held.same, held.status) == (True, "held")
    [said] = shadowed(host.config, DEADLINE + DAY)
    assert said.well
    assert said.says == "its 2 steps come out as they stand; it is held, and `pbem referee resume game` lets it go on"


def test_what_came_out_otherwise_is_told_where_nothing_is_secret(host, otherwise):
    """Seen red: of a game with hands, a host who changes its rules learns by it where something differs, never what."""
    begin(host, "nim")
    host.night()
    otherwise()
    said = verdict(host).fault
    assert said.startswith(
        "Row 5 of game (turn 1): the events are not what comes out at [2]: nothing stands there, and"
    )
    assert '"boasted"' in said
    with books.of_ledger(host.ledger, "game") as book, pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(load("nim")), "hides", True)
        assert verify(book).fault == "Row 5 of game (turn 1): the events are not what comes out at [2]."


def test_weakened_without_the_shadow_run_the_changed_rules_play_on(host, otherwise):
    """Seen red: nothing else stops them before the next night."""
    begin(host, "nim")
    host.night()
    otherwise()
    assert host.night(DEADLINE + DAY).resolved == 1
    assert not verdict(host).ok


def test_a_game_that_nobody_can_load_any_more_is_held_too(host, monkeypatch):
    begin(host, "nim")

    def broken(name):
        raise ImportError("half installed")

    monkeypatch.setattr("pbem.rulebook.load", broken)
    [found] = shadow(host.config, NOON)
    assert "The rules 'nim@1' are installed but cannot be loaded (ImportError: half installed)." in found.difference
    assert host.status() == "held"


def test_a_game_over_which_the_replay_falls_is_held_without_its_words(host, monkeypatch):
    begin(host, "nim")

    def falls(*_):
        raise RuntimeError("the secret plan of red")

    monkeypatch.setattr("pbem.care.shadow.replay", falls)
    [found] = shadow(host.config, NOON)
    assert found.difference == "Its rules cannot play it again (RuntimeError)."


def test_a_position_that_no_turn_leads_to(host):
    begin(host, "nim")
    with host.ledger.write() as tx:
        tx.connection.exec_driver_sql("UPDATE game SET state = (SELECT state FROM game WHERE 1 = 0)")
    [found] = shadow(host.config, NOON)
    assert "not where its turns lead" in found.difference
