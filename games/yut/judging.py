"""Whether an order can stand, and the first reason why not, in the order of section 6."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine import Refusal, Seat
from games.yut.board import CENTRE, PLACE, START, Node
from games.yut.legal import hurdle_spaces, legal
from games.yut.moves import HURDLES, NEW, VALUES, Move
from games.yut.reading import AUTO, HURDLE, MOVING, Words, words
from games.yut.silence import default, horses_moved
from games.yut.state import Group, State
from games.yut.tracks import IN_STABLE, Fork, Step, track_to_act

Order = str | Mapping[str, Any]
SPACES_IN_WORDS = "r1 to r20, a1, a2, b1, b2, c1, c2, d1, d2, o"


def read(state: State, seat: Seat, order: Order) -> Move | Refusal:
    """The action these words mean here, or the first test that they fail."""
    if state.end is not None:
        text = "The game is over ({reason}); nothing can be ordered any more (YUT-8.4). You wrote: {order}."
        return Refusal("YUT-8.4", "over", text, {"reason": state.end.reason, "order": quoted(order)})
    if seat != state.name:
        text = (
            "It is the turn of {seat} (YUT-1.5). Your order {order} is kept for your next turn if the file allows it."
        )
        return Refusal("YUT-1.5", "not-your-turn", text, {"seat": state.name, "order": quoted(order)})
    said = words(order)
    if said is None:
        return unreadable(order, legal(state))
    if said.kind == AUTO:
        return default(state)
    if state.placing:
        return judge_hurdle(state, said, order)
    if said.kind == HURDLE:
        text = "{order}: the game has begun, hurdles are placed before the first throw (YUT-12.1). {horses}"
        return refusal(state, order, "YUT-12.1", "no-hurdle-now", text, horses=own(state))
    return judge_move(state, said, order)


def why_never(order: Order) -> Refusal | None:
    """Why no position of any game could take the order: its spelling, a throw or a space that do not exist."""
    said = words(order)
    if said is None:
        return unreadable(order, ())
    if said.kind == MOVING and said.throw not in VALUES:
        text = "{order}: a throw is worth 1 to 5 (YUT-3.1)."
        return Refusal("YUT-3.1", "no-such-throw", text, {"order": quoted(order)})
    for name in (said.name, said.landing):
        if name and name not in (NEW, IN_STABLE) and name not in PLACE:
            text = "{order}: there is no space {space} (YUT-1.3). The spaces are {spaces}."
            facts = {"order": quoted(order), "space": name, "spaces": SPACES_IN_WORDS}
            return Refusal("YUT-1.3", "no-such-space", text, facts)
    return None


def why_no_deed(text: str) -> Refusal | None:
    """Why an `if:` cannot ask for these words: where a move stops, and what the default is, hang on the position."""
    said = words(text)
    if said is None or (said.kind != AUTO and said.landing is None):
        return None
    sentence = "{order}: an `if` looks at throw, horse and `short` alone (YUT-3.1). Write for example {example}."
    example = "3 r5" if said.kind == AUTO else f"{said.throw} {said.name}{' short' if said.short else ''}"
    return Refusal("YUT-3.1", "if-landing", sentence, {"order": quoted(text), "example": example})


def unreadable(order: Order, menu: Iterable[Move]) -> Refusal:
    text = "Not understood: {order}. Write a throw and a horse, for example {example}."
    found = texts(menu)
    facts = {"order": quoted(order), "example": found[0] if found else "3 new"}
    return Refusal("YUT-3.1", "unreadable", text, facts, found)


def judge_hurdle(state: State, said: Words, order: Order) -> Move | Refusal:
    """YUT-12.1: hurdles first, each on a free space, not on the start of the wild horse."""
    if said.kind != HURDLE:
        text = "{order}: hurdles are placed before the first throw (YUT-12.1). Write for example {example}."
        return refusal(state, order, "YUT-12.1", "hurdles-first", text, example=default(state).text)
    if said.name not in PLACE:
        return no_such_space(state, said.name, order)
    if said.name in state.hurdles:
        text = "{order}: the other hurdle stands on {space} (YUT-12.1). Any other space will do."
        return refusal(state, order, "YUT-12.1", "hurdle-taken", text, space=said.name)
    if HURDLES[said.name] not in hurdle_spaces(state):
        text = (
            "{order}: the wild horse starts on {space}, no hurdle can stand there (YUT-12.1). Any other space will do."
        )
        return refusal(state, order, "YUT-12.1", "hurdle-on-wild", text, space=said.name)
    return HURDLES[said.name]


def judge_move(state: State, said: Words, order: Order) -> Move | Refusal:
    """The tests of a move, each in its place: throw, horse, shortcut, landing, wild horse, pile."""
    group = own_group(state, said.name)
    refused = why_no_throw(state, said, order) or why_no_horse(state, said, group, order)
    if refused is not None:
        return refused
    node = START if group is None else group.node
    fork = track_to_act(state)[node][said.throw]
    refused = why_no_shortcut(state, said, node, fork, order)
    if refused is not None:
        return refused
    chosen = way(state, said, fork, order)
    if isinstance(chosen, Refusal):
        return chosen
    return why_not_there(state, chosen, order) or chosen.move


def why_no_throw(state: State, said: Words, order: Order) -> Refusal | None:
    if said.throw in state.throws:
        return None
    text = "{order}: {throw} is not among your unused throws (YUT-3.1): {throws}."
    return refusal(state, order, "YUT-3.1", "no-such-throw", text, throw=said.throw, throws=list(state.throws))


def why_no_horse(state: State, said: Words, group: Group | None, order: Order) -> Refusal | None:
    if said.name == NEW:
        if state.waiting[state.side]:
            return None
        text = "{order}: none of your horses waits any more (YUT-3.4). {horses}"
        return refusal(state, order, "YUT-3.4", "none-waiting", text, horses=own(state))
    if said.name not in PLACE:
        return no_such_space(state, said.name, order)
    if group is None:
        text = "{order}: no horse of yours stands on {space} (YUT-3.1). {horses}"
        return refusal(state, order, "YUT-3.1", "no-horse", text, space=said.name, horses=own(state))
    return None


def why_no_shortcut(state: State, said: Words, node: Node, fork: Fork, order: Order) -> Refusal | None:
    # Where the centre offers no choice, `short` is read as without (YUT-4.3, ruling YUT-R6).
    if not said.short or len(fork) == 2 or said.name == CENTRE:
        return None
    bare = fork[0].move.text
    if node == state.terms.runner(state.side).first_corner:  # YUT-10.3
        text = "{order}: this horse did not come to {space} by a throw of exactly 5 (YUT-10.3). It may go on: {bare}."
        return refusal(state, order, "YUT-10.3", "not-exact-five", text, space=said.name, bare=bare)
    text = "{order}: no shortcut begins there (YUT-4.2). It may go on: {bare}."
    return refusal(state, order, "YUT-4.2", "no-shortcut", text, bare=bare)


def way(state: State, said: Words, fork: Fork, order: Order) -> Step | Refusal:
    """Which of the open ways is meant: `short` says it, or else the landing where it is reached by one way only."""
    written = fork[-1] if said.short else fork[0]
    if said.landing is None:
        return written
    if said.landing != IN_STABLE and said.landing not in PLACE:
        return no_such_space(state, said.landing, order)
    ways = [written] if said.short else list(fork)
    fitting = [step for step in ways if step.space == said.landing]
    if not fitting:  # YUT-3.1
        text = "{order}: it does not stop on {landing} (YUT-3.1), but here: {stops}."
        stops = [f"{step.move.text} - {step.space}" for step in ways]
        return refusal(state, order, "YUT-3.1", "wrong-landing", text, landing=said.landing, stops=stops)
    if len(fitting) == 2:  # YUT-4.2
        text = "{order}: both ways lead to {landing} (YUT-4.2). Write {ways}."
        facts = {"landing": said.landing, "ways": " or ".join(step.move.text for step in ways)}
        return refusal(state, order, "YUT-4.2", "two-ways", text, **facts)
    return fitting[0]


def why_not_there(state: State, step: Step, order: Order) -> Refusal | None:
    """What forbids the landing: the wild horse, then a pile that would be too large."""
    if step.space == state.wild:
        text = "{order}: the wild horse stands on {space}, and nobody may end there (YUT-11.3). Legal: {menu}."
        return refusal(state, order, "YUT-11.3", "wild-horse", text, space=step.space, menu=texts(legal(state)))
    there = own_group(state, step.space)
    if there is None or there.horses + horses_moved(state, step) <= state.terms.runner(state.side).max_pile:
        return None
    text = "{order}: on {space} there would be more than two of your horses (YUT-10.4). Legal: {menu}."
    return refusal(state, order, "YUT-10.4", "pile-full", text, space=step.space, menu=texts(legal(state)))


def own_group(state: State, space: str) -> Group | None:
    return next((group for group in state.groups[state.side] if group.space == space), None)


def no_such_space(state: State, name: str, order: Order) -> Refusal:
    text = "{order}: there is no space {space} (YUT-1.3). The spaces are {spaces}."
    return refusal(state, order, "YUT-1.3", "no-such-space", text, space=name, spaces=SPACES_IN_WORDS)


def own(state: State) -> str:
    """The own horses in a sentence."""
    side = state.sides[state.side]
    on = ", ".join(f"{group.space}{f' x{group.horses}' if group.horses > 1 else ''}" for group in side.groups)
    return f"Your horses: {side.waiting} waiting; on the track: {on or 'none'}; {side.stable} in the stable."


def refusal(state: State, order: Order, rule: str, code: str, message: str, /, **facts: Any) -> Refusal:
    """Every message names the action, the rule and what would be legal instead."""
    return Refusal(rule, code, message, {"order": quoted(order), **facts}, texts(legal(state)))


def texts(found: Iterable[Move]) -> tuple[str, ...]:
    return tuple(move.text for move in found)


def quoted(order: Order) -> str:
    """What was read, cut to a length that does no harm."""
    said = order if isinstance(order, str) else ", ".join(f"{key}: {value}" for key, value in order.items())
    said = " ".join(said.split())
    return said if len(said) <= 80 else f"{said[:79]}…"
