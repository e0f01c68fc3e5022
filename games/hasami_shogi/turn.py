"""One move carried out, and whose turn it is then: move, captures, end of the game, forced pass."""

from __future__ import annotations

from engine import Event, Turned
from engine.boards.squares import Mask
from games.hasami_shogi.board import BOARDS, PASS_KEY, Board, Story, Way
from games.hasami_shogi.ending import Ending, drawn, said, won
from games.hasami_shogi.legal import can_move
from games.hasami_shogi.moves import Move
from games.hasami_shogi.state import BEGIN, FOE, GREEN, NAMES, OVER, PASS, State
from games.hasami_shogi.variants import SQUARES


def play(state: State, move: Move) -> Turned:
    """A legal move, and all that follows from it, in the order of HASAMI-7.3."""
    terms, turn, green, red, shoguns, memory, trail = state
    board = BOARDS[terms.variant]
    way = board.ways[move.text]
    by_shogun = 1 if way.start & shoguns else 0
    # HASAMI-4.3: over a piece it is a jump. HASAMI-4.4: that piece stays where it is.
    story = (way.jumped if way.over & (green | red) else way.slid)[by_shogun]
    if turn == GREEN:
        own, foe, key = green ^ way.span, red, way.green_key
    else:
        own, foe, key = red ^ way.span, green, way.red_key
    if by_shogun:
        shoguns, key = shoguns ^ way.span, key ^ way.shogun_key
    taken = captured(way, own, foe) if way.near & foe else 0
    if taken:  # HASAMI-5.2: all of them leave the board together. HASAMI-5.4: without asking.
        foe, shoguns, memory, trail = foe ^ taken, shoguns & ~taken, (), BEGIN
        story += (told_of(board, taken, foe),)
    elif way.leaves:  # HASAMI-7.3: progress empties the memory and is not written in it
        memory, trail = (), BEGIN
    else:
        memory, trail = (*memory, move.text), (*trail, trail[-1] ^ key)
    green, red = (own, foe) if turn == GREEN else (foe, own)
    after = State(terms, FOE[turn], green, red, shoguns, memory, trail)  # HASAMI-3.3: the sides alternate
    ending = won(board, turn, own, foe, way.lines, taken) or drawn(memory, trail, terms.quiet_limit)
    if ending is not None:
        return over(after, story, ending)
    return Turned(after, story) if can_move(after, after.turn) else forced_pass(after, story)


def captured(way: Way, own: Mask, foe: Mask) -> Mask:
    """All pieces that the piece which has just moved takes; `own` and `foe` are the board right after the move.

    HASAMI-5.3: looking from its new square alone, nobody else captures and no old line is closed.
    """
    # HASAMI-9.3: kinds do not matter here, and for a Shogun, too, only rows and columns are looked at.
    taken = way.corner if way.corner & foe and way.partner & own else 0  # HASAMI-8.3
    for ray in way.rays:
        line = 0
        for square in ray:
            if square & foe:
                line |= square
                continue
            if square & own:  # HASAMI-5.1; HASAMI-5.5: it may stand anywhere
                taken |= line
            break
    return taken


def told_of(board: Board, taken: Mask, foe: Mask) -> Event:
    """HASAMI-5.6: captured pieces are out of the game, so those on the board tell how many have been captured."""
    rule = "HASAMI-8.3" if taken & board.corners else "HASAMI-5.1"
    facts = {"squares": list(SQUARES.names_of(taken)), "captured": board.variant.pieces - foe.bit_count()}
    return Event("captured", rule, facts)


def forced_pass(state: State, story: Story) -> Turned:
    """HASAMI-7.6: a side without a legal move passes, without a decision; then only the memory is tested."""
    terms, turn, green, red, shoguns, memory, trail = state
    memory, trail = (*memory, PASS), (*trail, trail[-1] ^ PASS_KEY)
    after = State(terms, FOE[turn], green, red, shoguns, memory, trail)
    story += (Event("blocked", "HASAMI-7.6", {"side": NAMES[turn]}),)
    ending = drawn(memory, trail, terms.quiet_limit)
    return over(after, story, ending) if ending is not None else Turned(after, story)


def over(state: State, story: Story, ending: Ending) -> Turned:
    """HASAMI-1.2, or a draw; the memory stays as the last move left it (HASAMI-10.1)."""
    facts: dict[str, str | list[str]] = {"winner": said(ending), "reason": ending.reason}
    if ending.five:
        facts["squares"] = list(ending.five)
    return Turned(state._replace(turn=OVER), (*story, Event("game_over", ending.rule, facts)))
