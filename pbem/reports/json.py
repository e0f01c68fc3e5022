"""Letters as JSON (`schema.json` beside this file): the same words as in text and HTML, and the facts behind them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from engine import Event
from engine import Notice as Warned
from pbem.clock import stamp
from pbem.reports import telling
from pbem.reports.report import Letter, Menu, News, Problem, Receipt, Report, Stands, Step, Understood
from pbem.reports.words import Memo

FORMAT = 1

# Letters outside ASCII are escaped: among them are some that a terminal or an editor would obey.
_encode = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode


def render(letter: Letter, memo: Memo | None = None) -> str:
    """The letter as one line of JSON."""
    memo = memo or Memo()
    if not isinstance(letter, Report):
        return _encode(plain(letter, memo)) + "\n"
    # The facts are most of it and the same for many seats, so they are encoded once and put in at the end.
    facts = memo.once("facts", None, letter.view, lambda view: _encode(view.facts))
    rest = plain(letter, memo)
    del rest["facts"]
    return f'{_encode(rest)[:-1]},"facts":{facts}}}\n'


_facts = re.compile(r'"seed":"[0-9a-f]*"(,"facts":)')  # no text can hold this: its quotes would be escaped


def without_facts(rendered: str) -> dict[str, Any]:
    """A rendered report read again, but for the facts of its view, which are most of it and stand at its end."""
    found = _facts.search(rendered)
    told: dict[str, Any] = json.loads(rendered if found is None else rendered[: found.start(1)] + "}")
    return told


def plain(letter: Letter, memo: Memo | None = None) -> dict[str, Any]:
    """The letter as mappings, lists, texts and numbers."""
    told = telling.tell(letter, memo or Memo())
    if isinstance(letter, Report):
        return _common(letter, told) | _report(letter, told)
    if isinstance(letter, Receipt):
        return _common(letter, told) | _receipt(letter, told)
    lines = [{"code": line.code, "told": said.text} for line, said in zip(letter.lines, told.notices, strict=True)]
    said = {"kind": letter.kind, "lines": lines, "news": _news(letter.news), "text": letter.text}
    return _common(letter, told) | said


def _unanswered(report: Report) -> dict[str, Any]:
    """The messages of the seat that had no answer, where there are any."""
    if not report.unanswered:
        return {}
    listed = [{"at": stamp(at), "fate": fate, "reason": reason} for at, fate, reason in report.unanswered]
    return {"unanswered": {"count": len(listed) + report.unlisted, "messages": listed}}


def _news(told: Iterable[News]) -> list[dict[str, Any]]:
    return [{"kind": news.kind, "seat": news.seat, "facts": dict(news.facts)} for news in told]


def _common(letter: Letter, told: telling.Telling) -> dict[str, Any]:
    rules = letter.rules
    return {
        "format": FORMAT,
        "letter": told.kind,
        "game": letter.game,
        "rules": {"id": rules.id, "version": rules.version, "title": told.title},
        "turn": letter.turn,
        "seat": letter.seat,
        "counter": letter.counter,
        "reader": {"name": letter.reader.name, "lang": letter.reader.lang, "zone": letter.reader.zone},
        "zone": letter.zone,
        "deadline": stamp(letter.deadline) if letter.deadline else None,
        "deadline_told": list(told.deadlines),
        "key": letter.key,
        "menu": _menu(letter.menu),
        "stands": _stands(letter.stands),
        "form": told.form,
        "head": letter.head,
    }


def _report(report: Report, told: telling.Telling) -> dict[str, Any]:
    view, outcome = report.view, report.outcome
    return {
        "options": dict(report.options),
        "players": [{"seat": seat, "name": name} for seat, name in report.players.items()],
        "pending": list(view.pending),
        "decision": view.decision,
        "position": view.position,
        "facts": view.facts,
        "words": list(_lines(told.described)),
        "steps": [_step(step, words) for step, words in zip(report.steps, told.steps, strict=True)],
        "press": [{"seat": said.seat, "to": said.to, "text": said.text} for said in report.press],
        "news": _news(report.news),
        "problems": _problems(report.problems, told.troubles),
        "resigned": list(report.resigned),
        "keyless": report.keyless,
        **_unanswered(report),
        "outcome": outcome
        and {
            "places": [list(place) for place in outcome.places],
            "scores": dict(outcome.scores),
            "rule": outcome.rule,
            "reason": outcome.reason,
            "details": dict(outcome.details),
        },
        "match": _match(report),
        "commitment": report.commitment,
        **({"signing_key": report.signing_key} if report.signing_key else {}),
        "dice": None if report.dice is None else report.dice.to_json(),
        "seed": report.seed,
    }


def _lines(described: Iterable[Iterable[telling.Line]]) -> Iterator[str]:
    """The position in words as its template writes it: an empty line between groups, blanks before a line that
    belongs to the one above."""
    for number, group in enumerate(described):
        if number:
            yield ""
        for line in group:
            yield f"  {line.text}" if line.under else line.text


def _match(report: Report) -> dict[str, Any] | None:
    match = report.match
    if match is None:
        return None
    sides = [
        {**side._asdict(), "seats": list(side.seats), "players": [report.players[seat] for seat in side.seats]}
        for side in match.sides
    ]
    said = {name: getattr(match, name) for name in ("name", "number", "games", "scored", "played", "over", "rule")}
    return {**said, "next": match.next or None, "sides": sides}


def _receipt(receipt: Receipt, told: telling.Telling) -> dict[str, Any]:
    return {
        "fate": receipt.fate,
        "understood": [_understood(order, words) for order, words in zip(receipt.understood, told.read, strict=True)],
        "problems": _problems(receipt.problems, told.troubles),
        "notices": _warnings(receipt.notices, told.notices),
        "say": receipt.say,
        "kept": receipt.kept,
        "replaces": _stands(receipt.replaces) if receipt.replaces else None,
        "silence": receipt.silence,
        "received": stamp(receipt.received) if receipt.received else None,
        "digest": receipt.digest,
    }


def _menu(menu: Menu | None) -> dict[str, Any] | None:
    return None if menu is None else {"default": menu.default, "examples": list(menu.examples), "count": menu.count}


def _stands(stands: Stands) -> dict[str, Any]:
    return {
        "orders": list(stands.orders),
        "draft": list(stands.draft),
        "standing": dict(stands.standing),
        "nothing": stands.nothing,
        "file": stands.file,
        "keys": dict(stands.keys),
    }


def _step(step: Step, words: telling.Happened) -> dict[str, Any]:
    moves = [{"seat": taken.seat, "move": taken.move, "how": taken.how} for taken in step.moves]
    return {"turn": step.turn, "moves": moves, "events": _events(step.events, words.events)}


def _events(events: Iterable[Event], words: Iterable[telling.Sentence]) -> list[dict[str, Any]]:
    """An event that is told in the sentence of the one before has no sentence of its own."""
    told = zip(events, (text for said in words for text in (said.text, *[""] * (said.of - 1))), strict=True)
    return [{"kind": event.kind, "rule": event.rule, "facts": event.facts, "told": text} for event, text in told]


def _understood(order: Understood, words: telling.Read) -> dict[str, Any]:
    return {
        "order": order.order,
        "label": order.label,
        "move": order.move,
        "supposed": order.supposed,
        "place": order.place and order.place._asdict(),
        "events": _events(order.events, words.events),
        "warnings": _warnings(order.notices, words.warnings),
    }


def _warnings(notices: Iterable[Warned], words: Iterable[telling.Sentence]) -> list[dict[str, Any]]:
    told = zip(notices, words, strict=True)
    return [{"rule": notice.rule, "code": notice.code, "told": said.text} for notice, said in told]


def _problems(problems: Iterable[Problem], words: Iterable[telling.Trouble]) -> list[dict[str, Any]]:
    return [
        {
            "order": problem.order,
            "place": problem.place and problem.place._asdict(),
            "refusal": problem.refusal.to_json(),
            "told": said.text,
        }
        for problem, said in zip(problems, words, strict=True)
    ]
