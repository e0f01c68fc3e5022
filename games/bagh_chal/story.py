"""What is told most often, made once and shared, as a board has few such sentences: nobody changes the facts."""

from __future__ import annotations

from engine import Event

Story = list[Event]


class Placed(dict[tuple[str, int], Event]):
    """An action and the goats then in hand -> the event."""

    def __missing__(self, key: tuple[str, int]) -> Event:
        action, hand = key
        told = self[key] = Event("placed", "BAGH-4.1", {"at": action.removeprefix("place "), "hand": hand})
        return told


class Walked(dict[str, Event]):
    """An action -> the event, of one kind of piece."""

    def __init__(self, piece: str, rule: str) -> None:
        self.piece, self.rule = piece, rule

    def __missing__(self, action: str) -> Event:
        start, _, end = action.partition("-")
        told = self[action] = Event("walked", self.rule, {"piece": self.piece, "from": start, "to": end})
        return told


PLACED = Placed()
TIGER_WALKED = Walked("tiger", "BAGH-4.3")
ALPHA_WALKED = Walked("alpha", "BAGH-4.3")
GOAT_WALKED = Walked("goat", "BAGH-5.2")
BOUC_WALKED = Walked("bouc", "BAGH-5.2")
