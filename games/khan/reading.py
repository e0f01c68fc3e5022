"""Reading: what a player wrote, as an order, or why it cannot be read at all (KHAN-17.1, KHAN-17.2; E02, E03)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from engine import Refusal
from games.khan.material import CARD_NUMBER, LEADER_NUMBER, NUMBERS, REGIONS, SEATS, SHAPE_NUMBER, SPECIALS
from games.khan.orders import (
    Answer,
    Anywhere,
    Chase,
    Conquer,
    Instruct,
    Instruction,
    Invade,
    Order,
    Pass,
    Place,
    Resign,
    Special,
    instructions_in_order,
)
from games.khan.state import AGREE, ALWAYS, ASK, NEVER, REFUSE, SKIP
from games.khan.words import ANSWERS, COLOURS, KINDS, LANDS, SPECIAL_CARDS, STANDING, meaning

LONGEST = 80  # so much of an order that cannot be read is shown in answer
DEFAULT = "default"


class Unreadable(Exception):
    """The order is not one at all (E02); the exception never leaves this file."""


class Unknown(Exception):
    """A word stands where a name should, and there is no such thing (E03)."""


def parse(order: str | Mapping[str, Any], seats: tuple[str, ...] = SEATS) -> Order | Refusal:
    """The order as it is written, whether it is possible or not; `seats` are those that play."""
    try:
        return _from_mapping(order, seats) if isinstance(order, Mapping) else _from_text(order, seats)
    except Unreadable:
        return Refusal("KHAN-17.1", "E02", "I cannot read this order: {text}.", {"text": _shown(order)})
    except Unknown as unknown:
        name = str(unknown)[:LONGEST]
        return Refusal("KHAN-17.1", "E03", "There is no {name} in this game.", {"name": name})


def _shown(order: str | Mapping[str, Any]) -> str:
    if isinstance(order, Mapping):
        order = ", ".join(f"{key}: {value}" for key, value in order.items())
    text = " ".join(order.split())
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."


# --- text ---------------------------------------------------------------------------------------------------------


def _from_text(text: str, seats: tuple[str, ...]) -> Order:
    """KHAN-17.1: without regard to case, `#` starts a comment, commas count as blanks."""
    words = re.sub(r"#.*", "", text).replace(",", " ").split()
    if not words:
        raise Unreadable
    kind, rest = meaning(words[0], KINDS), words[1:]
    answer = meaning(words[0], ANSWERS)
    if answer in (AGREE, REFUSE):
        return _alone(Answer(answer), rest)
    if kind == "pass":
        return _alone(Pass(), rest)
    if kind == "resign":
        return _alone(Resign(), rest)
    if kind == "standing":
        return _standing_words(rest, seats)
    read = _FROM_WORDS.get(kind)
    if read is None:
        raise Unreadable
    return read(rest)


def _alone(move: Order, rest: list[str]) -> Order:
    if rest:
        raise Unreadable
    return move


def _place(words: list[str]) -> Order:
    return Place(_cell(_only(words)))


def _invade(words: list[str]) -> Order:
    if len(words) != 2:
        raise Unreadable
    return Invade(_card(words[0]), _cell(words[1]))


def _chase(words: list[str]) -> Order:
    return Chase(_leader(_only(words)))


def _conquer(words: list[str]) -> Order:
    if len(words) < 2:
        raise Unreadable
    return _conquest(words[0], words[1:])


def _conquest(shape: str, cells: list[str]) -> Order:
    return Conquer(_shape(shape), tuple(map(_cell, cells)))


def _anywhere(words: list[str]) -> Order:
    if not words or (len(words) > 1 and (words[1] != "-" or len(words) == 2)):
        raise Unreadable
    return Anywhere(_cell(words[0]), tuple(map(_card, words[2:])))


def _special(words: list[str]) -> Order:
    if not words or len(words) > 2:
        raise Unreadable
    card = meaning(words[0], SPECIAL_CARDS)
    if card == "gods" and len(words) == 2:
        return Special(card, region=_region(words[1]))
    if card == "explore" and len(words) == 2:
        return Special(card, shape=_shape(words[1]))
    if card not in (*SPECIALS, "none"):
        raise Unknown(words[0])
    if len(words) == 2 or card == "explore":
        raise Unreadable
    return Special(card)


def _standing_words(words: list[str], seats: tuple[str, ...]) -> Order:
    """One instruction or several: each begins with its subject."""
    found: list[Instruction] = []
    rest = [meaning(word, STANDING) for word in words]
    while rest:
        about, rest = rest[0], rest[1:]
        size = 2 if len(rest) > 1 and rest[1] not in ("consent", "special") else 1
        found.append(_instruction(about, *rest[:size], seats=seats))
        rest = rest[size:]
    if not found:
        raise Unreadable
    return Instruct(instructions_in_order(tuple(found)))


def _instruction(about: str, answer: str = "", seat: str = "", *, seats: tuple[str, ...]) -> Instruction:
    if about == "special" and answer in (ASK, SKIP) and not seat:
        return Instruction(about, answer)
    if about != "consent" or answer not in (ASK, ALWAYS, NEVER, DEFAULT) or (answer == DEFAULT and not seat):
        raise Unreadable
    if seat and seat not in seats:
        raise Unknown(seat)
    return Instruction(about, answer, seat)


_FROM_WORDS: dict[str, Callable[[list[str]], Order]] = {
    "place": _place,
    "invade": _invade,
    "chase": _chase,
    "conquer": _conquer,
    "anywhere": _anywhere,
    "special": _special,
}


# --- mappings -----------------------------------------------------------------------------------------------------


class _Keys(NamedTuple):
    """Which keys an order of a kind has besides its kind, and which of them it may do without."""

    needed: tuple[str, ...]
    other: tuple[str, ...] = ()


_KEYS = {
    "place": _Keys(("cell",)),
    "invade": _Keys(("card", "cell")),
    "chase": _Keys(("leader",)),
    "conquer": _Keys(("shape", "cells")),
    "anywhere": _Keys(("cell",), ("discard",)),
    "special": _Keys(("card",), ("region", "shape")),
    "consent": _Keys(("answer",)),
    "pass": _Keys(()),
    "resign": _Keys(()),
    "standing": _Keys((), ("consent", "consent_to", "special")),
}


def _from_mapping(order: Mapping[str, Any], seats: tuple[str, ...]) -> Order:
    """KHAN-17.1: the kind stands under `do` or under `action`, under exactly one of them."""
    named = [key for key in ("do", "action") if key in order]
    if len(named) != 1 or not isinstance(order[named[0]], str):
        raise Unreadable
    kind = meaning(order[named[0]].strip(), KINDS)
    rest = {key: value for key, value in order.items() if key != named[0]}
    keys = _KEYS.get(kind)
    if keys is None or any(key not in rest for key in keys.needed) or set(rest) - {*keys.needed, *keys.other}:
        raise Unreadable
    if kind == "standing":
        return Instruct(instructions_in_order(tuple(_from_standing(rest, seats))))
    return _FROM_MAPPING[kind](rest)


def _mapped_special(rest: Mapping[str, Any]) -> Order:
    card = meaning(_word(rest["card"]), SPECIAL_CARDS)
    if ("region" in rest and card != "gods") or ("shape" in rest and card != "explore"):
        raise Unreadable
    return _special([value for key in ("card", "region", "shape") if key in rest for value in (_word(rest[key]),)])


def _mapped_answer(rest: Mapping[str, Any]) -> Order:
    answer = meaning(_word(rest["answer"]), ANSWERS)
    if answer not in (AGREE, REFUSE):
        raise Unreadable
    return Answer(answer)


def _mapped_anywhere(rest: Mapping[str, Any]) -> Order:
    cards = _words(rest.get("discard", ()))
    return Anywhere(_cell(_word(rest["cell"])), tuple(map(_card, cards)))


def _mapped_conquest(rest: Mapping[str, Any]) -> Order:
    cells = _words(rest["cells"])
    if not cells:
        raise Unreadable
    return _conquest(_word(rest["shape"]), cells)


_FROM_MAPPING: dict[str, Callable[[Mapping[str, Any]], Order]] = {
    "place": lambda rest: _place([_word(rest["cell"])]),
    "invade": lambda rest: _invade([_word(rest["card"]), _word(rest["cell"])]),
    "chase": lambda rest: _chase([_word(rest["leader"])]),
    "conquer": _mapped_conquest,
    "anywhere": _mapped_anywhere,
    "special": _mapped_special,
    "consent": _mapped_answer,
    "pass": lambda rest: Pass(),
    "resign": lambda rest: Resign(),
}


def read_standing(standing: Mapping[str, Any], seats: tuple[str, ...] = SEATS) -> Instruct | Refusal:
    """The top key `standing` of an order form, as the move that makes it hold (KHAN-17.2)."""
    try:
        return Instruct(instructions_in_order(tuple(_from_standing(standing, seats))))
    except (Unreadable, Unknown):
        text = "I cannot read these standing instructions: {text}."
        legal = ("consent: never", "consent_to: {yellow: always}", "special: skip")
        return Refusal("KHAN-17.2", "E02", text, {"text": _shown(standing)}, legal)


def _from_standing(rest: Mapping[str, Any], seats: tuple[str, ...]) -> Iterator[Instruction]:
    if not rest or set(rest) - {"consent", "consent_to", "special"}:
        raise Unreadable
    for about in ("consent", "special"):
        if about in rest:
            yield _instruction(about, meaning(_word(rest[about]), ANSWERS), seats=seats)
    single = rest.get("consent_to", {})
    if not isinstance(single, Mapping) or ("consent_to" in rest and not single):
        raise Unreadable
    for seat, answer in single.items():
        yield _instruction("consent", meaning(_word(answer), ANSWERS), meaning(_word(seat), COLOURS), seats=seats)


# --- words --------------------------------------------------------------------------------------------------------


def _only(words: list[str]) -> str:
    if len(words) != 1:
        raise Unreadable
    return words[0]


def _word(value: Any) -> str:
    """A scalar that is one word."""
    if not isinstance(value, str):
        raise Unreadable
    return _only(value.split())


def _words(value: Any) -> list[str]:
    """Words of a list, or of one text with blanks or commas between them."""
    if isinstance(value, str):
        return value.replace(",", " ").split()
    if not isinstance(value, list | tuple):
        raise Unreadable
    return [_word(item) for item in value]


def _known(name: str, names: Mapping[str, Any]) -> str:
    if not name.isascii() or name.upper() not in names:
        raise Unknown(name)
    return name.upper()


def _cell(word: str) -> str:
    return _known(word, NUMBERS)


def _card(word: str) -> str:
    return _known(word, CARD_NUMBER)


def _leader(word: str) -> str:
    return _known(word, LEADER_NUMBER)


def _shape(word: str) -> str:
    return _known(word, SHAPE_NUMBER)


def _region(word: str) -> str:
    region = meaning(word, LANDS)
    if region not in REGIONS:
        raise Unknown(word)
    return region
