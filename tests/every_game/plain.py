"""What plain JSON is, and the bytes of anything a game says, for comparing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine import Event, Notice, Outcome, Refusal, Turned, View
from engine.canon import canonical


def assert_plain(value: Any, where: str = "facts") -> None:
    """Mappings with text keys, lists, texts, whole numbers, booleans, None: what comes back from JSON unchanged."""
    text = canonical(value)
    assert json.loads(text) == value, f"{where}: not the same after JSON"
    assert b"." not in text or not _has_float(value), f"{where}: holds a float"


def bytes_of(answer: Any) -> bytes:
    """Anything a game answers, as canonical bytes; two answers that read the same have the same bytes."""
    return canonical(_json(answer))


def _has_float(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(_has_float(item) for item in value.values())
    return isinstance(value, float) or (isinstance(value, list | tuple) and any(_has_float(item) for item in value))


def _json(answer: Any) -> Any:
    if isinstance(answer, Refusal | Event):
        return answer.to_json() | {"says": str(answer) if isinstance(answer, Refusal) else ""}
    if isinstance(answer, Notice):
        return [answer.rule, answer.code, str(answer)]
    if isinstance(answer, View):
        return [answer.seat, list(answer.pending), answer.decision, answer.position, answer.facts]
    if isinstance(answer, Outcome):
        return [
            [list(place) for place in answer.places],
            dict(answer.scores),
            answer.rule,
            answer.reason,
            answer.details,
        ]
    if isinstance(answer, Turned):
        return _json(answer.events)
    if isinstance(answer, tuple | list) and not hasattr(answer, "_fields"):
        return [_json(item) for item in answer]
    return answer if answer is None or isinstance(answer, bool | int | str | dict) else str(answer)
