"""Matches: the next game begins where the one before it ends, and every report says how the match stands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from engine import load, registry
from engine.series import Result, Verdict
from pbem import keys
from pbem.audit.verify import verify_ledger
from pbem.deadlines.schedule import Schedule
from pbem.errors import Trouble
from pbem.game.again import report_again
from pbem.game.hosting import NewGame, add_player, new_game
from pbem.ledger import journal, matches, players
from pbem.ledger.dump import canonical_dump
from pbem.ledger.matches import MatchRow
from pbem.ledger.rebuild import rebuild
from pbem.matches.match import seed_of
from pbem.matches.matching import NewMatch, new_match
from pbem.matches.standings import all_standings, match_details
from pbem.rulings.ruling import resumed
from pbem.seeding.protocol import HOST_ALONE
from pbem.submitting import Settled
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, secret
from tests.pbem.host.test_night import POINTS, Broken, killed_at
from tests.pbem.reports.test_json import of_kind


def begin(
    host: Host, rules: str, best_of: int | None = 3, name: str = "duel", schedule: str = "nightly 20:00", **options: str
) -> None:
    """A match in which a player named after each seat sits there in game 1."""
    chosen = load(rules)
    wanted = NewMatch(
        rules=rules,
        name=name,
        seats={seat: f"player-{seat}" for seat in chosen.seats(chosen.Options(**options))},
        best_of=best_of,
        options=options,
        schedule=Schedule.read(schedule),
        seed=secret(f"seed {name}"),
        secret=secret(f"chain {name}"),
    )
    with host.ledger.write() as tx:
        new_match(tx, host.config, wanted, NOON)


def row(host: Host, name: str = "duel") -> MatchRow:
    with host.ledger.read() as tx:
        found = matches.get(tx, name)
    assert found is not None
    return found


def verdict(host: Host, name: str = "duel") -> Verdict:
    found = row(host, name).verdict
    assert found is not None
    return Verdict.from_json(found)


def order(host: Host, number: int, seat: str, *orders: str, at: Any = NOON) -> Settled:
    """Orders for a game of the match, by the key that stands in that game's reports."""
    name = f"duel-{number}"
    key = keys.key(seed_of(secret("chain duel"), number), seat, host.row(name).turn)
    return host.submit(host.file(seat, *orders, name=name, key=key), at)


def sits(host: Host, name: str) -> dict[str, str]:
    with host.ledger.read() as tx:
        seated = host.row(name).seats.items()
        return {seat: found.name or "" for seat, who in seated if (found := players.get(tx, who)) is not None}


def chain(host: Host, name: str = "duel") -> list[tuple[str, dict[str, Any]]]:
    with host.ledger.read() as tx:
        return [(row.kind, row.facts()) for row in journal.rows(tx, name)]


def nights(host: Host, most: int = 400) -> int:
    """Nights of silence until the match is over."""
    for day in range(most):
        if row(host).status == matches.OVER:
            return day
        host.night(DEADLINE + day * DAY)
    raise AssertionError("the match does not end")


def all_true(host: Host) -> None:
    """The history is what was written, and the present is what the history says."""
    found = list(verify_ledger(host.ledger))
    assert [one.fault for one in found if not one.ok] == []
    notes = {note for one in found for note in one.notes if "seed is not revealed" not in note}
    assert notes <= {HOST_ALONE}
    before = canonical_dump(host.ledger)
    rebuild(host.ledger)
    assert canonical_dump(host.ledger) == before


# --- best of n --------------------------------------------------------------------------------------------------------


def test_a_match_is_played_to_its_end_by_the_night(host: Host) -> None:
    """One heap of one: whoever sits at seat 1 takes it and wins, and the players change places."""
    begin(host, "nim", heaps="1")
    for day in range(3):
        name = f"duel-{day + 1}"
        assert host.status(name) == "open"
        assert sits(host, name) == (
            {"1": "player-1", "2": "player-2"} if day != 1 else {"1": "player-2", "2": "player-1"}
        )
        summary = host.night(DEADLINE + day * DAY)
        assert summary.over == [name]
        assert summary.begun == ([f"duel-{day + 2}"] if day < 2 else [])
    assert row(host).status == "over"
    assert verdict(host) == Verdict(True, (("1",), ("2",)), {"1": 2, "2": 1}, {"1": 2, "2": 1}, "best of 3")
    assert len(host.all_games) == 3
    assert [kind for kind, _ in chain(host)] == ["match_created", *["match_game"] * 3, "match_over"]
    assert host.night(DEADLINE + 9 * DAY).turns == 0
    all_true(host)


