"""A host in forty lines: real games of the registry written to a real ledger, as the night would write them.

For tests of what stands on the ledger. Moves are given, or drawn from a seeded source; nothing here is random.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from engine import Dice, Outcome, Turned, load
from engine.canon import canonical, dump
from engine.dice import commitment, mix
from pbem.ledger import chains, games, letters, outbox, queues
from pbem.ledger.public import KEEPS_PRIVATE
from pbem.ledger.store import Ledger
from pbem.ledger.times import stamp
from pbem.ledger.transaction import Write

START = datetime(2026, 11, 18, 20, tzinfo=UTC)
NIGHT = timedelta(days=1)


def key(word: str) -> bytes:
    """32 bytes that are the same in every run."""
    return hashlib.sha256(word.encode()).digest()


def begin(tx: Write, name: str, rules_id: str, at: datetime = START, **options: Any) -> None:
    """Set a game up, with its turn 0."""
    rules = load(rules_id)
    chosen = rules.Options(**options)
    seed = key(f"seed of {name}")
    chains.begin(tx, name, key(f"secret of {name}"), seed)
    seats = {seat: key(f"player {seat}").hex() for seat in rules.seats(chosen)}
    nonces = {seat: f"nonce of {seat}" for seat in seats}
    body = {
        "rules": rules.id,
        "version": rules.version,
        "options": chosen.to_json(),
        "seats": seats,
        "seed_commitment": commitment(seed, name),
        "nonces": nonces,
        "pbem": "test",
        "schedule": {"resolve": "nightly"},
        KEEPS_PRIVATE: True,
        "due_at": stamp(at + NIGHT),
    }
    tx.append(name, "created", at, body)
    dice = Dice(mix(seed, nonces), name).at("0")
    turned = rules.setup(chosen, dice)
    _resolved(tx, name, "turn", 0, {}, turned, dice, at)


def order(tx: Write, name: str, seat: str, move: str, at: datetime) -> int:
    """A submission by letter; gives its place in the chain."""
    game = games.get(tx, name)
    counter = queues.of_game(tx, name)[seat].counter + 1
    message_id = f"<{name}-{seat}-{counter}@player.example>"
    sha256, _ = letters.arrive(tx, f"Message-ID: {message_id}\n\n{move}\n".encode(), at, "drop", message_id)
    body = {"letter": sha256, "route": "drop", "message_id": message_id, "counter": counter, "fate": "accepted"}
    body |= {"orders": [move], "draft": False, "standing": None, "say": "", "refusals": [], "warnings": []}
    waits = waiting(move, tx.end(name).seq + 1)
    row = tx.append(name, "submission", at, body | {"replaces": None, "queue": waits}, game.turn, seat)
    letters.settle(tx, sha256, message_id, letters.ACCEPTED, at, {"game": name, "seat": seat})
    return row.seq


def waiting(move: str, submission: int) -> dict[str, Any]:
    """What waits for a seat that has ordered that."""
    return {"queue": [move], "submission": submission}


def resolve(tx: Write, name: str, moves: Mapping[str, str], at: datetime, *, at_once: bool = False) -> None:
    """One decision point, or one move out of turn; a seat that is pending and gave no move takes the default."""
    game = games.get(tx, name)
    rules, (_, seed) = load(game.pinned), chains.secret_of(tx, name)
    state = rules.restore(game.state)
    taken, said = {}, {}
    for seat in moves if at_once else rules.pending(state):
        if seat in moves:
            taken[seat] = rules.read(state, seat, moves[seat])
            said[seat] = {
                "move": str(taken[seat]),
                "how": "given",
                "submission": order(tx, name, seat, moves[seat], at),
            }
        else:
            taken[seat] = rules.default(state, seat)
            said[seat] = {"move": str(taken[seat]), "how": "default", "submission": None}
    context = f"{game.turn}+{game.at_once + 1}" if at_once else str(game.turn)
    nonces = {seat: f"nonce of {seat}" for seat in game.seats}
    dice = Dice(mix(seed, nonces), name).at(context)
    turned = rules.resolve(state, taken, dice)
    _resolved(tx, name, "at_once" if at_once else "turn", game.turn, said, turned, dice, at)


def _resolved(
    tx: Write, name: str, kind: str, turn: int, said: Mapping[str, Any], turned: Turned, dice: Dice, at: datetime
) -> None:
    game = games.get(tx, name)
    rules = load(game.pinned)
    body = {
        "moves": said,
        "draws": [list(draw) for draw in dice.draws],
        "events": [event.to_json() for event in turned.events],
        "state": rules.dump(turned.state),
        "decision": rules.decision(turned.state),
        "pending": list(rules.pending(turned.state)),
        "queues": dict.fromkeys(said),
        "due_at": stamp(at + NIGHT),
    }
    if kind == "at_once":
        body["at_once"] = game.at_once + 1
    head = tx.append(name, kind, at, body, turn).head
    outcome = rules.outcome(turned.state)
    if outcome is not None:
        tx.append(name, "over", at, {"outcome": dump(Outcome, outcome)}, turn)
        tx.append(name, "revealed", at, {"seed": chains.secret_of(tx, name).seed.hex(), "nonces": _nonces(game.seats)})
    for seat in game.seats:
        view = rules.view(turned.state, seat)
        message_id = f"<{name}.{turn}.{game.at_once}.{kind}.{seat}@host.example>"
        raw = f"Message-ID: {message_id}\n\nhead {head}\n".encode() + canonical(view.facts)
        outbox.post(tx, name, seat, "report", message_id, raw, at, at, turn)


def _nonces(seats: Mapping[str, str]) -> dict[str, str]:
    return {seat: f"nonce of {seat}" for seat in seats}


def play(ledger: Ledger, name: str, rules_id: str, *, seed: int = 1, turns: int = 200, **options: Any) -> int:
    """A whole game of legal moves drawn from that seed, one transaction a turn; gives the number of its last turn."""
    source, at = Random(seed), START
    with ledger.write() as tx:
        begin(tx, name, rules_id, at, **options)
    for _ in range(turns):
        at += NIGHT
        with ledger.write() as tx:
            game = games.get(tx, name)
            if game.status != games.OPEN:
                break
            rules = load(game.pinned)
            state = rules.restore(game.state)
            seats = [seat for seat in game.pending if source.random() < 0.9]
            moves = {seat: str(source.choice(list(rules.moves(state, seat)))) for seat in seats}
            resolve(tx, name, moves, at)
    with ledger.read() as tx:
        return games.get(tx, name).turn - 1
