"""Dice: the only luck there is. Seeded, labelled, and the same however often a turn is run again."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from struct import Struct
from typing import NamedTuple, Protocol, TypeVar

T = TypeVar("T")
WORD = 1 << 64
BLOCK = 64  # bytes that SHA-256 takes at once
MANY = 64
ENDS = [b"%d\0000" % index for index in range(MANY)]  # of what is hashed, for the first draws under a label
first_word = Struct(">Q24x").unpack  # of the 32 bytes that it gives; twice as fast as a slice and `from_bytes`


class Draw(NamedTuple):
    """One result: what it was for, out of how many, and what came."""

    why: str
    n: int
    value: int


_Begun = tuple["hashlib._Hash", "hashlib._Hash"]
_new: Callable[[type[Draw], tuple[str, int, int]], Draw] = tuple.__new__


class Coins:
    """Coins that are tossed together, each under a label of its own; what can be made before they fall is made once."""

    __slots__ = ("draws", "keys", "labels", "words")

    def __init__(self, *labels: str) -> None:
        self.labels = labels
        self.keys = [f"{label}\0".encode() for label in labels]
        self.words = [[key + end for key in self.keys] for end in ENDS]
        """By how often they were tossed before: what is hashed for each, the first times."""
        self.draws = [
            [Draw(label, 2, side) for label, side in zip(labels, fallen, strict=True)]
            for fallen in product((0, 1), repeat=len(labels))
        ]
        """By the number that `Dice.toss` gives: what is kept of it."""


class DiceRanOut(AssertionError):
    """Scripted dice were asked for more, or for something else, than their script holds."""


class Source(Protocol):
    def below(self, n: int, why: str, index: int) -> int: ...


class Dice:
    """Draws for one turn. `draws` keeps what was drawn, in order.

    A draw depends on the seed, the turn, its label and how often that label was used before in this turn: never on
    the orders, so a rerun, an undo or a restore draws the same again.
    """

    def __init__(self, seed: bytes = b"", context: str = "", *, source: Source | None = None) -> None:
        self._seed, self._context = seed, context
        self._begun: _Begun | None = None
        self._below: Callable[[int, str, int], int]
        if source is None:
            seeded = _Seeded(seed, context)
            self._below, self._begun = seeded.below, (seeded.inside, seeded.outside)
        else:
            self._below = source.below
        self._used: dict[str, int] = {}
        self._tossed: dict[Coins, int] = {}
        self.draws: list[Draw] = []

    def at(self, context: str) -> Dice:
        """Fresh dice of the same seed for another turn."""
        return Dice(self._seed, f"{self._context}/{context}" if self._context else context)

    def pick(self, n: int, why: str) -> int:
        """An even choice from 0 to n-1."""
        if n < 1:
            raise ValueError(f"cannot pick one of {n}")
        index = self._used.get(why, 0)
        if self._tossed and any(why in coins.labels for coins in self._tossed):
            raise ValueError(f"{why} belongs to coins that are tossed together")
        self._used[why] = index + 1
        value = self._below(n, why, index)
        self.draws.append(_new(Draw, (why, n, value)))  # what `Draw(...)` does, in half the time
        return value

    def toss(self, coins: Coins) -> int:
        """What `pick(2, label)` of each would give, as one number: the first coin is its highest bit."""
        index = self._tossed.get(coins, 0) or self._first_toss(coins)
        self._tossed[coins] = index + 1
        number = 0
        if self._begun is None:
            for label in coins.labels:
                number += number + self._below(2, label, index)
        else:  # as `_Seeded.below`, without detours: as many words are even as are odd, so none is drawn again
            inside, outside = self._begun
            words = coins.words[index] if index < MANY else [b"%s%d\0000" % (key, index) for key in coins.keys]
            for word in words:
                inner, outer = inside.copy(), outside.copy()
                inner.update(word)
                outer.update(inner.digest())
                number += number + (outer.digest()[7] & 1)
        self.draws += coins.draws[number]
        return number

    def _first_toss(self, coins: Coins) -> int:
        """From now on their labels are taken: what was drawn under one before would be drawn again."""
        if self._used or self._tossed:
            drawn = {*self._used, *(label for others in self._tossed for label in others.labels)}
            if taken := [label for label in coins.labels if label in drawn]:
                raise ValueError(f"{taken[0]} was drawn without its coins")
        return 0

    def shuffle(self, items: Iterable[T], why: str) -> tuple[T, ...]:
        """The items in an even random order: for i from the last down to 1, item i changes places with pick(i+1)."""
        shuffled = list(items)
        for i in range(len(shuffled) - 1, 0, -1):
            j = self.pick(i + 1, why)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return tuple(shuffled)

    def choice(self, items: Sequence[T], why: str) -> T:
        """One of the items; a single item is taken without a draw."""
        return items[0] if len(items) == 1 else items[self.pick(len(items), why)]

    @staticmethod
    def script(results: Iterable[int | tuple[int, int]]) -> Dice:
        """Dice that give these results, in order; a pair (n, value) also insists on being asked for one of n."""
        return Dice(source=_Scripted(list(results)))


def commitment(seed: bytes, game: str) -> str:
    """What is published before the first order, so that the seed cannot be exchanged afterwards."""
    return hashlib.sha256(b"pbem seed\0" + game.encode() + b"\0" + seed).hexdigest()


def mix(seed: bytes, nonces: Mapping[str, str]) -> bytes:
    """The key of a game's draws: the host's secret seed and whatever the seats threw in on joining."""
    parts = [part.encode() for seat in sorted(nonces) for part in (seat, nonces[seat])]
    lengths_and_parts = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hmac.digest(seed, b"pbem dice\0" + lengths_and_parts, "sha256")


class _Seeded:
    """Each number is the start of an HMAC-SHA256 of what it is for; key and context are hashed once for all."""

    def __init__(self, seed: bytes, context: str) -> None:
        begun_inside, self.outside = _begun(seed)
        self.inside = begun_inside.copy()
        self.inside.update(f"{context}\0".encode())

    def below(self, n: int, why: str, index: int, attempt: int = 0) -> int:
        inside, outside = self.inside.copy(), self.outside.copy()
        inside.update(f"{why}\0{index}\0{attempt}".encode())
        outside.update(inside.digest())
        value: int = first_word(outside.digest())[0]
        if value < WORD - WORD % n:
            return value % n
        if n > WORD:
            raise ValueError(f"one of {n} is more than a draw can tell apart")
        return self.below(n, why, index, attempt + 1)  # results so high would favour the small ones: draw again


@lru_cache(maxsize=64)
def _begun(key: bytes) -> _Begun:
    """Both hashes of an HMAC-SHA256 (RFC 2104) as far as the key goes, which is half of the work of `hmac.digest`."""
    block = (key if len(key) <= BLOCK else hashlib.sha256(key).digest()).ljust(BLOCK, b"\0")
    return hashlib.sha256(bytes(byte ^ 0x36 for byte in block)), hashlib.sha256(bytes(byte ^ 0x5C for byte in block))


class _Scripted:
    def __init__(self, results: list[int | tuple[int, int]]) -> None:
        self.results = results[::-1]

    def below(self, n: int, why: str, index: int) -> int:
        if not self.results:
            raise DiceRanOut(f"nothing left for pick({n}) for {why}")
        result = self.results.pop()
        expected, value = result if isinstance(result, tuple) else (n, result)
        if expected != n or not 0 <= value < n:
            raise DiceRanOut(f"pick({n}) for {why} does not fit the script's {result}")
        return value