def test_it_ends_as_soon_as_it_is_decided(host: Host) -> None:
    """Two in the heap: the second player wins, unless the first takes both."""
    begin(host, "nim", heaps="2")
    nightly = iter(range(9))
    host.night(DEADLINE + next(nightly) * DAY)
    host.night(DEADLINE + next(nightly) * DAY)
    assert host.status("duel-2") == "open"
    order(host, 2, "1", "a2", at=DEADLINE + DAY)
    host.night(DEADLINE + next(nightly) * DAY)
    assert row(host).status == "over"
    assert (verdict(host).won, verdict(host).leader) == ({"1": 0, "2": 2}, "2")
    assert {game.name for game in host.all_games} == {"duel-1", "duel-2"}
    all_true(host)


def test_equal_wins_at_the_end_are_a_drawn_match(host: Host) -> None:
    begin(host, "nim", best_of=2, heaps="1")
    nights(host)
    assert (verdict(host).leader, verdict(host).places) == (None, (("1", "2"),))
    assert "The match is over and drawn. [best of 2]" in host.mails("1", "duel-2")[-1].text
    all_true(host)


def test_three_sides_with_secrets_change_places(host: Host) -> None:
    begin(host, "vault", best_of=2, rounds="2")
    nights(host)
    assert sits(host, "duel-1") == {"red": "player-red", "green": "player-green", "blue": "player-blue"}
    assert sits(host, "duel-2") == {"green": "player-red", "blue": "player-green", "red": "player-blue"}
    assert sum(verdict(host).won.values()) <= 2
    all_true(host)


def test_resolved_on_arrival_the_next_game_begins_at_once(host: Host) -> None:
    begin(host, "nim", schedule="on-arrival 20:00", heaps="1")
    order(host, 1, "1", "a1")
    assert (host.status("duel-1"), host.status("duel-2")) == ("over", "open")
    assert len(host.mails("1", "duel-2")) == 1


def test_the_seeds_of_all_games_are_settled_when_the_match_begins(host: Host) -> None:
    begin(host, "nim", heaps="1")
    nights(host)
    assert chain(host)[-1][1]["seed"] == secret("seed duel").hex()
    for number in (1, 2, 3):
        [revealed] = [facts for kind, facts in chain(host, f"duel-{number}") if kind == "revealed"]
        assert revealed["seed"] == seed_of(secret("seed duel"), number).hex()


def test_each_game_stands_on_its_row_of_the_match(host: Host) -> None:
    begin(host, "nim", heaps="1")
    nights(host)
    with host.ledger.read() as tx:
        begun = [row for row in journal.rows(tx, "duel") if row.kind == "match_game"]
    for number, match_row in enumerate(begun, start=1):
        created = chain(host, f"duel-{number}")[0][1]
        assert created["match"] == {"name": "duel", "number": number, "head": match_row.hash.hex()}


def test_programs_play_a_whole_match_in_one_night(host: Host) -> None:
    seats = {"1": "bot: random", "2": "bot: greedy"}
    with host.ledger.write() as tx:
        new_match(tx, host.config, NewMatch(rules="nim", name="duel", seats=seats, best_of=3), NOON)
    host.night(NOON + timedelta(minutes=1))
    assert row(host).status == "over"
    assert sits(host, "duel-2") == {"2": "bot: random", "1": "bot: greedy"}
    all_true(host)


def test_a_nonce_goes_with_its_player(host: Host) -> None:
    wanted = NewMatch(
        rules="nim",
        name="duel",
        seats={"1": "player-1", "2": "player-2"},
        best_of=3,
        options={"heaps": "1"},
        nonces={"1": "thrown by player 1"},
    )
    with host.ledger.write() as tx:
        new_match(tx, host.config, wanted, NOON)
    host.night()
    assert chain(host, "duel-1")[0][1]["nonces"] == {"1": "thrown by player 1"}
    assert chain(host, "duel-2")[0][1]["nonces"] == {"2": "thrown by player 1"}


# --- giving up, halting -----------------------------------------------------------------------------------------------


def test_a_game_given_up_by_the_host_counts_as_lost(host: Host) -> None:
    begin(host, "bagh-chal", best_of=3)
    order(host, 1, "2", "resign")
    assert host.status("duel-1") == "open", "the night ends it"
    host.night()
    assert (host.status("duel-1"), host.status("duel-2")) == ("over", "open")
    assert Result.from_json(row(host).results[0]).winner == "1"
    order(host, 2, "1", "resign", at=DEADLINE)  # player-2 sits there now
    host.night(DEADLINE + DAY)
    assert (verdict(host).leader, verdict(host).won) == ("1", {"1": 2, "2": 0})
    all_true(host)


