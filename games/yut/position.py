"""The position line, written and read (section 7)."""

from __future__ import annotations

import re

from engine import BadPosition
from games.yut.board import PLACE, Node, Space
from games.yut.roles import role_of
from games.yut.soundness import faults
from games.yut.state import GROUPS, SIDES, End, Group, Side, State, Terms, in_columns

PLAYERS = {"2": (2, False), "3": (3, False), "4": (4, False), "2f": (2, True), "4f": (4, True)}
NUMBER = "0|[1-9][0-9]{0,5}"
NODE = "|".join(sorted(map(re.escape, GROUPS), key=len, reverse=True))
SPACE = "|".join(sorted(PLACE, key=len, reverse=True))
GROUP = re.compile(rf"({NODE})(?:x([2-4]))?")
SIDE = re.compile(rf"([0-4])/([0-4])/(-|{GROUP.pattern}(?:,{GROUP.pattern})*)")
LINE = re.compile(
    rf"yut (?P<options>[234]|[24]f) (?P<seat>[1-4]) (?P<throws>hurdle|-|[1-5](?:,[1-5]){{0,2}}) (?P<rethrows>[0-2])"
    rf" (?P<sides>[0-9a-z/,;*-]+) (?P<wild>-|(?:{SPACE})/(?:{SPACE})/[0-2])"
    rf" (?P<hurdles>-|(?:{SPACE})(?:\+(?:{SPACE}))?) (?P<turns>{NUMBER})"
    rf" (?P<end>-|(?:finish|wild):[123](?:[>=][123]){{1,2}})"
)


def write(state: State) -> str:
    """Ten fields with one blank between them; nothing is hidden, so every seat sees this line."""
    terms = state.terms
    return " ".join(
        (
            "yut",
            f"{terms.players}{'f' if terms.favourite else ''}",
            str(state.seat),
            "hurdle" if state.placing else ",".join(map(str, state.throws)) or "-",
            str(state.rethrows),
            ";".join(map(write_side, state.sides)),
            f"{state.wild}/{terms.wild_start}/{state.circles}" if state.wild else "-",
            "+".join(state.hurdles) or "-",
            str(state.turns),
            write_end(state.end),
        )
    )


def write_side(side: Side) -> str:
    return f"{side.waiting}/{side.stable}/{','.join(map(write_group, side.groups)) or '-'}"


def write_group(group: Group) -> str:
    return group.node if group.horses == 1 else f"{group.node}x{group.horses}"


def write_end(end: End | None) -> str:
    return "-" if end is None else f"{end.reason}:{write_ranking(end.ranking)}"


def write_ranking(ranking: tuple[tuple[int, ...], ...]) -> str:
    """Side numbers from 1, `>` between ranks and `=` between equals (YUT-8.3)."""
    return ">".join("=".join(str(side + 1) for side in rank) for rank in ranking)


def read(line: str) -> State:
    """The state of a line; BadPosition for a line that no game would write."""
    found = LINE.fullmatch(line)
    if found is None:
        raise BadPosition("This is not a position line of Yut (section 7 of its rules).")
    part = found.groupdict()
    players, favourite = PLAYERS[part["options"]]
    wild, wild_start, circles = part["wild"].split("/") if part["wild"] != "-" else ("", "", "0")
    sides = part["sides"].split(";")
    if len(sides) != len(SIDES[players]):
        raise BadPosition(f"There must be {len(SIDES[players])} sides (YUT-1.1).")
    state = State(
        role=role_of(Terms(players, favourite, wild_start), int(part["seat"])),
        throws=read_throws(part["throws"]),
        rethrows=int(part["rethrows"]),
        **in_columns(map(read_side, sides)),
        wild=wild,
        circles=int(circles),
        hurdles=read_hurdles(part["hurdles"]),
        turns=int(part["turns"]),
        end=read_end(part["end"]),
    )
    refuse_unsound(state, part["throws"])
    return state


def refuse_unsound(state: State, throws: str) -> None:
    """What is wrong is said of the first thing found. What is sound is written in one way only, as it was read."""
    if (throws == "hurdle") != state.placing:
        raise BadPosition("THROWS is - exactly when the game is over (YUT-8.4).")
    for fault in faults(state):
        raise BadPosition(fault)


def read_throws(field: str) -> tuple[int, ...]:
    return () if field in ("-", "hurdle") else tuple(map(int, field.split(",")))


def read_hurdles(field: str) -> tuple[Space, ...]:
    return () if field == "-" else tuple(field.split("+"))


def read_side(field: str) -> Side:
    """waiting / stable / groups."""
    found = SIDE.fullmatch(field)
    if found is None:
        raise BadPosition(f"{field} is not a side of Yut: waiting/stable/groups (section 7 of its rules).")
    groups = () if found[3] == "-" else tuple(map(read_group, found[3].split(",")))
    return Side(int(found[1]), int(found[2]), groups)


def read_group(field: str) -> Group:
    found = GROUP.fullmatch(field)
    if found is None:
        raise BadPosition(f"{field} is not a horse or pile on the track (YUT-1.3).")
    node: Node = found[1]
    return GROUPS[node][int(found[2] or 1)]


def read_end(field: str) -> End | None:
    if field == "-":
        return None
    reason, ranks = field.split(":")
    return End(reason, tuple(tuple(int(side) - 1 for side in rank.split("=")) for rank in ranks.split(">")))
