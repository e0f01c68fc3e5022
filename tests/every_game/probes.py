"""Orders to probe a game with: what players write by mistake, and what nobody would write on purpose."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import islice
from typing import Any

from engine import Seat
from engine.registry import AnyGame

Order = str | Mapping[str, Any]

WORDS = (
    *("", " ", "\t\n", "pass", "resign", "yes", "no", "null", "~", "0", "-1", "1e3", "NaN", "a" * 4000, "move", "take"),
    *("É", "𝟙", "٣", "①", "½", "\u202ea5", "\x00", "\x1b[31m", "a5\u00a0b5", "{order}", "{0}", "%s", "{{ 7*7 }}"),
    *("a5-", "-a5", "a5-b5-c5-d5", "a5 a5", "a5xx", "plan", "plan HU", "bid", "bid x", "bid 99999999999999999999"),
    *(
        "<b>a5</b>",
        "'; drop table journal; --",
        "../../etc/passwd",
        "A1=1",
        "a1:b2;c3",
        "#",
        "&a *a",
        "!!python/object",
    ),
)
KEYS = ("do", "action", "card", "heap", "count", "from", "to", "target", "bid", "tile", "city", "then", "", "DO", "é")
VALUES: tuple[Any, ...] = (
    *("", "pass", "resign", "move", "a5", "HU", "999", "-1", "x" * 300, "{x}", "null"),
    *([], ["a5", "b5"], {}, {"do": "move"}, [["a5"]], {"from": []}),
)


def garbage(luck: random.Random, some: list[str], count: int) -> list[Order]:
    """So many strange orders; `some` legal texts are bent as well."""
    kinds = (_word, _noise, _bent, _mapping)
    return [luck.choice(kinds)(luck, some) for _ in range(count)]


def menu_texts(game: AnyGame, state: Any, seat: Seat, most: int, luck: random.Random) -> list[str]:
    """Texts of legal moves, at most so many, from all over the menu (of a very long one, from its beginning)."""
    menu = list(islice(game.moves(state, seat), 1000))
    return [str(move) for move in (menu if len(menu) <= most else luck.sample(menu, most))]


def probes(game: AnyGame, state: Any, seats: tuple[Seat, ...], luck: random.Random, count: int = 50) -> list[Order]:
    """Orders that tell much about a position when somebody answers them: moves of every seat, bent and unbent."""
    some = [text for seat in game.pending(state) for text in menu_texts(game, state, seat, 12, luck)]
    luck.shuffle(some)
    return [*some[: count // 2], *garbage(luck, some, count - len(some[: count // 2]))]


def _word(luck: random.Random, some: list[str]) -> Order:
    return luck.choice(WORDS)


def _noise(luck: random.Random, some: list[str]) -> Order:
    letters = "abcdefgxHU 0123456789-+*/:;,.()[]{}<>=?!%\"'\\ éß漢\u00a0\u2013\ud7ff"
    return "".join(luck.choice(letters) for _ in range(luck.randrange(1, 24)))


def _bent(luck: random.Random, some: list[str]) -> Order:
    """A legal text with a piece cut out, doubled, exchanged or added."""
    text = luck.choice(some) if some else "a5"
    i, j = sorted((luck.randrange(len(text) + 1), luck.randrange(len(text) + 1)))
    return luck.choice((text[:i] + text[j:], text[:j] + text[i:], text[i:] + text[:i], text + " " + text, f"{text}!"))


def _mapping(luck: random.Random, some: list[str]) -> Order:
    values = (*VALUES, *some[:5])
    return {luck.choice(KEYS): luck.choice(values) for _ in range(luck.randrange(4))}
