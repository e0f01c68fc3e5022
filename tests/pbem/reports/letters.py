"""Letters for the tests, of each kind, with any text put wherever a player can put one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from engine import Dice, Event, Outcome, Refusal, View, load
from engine.game import Notice as Warned
from pbem.reports.report import (
    Letter,
    Menu,
    Notice,
    Place,
    Problem,
    Reader,
    Receipt,
    Report,
    Said,
    Stands,
    Step,
    Taken,
    Understood,
    menu,
)

DEADLINE = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)
HEAD, COMMITMENT, DIGEST = "ab" * 32, "cd" * 32, "ef" * 32
HARMLESS = "Word"

NIM = load("nim")
VAULT = load("vault")


class Bare:
    """As much of a game as letters need, of one that brings no templates."""

    id, version, title = "bare", "7", {"en": "Bare"}


BARE: Any = Bare()


def nim_story() -> tuple[Any, tuple[Event, ...], tuple[Event, ...]]:
    """The state after one move, the story of the set-up and that of the move."""
    start = NIM.setup(NIM.Options(heaps="3-4-5"), Dice(b"nim"))
    move = NIM.read(start.state, "1", "b2")
    after = NIM.resolve(start.state, {"1": move}, Dice(b"nim"))
    return after.state, start.events, after.events


def report(text: str = HARMLESS, **changes: Any) -> Report:
    """A report of nim to seat 2 after the first move. `text` stands wherever a player can put one."""
    state, opening, moved = nim_story()
    fields: dict[str, Any] = {
        "game": "jade-river",
        "rules": NIM,
        "options": NIM.Options(heaps="3-4-5").to_json(),
        "players": {"1": text, "2": "Ben"},
        "zone": "Asia/Kathmandu",
        "seat": "2",
        "reader": Reader(text, "en", "Europe/Paris"),
        "counter": 3,
        "turn": 2,
        "view": NIM.view(state, "2"),
        "steps": (Step(0, (), opening), Step(1, (Taken("1", "b2", "given"),), moved)),
        "press": (Said("1", text),),
        "problems": (Problem(refused(text), text), Problem(refused(text), {"do": text, "from": text})),
        "deadline": DEADLINE,
        "key": "K7Q2-9FXM",
        "answer_to": "orders@pbem.test",
        "menu": menu(NIM, state, "2"),
        "stands": Stands((text, {"do": text}), (text,), {"consent": text}),
        "head": HEAD,
        "commitment": COMMITMENT,
    }
    return Report(**(fields | changes))


def quiet(**changes: Any) -> Report:
    """A report with nothing in it that a player wrote."""
    return report(**({"players": {"1": "Ann", "2": "Ben"}, "press": (), "problems": (), "stands": Stands()} | changes))


def over(text: str = HARMLESS) -> Report:
    outcome = Outcome((("2",), ("1",)), {"1": 0, "2": 1}, "NIM-3.1", "last object wins")
    return report(text, outcome=outcome, menu=None, key="", deadline=None, seed="12" * 32, stands=Stands())


def refused(text: str) -> Refusal:
    facts = {"order": text, "others": [text, text]}
    return Refusal("NIM-2.1", "unread", "{order} is not a move, nor are {others}.", facts, ("a1", "a2", "a3") * 6)


def bare(text: str = HARMLESS, **changes: Any) -> Report:
    """A report of a game that brings no templates."""
    facts = {"heaps": {"north": 3, "south": None}, "open": True, "cards": ["ace", "king"], "chart": list(range(200))}
    view = View("2", ("2",), "bid_again", "bare line", facts)
    told = Event("card_shown", "BARE-1", {"seat": "1", "card": text, "open": True, "others": [1, 2], "map": {"a": 1}})
    steps = (Step(1, (Taken("1", None, "default"),), (told,)),)
    return report(text, rules=BARE, view=view, steps=steps, **changes)


def receipt(text: str = HARMLESS, **changes: Any) -> Receipt:
    state, _, moved = nim_story()
    warned = Warned("NIM-3.2", "loses", "This is {what}.", {"what": text})
    fields: dict[str, Any] = {
        "game": "jade-river",
        "rules": NIM,
        "players": {"1": text, "2": "Ben"},
        "seat": "1",
        "reader": Reader(text, "en", "Europe/Paris"),
        "counter": 4,
        "turn": 1,
        "view": NIM.view(state, "1"),
        "fate": "accepted",
        "understood": (
            Understood(text, "b2", Place("mail", 6, 5), moved, (warned,)),
            Understood({"if": text, "then": [text]}, None, Place(text, 7, 5)),
        ),
        "problems": (Problem(refused(text), text, Place(text, 8, 5)),),
        "say": text,
        "stands": Stands((text,), (text,), {text: text}, nothing=True),
        "replaces": Stands((text,)),
        "silence": "a1",
        "received": DEADLINE,
        "deadline": DEADLINE,
        "key": "K7Q2-9FXM",
        "answer_to": "orders@pbem.test",
        "menu": Menu("a1", ("a1", "b2"), None),
        "digest": DIGEST,
        "head": HEAD,
    }
    return Receipt(**(fields | changes))


def notice(text: str = HARMLESS, **changes: Any) -> Notice:
    fields: dict[str, Any] = {
        "kind": "reminder",
        "game": "jade-river",
        "rules": NIM,
        "seat": "1",
        "reader": Reader(text, "en", "Europe/Paris"),
        "turn": 2,
        "text": text,
        "deadline": DEADLINE,
        "key": "K7Q2-9FXM",
        "menu": Menu("a1", ("a1", "b2"), 2),
        "stands": Stands((text,)),
        "head": HEAD,
    }
    return Notice(**(fields | changes))


EVERY: dict[str, Callable[[str], Letter]] = {
    "report": report,
    "last report": over,
    "report of a game without templates": bare,
    "receipt": receipt,
    "refusal": lambda text: receipt(text, fate="refused", understood=(), stands=Stands()),
    "draft": lambda text: receipt(text, fate="draft"),
    "notice": notice,
}
