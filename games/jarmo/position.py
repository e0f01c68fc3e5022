"""The position line, written and read (section 7 of the rules document)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, groupby

from engine import BadPosition
from games.jarmo.columns import column
from games.jarmo.net import BIT, NETS, POINTS, RANKS, names_of, set_of
from games.jarmo.soundness import faults
from games.jarmo.state import LETTERS, Board, Covered, Points, State, Terms
from games.jarmo.variants import LIMIT, REASONS, VARIANTS
from games.jarmo.walkback import walked_back

POINT = "[a-e][1-5]"
QUIET = rf"(?:{POINT}-{POINT}|pass)"
LINE = re.compile(
    rf"jarmo (?P<variant>{'|'.join(VARIANTS)})(?P<late>,late=turn)?(?:,limit=(?P<limit>[1-9][0-9]{{1,3}}))?"
    r" (?P<board>[AGDEagde1-5()/]+) (?P<side>[gb])"
    r" (?P<pool_g>[0-5])\.(?P<hand_g>[0-5]) (?P<pool_b>[0-5])\.(?P<hand_b>[0-5])"
    rf" (?P<camps>-|{POINT}\+{POINT}) (?P<turn>0|[1-9][0-9]{{0,5}}) (?P<tail>-|{QUIET}(?:,{QUIET})*)"
    rf" (?P<end>-|(?:{'|'.join(REASONS)}):[gb=])"
)
# One point with its column, or up to five empty ones.
PART = re.compile(r"[1-5]|[AGDEagde]|\([AGDEagde]{2,}\)")


def write(state: State) -> str:
    """Ten fields with one blank between them; nothing is hidden, so every seat sees this line."""
    pools, hands = state.pools, state.hands
    return " ".join(
        (
            "jarmo",
            write_terms(state.terms),
            write_board(state.board),
            LETTERS[state.side],
            f"{pools[0]}.{hands[0]}",
            f"{pools[1]}.{hands[1]}",
            "+".join(names_of(state.camps)) or "-",
            str(state.turn),
            ",".join([text for _, text in state.tail]) or "-",
            state.end or "-",
        )
    )


def write_terms(terms: Terms) -> str:
    """Only what differs from the default (JARMO-9.6: Jasyr knows no other way of late placing)."""
    late = ",late=turn" if terms.late != VARIANTS[terms.variant].late else ""
    limit = f",limit={terms.limit}" if terms.limit != LIMIT else ""
    return f"{terms.variant}{late}{limit}"


def write_board(board: Board) -> str:
    """Rank 5 first, runs of empty points as numbers, columns in brackets from bottom to top."""
    return "/".join(_write_rank(board, rank) for rank in reversed(RANKS))


def _write_rank(board: Board, rank: Sequence[str]) -> str:
    columns = [column(board, BIT[point]) for point in rank]
    text = ""
    for found, run in groupby(columns):
        number = len(list(run))
        text += str(number) if not found else (found if len(found) == 1 else f"({found})") * number
    return text


def read(line: str) -> State:
    """The state of a line; BadPosition unless all that section 7 asks for holds."""
    found = LINE.fullmatch(line)
    if found is None:
        raise BadPosition("This is not a position line of Jarmo.")
    part = found.groupdict()
    variant = VARIANTS[part["variant"]]
    terms = Terms(variant.key, "turn" if part["late"] else variant.late, int(part["limit"] or LIMIT))
    board, side = read_board(part["board"]), LETTERS.index(part["side"])
    state = State(
        terms=terms,
        side=side,
        board=board,
        pools=(int(part["pool_g"]), int(part["pool_b"])),
        hands=(int(part["hand_g"]), int(part["hand_b"])),
        camps=0 if part["camps"] == "-" else set_of(set(part["camps"].split("+"))),
        turn=int(part["turn"]),
        tail=walked_back(NETS[variant.key], board, side, read_tail(part["tail"])),
        end="" if part["end"] == "-" else part["end"],
    )
    for fault in faults(state):
        raise BadPosition(fault)
    written = write(state)
    if written != line:
        raise BadPosition(f"This line is not written as the rules would write it: {written}")
    return state


def read_tail(text: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text.split(","))


def read_board(text: str) -> Board:
    """The board field; BadPosition when a rank has not five points, or something below a top is no golden archer."""
    ranks = [_read_rank(rank) for rank in text.split("/")]
    if len(ranks) != len(RANKS) or any(len(rank) != len(RANKS[0]) for rank in ranks):
        raise BadPosition(f"The board has five ranks of five points (JARMO-1.2): {text}")
    columns = {BIT[POINTS[place]]: pieces for place, pieces in enumerate(chain(*reversed(ranks))) if pieces}
    under: list[Covered] = []
    for point, pieces in columns.items():
        if pieces[:-1].upper().strip("E"):
            raise BadPosition("Below the top of a column there are golden archers only (JARMO-10.3).")
        under += [(point, int(letter.islower())) for letter in pieces[:-1]]
    return Board(
        tops=(_tops(columns, "AGDE"), _tops(columns, "agde")),
        guards=_tops(columns, "GgDd"),
        gold=_tops(columns, "DdEe"),
        under=tuple(under),
    )


def _read_rank(text: str) -> list[str]:
    """The column of each point, empty texts for empty points."""
    parts = PART.findall(text)
    if "".join(parts) != text:
        raise BadPosition(f"This is no rank of a board: {text}")
    return [pieces for part in parts for pieces in ([""] * int(part) if part.isdigit() else [part.strip("()")])]


def _tops(columns: dict[Points, str], letters: str) -> Points:
    return sum(point for point, pieces in columns.items() if pieces[-1] in letters)