def test_a_game_given_up_by_the_rules_brings_the_next_one_in_the_same_transaction(host: Host) -> None:
    begin(host, "nim", heaps="3,4,5")
    assert order(host, 1, "1", "resign").fate == "accepted"
    assert (host.status("duel-1"), host.status("duel-2")) == ("over", "open")
    all_true(host)


@pytest.mark.parametrize("until", ["2026-11-22", "2026-11-18"])
def test_the_next_game_waits_for_who_is_away(host: Host, until: str) -> None:
    """He could not have said so in a game that did not exist; and who is back by then is away no more."""
    begin(host, "nim", heaps="1")
    key = keys.key(seed_of(secret("chain duel"), 1), "2", 1)
    said = host.file("2", "x", key=key, name="duel-1").replace("orders:\n  - x", f"absent: {{until: {until}}}")
    assert host.submit(said).fate == "accepted"
    host.night(DEADLINE if until == "2026-11-22" else DEADLINE + DAY)
    away = sorted(host.row("duel-2").pending)
    assert [host.row("duel-1").seats["2"]] == [host.row("duel-2").seats[seat] for seat in away]
    if until == "2026-11-22":
        assert host.row("duel-2").deadline_at == DEADLINE + 5 * DAY, "the first deadline after his last day away"
        assert "(player-2) will be away" in " ".join(host.mails("2", "duel-2")[0].text.split())
    else:
        assert host.row("duel-2").deadline_at == DEADLINE + 2 * DAY
    all_true(host)


def test_who_is_ahead_on_points_cannot_give_up_the_rest(host: Host, series: None) -> None:
    begin(host, "jarmo", None, series="2", limit="50")
    for day in range(300):
        if host.status("duel-1") == "over":
            break
        host.night(DEADLINE + day * DAY)
    order(host, 2, "green", "resign", at=DEADLINE + day * DAY)
    host.night(DEADLINE + (day + 1) * DAY)
    assert (verdict(host).leader, verdict(host).rule) == ("green", "host: resignation")  # blue of game 2
    assert "The match is over. It is won by blue (player-green)." in host.mails("green", "duel-2")[-1].text
    all_true(host)


def test_a_series_goes_on_after_an_agreed_draw(host: Host, series: None) -> None:  # JARMO-7.1
    begin(host, "jarmo", None, series="2")
    for seat in ("green", "blue"):
        order(host, 1, seat, "draw")
    host.night()
    assert (host.status("duel-1"), host.status("duel-2")) == ("over", "open")
    all_true(host)


