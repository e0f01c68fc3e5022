"""The position line: writing a state as one, reading it back, and what it shows to whom (KHAN-29)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Any, NamedTuple, TypeVar

from engine import BadPosition, Refusal
from engine.boards.squares import Mask
from games.khan.material import (
    BLACK,
    BOARD,
    CARD_IDS,
    CARD_NUMBER,
    LEADER_NUMBER,
    LEADERS,
    NAMES,
    NUMBERS,
    REGIONS,
    SEAT_NUMBER,
    SEATS,
    SHAPE_NUMBER,
    SHAPES,
    SPECIALS,
    VERSION,
)
from games.khan.options import Options
from games.khan.orders import AT_ONCE, Answer, Instruct, canonical, standing_text
from games.khan.reading import parse as parse_order
from games.khan.state import (
    AGREE,
    NO_STANDING,
    NOBODY,
    NOWHERE,
    OVER,
    REFUSE,
    Active,
    Laid,
    Needed,
    Proposal,
    Standing,
    State,
)

Value = TypeVar("Value")
Queues = Mapping[str, tuple[str, ...]]
"""Orders waiting, by seat, in canonical text. The host keeps them (KHAN-17.3); a line may tell them all the same."""

PUBLIC = "public"
NO_QUEUES: Queues = {}
HIDDEN = "?"

KEYS = (  # KHAN-29.1: in this order
    *("khan", "view", "opt", "ph", "at", "seat", "turn", "own", "first", "todo", "refused", "gone", "yurt", "lead"),
    *("out", "shape", "sp", "act", "res", "last", "hand", "draw", "disc", "back", "prop", "need", "std", "queue"),
)


# --- writing ------------------------------------------------------------------------------------------------------


def write(state: State, viewer: str | None = None, queues: Queues = NO_QUEUES) -> str:
    """The line: the whole state, or redacted for a seat or for the public (KHAN-29.3)."""
    return ";".join(f"{key}={value}" for key, value in pairs(state, viewer, queues).items())


def pairs(state: State, viewer: str | None = None, queues: Queues = NO_QUEUES) -> dict[str, str]:
    """The entries of the line in their order; what would be empty is left out."""
    open_to = _Eyes(None if state.phase == OVER else viewer)  # KHAN-29.3: when the game is over nothing is hidden
    found = {"khan": str(VERSION), "view": viewer or "", **_course(state), **_board(state)}
    found |= _cards(state, open_to) | _proposal(state, open_to) | _waiting(state, open_to, queues)
    return {key: value for key, value in found.items() if value}


class _Eyes(NamedTuple):
    """Whose eyes a line is for; None sees everything."""

    viewer: str | None

    def see(self, seat: int) -> bool:
        return self.viewer is None or self.viewer == SEATS[seat]


def _course(state: State) -> dict[str, str]:
    """How far the game has come."""
    over = state.phase == OVER
    return {
        "opt": _options(state.options),
        "ph": state.phase,
        "at": "" if over else state.point,
        "seat": "" if over else SEATS[state.seat],
        "turn": str(state.turn),
        "own": " ".join(f"{SEATS[seat]}:{own}" for seat, own in enumerate(state.own_turn)) if state.turn else "",
        "first": SEATS[state.first],
        "todo": _seats(state.todo),
        "refused": _seats(state.refused),
        "gone": _seats(state.gone),
    }


def _options(options: Options) -> str:
    found = [f"players:{options.players}"]
    if options.leader_setup == "random":
        found.append("leader_setup:random")
    elif options.leader_setup == "custom":
        found.append(f"leader_setup:custom:{options.leaders.replace(' ', ',')}")
    if options.first_seat != "random":
        found.append(f"first_seat:{options.first_seat}")
    return " ".join(found)


def _seats(seats: Iterable[int]) -> str:
    return " ".join(SEATS[seat] for seat in seats)


def _cells(mask: Mask) -> str:
    return ",".join(BOARD.names_of(mask))


def _board(state: State) -> dict[str, str]:
    """Everything that lies open."""
    colours = (*SEATS[: state.players], BLACK)
    on_board = [(leader.id, NAMES[cell], court) for leader, cell, court in _led(state)]
    yurts = zip(colours, state.yurts, strict=True)
    active = [(seat, one) for seat, one in enumerate(state.active) if one is not None]
    reserved = [(seat, shape) for seat, shape in enumerate(state.reserved) if shape is not None]
    last = [(seat, uses) for seat, uses in enumerate(state.last_special) if any(uses)]
    return {
        "yurt": " ".join(f"{colour}:{_cells(mask)}" for colour, mask in yurts if mask),
        "lead": " ".join(f"{leader}:{cell}:{court}" for leader, cell, court in on_board),
        "out": " ".join(LEADERS[leader].id for leader in state.removed),
        "shape": " ".join(map(_shape, state.shapes)),
        "sp": " ".join(f"{SEATS[seat]}:{','.join(map(str, held))}" for seat, held in enumerate(state.specials)),
        "act": " ".join(f"{SEATS[seat]}:{_active(one)}" for seat, one in active),
        "res": " ".join(f"{SEATS[seat]}:{SHAPES[shape].id}" for seat, shape in reserved),
        "last": " ".join(f"{SEATS[seat]}:{','.join(str(use or '-') for use in uses)}" for seat, uses in last),
    }


def _shape(laid: Laid) -> str:
    return f"{SHAPES[laid.shape].id}:{_cells(laid.mask)}:{','.join(SEATS[owner] for owner in laid.owners)}:{laid.turn}"


def _led(state: State) -> Iterator[tuple[Any, int, int]]:
    for leader, cell, court in zip(LEADERS, state.leaders, state.courts, strict=True):
        if cell != NOWHERE:
            yield leader, cell, court


def _active(active: Active) -> str:
    return SPECIALS[active.card] + (f":{active.region}" if active.region else "")


def _cards(state: State, eyes: _Eyes) -> dict[str, str]:
    hands = [(seat, hand) for seat, hand in enumerate(state.hands) if hand]
    count = f"{HIDDEN}{len(state.draw)}" if state.draw else ""
    return {
        "hand": " ".join(f"{SEATS[seat]}:{_hand(hand, eyes.see(seat))}" for seat, hand in hands),
        "draw": _ids(state.draw) if eyes.viewer is None else count,
        "disc": _ids(state.discard),
    }


def _hand(hand: tuple[int, ...], seen: bool) -> str:
    return _ids(hand, ",") if seen else f"{HIDDEN}{len(hand)}"


def _ids(cards: Iterable[int], between: str = " ") -> str:
    return between.join([CARD_IDS[card] for card in cards])


def _proposal(state: State, eyes: _Eyes) -> dict[str, str]:
    proposal = state.proposal
    if proposal is None:
        return {}
    return {
        "back": proposal.back,
        "prop": f"{SHAPES[proposal.shape].id}:{_cells(proposal.mask)}",
        "need": " ".join(_needed(need, eyes) for need in proposal.need),
    }


def _needed(need: Needed, eyes: _Eyes) -> str:
    """KHAN-29.4: nobody may see who has answered, or has a standing answer."""
    answer = need.answer if eyes.see(need.seat) else HIDDEN
    return SEATS[need.seat] + (f":{answer}" if answer else "")


def _waiting(state: State, eyes: _Eyes, queues: Queues) -> dict[str, str]:
    standing = {
        SEATS[seat]: ",".join(map(str, standing_text(*mine)))
        for seat, mine in enumerate(state.standing)
        if mine != NO_STANDING and eyes.see(seat)
    }
    orders = {name: ",".join(queue) for name, queue in queues.items() if queue and eyes.see(SEAT_NUMBER[name])}
    return {
        "std": "|".join(f"{name}:{standing[name]}" for name in SEATS if name in standing),
        "queue": "|".join(f"{name}:{orders[name]}" for name in SEATS if name in orders),
    }


# --- reading ------------------------------------------------------------------------------------------------------


def read(line: str) -> tuple[State, Queues]:
    """The state and the queues of a whole line, read as it stands; whether it can be is asked elsewhere (KHAN-29.2)."""
    try:
        found = split(line)
        state = from_pairs(found)
        queues = _read_queues(found.get("queue", ""), state)
    except BadPosition:
        raise
    except (ValueError, LookupError) as wrong:
        raise BadPosition(f"not a position of Khan: {wrong}") from None
    if write(state, queues=queues) != line:
        raise BadPosition("the position is not written in the canonical way (KHAN-29.1)")
    return state, queues


def split(line: str) -> dict[str, str]:
    """The pairs of a line: known keys, each once, in their order."""
    found: dict[str, str] = {}
    for pair in line.split(";"):
        key, is_, value = pair.partition("=")
        if not is_ or key not in KEYS or key in found:
            raise BadPosition(f"not a pair of a position line, or one too many: {pair[:40]!r}")
        found[key] = value
    if "view" in found:
        raise BadPosition("this line is somebody's view, not a whole position (KHAN-29.3)")
    if list(found) != sorted(found, key=KEYS.index):
        raise BadPosition("the pairs of a position line stand in a fixed order (KHAN-29.1)")
    if found.get("khan") != str(VERSION):
        raise BadPosition(f"this position is not of data version {VERSION}")
    return found


def from_pairs(found: Mapping[str, str]) -> State:
    """The state of the pairs of a whole line; ValueError or LookupError when a word is wrong."""
    words = _Words(found, _read_options(found["opt"]))
    return State(**_read_course(words), **_read_board(words), **_read_held(words), **_read_answers(words))


class _Words:
    """The pairs of a line, as lists and by seat."""

    def __init__(self, found: Mapping[str, str], options: Options) -> None:
        self.found, self.options = found, options
        self.seats = {name: number for number, name in enumerate(SEATS[: options.players])}

    def listed(self, key: str) -> list[str]:
        return self.found[key].split(" ") if key in self.found else []

    def named(self, key: str) -> dict[str, str]:
        return {name: rest for name, _, rest in (item.partition(":") for item in self.listed(key))}

    def by_seat(self, key: str, read: Callable[[str], Value], missing: Value) -> tuple[Value, ...]:
        """What each seat has; ValueError when somebody has it who is not there."""
        return _each({self.seats[name]: read(rest) for name, rest in self.named(key).items()}, self.seats, missing)

    def of_seats(self, key: str) -> tuple[int, ...]:
        return tuple(self.seats[name] for name in self.listed(key))


def _each(held: Mapping[int, Value], seats: Mapping[str, int], missing: Value) -> tuple[Value, ...]:
    return tuple(held.get(seat, missing) for seat in seats.values())


def _read_course(words: _Words) -> dict[str, Any]:
    """How far the game has come."""
    found = words.found
    return {
        "options": words.options,
        "phase": found["ph"],
        "point": found.get("at", OVER if found["ph"] == OVER else ""),
        "seat": words.seats[found["seat"]] if "seat" in found else NOBODY,
        "turn": int(found["turn"]),
        "own_turn": words.by_seat("own", int, 0),
        "first": words.seats[found["first"]],
        "todo": words.of_seats("todo"),
        "refused": words.of_seats("refused"),
        "gone": words.of_seats("gone"),
    }


def _read_board(words: _Words) -> dict[str, Any]:
    """Yurts, leaders and shapes, with what follows from the shapes."""
    yurts = {name: BOARD.mask(cells.split(",")) for name, cells in words.named("yurt").items()}
    unknown = set(yurts) - {*words.seats, BLACK}
    if unknown:
        raise ValueError(f"there is no colour {sorted(unknown)}")
    led = {LEADER_NUMBER[name]: (NUMBERS[cell], int(court)) for name, cell, court in _triples(words.listed("lead"))}
    placed = [led.get(leader, (NOWHERE, 0)) for leader in range(len(LEADERS))]
    laid = tuple(_laid(item, words.seats) for item in words.listed("shape"))
    used = Counter(one.shape for one in laid)
    return {
        "yurts": tuple(yurts.get(name, 0) for name in (*words.seats, BLACK)),
        "leaders": tuple(cell for cell, _ in placed),
        "courts": tuple(court for _, court in placed),
        "removed": tuple(LEADER_NUMBER[leader] for leader in words.listed("out")),
        "shapes": laid,
        "supply": tuple(shape.copies - used[number] for number, shape in enumerate(SHAPES)),
        "covered": reduce(or_, (one.mask for one in laid), 0),
    }


def _read_held(words: _Words) -> dict[str, Any]:
    """Special cards, which every seat has, what is reserved, and the cards of the game."""
    specials = words.by_seat("sp", _quadruple, None)
    if None in specials:
        raise ValueError("a seat has no special cards")
    return {
        "specials": specials,
        "active": words.by_seat("act", _read_active, None),
        "reserved": words.by_seat("res", SHAPE_NUMBER.__getitem__, None),
        "last_special": words.by_seat("last", _read_last, (0, 0)),
        "hands": words.by_seat("hand", lambda hand: _read_cards(hand.split(",")), ()),
        "draw": _read_cards(words.listed("draw")),
        "discard": _read_cards(words.listed("disc")),
    }


def _read_answers(words: _Words) -> dict[str, Any]:
    """The proposal that is asked for, and standing answers."""
    standing = _read_standing(words.found.get("std", ""), words.seats)
    return {
        "proposal": _read_proposal(words.found, words.seats) if "prop" in words.found else None,
        "standing": _each(standing, words.seats, NO_STANDING),
    }


def _triples(items: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    for item in items:
        first, second, third = item.split(":")
        yield first, second, third


def _read_options(text: str) -> Options:
    choices: dict[str, Any] = {}
    for item in text.split(" "):
        name, _, value = item.partition(":")
        choices[name] = value
    setup = choices.get("leader_setup", "printed")
    if setup.startswith("custom:"):
        choices |= {"leader_setup": "custom", "leaders": setup.removeprefix("custom:")}
    return Options(**choices)


def _laid(item: str, seats: Mapping[str, int]) -> Laid:
    shape, cells, owners, turn = item.split(":")
    return Laid(SHAPE_NUMBER[shape], _distinct(cells), tuple(seats[owner] for owner in owners.split(",")), int(turn))


def _distinct(cells: str) -> Mask:
    return BOARD.mask(cells.split(","))


def _quadruple(text: str) -> tuple[int, int, int, int]:
    morale, protection, gods, explore = map(int, text.split(","))
    return morale, protection, gods, explore


def _read_active(text: str) -> Active:
    card, _, region = text.partition(":")
    if region and region not in REGIONS:
        raise ValueError(f"there is no region {region!r}")
    return Active(SPECIALS.index(card), region)


def _read_last(text: str) -> tuple[int, int]:
    protection, gods = (0 if use == "-" else int(use) for use in text.split(","))
    return protection, gods


def _read_cards(ids: Iterable[str]) -> tuple[int, ...]:
    return tuple(CARD_NUMBER[card] for card in ids)


def _read_proposal(found: Mapping[str, str], seats: Mapping[str, int]) -> Proposal:
    shape, _, cells = found["prop"].partition(":")
    need = []
    for item in found["need"].split(" "):
        name, _, answer = item.partition(":")
        if answer not in ("", AGREE, REFUSE):
            raise ValueError(f"{answer!r} is no answer to a proposal")
        need.append(Needed(seats[name], answer))
    return Proposal(SHAPE_NUMBER[shape], _distinct(cells), tuple(need), found["back"])


def _read_standing(text: str, seats: Mapping[str, int]) -> dict[int, Standing]:
    found: dict[int, Standing] = {}
    for item in text.split("|") if text else ():
        name, _, words = item.partition(":")
        order = parse_order(f"standing {words}", tuple(seats))
        if not isinstance(order, Instruct):
            raise ValueError(f"{words!r} are no standing instructions")
        general = {each.about: each.answer for each in order.instructions if not each.seat}
        single = {each.seat: each.answer for each in order.instructions if each.seat}
        to = tuple(single.get(seat, "") for seat in SEATS)
        found[seats[name]] = Standing(general.get("consent", "ask"), to, general.get("special", "ask"))
    return found


def _read_queues(text: str, state: State) -> Queues:
    """KHAN-17.4: answers are never queued; standing instructions hold at once."""
    found: dict[str, tuple[str, ...]] = {}
    for item in text.split("|") if text else ():
        name, _, orders = item.partition(":")
        queue = []
        for text_ in orders.split(","):
            order = parse_order(text_, state.options.seats)
            if isinstance(order, (Refusal, Answer, *AT_ONCE)):
                raise ValueError(f"{text_!r} is not an order that waits")
            queue.append(str(canonical(order)))
        if name not in state.options.seats or SEAT_NUMBER[name] in state.gone or state.phase == OVER:
            raise ValueError(f"{name} has no queue")
        found[name] = tuple(queue)
    return found
