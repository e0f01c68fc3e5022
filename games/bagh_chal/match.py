"""From game to game: the result of one, the start of the next, and who has won the match (BAGH-10)."""

from __future__ import annotations

from engine import Dice, Event, Seat
from games.bagh_chal.ending import Ending
from games.bagh_chal.opening import draw_roles, roles, start, started
from games.bagh_chal.state import OTHER, OVER, Score, State
from games.bagh_chal.story import Story
from games.bagh_chal.variants import GAMES_IN_MATCH


def conclude(state: State, ending: Ending, story: Story, dice: Dice | None) -> State:
    """The game is over: so is the match, or the next game starts at once, without a decision (BAGH-10.2).

    Without dice the story stops where they would be needed: before the roles of game 3.
    """
    story.append(Event("game_over", ending.rule, {"winner": ending.winner, "reason": ending.reason}))
    score = counted(state.score, ending)
    rule = decided_by(state.terms.match, score)
    if rule is None:
        return next_game(state, score, story, dice)
    wins = {"1": score.wins_1, "2": score.wins_2}
    story.append(Event("match_over", rule, {"winner": winner(score), "wins": wins, "draws": score.draws}))
    return state._replace(turn=OVER, score=score)


def winning_seat(score: Score, ending: Ending) -> Seat | None:
    """The seat that won this game; its roles say which side it had."""
    if ending.winner == "none":
        return None
    return score.tigers if ending.winner == "tigers" else OTHER[score.tigers]


def counted(score: Score, ending: Ending) -> Score:
    """The score with the result of this game."""
    seat = winning_seat(score, ending)
    if seat is None:
        return score._replace(draws=score.draws + 1)
    return score._replace(wins_1=score.wins_1 + (seat == "1"), wins_2=score.wins_2 + (seat == "2"))


def decided_by(match: str, score: Score) -> str | None:
    """The paragraph by which the match is over after this game, or None while another follows."""
    if match == "single":
        return "BAGH-10.1"  # one game decides
    if 2 in (score.wins_1, score.wins_2) and score.game < GAMES_IN_MATCH:
        return "BAGH-10.3"  # both games to one seat: no third game
    return "BAGH-10.5" if score.game == GAMES_IN_MATCH else None


def winner(score: Score) -> Seat | None:
    """BAGH-10.5: the seat with more games won; with equal numbers nobody."""
    if score.wins_1 == score.wins_2:
        return None
    return "1" if score.wins_1 > score.wins_2 else "2"


def next_game(state: State, score: Score, story: Story, dice: Dice | None) -> State:
    game = score.game + 1
    if game < GAMES_IN_MATCH:
        tigers, how, rule = OTHER[score.tigers], "swap", "BAGH-10.2"  # roles exchanged
    elif dice is None:
        return state
    else:
        tigers, how, rule = draw_roles(dice), "drawn", "BAGH-10.4"  # drawn again, whatever option `tigers` says
    story += [roles(game, tigers, how, rule), started(game)]
    return start(state.terms, score._replace(game=game, tigers=tigers))
