"""Games that are wrong on purpose, one fault each: what the questions are there to find."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from time import process_time
from typing import Any

from engine import BadPosition, Dice, Event, Outcome, Refusal, Turned, View
from engine.game import BrokenInvariant
from tests.every_game.wrapped import Wrapped


class TwiceOnTheMenu(Wrapped):
    def moves(self, state: Any, seat: str) -> Iterator[Any]:
        menu = list(self.inner.moves(state, seat))
        yield from (*menu, menu[0])


class MenuInAnyOrder(Wrapped):
    calls = 0

    def moves(self, state: Any, seat: str) -> Iterator[Any]:
        self.calls += 1
        menu = list(self.inner.moves(state, seat))
        yield from menu if self.calls % 2 else reversed(menu)


class DefaultThatIsNotLegal(Wrapped):
    def default(self, state: Any, seat: str) -> Any:
        return "nothing"


class ReadsOnlySmallLetters(Wrapped):
    def read(self, state: Any, seat: str, order: Any) -> Any:
        if isinstance(order, str) and order != order.lower():
            return Refusal("NIM-2.1", "unread", "Small letters only.")
        return self.inner.read(state, seat, order)


class LetsEverybodyMove(Wrapped):
    def read(self, state: Any, seat: str, order: Any) -> Any:
        pending = self.inner.pending(state)
        return self.inner.read(state, pending[0] if pending else seat, order)


class BreaksOnOddOrders(Wrapped):
    def read(self, state: Any, seat: str, order: Any) -> Any:
        if isinstance(order, str) and "\x00" in order:
            raise KeyError(order)
        return self.inner.read(state, seat, order)


class RefusesWithoutParagraph(Wrapped):
    def read(self, state: Any, seat: str, order: Any) -> Any:
        answer = self.inner.read(state, seat, order)
        return replace(answer, rule="NIM-9.9") if isinstance(answer, Refusal) else answer


class RefusesWithAnUnknownName(Wrapped):
    def read(self, state: Any, seat: str, order: Any) -> Any:
        answer = self.inner.read(state, seat, order)
        return replace(answer, text="No {such} thing.") if isinstance(answer, Refusal) else answer


class PreviewForSomebodyElse(Wrapped):
    def preview(self, state: Any, seat: str, move: Any) -> tuple[Event, ...]:
        return (Event("took", "NIM-2.1", {}, audience=("nobody",)),)


class StandingAnswersUnchecked(Wrapped):
    def why_not_standing(self, state: Any, seat: str, standing: Mapping[str, Any]) -> Refusal | None:
        return None

    def answer(self, state: Any, seat: str, standing: Mapping[str, Any]) -> Any:
        return standing["challenge"]


class ForeseesWrongly(Wrapped):
    def foresee(self, state: Any, seat: str, move: Any) -> Any:
        return state


class NeverThoughPossible(Wrapped):
    def why_never(self, state: Any, seat: str, order: Any) -> Refusal | None:
        return Refusal("NIM-2.1", "unreadable", "No.")


class ForgetsInJson(Wrapped):
    def dump(self, state: Any) -> Any:
        data = self.inner.dump(state)
        return data | {"most": 0}


class LineInTwoLines(Wrapped):
    def position(self, state: Any) -> str:
        return self.inner.position(state) + "\n"

    def from_position(self, line: str) -> Any:
        return self.inner.from_position(line.strip())


class TakesBentLines(Wrapped):
    def from_position(self, line: str) -> Any:
        return self.inner.from_position(" ".join(line.lower().split()))


class BreaksOnBentLines(Wrapped):
    def from_position(self, line: str) -> Any:
        try:
            return self.inner.from_position(line)
        except BadPosition as bad:
            raise IndexError from bad


class FindsItselfBroken(Wrapped):
    def check(self, state: Any) -> None:
        raise BrokenInvariant("one heap too many")


class NeverSaysHowItEnded(Wrapped):
    def outcome(self, state: Any) -> Outcome | None:
        return None


class Remembers(Wrapped):
    turns = 0

    def resolve(self, state: Any, moves: Mapping[str, Any], dice: Any) -> Turned:
        self.turns += 1
        turned = self.inner.resolve(state, moves, dice)
        return Turned(turned.state, (*turned.events, Event("counted", "NIM-1.1", {"turns": self.turns})))


class EventsWithoutParagraph(Wrapped):
    """Asked about stories that were told before, so it spoils them while they are looked at."""

    def spoilt(self, event: Event) -> Event:
        return event._replace(rule="")


class FactsAreTuples(EventsWithoutParagraph):
    def spoilt(self, event: Event) -> Event:
        return event._replace(facts={"pair": (1, 2)})


class FactsAreFloats(EventsWithoutParagraph):
    def spoilt(self, event: Event) -> Event:
        return event._replace(facts={"half": 0.5})


class SecretsOfStrangers(EventsWithoutParagraph):
    def spoilt(self, event: Event) -> Event:
        return event._replace(hidden={"nobody": {"card": 1}})


class ViewOfTheWrongSeat(Wrapped):
    def view(self, state: Any, seat: str | None) -> View:
        return self.inner.view(state, None)


class ViewWithSets(Wrapped):
    def view(self, state: Any, seat: str | None) -> View:
        view = self.inner.view(state, seat)
        return replace(view, facts={**view.facts, "set": ("a",)})


class DrawsAllTheSame(Wrapped):
    """It says that it uses no dice."""

    def uses_dice(self, options: Any) -> bool:
        return False

    def setup(self, options: Any, dice: Dice) -> Turned:
        dice.pick(6, "who begins")
        return self.inner.setup(options, dice)


class DearView(Wrapped):
    def view(self, state: Any, seat: str | None) -> View:
        begun = process_time()
        while process_time() < begun + 0.03:
            hash(state)
        return self.inner.view(state, seat)


class ForgetsASeat(Wrapped):
    def outcome(self, state: Any) -> Outcome | None:
        outcome = self.inner.outcome(state)
        return outcome and replace(outcome, places=outcome.places[:1])


class EndsForAReasonWithoutWords(Wrapped):
    def outcome(self, state: Any) -> Outcome | None:
        outcome = self.inner.outcome(state)
        return outcome and replace(outcome, rule="NIM-9.9", reason="last_object")


class HidesAMoveFromItsSeat(Wrapped):
    def shown(self, state: Any, seat: str, move: Any, reader: str | None) -> str | None:
        return None


class ResignsInWordsItCannotRead(Wrapped):
    def resignation(self, state: Any, seat: str) -> Any:
        return "i give up"


class PreviewWithoutWords(Wrapped):
    def preview(self, state: Any, seat: str, move: Any) -> tuple[Event, ...]:
        return (Event("unheard_of", "NIM-2.1", {}),)


class EventsWithoutFacts(EventsWithoutParagraph):
    def spoilt(self, event: Event) -> Event:
        return event._replace(facts={})


class HeapsTooWide(Wrapped):
    def view(self, state: Any, seat: str | None) -> View:
        view = self.inner.view(state, seat)
        return replace(view, facts={**view.facts, "heaps": [{"name": "a", "size": 90}]})


class HeapsWithoutNames(Wrapped):
    def view(self, state: Any, seat: str | None) -> View:
        view = self.inner.view(state, seat)
        return replace(view, facts={**view.facts, "heaps": [{"name": None, "size": 1}]})


class HeapsThatBreakThePicture(Wrapped):
    """A control character is no XML, however it is escaped."""

    def view(self, state: Any, seat: str | None) -> View:
        view = self.inner.view(state, seat)
        return replace(view, facts={**view.facts, "heaps": [{"name": "\x01", "size": 1}]})
