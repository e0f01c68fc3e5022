"""A match is counted again from its games, and each way of changing one is named with the row that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import load
from pbem.audit import book as books
from pbem.audit.export import export
from pbem.audit.log import log
from pbem.audit.looks import note
from pbem.audit.verify import Verdict, verify
from pbem.errors import Trouble
from tests.pbem.audit.forging import edit, rewrite
from tests.pbem.host.conftest import DEADLINE, NOON, Host, make_host
from tests.pbem.host.test_matches import begin, nights

__all__ = ["make_host"]

Change = Callable[[dict[str, Any], int, str], dict[str, Any] | None]


@pytest.fixture
def host(make_host: Callable[..., Host]) -> Host:
    """`duel` is a match of three games of nim that is over: rows 2, 3, 4 begin its games, row 5 ends it."""
    host = make_host()
    begin(host, "nim", heaps="1")
    nights(host)
    return host


def verdict(host: Host, chain: str = "duel") -> Verdict:
    with books.of_ledger(host.ledger, chain) as book:
        return verify(book)


def forge(
    host: Host, chain: str, kind: str, change: Callable[[dict[str, Any]], object], seq: int | None = None
) -> None:
    """Change what the rows of that kind say, and hash the chain anew."""

    def changed(facts: dict[str, Any], at: int, of: str) -> None:
        if of == kind and seq in (None, at):
            change(facts)

    rewrite(host.config.ledger, chain, changed)


def test_an_honest_match_passes(host: Host) -> None:
    found = verdict(host)
    assert (found.ok, found.rows, found.notes) == (True, 5, [])
    assert all(verdict(host, f"duel-{number}").ok for number in (1, 2, 3))


def test_a_running_match_passes(host: Host) -> None:
    begin(host, "nim", name="other", heaps="1")
    assert verdict(host, "other").ok
    host.night(DEADLINE)
    assert verdict(host, "other").ok


def swapped(facts: dict[str, Any]) -> None:
    facts["seats"] = {"1": facts["seats"]["2"], "2": facts["seats"]["1"]}


# What a forger changes, in rows of the match, and what is said of it.
MATCH_FORGERIES: dict[str, tuple[str, Callable[[dict[str, Any]], object], int, str]] = {
    "the winner": ("match_over", lambda facts: facts["verdict"].update(places=[["2"], ["1"]]), 5, "its verdict"),
    "a game won": ("match_over", lambda facts: facts["verdict"]["won"].update({"2": 2}), 5, "its verdict"),
    "a result": ("match_over", lambda facts: facts["results"][0].update(places=[["2"], ["1"]]), 5, "its results"),
    "an earlier result": ("match_game", lambda facts: facts.update(results=[]), 3, "its results"),
    "the seed": ("match_over", lambda facts: facts.update(seed="00" * 32), 5, "another seed"),
    "a number": ("match_game", lambda facts: facts.update(number=7), 2, "should begin duel-1"),
    "who sits where": ("match_game", swapped, 2, "its seats or options"),
    "options": ("match_game", lambda facts: facts["options"].update(heaps="9"), 2, "its seats or options"),
    "the commitment": ("match_created", lambda facts: facts.update(seed_commitment="00" * 32), 1, "its seed is not"),
    "how many games": ("match_created", lambda facts: facts.update(games=5), 1, "no such series"),
    "what it is counted by": ("match_created", lambda facts: facts.update(best_of=None), 1, "no such series"),
    "a row that says nothing": ("match_over", lambda facts: facts.pop("verdict"), 5, "does not say what rows"),
}


@pytest.mark.parametrize("what", MATCH_FORGERIES)
def test_a_forged_match_is_found(host: Host, what: str) -> None:
    kind, change, seq, says = MATCH_FORGERIES[what]
    forge(host, "duel", kind, change, seq)
    found = verdict(host)
    assert says in (found.fault or "")
    assert found.row == seq or "does not say" in says


# What a forger changes in the first row of the second game.
GAME_FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "who plays": (swapped, "the players of duel-2 do not sit where they should"),
    "its seed": (lambda facts: facts.update(seed_commitment="00" * 32), "the seed of duel-2 is not made of the seed"),
    "its options": (lambda facts: facts["options"].update(heaps="2"), "duel-2 is another game"),
    "its match": (lambda facts: facts.pop("match"), "duel-2 does not stand on it"),
    "its number": (lambda facts: facts["match"].update(number=1), "duel-2 does not stand on it"),
}


@pytest.mark.parametrize("what", GAME_FORGERIES)
def test_a_forged_game_is_found_by_its_match(host: Host, what: str) -> None:
    change, says = GAME_FORGERIES[what]
    forge(host, "duel-2", "created", change)
    assert says in (verdict(host).fault or "")
    assert verdict(host).row == 3


def test_an_outcome_that_was_exchanged_changes_the_match(host: Host) -> None:
    forge(host, "duel-1", "over", lambda facts: facts["outcome"].update(places=[["2"], ["1"]]))
    assert "its results are not those of the games before it" in (verdict(host).fault or "")
    assert not verdict(host, "duel-1").ok


def test_a_game_cannot_claim_a_match_that_does_not_know_it(host: Host) -> None:
    host.start("nim", "stranger")
    with books.of_ledger(host.ledger, "duel-2") as book:
        claim = books.created(book)["match"]
    forge(host, "stranger", "created", lambda facts: facts.update(match=claim))
    assert "the match duel knows no such game" in (verdict(host, "stranger").fault or "")


def test_a_match_cannot_stop_or_go_on_as_it_likes(host: Host) -> None:
    with host.ledger.write() as tx:
        tx.append("duel", "match_game", DEADLINE, {**begun(host, 4), "results": results(host)})
    assert "begins a game of a match that is decided" in (verdict(host).fault or "")


def test_a_verdict_that_was_cut_off_is_missed(host: Host) -> None:
    last = "(SELECT hash FROM journal WHERE chain = 'duel' AND seq = 4)"
    edit(
        host.config.ledger,
        "DELETE FROM journal WHERE chain = 'duel' AND seq = 5",
        f"UPDATE head SET seq = 4, hash = {last} WHERE chain = 'duel'",
    )
    assert "Row 4 of duel: its game is over, and nothing follows." in (verdict(host).fault or "")


def test_a_verdict_that_came_too_early_is_found(host: Host) -> None:
    begin(host, "nim", name="other", heaps="1")
    host.night(DEADLINE)
    with host.ledger.write() as tx:
        tx.append("other", "match_over", DEADLINE, {"results": [], "verdict": {}, "seed": ""})
    assert "it follows other-2, which is not over" in (verdict(host, "other").fault or "")


def begun(host: Host, number: int) -> dict[str, Any]:
    with books.of_ledger(host.ledger, "duel") as book:
        [line] = [line for line in book.lines(("match_game",)) if line.facts()["number"] == number - 1]
        return line.facts() | {"number": number, "game": f"duel-{number}"}


def results(host: Host) -> Any:
    with books.of_ledger(host.ledger, "duel") as book:
        return next(book.lines(("match_over",))).facts()["results"]


def test_another_version_of_the_rules_cannot_count_it(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(load("nim")), "version", "2")
    found = verdict(host)
    assert found.ok
    assert any("Version 1 of nim" in said for said in found.notes)


def test_the_log_of_a_match(host: Host) -> None:
    with books.of_ledger(host.ledger, "duel") as book:
        gists = [entry.gist for entry in log(book)]
    assert gists == [
        "nim 1, at most 3 games",
        *(f"game {number}: duel-{number}" for number in (1, 2, 3)),
        "1; 2 [best of 3]",
    ]


def test_what_is_asked_of_games_only(host: Host, tmp_path: Path) -> None:
    with books.of_ledger(host.ledger, "duel") as book, pytest.raises(Trouble, match="duel is a match; name one of"):
        export(book, tmp_path / "duel.zip")
    with pytest.raises(Trouble, match="such as duel-1"):
        note(host.ledger, "duel", "everything", "somebody", NOON)
    assert verdict(host).rows == 5, "nothing was written"


def test_an_exported_game_of_a_match_checks_itself(host: Host, tmp_path: Path) -> None:
    from pbem.audit.exported import ExportBook

    with books.of_ledger(host.ledger, "duel-2") as book:
        export(book, tmp_path / "duel-2.zip")
    assert verify(ExportBook(tmp_path / "duel-2.zip")).ok
