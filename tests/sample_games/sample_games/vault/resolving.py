"""What happens in vault once every seat that was asked has answered (VAULT-2 to VAULT-5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine import Dice, Event, Turned
from sample_games.vault.state import CHALLENGE, RESIGN, SEATS, SPARE, Bid, Choices, Contest, Move, Player, Position


def setup(options: Choices, dice: Dice) -> Turned:
    """VAULT-1.2: every seat is dealt its hand in secret."""
    cards = dice.shuffle(range(1, options.hand * len(SEATS) + SPARE + 1), "deal")
    cuts = [cards[i * options.hand : (i + 1) * options.hand] for i in range(len(SEATS))]
    players = tuple(Player(hand=tuple(sorted(cut))) for cut in cuts)
    deck = tuple(sorted(cards[options.hand * len(SEATS) :]))
    faces = 6 if options.die == "six" else 4
    state = Position(rounds=options.rounds, round=1, faces=faces, disputes=options.disputes, players=players, deck=deck)
    hidden = {seat: {"hand": list(state.player(seat).hand)} for seat in SEATS}
    return Turned(state, (Event("dealt", "VAULT-1.2", {"cards": options.hand}, hidden),))


def resolve(state: Position, moves: Mapping[str, Move], dice: Dice) -> Turned:
    if len(moves) == 1 and RESIGN in moves.values():
        (seat,) = moves
        return _ended(_resign(state, seat))
    turned = _bids(state, moves, dice) if state.contest is None else _answer(state, state.contest, moves, dice)
    return _ended(turned)


def _bids(state: Position, moves: Mapping[str, Move], dice: Dice) -> Turned:
    loot = 1 + dice.pick(state.faces, "loot")  # VAULT-2.2: drawn whatever the bids are
    story = [Event("opened", "VAULT-2.2", {"round": state.round, "loot": loot})]
    bids = sorted(((move.card, seat) for seat, move in moves.items() if isinstance(move, Bid)), reverse=True)
    for seat in SEATS:
        if seat in moves and not isinstance(moves[seat], Bid):
            state = _change(state, seat, told=True)  # VAULT-2.5
            story += _passed(state, seat)
    if not bids:
        return Turned(replace(state, round=state.round + 1), tuple(story))
    card, holder = bids[0]
    state, seen = _play(state, bids)
    story += [Event("highest", "VAULT-2.3", {"seat": holder, "card": card, "loot": loot}), *seen]
    if len(bids) > 1 and state.disputes:
        contest = Contest(holder, card, loot, bids[1][1])  # VAULT-3.1
        return Turned(replace(state, contest=contest), (*story, Event("asked", "VAULT-3.1", {"seat": contest.asked})))
    state, gained = _gain(state, holder, loot)
    return Turned(state, (*story, gained))


def _passed(state: Position, seat: str) -> tuple[Event, ...]:
    told = Event("told", "VAULT-2.5", {"highest_spare": max(state.deck)}, audience=(seat,))
    return Event("passed", "VAULT-2.4", {"seat": seat}), told


def _play(state: Position, bids: list[tuple[int, str]]) -> tuple[Position, list[Event]]:
    """VAULT-2.3: the highest card is shown, the others go face down, in seat order so as to tell nothing."""
    card, holder = bids[0]
    state = replace(_without(state, holder, card), shown=(*state.shown, card))
    seen = []
    for seat, card in sorted(((seat, card) for card, seat in bids[1:]), key=lambda bid: SEATS.index(bid[0])):
        discards = tuple(sorted((*state.player(seat).discards, card)))
        state = _change(_without(state, seat, card), seat, discards=discards)
        seen.append(Event("discarded", "VAULT-2.3", {"seat": seat}, {seat: {"card": card}}))
    return state, seen


def _without(state: Position, seat: str, card: int) -> Position:
    return _change(state, seat, hand=tuple(held for held in state.player(seat).hand if held != card))


def _answer(state: Position, contest: Contest, moves: Mapping[str, Move], dice: Dice) -> Turned:
    state = replace(state, contest=None)
    if moves[contest.asked] != CHALLENGE:
        state, gained = _gain(state, contest.holder, contest.loot)  # VAULT-3.3
        return Turned(state, (Event("yielded", "VAULT-3.3", {"seat": contest.asked}), gained))
    die = 1 + dice.pick(6, "challenge")
    story = [Event("challenged", "VAULT-3.2", {"seat": contest.asked, "die": die})]
    if die < 4:
        state = _change(state, contest.asked, points=max(0, state.player(contest.asked).points - 1))
    state, gained = _gain(state, contest.asked if die >= 4 else contest.holder, contest.loot)
    return Turned(state, (*story, gained))


def _resign(state: Position, seat: str) -> Turned:
    player = state.player(seat)
    state = _change(state, seat, hand=(), discards=tuple(sorted(player.discards + player.hand)), left=True)
    story = [Event("resigned", "VAULT-5.1", {"seat": seat})]
    contest = state.contest
    if contest is None or seat not in (contest.asked, contest.holder):
        return Turned(state, tuple(story))
    state = replace(state, contest=None)
    if seat == contest.holder:  # VAULT-5.2: the loot is lost
        return Turned(replace(state, round=state.round + 1), tuple(story))
    state, gained = _gain(state, contest.holder, contest.loot)  # VAULT-5.2: as if it had yielded
    return Turned(state, (*story, gained))


def _gain(state: Position, seat: str, loot: int) -> tuple[Position, Event]:
    """The loot goes to that seat, and the next vault may be opened."""
    points = state.player(seat).points + loot
    state = replace(_change(state, seat, points=points), round=state.round + 1)
    return state, Event("gained", "VAULT-2.3", {"seat": seat, "loot": loot, "points": points})


def _ended(turned: Turned) -> Turned:
    state: Position = turned.state
    if not state.over:
        return turned
    return Turned(state, (*turned.events, Event("ended", "VAULT-4.2", {"points": _points(state)})))


def _points(state: Position) -> list[dict[str, Any]]:
    return [{"seat": seat, "points": state.player(seat).points} for seat in SEATS]


def _change(state: Position, seat: str, **changes: Any) -> Position:
    at = SEATS.index(seat)
    return replace(
        state, players=(*state.players[:at], replace(state.players[at], **changes), *state.players[at + 1 :])
    )
