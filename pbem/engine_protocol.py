"""`pbem engine` as a function from one line of JSON to another: a game's rules for programs in any language.

What each request takes and gives stands in `engine_protocol.md` beside this file. Nothing is stored; a session is one
game with open cards, for a program that thinks or analyses. What a hosted seat may know is for the host to tell.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from engine import BadOption, Dice, Refusal, Seat, Turned
from engine.canon import canonical
from engine.players import choose
from engine.registry import AnyGame
from pbem.bots.programs import built_in
from pbem.game.turning import outcome_to_json

LONGEST = 1 << 20  # letters in one line
LISTED = 3000  # moves in one answer, unless told otherwise
Json = dict[str, Any]


class Wrong(Exception):
    """A request that cannot be served: a code for programs, a sentence for people."""

    def __init__(self, code: str, text: str, **more: Any) -> None:
        super().__init__(text)
        self.said: Json = {"code": code, "text": text, **more}


@dataclass(slots=True)
class Session:
    """One game being played over the protocol."""

    rules: AnyGame
    options: Mapping[str, str]
    state: Any = None
    seats: tuple[Seat, ...] = ()
    dice: Dice = field(default_factory=Dice)
    turn: int = 0
    over: bool = False  # `quit` was said

    def answer(self, line: str) -> str:
        """The answer to one line; whatever is wrong with the line is an answer as well."""
        request: Any = None
        try:
            if len(line) > LONGEST:
                raise Wrong("too_long", f"A request has at most {LONGEST} letters.")
            request = _object(line)
            said = {"ok": True, **self._do(request)}
        except Wrong as wrong:
            said = {"ok": False, "error": wrong.said}
        except Exception as fault:  # a session with a program does not end because one request was too much for us
            said = {"ok": False, "error": {"code": "fault", "text": f"{type(fault).__name__}: {fault}"}}
        if isinstance(request, dict) and "id" in request:
            said["id"] = request["id"]
        return canonical(said).decode()

    def _do(self, request: Json) -> Json:
        serve = _SERVED.get(str(request.get("do")))
        if serve is None:
            raise Wrong("unknown_request", f"`do` is one of {', '.join(_SERVED)}.", requests=list(_SERVED))
        return serve(self, request)

    # --- requests -----------------------------------------------------------------------------------------------------

    def new(self, request: Json) -> Json:
        options = self._chosen(request)
        self.dice, self.turn = Dice(_seed(request)), 0
        turned = self.rules.setup(options, self.dice.at("0"))
        self.state, self.seats = turned.state, self.rules.seats(options)
        return {"options": options.to_json(), "seats": list(self.seats), **self._stands(turned)}

    def position(self, request: Json) -> Json:
        if "line" in request:
            seats = self.rules.seats(self._chosen(request))
            try:
                self.state, self.seats = self.rules.from_position(str(request["line"])), seats
            except ValueError as bad:  # BadPosition is one
                raise Wrong("bad_position", str(bad)) from None
        return self._stands()

    def moves(self, request: Json) -> Json:
        seat, most = self._pending(request), request.get("most", LISTED)
        if not isinstance(most, int) or most < 0:
            raise Wrong("bad_number", "`most` is a whole number, 0 or more.")
        found = [str(move) for move in islice(self.rules.moves(self._game(), seat), most + 1)]
        return {"moves": found[:most], "complete": len(found) <= most}

    def read(self, request: Json) -> Json:
        return {"move": str(self._read(self._seat(request), request.get("order")))}

    def default(self, request: Json) -> Json:
        return {"move": str(self.rules.default(self._game(), self._pending(request)))}

    def choose(self, request: Json) -> Json:
        seat, bot = self._pending(request), str(request.get("bot", "greedy"))
        player = built_in(bot)
        if player is None:
            raise Wrong("unknown_bot", f"There is no bot {bot!r}; greedy is one.")
        dice = self.dice.at(f"bot {seat} {self.turn}")
        return {"move": str(choose(player, self.rules, self._game(), seat, dice))}

    def view(self, request: Json) -> Json:
        seat = None if request.get("seat") is None else self._seat(request)
        seen = self.rules.view(self._game(), seat)
        told = {"seat": seat, "decision": seen.decision, "pending": list(seen.pending)}
        return {**told, "position": seen.position, "view": seen.facts}

    def play(self, request: Json) -> Json:
        """Resolve the orders of all pending seats; or of one seat alone, if its move takes effect at once."""
        state, orders = self._game(), _mapping(request, "moves")
        moves = {seat: self._read(self._seat({"seat": seat}), order) for seat, order in orders.items()}
        pending = self.rules.pending(state)
        alone = len(moves) == 1 and all(self.rules.at_once(state, seat, move) for seat, move in moves.items())
        if set(moves) != set(pending) and not alone:
            raise Wrong("not_all", f"Orders of {', '.join(pending) or 'nobody'} are due.", pending=list(pending))
        dice = self.dice.at(str(self.turn + 1))
        turned = self.rules.resolve(state, moves, dice)
        self.state, self.turn = turned.state, self.turn + 1
        return {"moves": {seat: str(move) for seat, move in moves.items()}, **self._stands(turned, dice)}

    def quit(self, request: Json) -> Json:
        self.over = True
        return {}

    # --- what they share ----------------------------------------------------------------------------------------------

    def _game(self) -> Any:
        if self.state is None:
            raise Wrong("no_game", 'There is no game yet: say {"do": "new"}, or give a position.')
        return self.state

    def _seat(self, request: Json) -> Seat:
        """The seat that is meant; where only one is asked, it need not be named."""
        seat, state = request.get("seat"), self._game()
        pending = self.rules.pending(state)
        if seat is None and len(pending) == 1:
            return pending[0]
        if not isinstance(seat, str) or seat not in {*pending, *self.seats}:
            raise Wrong("no_seat", f"`seat` is one of {', '.join(self.seats)}.", seats=list(self.seats))
        return seat

    def _chosen(self, request: Json) -> Any:
        choices = {**self.options, **_mapping(request, "options")}
        try:
            return self.rules.Options(**{name: str(value) for name, value in choices.items()})
        except BadOption as bad:
            raise Wrong("bad_option", str(bad)) from None

    def _pending(self, request: Json) -> Seat:
        seat = self._seat(request)
        pending = self.rules.pending(self.state)
        if seat not in pending:
            who = ", ".join(pending) or "nobody: the game is over"
            raise Wrong("not_asked", f"{seat} has nothing to decide now; asked is {who}.", pending=list(pending))
        return seat

    def _read(self, seat: Seat, order: Any) -> Any:
        if not isinstance(order, str | dict):
            raise Wrong("bad_order", "An order is a text, or an object whose `do` names its kind.")
        if isinstance(order, dict):
            order = {name: str(value) for name, value in order.items()}
        move = self.rules.read(self._game(), seat, order)
        if isinstance(move, Refusal):
            raise Wrong("refused", str(move), seat=seat, refusal=move.to_json())
        return move

    def _stands(self, turned: Turned | None = None, dice: Dice | None = None) -> Json:
        """Where the game stands, with the story of how it came there."""
        state, rules = self._game(), self.rules
        outcome = rules.outcome(state)
        told: Json = {"position": rules.position(state), "decision": rules.decision(state)}
        told |= {"pending": list(rules.pending(state)), "turn": self.turn}
        told["outcome"] = None if outcome is None else outcome_to_json(outcome)
        if turned is not None:
            told["events"] = [event.to_json() for event in turned.events]
        if dice is not None:
            told["draws"] = [list(draw) for draw in dice.draws]
        return told


_SERVED: Mapping[str, Callable[[Session, Json], Json]] = {
    "new": Session.new,
    "position": Session.position,
    "moves": Session.moves,
    "read": Session.read,
    "play": Session.play,
    "view": Session.view,
    "default": Session.default,
    "choose": Session.choose,
    "quit": Session.quit,
}


def _object(line: str) -> Json:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as bad:
        raise Wrong("not_json", f"A request is one line of JSON: {bad}.") from None
    if not isinstance(request, dict):
        raise Wrong("not_an_object", 'A request is a JSON object such as {"do": "moves"}.')
    return request


def _mapping(request: Json, name: str) -> Json:
    value = request.get(name, {})
    if not isinstance(value, dict):
        raise Wrong("bad_value", f"`{name}` is a JSON object.")
    return value


def _seed(request: Json) -> bytes:
    """64 hexadecimal digits; without a seed the dice are the same in every session."""
    text = request.get("seed", "")
    try:
        return bytes.fromhex(text)
    except (ValueError, TypeError):
        raise Wrong("bad_seed", "`seed` is written in hexadecimal digits.") from None
