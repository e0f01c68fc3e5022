"""The position line, written and read (BAGH-11.1)."""

from __future__ import annotations

import re
from itertools import groupby

from engine import BadPosition
from games.bagh_chal.board import BOARDS, Board
from games.bagh_chal.match import winner
from games.bagh_chal.playback import memory_fault
from games.bagh_chal.soundness import faults
from games.bagh_chal.state import OVER, Points, Score, State, Terms
from games.bagh_chal.variants import VARIANTS

LETTERS = "TAgb"

LINE = re.compile(
    rf"(?P<variant>{'|'.join(VARIANTS)}) (?P<board>[{LETTERS}1-9/]+) (?P<turn>[gta]|over:[012])"
    r" (?P<hand>[0-9]{1,2}) (?P<captured>[0-9]) (?:off|(?P<heroes>wait|used)@(?P<alpha>[a-z][0-9]))"
    r" (?P<memory>-|[a-z0-9.,-]+) (?P<match>single|three):(?P<game>[1-3]):(?P<wins_1>[0-9])-(?P<wins_2>[0-9])-"
    r"(?P<draws>[0-9]):t(?P<tigers>[12]) (?P<limit>[0-9]{2,3})"
)


def write(state: State) -> str:
    """Nine fields with one blank between them; nothing is hidden, so every seat sees this line."""
    terms, score = state.terms, state.score
    return " ".join(
        (
            terms.variant,
            write_board(state),
            f"over:{winner(score) or 0}" if state.turn == OVER else state.turn,
            str(state.hand),
            str(state.captured),
            f"{'used' if state.entered else 'wait'}@{terms.alpha}" if terms.heroes else "off",
            ",".join(state.memory) or "-",
            f"{terms.match}:{score.game}:{score.wins_1}-{score.wins_2}-{score.draws}:t{score.tigers}",
            str(terms.quiet_limit),
        )
    )


def write_board(state: State) -> str:
    """Rows in board order, runs of empty points as numbers."""
    board = BOARDS[state.terms.variant]
    letters = ("".join(letter_at(state, board.bit[point]) for point in row) for row in board.variant.graph.rows)
    return "/".join(
        "".join(str(len(list(run))) if letter == "." else "".join(run) for letter, run in groupby(row))
        for row in letters
    )


def letter_at(state: State, point: Points) -> str:
    if point & state.tigers:
        return "A" if point & state.alpha else "T"
    if point & state.goats:
        return "g"
    return "b" if point & state.bouc else "."


def read(line: str) -> State:
    """The state of a line; BadPosition unless all of BAGH-11.2 holds."""
    found = LINE.fullmatch(line)
    if found is None:
        raise BadPosition("This is not a position line of Bagh Chal (BAGH-11.1).")
    part = found.groupdict()
    terms = Terms(
        variant=part["variant"],
        heroes=part["heroes"] is not None,
        alpha=part["alpha"] or "",
        match=part["match"],
        quiet_limit=int(part["limit"]),
    )
    score = Score(int(part["game"]), int(part["wins_1"]), int(part["wins_2"]), int(part["draws"]), part["tigers"])
    tigers, goats, bouc, alpha = read_board(BOARDS[terms.variant], part["board"])
    state = State(
        terms=terms,
        score=score,
        turn=part["turn"].partition(":")[0],
        tigers=tigers,
        goats=goats,
        bouc=bouc,
        alpha=alpha,
        hand=int(part["hand"]),
        captured=int(part["captured"]),
        entered=part["heroes"] == "used",
        memory=() if part["memory"] == "-" else tuple(part["memory"].split(",")),
    )
    refuse_unsound(state, line)
    return state


def refuse_unsound(state: State, line: str) -> None:
    """BAGH-11.2: what is wrong is said of the first thing found."""
    for fault in faults(state):
        raise BadPosition(fault)
    written = write(state)
    if written != line:
        raise BadPosition(f"This line is not written as the rules would write it (BAGH-11.2): {written}")
    untold = memory_fault(state)
    if untold is not None:
        raise BadPosition(untold)


def read_board(board: Board, text: str) -> tuple[Points, Points, Points, Points]:
    """Tigers (with the Alpha), goats, Bouc and Alpha of the board field."""
    rows = [re.sub("[1-9]", lambda run: "." * int(run[0]), row) for row in text.split("/")]
    if [len(row) for row in rows] != [len(row) for row in board.variant.graph.rows]:
        raise BadPosition(f"The rows do not fit the board {board.variant.key} (BAGH-11.1): {text}")
    letters = "".join(rows)
    at = {letter: sum(1 << place for place, found in enumerate(letters) if found == letter) for letter in LETTERS}
    return at["T"] | at["A"], at["g"], at["b"], at["A"]
