"""Vault with a leak, one each: what the search for leaks must find (G25)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine import Event, Notice, Refusal, Turned, View
from engine.game import Overtaken
from tests.every_game.wrapped import Wrapped

SEATS = ("red", "green", "blue")


def others(state: Any, seat: str | None) -> list[int]:
    """All cards in other hands."""
    return [card for name in SEATS if name != seat for card in state.player(name).hand]


def best(state: Any, seat: str) -> bool:
    return max(state.player(seat).hand, default=0) > max(others(state, seat), default=0)


class LeakyView(Wrapped):
    """A view with one fact too many."""

    def view(self, state: Any, seat: str | None) -> View:
        view = self.inner.view(state, seat)
        return replace(view, facts={**view.facts, "more": self.more(state, seat)})

    def more(self, state: Any, seat: str | None) -> Any:
        return [list(player.hand) for player in state.players]


class ViewSumsTheOthersHands(LeakyView):
    def more(self, state: Any, seat: str | None) -> Any:
        return sum(others(state, seat))


class ViewTellsTheDeck(LeakyView):
    def more(self, state: Any, seat: str | None) -> Any:
        return list(state.deck)


class ViewTellsDiscards(LeakyView):
    def more(self, state: Any, seat: str | None) -> Any:
        return [list(player.discards) for player in state.players]


class ViewTellsWhoHoldsTheLowest(LeakyView):
    def more(self, state: Any, seat: str | None) -> Any:
        return [1 in player.hand for player in state.players]


class ViewHashesTheState(LeakyView):
    """A hash without salt is the secret itself, to whom tries all states."""

    def more(self, state: Any, seat: str | None) -> Any:
        return hash(state)


class PublicSeesRed(LeakyView):
    def more(self, state: Any, seat: str | None) -> Any:
        return list(state.player("red").hand) if seat is None else None


class ViewHasTheWholeLine(Wrapped):
    def view(self, state: Any, seat: str | None) -> View:
        return replace(self.inner.view(state, seat), position=self.inner.position(state))


class DecisionKnows(Wrapped):
    def decision(self, state: Any) -> str:
        return "bid" if state.contest is None and best(state, "red") else self.inner.decision(state) + "s"


class MenuWithoutHopelessBids(Wrapped):
    def moves(self, state: Any, seat: str) -> Iterator[Any]:
        top = max(others(state, seat), default=0)
        yield from (move for move in self.inner.moves(state, seat) if getattr(move, "card", 99) > top)


class SilenceThatBidsWhenItWins(Wrapped):
    def default(self, state: Any, seat: str) -> Any:
        wins = state.contest is None and best(state, seat)
        return list(self.inner.moves(state, seat))[-2] if wins else self.inner.default(state, seat)


class NoWayOutForTheBest(Wrapped):
    def resignation(self, state: Any, seat: str) -> Any:
        return None if best(state, seat) else self.inner.resignation(state, seat)


class RefusalNamesTheHolder(Wrapped):
    def read(self, state: Any, seat: str, order: Any) -> Any:
        answer = self.inner.read(state, seat, order)
        if isinstance(answer, Refusal) and answer.code == "not_held":
            holder = next((name for name in SEATS if answer.facts["card"] in state.player(name).hand), "nobody")
            return replace(answer, text="{holder} holds {card}.", facts={**answer.facts, "holder": holder})
        return answer


class RefusalByAnotherCode(Wrapped):
    def read(self, state: Any, seat: str, order: Any) -> Any:
        answer = self.inner.read(state, seat, order)
        if isinstance(answer, Refusal) and answer.facts.get("card") in state.deck:
            return replace(answer, code="not_dealt")
        return answer


class RefusalWithOthersMoves(Wrapped):
    def read(self, state: Any, seat: str, order: Any) -> Any:
        answer = self.inner.read(state, seat, order)
        if isinstance(answer, Refusal):
            legal = tuple(str(move) for name in self.inner.pending(state) for move in self.inner.moves(state, name))
            return replace(answer, legal=legal)
        return answer


class PreviewKnowsTheWinner(Wrapped):
    def preview(self, state: Any, seat: str, move: Any) -> tuple[Event, ...]:
        wins = getattr(move, "card", 0) > max(others(state, seat), default=0)
        return (*self.inner.preview(state, seat, move), Event("wins", "VAULT-2.3", {"wins": wins}))


class PreviewIsADryRunOnTheState(Wrapped):
    def preview(self, state: Any, seat: str, move: Any) -> tuple[Event, ...]:
        return (Event("told", "VAULT-2.5", {"highest_spare": max(state.deck)}),)


class NoticeOfAHigherCard(Wrapped):
    def notices(self, state: Any, seat: str, move: Any) -> tuple[Notice, ...]:
        higher = getattr(move, "card", 0) < max(others(state, seat), default=0)
        return (Notice("VAULT-2.3", "higher", "Somebody holds a higher card.", {}),) if higher else ()


class ForeseesTheWholeState(Wrapped):
    def foresee(self, state: Any, seat: str, move: Any) -> Any:
        return state


class NeverByOthersCards(Wrapped):
    def why_never(self, state: Any, seat: str, order: Any) -> Refusal | None:
        return Refusal("VAULT-2.1", "never", "Nobody holds that.") if best(state, seat) else None


class InterruptsTheBest(Wrapped):
    def interrupts(self, state: Any, seat: str) -> bool:
        return best(state, seat)


class StandingAnswerThatKnows(Wrapped):
    def answer(self, state: Any, seat: str, standing: Mapping[str, Any]) -> Any:
        return next(self.inner.moves(state, seat)) if best(state, seat) else self.inner.answer(state, seat, standing)


class StandingRefusedByOthersCards(Wrapped):
    def why_not_standing(self, state: Any, seat: str, standing: Mapping[str, Any]) -> Refusal | None:
        text = "You would lose." if not best(state, seat) else "You would win."
        return Refusal("VAULT-3.4", "no", text)


class ForNowByOthersCards(Wrapped):
    def is_for_now(self, state: Any, seat: str, order: Any) -> bool:
        return best(state, seat)


class OvertakenByOthersCards(Wrapped):
    def overtaken(self, before: Any, turned: Turned, seat: str, order: Any) -> Overtaken | None:
        why = Refusal("VAULT-2.3", "hopeless", "Somebody holds a higher card.")
        return None if best(turned.state, seat) else Overtaken(why)


class PressOnlyForTheBest(Wrapped):
    def why_not_say(self, state: Any, seat: str, to: str | None) -> Refusal | None:
        return None if best(state, seat) else Refusal("VAULT-2.1", "silence", "Not now.")


class OverhearsOrders(Wrapped):
    """A game with a memory: what one seat ordered shows in the answer to another."""

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self.heard: dict[str, Any] = {}

    def read(self, state: Any, seat: str, order: Any) -> Any:
        answer = self.inner.read(state, seat, order)
        if isinstance(answer, Refusal):
            return replace(answer, facts={**answer.facts, "heard": str(self.heard)})
        self.heard[seat] = answer
        return answer


class LeakyStory(Wrapped):
    """Events that tell too much."""

    def setup(self, options: Any, dice: Any) -> Turned:
        return self._told(self.inner.setup(options, dice), {})

    def resolve(self, state: Any, moves: Mapping[str, Any], dice: Any) -> Turned:
        return self._told(self.inner.resolve(state, moves, dice), moves)

    def _told(self, turned: Turned, moves: Mapping[str, Any]) -> Turned:
        return Turned(turned.state, tuple(self.tell(event, moves) for event in turned.events))

    def tell(self, event: Event, moves: Mapping[str, Any]) -> Event:
        return event._replace(audience=None)


class HiddenFactsForAll(LeakyStory):
    def tell(self, event: Event, moves: Mapping[str, Any]) -> Event:
        return event._replace(facts={**event.facts, "all": dict(event.hidden)}, hidden={})


class HiddenFactsForTheNextSeat(LeakyStory):
    def tell(self, event: Event, moves: Mapping[str, Any]) -> Event:
        turned = {SEATS[(SEATS.index(seat) + 1) % 3]: facts for seat, facts in event.hidden.items()}
        return event._replace(hidden=turned)


class AudienceOfTheWrongSeat(LeakyStory):
    def tell(self, event: Event, moves: Mapping[str, Any]) -> Event:
        return event if event.audience is None else event._replace(audience=SEATS)


class EventTellsTheLowestBid(LeakyStory):
    def tell(self, event: Event, moves: Mapping[str, Any]) -> Event:
        cards = [move.card for move in moves.values() if hasattr(move, "card")]
        return event._replace(facts={**event.facts, "lowest": min(cards, default=0)})


class OneEventMoreForLowBids(Wrapped):
    """The mere number of events tells something."""

    def resolve(self, state: Any, moves: Mapping[str, Any], dice: Any) -> Turned:
        turned = self.inner.resolve(state, moves, dice)
        low = sum(1 for move in moves.values() if getattr(move, "card", 99) < 4)
        return Turned(turned.state, turned.events + turned.events[:1] * low)


class EventsInTheOrderOfCards(Wrapped):
    def resolve(self, state: Any, moves: Mapping[str, Any], dice: Any) -> Turned:
        turned = self.inner.resolve(state, moves, dice)

        def card(event: Event) -> int:
            return max((facts.get("card", 0) for facts in event.hidden.values()), default=0)

        return Turned(turned.state, tuple(sorted(turned.events, key=card)))


class ShowsSealedBids(Wrapped):
    def shown(self, state: Any, seat: str, move: Any, reader: str | None) -> str | None:
        return str(move)
