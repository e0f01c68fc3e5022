"""Every command by mail, with every kind of proof: something comes of it if, and only if, the proof suffices."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import datetime, timedelta
from enum import IntEnum

import pytest

from pbem.correspondence import commands, deciding
from pbem.correspondence.commands import COMMANDS, READS, Act
from pbem.correspondence.proofs import Needs, Proof
from pbem.game.hosting import NewGame
from pbem.intake.mail.commands import WORDS
from pbem.ledger import journal
from pbem.people import gathering
from pbem.people.substituting import substituted
from pbem.rulings.ruling import paused
from tests.faults.figures import counted
from tests.pbem.correspondence.conftest import NOON, Post, quoted
from tests.pbem.host.conftest import DEADLINE

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
PAPER = frozenset({"letter", "letter_fate", "mail"})  # rows that any mail brings about, whatever becomes of it


class Shown(IntEnum):
    """What is shown, the weakest first: nothing; an old key; the current one of a game at rest; that of an open one."""

    NOTHING, OLD, AT_REST, CURRENT = range(4)


# Written down a second time on purpose: a table that is loosened by mistake does not loosen the test.
WANTED = {
    **dict.fromkeys(("help", "status", "report", "history", "unsubscribe"), Shown.OLD),
    **dict.fromkeys(("address", "remind", "digest", "volunteer", "join", "leave", "dispute"), Shown.AT_REST),
    **dict.fromkeys(("take-back", "draw", "withdraw", "absent", "say", "resign"), Shown.CURRENT),
}
SAID = {
    "report": "report 1",
    "address": "address new@players.example",
    "remind": "remind 5h",
    "join": "join hill",
    "leave": "leave valley",
    "dispute": "dispute: look at this",
    "take-back": "take-back 1",
    "absent": "absent 2026-12-20 2026-12-31",
    "say": "say all: hello",
    "resign": "resign game",
}


def test_every_command_is_here() -> None:
    assert set(WANTED) == set(COMMANDS) == set(WORDS)


def test_no_act_can_do_without_a_proof() -> None:
    with pytest.raises(TypeError):
        Needs()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Needs(True)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Act(COMMANDS["help"].run)  # type: ignore[call-arg]
    needs = next(field for field in dataclasses.fields(Act) if field.name == "needs")
    assert needs.default is needs.default_factory is dataclasses.MISSING


@pytest.mark.parametrize("word", COMMANDS)
def test_what_is_declared_is_what_it_needs(word: str) -> None:
    needs = COMMANDS[word].needs
    wanted = {
        Shown.OLD: Needs(Proof.SEAT_KEY),
        Shown.AT_REST: Needs(Proof.CURRENT_KEY),
        Shown.CURRENT: Needs(Proof.CURRENT_KEY, open_game=True),
    }
    assert needs == wanted[WANTED[word]]


# --- worlds -----------------------------------------------------------------------------------------------------------

World = Callable[[Post], tuple[str, datetime]]  # gives the address that shows the proof, and when


def begun(post: Post) -> datetime:
    """Decision 2 is open; a game waits for players, and in another one the player has a seat that can be given back."""
    for name, seats in (("hill", {}), ("valley", {"1": "player-1"})):
        with post.host.ledger.write() as tx:
            wanted = NewGame(rules="nim", name=name, seats=seats, options={"heaps": "3,4,5"})
            gathering.opened(tx, post.host.config, wanted, None, None, NOON)
    post.host.night()
    return DEADLINE + HOUR


def no_key(post: Post) -> tuple[str, datetime]:
    at = begun(post)
    return post.host.config.address, at


def wrong_key(post: Post) -> tuple[str, datetime]:
    at = begun(post)
    return post.tagged("1", key="0000-0000"), at


def key_to_come(post: Post) -> tuple[str, datetime]:
    at = begun(post)
    return post.tagged("1", 3), at


def former(post: Post) -> tuple[str, datetime]:
    at = begun(post)
    key = post.tagged("1")
    with post.host.ledger.write() as tx:
        substituted(tx, post.host.config, "game", "1", "player-3", at, "she has moved")
    return key, at


def closed(post: Post) -> tuple[str, datetime]:
    key = post.tagged("1")
    return key, begun(post)


def before(post: Post) -> tuple[str, datetime]:
    """Decision 2 was opened, the game was taken back to decision 1, and decision 2 is open again."""
    at = begun(post)
    key = post.tagged("1")
    for seat in ("1", "2"):
        assert post.write("take-back 1", seat=seat, at=at) == "accepted"
    post.host.night(at + DAY)
    assert post.host.row().turn == 2
    return key, at + DAY + HOUR


def over(post: Post) -> tuple[str, datetime]:
    at, key = begun(post), post.tagged("1")
    for seat in ("1", "2"):
        assert post.write("draw", seat=seat, at=at) == "accepted"
    post.host.night(at + HOUR)
    assert post.host.status() == "over"
    return key, at + 2 * HOUR


def at_rest(post: Post) -> tuple[str, datetime]:
    at = begun(post)
    with post.host.ledger.write() as tx:
        paused(tx, post.host.config, "game", at, "a storm")
    return post.tagged("1"), at


def current(post: Post) -> tuple[str, datetime]:
    at = begun(post)
    return post.tagged("1"), at


WORLDS: dict[World, Shown] = {
    no_key: Shown.NOTHING,
    wrong_key: Shown.NOTHING,
    key_to_come: Shown.NOTHING,
    former: Shown.NOTHING,
    closed: Shown.OLD,
    before: Shown.OLD,
    over: Shown.OLD,
    at_rest: Shown.AT_REST,
    current: Shown.CURRENT,
}


def seen(post: Post) -> tuple[int, int]:
    """How many rows there are that are no paper, and how many mails."""
    with post.host.ledger.read() as tx:
        kinds = [row.kind for row in journal.rows(tx)]
    return sum(kind not in PAPER for kind in kinds), kinds.count("mail")


def came_of(post: Post, said: str, to: str, at: datetime) -> tuple[str, bool, list[str]]:
    """What becomes of a mail: its fate, whether something has changed, and to whom was written."""
    rows, mails = seen(post)
    fate = post.write(said, to=to, sender="eve@elsewhere.example", at=at)
    return fate, seen(post)[0] > rows, [str(mail["To"]) for mail in post.sent()[mails:]]


def check(post: Post, word: str, shown: Shown, to: str, at: datetime) -> None:
    """One command with one proof. Whoever's proof does not suffice changes nothing, and is told at the registered
    address; a mail that proves nothing at all is not answered."""
    fate, changed, written = came_of(post, SAID.get(word, word), to, at)
    assert (fate == "accepted") == (shown >= WANTED[word]), f"{word} with {shown.name}: {fate}"
    if shown < WANTED[word]:
        assert not changed, word
        assert len(written) == (shown > Shown.NOTHING), written
        assert all("1@players.example" in one for one in written), written
    else:
        assert changed == (WANTED[word] > Shown.OLD), word


def worlds(most: Shown = Shown.CURRENT) -> list[World]:
    return [world for world, shown in WORLDS.items() if shown <= most]


@pytest.mark.parametrize("world", worlds(Shown.OLD))
def test_g39_no_command_is_done_with_less_than_it_needs(post: Post, world: World) -> None:
    """None of them changes anything, so one host serves them all."""
    to, at = world(post)
    for number, word in enumerate(COMMANDS):
        check(post, word, WORLDS[world], to, at + number * timedelta(minutes=1))
    counted(len(COMMANDS), "commands tried with less than they need")


@pytest.mark.parametrize("word", COMMANDS)
@pytest.mark.parametrize("world", [at_rest, current])
def test_g39_every_command_is_done_with_what_it_needs(post: Post, world: World, word: str) -> None:
    to, at = world(post)
    check(post, word, WORLDS[world], to, at)


@pytest.mark.parametrize("world", [closed, over])
def test_g39_a_quoted_report_is_worth_no_more_than_its_key(post: Post, world: World) -> None:
    """The key stands in the form of the report, below the command, and the address says nothing."""
    body = post.last().get_body(("plain",))
    assert body is not None
    report = f"On Wed, 18 Nov 2026 pbem wrote:\n\n{quoted(body.get_content())}"
    _, at = world(post)
    for word in COMMANDS:
        said = f"{SAID.get(word, word)}\n\n{report}"
        fate, changed, _ = came_of(post, said, post.host.config.address, at)
        assert (fate == "accepted", changed) == (WANTED[word] is Shown.OLD, False), word


@pytest.mark.parametrize("world", worlds())
def test_g40_no_form_is_taken_with_less_than_the_current_key(post: Post, world: World) -> None:
    """Orders, words to others, absences, drafts, standing answers, a draw and a resignation, in a form."""
    to, at = world(post)
    lines = ("orders: [b3]", "orders: [draw]", "orders: [resign]", "say: hello", "absent: 2026-12-31",
             "draft: true\norders: [b3]")  # fmt: skip
    turn = to.split(".")[1] if "." in to else "2"
    for line in lines[: 1 if WORLDS[world] is Shown.CURRENT else None]:
        form = f"game: game\nseat: 1\nturn: {turn}\n{line}\nend: orders\n"
        rows = [row for kind in ("absence", "consent", "ruling", "press") for row in post.rows(kind)]
        fate, _, written = came_of(post, form, to, at)
        assert (fate == "accepted") == (WORLDS[world] is Shown.CURRENT), line
        if fate != "accepted":
            assert rows == [row for kind in ("absence", "consent", "ruling", "press") for row in post.rows(kind)]
            assert all("1@players.example" in one for one in written)


def test_who_plays_no_more_may_ask_for_a_seat_anew(post: Post) -> None:
    """The answer says how: without a key, by the code that is mailed to the registered address."""
    to, at = over(post)
    assert came_of(post, "join hill", to, at)[0] == "refused"
    assert "write the same in a new mail to the host" in post.text()
    assert post.write("join hill", to=post.host.config.address, at=at) == "accepted"
    assert post.write("yes", to=str(post.last()["Reply-To"].addresses[0].addr_spec), at=at) == "accepted"
    assert "You play seat 1 in hill" in post.text()


@pytest.mark.parametrize("purpose", deciding.CODES)
@pytest.mark.parametrize("code", ["0" * 16, "", "z" * 16, "0" * 15, "*" * 16])
def test_g39_a_code_that_nobody_was_sent_does_nothing(post: Post, purpose: str, code: str) -> None:
    assert post.write("address new@players.example") == "accepted"
    fate, changed, written = came_of(post, "yes", f"orders+{purpose}.{code}@localhost", NOON)
    assert (fate, changed, written) == ("quarantined", False, [])


def test_g39_weakened_a_table_that_asks_for_less_is_found(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build of before: whoever has any key of the seat may do what changes its player's account."""
    loose = {word: Act(act.run, READS) for word, act in COMMANDS.items()}
    monkeypatch.setattr(commands, "COMMANDS", loose)
    to, at = closed(post)
    with pytest.raises(AssertionError, match="address with OLD: accepted"):
        check(post, "address", Shown.OLD, to, at)


def test_g40_weakened_a_table_that_asks_for_less_is_found(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    loose = {word: Act(act.run, READS) for word, act in COMMANDS.items()}
    monkeypatch.setattr(commands, "COMMANDS", loose)
    to, at = closed(post)
    with pytest.raises(AssertionError, match="draw with OLD: accepted"):
        check(post, "draw", Shown.OLD, to, at)