def test_a_halted_game_holds_its_match_and_no_other(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(host, "nim", heaps="1")
    begin(host, "vault", name="other", rounds="2")

    def broken(*args: object) -> None:
        raise Broken

    with monkeypatch.context() as patch:
        patch.setattr(type(load("nim")), "resolve", broken)
        for minutes in range(3):
            host.night(DEADLINE + timedelta(minutes=minutes))
    assert host.status("duel-1") == "halted"
    assert (row(host).status, row(host).number) == ("open", 1)
    assert host.row("other-1").turn > 1
    with host.ledger.write() as tx:
        resumed(tx, host.config, "duel-1", DEADLINE + timedelta(hours=1), "mended")
    host.night(DEADLINE + DAY)
    assert host.status("duel-2") == "open"


def test_a_next_game_that_cannot_be_set_up_stops_only_its_match(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(host, "nim", heaps="1")
    host.start("vault", "other")

    def broken(*args: object) -> None:
        raise Broken

    monkeypatch.setattr(type(load("nim")), "setup", broken)
    summary = host.night()
    assert list(summary.failed) == ["duel-1"]
    assert host.status("duel-1") == "open", "nothing of it was stored"
    assert host.row("other").turn > 1


# --- killed anywhere --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("point", [point for point in POINTS if not point.startswith("message")])
def test_a_night_killed_anywhere_comes_to_the_same(make_host: Callable[..., Host], point: str) -> None:  # G10
    plain, killed = make_host("plain"), make_host("killed")
    for host in (plain, killed):
        begin(host, "nim", heaps="1")
    for day in range(3):
        plain.night(DEADLINE + day * DAY)
        killed_at(point, lambda day=day: killed.night(DEADLINE + day * DAY))  # type: ignore[misc]
        killed.night(DEADLINE + day * DAY + timedelta(hours=1))
    assert row(killed).status == "over"
    assert canonical_dump(killed.ledger) == canonical_dump(plain.ledger)
    mails = [sorted(path.name for path in (h.config.outbox / "mail").iterdir()) for h in (plain, killed)]
    assert mails[0] == mails[1], "every mail under one name, none twice"


def test_a_game_given_up_in_a_killed_run_is_given_up_once(make_host: Callable[..., Host]) -> None:
    host = make_host()
    begin(host, "nim", heaps="3,4,5")
    killed_at("message-read", lambda: order(host, 1, "1", "resign"))
    assert row(host).number == 1
    host.night(NOON)
    assert row(host).number == 2


# --- what the players read --------------------------------------------------------------------------------------------


def test_every_report_says_how_the_match_stands(host: Host) -> None:
    begin(host, "nim", heaps="1")
    first = host.mails("1", "duel-1")[0].text
    assert "THE MATCH\n\nThis is game 1 of at most 3 of the match duel." in first
    assert "The match stands level. [best of 3]" in first
    host.night()
    ended, following = host.mails("2", "duel-1")[-1].text, host.mails("1", "duel-2")[0].text
    assert "- Place 1: seat 1 (player-1), 1 game won." in ended
    assert "In the lead: seat 1 (player-1)." in ended
    assert "The next game is duel-2; its first report comes at once." in ended
    assert "This is game 2 of at most 3 of the match duel." in following
    assert "- Place 1: seat 2 (player-1), 1 game won." in following, "he sits at the other seat now"
    assert "- Place 2: seat 1 (player-2), 0 games won." in following
    assert "next game" not in following
    nights(host)
    last = host.mails("1", "duel-3")[-1]
    assert "The match is over. It is won by seat 1 (player-1). [best of 3]" in last.text
    assert "next game" not in last.text
    for words in ("The match", "It is won by seat 1 (player-1).", "2 games won"):
        assert words in last.html


def test_the_same_stands_in_the_json(host: Host) -> None:
    begin(host, "nim", heaps="1")
    host.night()
    [report] = [mail for mail in host.mails("2", "duel-2") if mail.kind == "report"]
    said = json.loads(report.files["report.json"])
    assert of_kind(said) == []
    assert said["match"] == {
        "name": "duel",
        "number": 2,
        "games": 3,
        "scored": False,
        "played": 1,
        "over": False,
        "rule": "best of 3",
        "next": None,
        "sides": [
            {"place": 1, "seats": ["2"], "won": 1, "points": 1, "players": ["player-1"]},
            {"place": 2, "seats": ["1"], "won": 0, "points": 0, "players": ["player-2"]},
        ],
    }
    ended = json.loads(host.mails("1", "duel-1")[-1].files["report.json"])["match"]
    assert (ended["played"], ended["next"], ended["over"]) == (1, "duel-2", False)


def test_a_game_outside_a_match_says_nothing_of_one(host: Host) -> None:
    host.start("nim", heaps="1")
    host.night()
    for mail in host.mails("1"):
        assert "match" not in mail.text.lower()
        assert json.loads(mail.files["report.json"])["match"] is None


def test_an_old_report_stands_as_it_did(host: Host) -> None:
    """A public report is made again from the journal; the games that came later are not in it."""
    begin(host, "nim", heaps="1")
    nights(host)
    with host.ledger.read() as tx:
        early = report_again(tx, host.config, "duel-1", None, 1, "text")
        ended = report_again(tx, host.config, "duel-1", None, None, "text")
        last = report_again(tx, host.config, "duel-3", None, None, "text")
    assert "The match stands level." in early
    assert "In the lead: seat 1 (player-1)." in ended
    assert "The next game is duel-2" in ended
    assert "It is won by seat 1 (player-1)." in last


# --- what the host reads ----------------------------------------------------------------------------------------------


def test_standings(host: Host) -> None:
    begin(host, "nim", heaps="1")
    begin(host, "vault", 2, "other")
    host.night()
    with host.ledger.read() as tx:
        duel, other = all_standings(tx)
        details = match_details(tx, host.config, "duel")
    assert (duel.row.name, other.row.name) == ("duel", "other")
    assert [(score.place, score.players, score.won) for score in duel.scores] == [
        (1, ("player-1",), 1),
        (2, ("player-2",), 0),
    ]
    assert [(game.glance.name, game.winner) for game in details.games] == [("duel-1", "player-1"), ("duel-2", None)]
    assert len(other.first) == 3


def test_standings_outlive_the_rules(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(host, "nim", heaps="1")
    missing(monkeypatch, "nim")
    with host.ledger.read() as tx:
        [found] = all_standings(tx)
        details = match_details(tx, host.config, "duel")
    assert found.scores == ()
    assert details.games[0].glance.trouble is not None


# --- what cannot be a match -------------------------------------------------------------------------------------------


def refused(
    host: Host, says: str, rules: str = "nim", best_of: int | None = 3, name: str = "duel", **options: str
) -> None:
    before = canonical_dump(host.ledger)
    with pytest.raises(Trouble, match=says):
        begin(host, rules, best_of, name, **options)
    assert canonical_dump(host.ledger) == before


def test_what_cannot_be_a_match(host: Host, series: None) -> None:
    refused(host, "say --best-of N", best_of=None)
    refused(host, "best of 2 to 99", best_of=1)
    refused(host, "best of 2 to 99", best_of=100)
    refused(host, r"declare a match of 4 games \[JARMO-7.2\]; leave --best-of out", "jarmo", series="4")
    refused(host, "Game 2 of this match could not be played: .*wild horse starts on r15", "yut", None,
            favourite="true", wild="true", hurdles="r15+r3")  # fmt: skip
    refused(host, "cannot name a game", name="Duel!")
    refused(host, "cannot name a game", name="a" * 39)  # its games would have longer names


def test_one_name_one_thing(host: Host) -> None:
    host.start("nim", "duel-3")
    refused(host, "There is a game named duel-3 already")
    begin(host, "nim", name="match")
    refused(host, "There is a match named match already", name="match")
    for name, says in (("match", "There is a match named match"), ("match-3", "the name of a game of the match match")):
        wanted = NewGame(rules="nim", name=name, seats={"1": "player-1", "2": "player-2"})
        with host.ledger.write() as tx, pytest.raises(Trouble, match=says):
            new_game(tx, host.config, wanted, NOON)
    host.start("nim", "match-4")  # the match has three games at most
    host.start("nim", "match-03")


def test_a_match_takes_two_sides(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(load("nim")), "teams", lambda self, options: (("1", "2"),))
    refused(host, "only one side")


# --- series that the rules declare ------------------------------------------------------------------------------------


@pytest.fixture
def series(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The games that declare series, installed or not."""
    ours = {name: (EntryPoint(name, f"games.{name}:GAME", registry.GROUP),) for name in ("jarmo", "yut")}
    found = {**registry._entries(), **ours}
    with monkeypatch.context() as patch:
        patch.setattr(registry, "_entries", lambda: found)
        registry._loaded.cache_clear()
        yield
    registry._loaded.cache_clear()


def missing(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The rules of that name are not installed any more."""
    found = {other: entry for other, entry in registry._entries().items() if other != name}
    monkeypatch.setattr(registry, "_entries", lambda: found)
    registry._loaded.cache_clear()


def test_a_series_of_summed_scores(host: Host, series: None) -> None:  # JARMO-7
    begin(host, "jarmo", None, series="2", limit="50")
    nights(host)
    assert sits(host, "duel-2") == {"blue": "player-green", "green": "player-blue"}
    outcomes = [next(facts for kind, facts in chain(host, f"duel-{n}") if kind == "over")["outcome"] for n in (1, 2)]
    expected = {
        "green": outcomes[0]["scores"]["green"] + outcomes[1]["scores"]["blue"],
        "blue": outcomes[0]["scores"]["blue"] + outcomes[1]["scores"]["green"],
    }
    assert verdict(host).points == expected
    assert verdict(host).rule == "JARMO-7.2"
    text = host.mails("green", "duel-2")[-1].text
    assert "This is game 2 of 2 of the match duel." in text
    assert f"{expected['blue']} points" in text
    all_true(host)


@pytest.mark.parametrize("seats", ["2", "4"])
def test_a_match_of_two_games_at_the_same_posts(host: Host, series: None, seats: str) -> None:  # YUT-11.7
    with host.ledger.write() as tx:
        known = {one.name for one in players.every(tx)}
        for seat in load("yut").seats(load("yut").Options(players=seats)):
            if f"player-{seat}" not in known:
                add_player(tx, f"player-{seat}", f"{seat}@players.example", "en", "UTC", NOON, secret(seat))
    begin(host, "yut", None, players=seats, favourite="true", wild="true")
    nights(host)
    assert sits(host, "duel-2") == sits(host, "duel-1")
    assert [facts["options"]["game"] for kind, facts in chain(host) if kind == "match_game"] == [1, 2]
    assert [facts["options"]["first"] for kind, facts in chain(host) if kind == "match_game"] == [1, 2]
    assert len(verdict(host).won) == 2, "there are two sides, however many play"
    assert verdict(host).rule == "YUT-11.7"
    all_true(host)
