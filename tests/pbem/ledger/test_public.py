"""What a public file may say is declared in one place: kinds and facts that nobody declared are not told (G45)."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from engine.canon import Canonical, canonical
from pbem.audit import book as books
from pbem.audit.published import PublishedBook
from pbem.ledger import journal, public
from pbem.ledger.chain import Content, leaf_of, text_of
from pbem.ledger.packing import pack
from pbem.ledger.project import SETTING, STEPS
from pbem.ledger.public import NEVER, PUBLIC, is_public, merged, published, split
from pbem.ledger.sound import all_faults
from tests.architecture.reading import ROOT
from tests.faults.figures import counted
from tests.pbem import hosted
from tests.pbem.audit.forging import edit
from tests.pbem.hosted import START

SECRET = bytes(range(32))
OF_NO_GAME = {"match_created", "match_game", "match_over"}  # a match has no public file
WRITERS = {"append": 1, "Row": 0, "Fixed": 0}  # what writes rows, and which argument names their kind


def kinds_written() -> Iterator[tuple[str, str]]:
    """Every kind of row that the program writes on the chain of a game, with where it does."""
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for call in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(call, ast.Call):
                yield from ((kind, name) for kind in _kinds(call, name))


def _kinds(call: ast.Call, module: str) -> Iterator[str]:
    called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    place = WRITERS.get(called)
    if place is None or len(call.args) < place + 2 or "HOST" in ast.dump(call.args[0]):
        return
    said = call.args[place]
    for one in (said.body, said.orelse) if isinstance(said, ast.IfExp) else (said,):
        kind = one.value if isinstance(one, ast.Constant) else None
        if isinstance(one, ast.Name):
            kind = getattr(import_module(module), one.id, None)
        if isinstance(kind, str):
            yield kind


def test_every_kind_of_row_is_declared() -> None:
    written = dict(kinds_written())
    assert {"created", "turn", "submission", "press", "dispute", "mail", "look", "consent"} <= set(written)  # it looks
    known = {*PUBLIC, *NEVER, *OF_NO_GAME}
    assert {kind: where for kind, where in written.items() if kind not in known} == {}
    assert known >= SETTING
    assert not PUBLIC.keys() & NEVER.keys()
    assert {"press", "dispute", "mail", "absence"} <= NEVER.keys()
    assert STEPS.keys() & known
    counted(len(known), "kinds of rows declared")


def test_what_is_not_declared_is_not_told() -> None:
    assert is_public("over", canonical({"outcome": {}}))
    assert not is_public("gossip", canonical({}))
    assert not is_public("over", canonical({"outcome": {}, "rumour": 1}))
    for kind in NEVER:
        assert not is_public(kind, canonical({}))


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("submission", {"orders": [], "letter": "ab", "private": "cd"}),
        ("submission", {"orders": [], "queue": {"queue": [], "say": {"all": "hi"}}}),
        ("ruling", {"act": "void", "queues": {"red": {"say": {"all": "hi"}}}}),
        ("ruling", {"act": "substitute", "queues": {"red": "sealed:1:x:y:z"}}),
        ("consent", {"what": "draw", "letter": "ab"}),
    ],
)
def test_rows_of_older_programs_are_told_as_hashes(kind: str, body: dict[str, Any]) -> None:
    assert not is_public(kind, canonical(body))


def test_private_facts_are_kept_apart_as_a_row_is_written() -> None:
    facts = {"orders": ["a1"], "counter": 1, "message_id": "<x@y>", "say": {"red": "psst"}, "surprise": 1}
    stored = split("jade", "submission", facts, SECRET, 7)
    assert stored == split("jade", "submission", Canonical(canonical(facts)), SECRET, 7)
    assert merged(journal_facts(stored)) == facts
    said = published(stored)
    assert journal_facts(said).keys() == {"orders", "counter", "private"}
    assert b"psst" not in said
    assert is_public("submission", stored)
    other = split("jade", "submission", facts | {"say": {"red": "hush"}}, SECRET, 7)
    assert len(published(other)) == len(said)  # how much was written does not show
    assert published(other) != said
    assert split("jade", "turn", facts, SECRET, 7) == canonical(facts)
    # A writer may keep apart what is public elsewhere; the whole row says it.
    withheld = split("jade", "submission", {"orders": None, "private": {"orders": ["a wild guess"]}}, SECRET, 7)
    assert journal_facts(published(withheld))["orders"] is None
    assert merged(journal_facts(withheld))["orders"] == ["a wild guess"]


def journal_facts(body: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(body)
    return found


def test_a_hash_covers_private_facts_and_needs_none_of_them() -> None:
    stored = split("jade", "submission", {"orders": [], "say": {"red": "psst"}}, SECRET, 2)
    whole = Content("jade", 2, "submission", START, 1, "red", stored)
    shown = whole._replace(body=published(stored))
    assert text_of(whole) == text_of(shown)
    for change in ({"say": {"red": "pssT"}}, {}):
        kept = {"facts": change, "salt": journal_facts(stored)["private"]["salt"]}
        changed = whole._replace(body=canonical({**journal_facts(stored), "private": kept}))
        assert leaf_of(SECRET, text_of(changed)) != leaf_of(SECRET, text_of(whole))


def test_the_word_private_in_what_a_player_wrote_is_a_word() -> None:
    odd = {"orders": [{"private": {"facts": {}, "salt": "00"}}]}
    stored = split("jade", "submission", odd, SECRET, 3)
    assert published(stored) == stored == canonical(odd)
    assert merged(journal_facts(stored)) == odd


SPOILED = {
    "gone": lambda kept: None,
    "its commitment alone": public.commitment,
    "no salt": lambda kept: {"facts": kept["facts"]},
    "another salt": lambda kept: {**kept, "salt": "00" * 32},
    "a short salt": lambda kept: {**kept, "salt": "00"},
    "letters for a salt": lambda kept: {**kept, "salt": "zz" * 32},
    "a list": lambda kept: [kept],
    "something beside": lambda kept: {**kept, "more": 1},
    "other facts": lambda kept: {**kept, "facts": {**kept["facts"], "route": "smtp"}},
}


@pytest.mark.sqlite  # the file is edited behind its back
@pytest.mark.parametrize("spoiled", list(SPOILED))
def test_private_facts_cannot_be_changed_or_dropped(ledger: Any, spoiled: str) -> None:
    """Seen red for the commitment alone: by its hash that row is what it was."""
    hosted.play(ledger, "amber", "nim", turns=2)
    with ledger.read() as tx:
        assert list(all_faults(tx)) == []
        [row, *_] = journal.rows(tx, "amber", kinds=("submission",))
    facts = json.loads(row.body)
    body = pack(canonical({**facts, "private": SPOILED[spoiled](facts["private"])}))
    edit(ledger.path, f"UPDATE journal SET body = X'{bytes(body).hex()}' WHERE id = {row.id}")
    with ledger.read() as tx:
        [fault] = all_faults(tx)
    assert (fault.chain, fault.seq) == ("amber", row.seq)


def test_the_published_book_of_a_finished_game_tells_turns_and_orders_alone(ledger: Any) -> None:
    hosted.play(ledger, "jade", "vault", seed=3)
    with ledger.write() as tx:
        tx.append("jade", "gossip", START.replace(year=2030), {"text": "a new kind of row"})
    with books.of_ledger(ledger, "jade") as book:
        lines, shown = list(book.lines()), list(PublishedBook(book).lines())
    assert [line.hash for line in lines] == [line.hash for line in shown]
    assert [line.leaf for line in lines] == [line.leaf for line in shown]
    told = {line.content.kind for line in shown if line.content is not None}
    assert told == {"created", "turn", "submission", "over", "revealed", *(("at_once",) if "at_once" in told else ())}
    assert shown[-1].content is None
    said = b"".join(line.content.body for line in shown if line.content is not None)
    assert b"player.example" not in said
    assert b'"letter"' not in said
