"""Apart: what is asked of a game's rules about somebody's message is done in a child process, within bounds.

A loop in the rules of one game, or a game that eats all memory, then stops neither the run nor the other messages.
Only values of our own cross over: forms that are read already, sheets and standings, and letters on the way back.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ParamSpec, TypeVar

from engine import Game
from engine.registry import load
from pbem.bounded import Bounded

P = ParamSpec("P")
T = TypeVar("T")

CPU_SECONDS = 4  # a message takes a few milliseconds; together with the wall clock less than others wait for the ledger
WALL_SECONDS = 8
MEMORY = 512 << 20


class Apart(Bounded):
    """One warm child: `apart.ask(function, ...)` is `function(...)`, called there. TaskDied: it came to no end."""

    def __init__(self, cpu_seconds: float = CPU_SECONDS, wall_seconds: float = WALL_SECONDS) -> None:
        super().__init__(_work, cpu_seconds, wall_seconds, MEMORY)

    def ask(self, do: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """What the function gives; it is one of a module, and all that goes over and back are values."""
        answer: T = pickle.loads(self(_packed((do, args, more))))
        return answer


def _work(task: bytes) -> bytes:
    do, args, more = pickle.loads(task)
    return _packed(do(*args, **more))


class _Packer(pickle.Pickler):
    """Packs a game as its name and version: whoever unpacks it has rules of his own."""

    def reducer_override(self, thing: Any) -> Any:
        kind: Any = type(thing)
        return (load, (f"{thing.id}@{thing.version}",)) if _is_of_a_game(kind) else NotImplemented


@lru_cache(100)
def _is_of_a_game(kind: type) -> bool:
    """Asked of each thing that is packed; there are few kinds of them."""
    return issubclass(kind, Game)


def _packed(value: Any) -> bytes:
    packed = io.BytesIO()
    _Packer(packed, pickle.HIGHEST_PROTOCOL).dump(value)
    return packed.getvalue()
