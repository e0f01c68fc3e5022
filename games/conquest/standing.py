"""Standing answers: what a seat wants done when it is struck, said in advance (section 6.6, CONQ-18.6).

The rules of play do not know them. The host asks them before it asks a person, and keeps them private to the seat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine import Refusal
from games.conquest.actions import DECLINE, Action, Counter, answer_order
from games.conquest.exchange import answers, striking
from games.conquest.geography import BIT, CAPITAL, COLOURS, GRAIL, HOME, INDEX, PORTS, RAMP
from games.conquest.reading import Answer, understood
from games.conquest.refusing import read
from games.conquest.state import Exchange, State
from games.conquest.units import LETTERS

WORDS = ("never", "always", "ask")
CHEAP = "skecvg"  # the order in which a piece is thought dispensable
CONDITIONS = ("by", "taker", "at", "takes_min", "points_max", "points_min")
AREAS: dict[str, Callable[[int], int]] = {
    "capital": lambda victim: CAPITAL[victim],
    "home": lambda victim: HOME[victim],
    "grail": lambda victim: GRAIL,
    "v": lambda victim: RAMP,
    "port": lambda victim: PORTS,
}
_WHOLE = re.compile(r"\d{1,3}", re.ASCII)
LEGAL = ("counter: never", "counter: always", "counter: ask", "counter: [k, e]", 'counter: "counter e sd7"')


def answer(state: State, seat: str, standing: Mapping[str, Any]) -> Action | None:
    """The action that a seat's setting gives to the exchange it is asked about; None: ask the seat."""
    exchange = state.exchange
    if exchange is None or state.seat_of(exchange.victim) != seat:
        return None
    return _given(state, seat, exchange, standing.get("counter", "ask"))


def _given(state: State, seat: str, exchange: Exchange, wish: Any) -> Action | None:
    if not isinstance(wish, Mapping):
        return _decided(state, seat, exchange, wish)
    for rule in wish.get("rules", ()):
        if not _holds(state, exchange, rule.get("when") or {}):
            continue
        if rule["answer"] == "ask":
            return None
        action = _decided(state, seat, exchange, rule["answer"])
        if action is not None:
            return action
    return _decided(state, seat, exchange, wish.get("else", "ask"))


def _decided(state: State, seat: str, exchange: Exchange, wish: Any) -> Action | None:
    """One answer of a setting, or None when it gives no legal action."""
    found = answers(state, exchange.victim, exchange.cell)
    if isinstance(wish, list | tuple):
        for letter in wish:
            cheap = cheapest(state, [one for one in found if one.piece == letter])
            if cheap is not None:
                return cheap
        return None
    if wish in ("never", False):
        return DECLINE
    if wish == "always":
        return cheapest(state, found)
    if wish == "ask":
        return None
    action = read(state, seat, wish)
    return action if isinstance(action, Counter) else None


def cheapest(state: State, found: list[Counter]) -> Counter | None:
    """The answer that stakes least: fewest pieces as it strikes, then the humblest piece, then the fewest drops."""
    if not found:
        return None
    return min(
        found,
        key=lambda one: (
            striking(state.board, one).count,
            CHEAP.index(one.piece),
            len(one.drops),
            answer_order(one),
        ),
    )


def _holds(state: State, exchange: Exchange, when: Mapping[str, Any]) -> bool:
    """Whether all conditions of a rule hold; an empty `when` does."""
    tests: dict[str, Callable[[Any], bool]] = {
        "by": lambda names: COLOURS[state.mover] in names,
        "taker": lambda letters: exchange.letter in letters,
        "at": lambda places: any(BIT[exchange.cell] & _area(place, exchange.victim) for place in places),
        "takes_min": lambda number: state.board.unit(exchange.cell).count >= int(number),
        "points_max": lambda number: state.points_left <= int(number),
        "points_min": lambda number: state.points_left >= int(number),
    }
    return all(tests[name](value) for name, value in when.items())


def _area(place: str, victim: int) -> int:
    return AREAS[place](victim) if place in AREAS else BIT[INDEX[place]]


# --- is it a setting at all? --------------------------------------------------------------------------------------


def why_not(standing: Mapping[str, Any]) -> Refusal | None:
    """Why a setting cannot be kept, by its form alone."""
    for text, facts in _faults(standing):
        return Refusal("CONQ-18.6", "bad_standing", text, facts, LEGAL)
    return None


Fault = tuple[str, dict[str, Any]]  # a sentence, and what fills its gaps


def _faults(standing: Mapping[str, Any]) -> Iterator[Fault]:
    for key in standing:
        if key != "counter":
            yield "There is no standing answer `{key}`, only `counter`.", {"key": key}
    wish = standing.get("counter", "ask")
    if not isinstance(wish, Mapping):
        yield from _answer_faults(wish)
        return
    for key in wish:
        if key not in ("rules", "else"):
            yield "Under `counter` stand `rules` and `else`, not `{key}`.", {"key": key}
    yield from _answer_faults(wish.get("else", "ask"))
    rules = wish.get("rules", [])
    if not isinstance(rules, list | tuple):
        yield "`rules` takes a list, each entry like `when: ..., answer: ...`.", {}
        return
    for rule in rules:
        yield from _rule_faults(rule)


def _rule_faults(rule: Any) -> Iterator[Fault]:
    if not isinstance(rule, Mapping) or "answer" not in rule or set(rule) - {"when", "answer"}:
        yield "Each of `rules` is written like `when: ..., answer: ...`.", {}
        return
    yield from _answer_faults(rule["answer"])
    when = rule.get("when") or {}
    if not isinstance(when, Mapping):
        yield "Under `when` stand conditions, like `at: [capital]`.", {}
        return
    for name, value in when.items():
        yield from _condition_faults(name, value)


def _answer_faults(wish: Any) -> Iterator[Fault]:
    if wish is False or (isinstance(wish, str) and wish in WORDS):
        return
    if isinstance(wish, list | tuple):
        bad = [letter for letter in wish if letter not in tuple(LETTERS)]
        if bad or not wish:
            text = "A list of pieces takes some of the letters {letters}; here stands {value}."
            yield text, {"letters": list(LETTERS), "value": list(map(str, bad)) or "-"}
    elif not isinstance(understood(wish), Answer):
        text = "`{value}` is none of `never`, `always`, `ask`, a list of pieces, and an answer like `counter e sd7`."
        yield text, {"value": str(wish)}


def _condition_faults(name: str, value: Any) -> Iterator[Fault]:
    if name not in CONDITIONS:
        yield "There is no condition `{name}`; there are {known}.", {"name": name, "known": CONDITIONS}
    elif name.startswith(("takes", "points")):
        if isinstance(value, bool) or not _WHOLE.fullmatch(str(value)):
            yield "`{name}` takes a whole number, not {value}.", {"name": name, "value": str(value)}
    elif not isinstance(value, list | tuple):
        yield "`{name}` takes a list.", {"name": name}
    else:
        known = {"by": tuple(COLOURS), "taker": tuple(LETTERS), "at": (*AREAS, *INDEX)}[name]
        for item in value:
            if item not in known:
                yield "`{name}` does not take {item}.", {"name": name, "item": str(item)}
