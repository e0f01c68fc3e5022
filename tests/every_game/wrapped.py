"""A game that answers through another one: the base of deliberately broken games, which the questions must find out."""

from __future__ import annotations

from typing import Any

from engine import Game
from engine.registry import AnyGame

ANSWERS = tuple(name for name, answer in vars(Game).items() if callable(answer) and not name.startswith("_"))
FACTS = tuple(name for name in Game.__annotations__ if not name.startswith("_"))


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
        for name in FACTS:  # they stand on the class of an ordinary game; questions read them from the instance
            setattr(self, name, getattr(inner, name))

    locals().update({name: _through(name) for name in ANSWERS})
