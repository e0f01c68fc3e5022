"""A game that answers through another one: the base of deliberately broken games, which the questions must find out."""

from __future__ import annotations

from typing import Any

from engine import Game
from engine.registry import AnyGame

ANSWERS = (
    *("seats", "setup", "pending", "moves", "read", "default", "resolve", "view", "outcome", "position"),
    *("from_position", "decision", "at_once", "resignation", "answer", "interrupts", "why_not_standing"),
    *("why_never", "foresee", "notices", "preview", "shown", "same_move", "check", "dump", "restore"),
)


def _through(name: str) -> Any:
    def answer(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self.inner, name)(*args, **kwargs)

    return answer


class Wrapped(Game[Any, Any]):
    """Answers everything as the inner game does."""

    id = "wrapped"
    version = "1"
    title = {"en": "Wrapped"}
    inner: AnyGame

    def __init__(self, inner: AnyGame) -> None:
        self.inner = inner
        # These stand on the class of an ordinary game; questions read them from the instance.
        self.id, self.Options, self.State = inner.id, inner.Options, inner.State  # type: ignore[misc]
        self.hides, self.unreadable = inner.hides, inner.unreadable  # type: ignore[misc]

    locals().update({name: _through(name) for name in ANSWERS})
