"""`python -m tests.playthroughs.record GAME NAME [OPTION=VALUE ...]`: a robot's game, stored as a transcript.

`python -m tests.playthroughs.record again` writes all of them anew. Robots send one file a turn, sometimes several
orders ahead, sometimes nothing, sometimes something that is refused.
"""

from __future__ import annotations

import hashlib
import sys
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine import Dice, UnknownGame, load
from pbem.game.hosting import game_named
from tests.playthroughs import robots
from tests.playthroughs.transcript import NAME, Script, Stage, parse, replay, stage, transcript

FOLDER = Path(__file__).parent / "games"
NIGHTS = 400
LOOKED_AT = 3000


def record(rules: str, name: str, options: dict[str, str]) -> Path:
    seed = hashlib.sha256(f"{rules} {name}".encode()).hexdigest()
    pinned = rules if "@" in rules else f"{rules}@{load(rules).version}"
    script = Script(pinned, options, seed)
    with TemporaryDirectory() as folder:
        played = stage(Path(folder) / "host", pinned, options, seed)
        for number in range(NIGHTS):
            if played.status != "open":
                break
            for seat, form in _robots(played, pinned, Dice(bytes.fromhex(seed), f"robots {number}")):
                played.send(seat, form)
            played.night()
        text = transcript(played.ledger, script)
        played.ledger.close()
    path = FOLDER / f"{script.id}-{name}.txt"
    path.write_text(text, encoding="utf-8")
    return path


def _robots(played: Stage, rules_id: str, dice: Dice) -> list[tuple[str, dict[str, Any]]]:
    with played.ledger.read() as tx:
        row = game_named(tx, NAME)
    rules = load(rules_id)
    state = rules.restore(row.state)
    sent: list[tuple[str, dict[str, Any]]] = []
    if row.turn == 1 and rules.id in robots.STANDING:
        sent += [(seat, {"standing": robots.STANDING[rules.id]}) for seat in row.seats]
    for seat in row.pending:
        luck = dice.pick(12, seat)
        if luck == 0:
            continue
        style = robots.STYLES.get(rules.id, robots.PLAIN)
        orders = list(_line(rules, state, seat, dice, 1 if luck < style.short else style.most, style.choose))
        form = {"orders": orders + (["nonsense"] if luck == 1 else [])}
        sent.append((seat, form | (style.extra if style.takes_extra(rules, state, seat) else {})))
    return sent


def _line(rules: Any, state: Any, seat: str, dice: Dice, most: int, choose: robots.Choose) -> list[str]:
    """A move, and those the seat can foresee to have after it."""
    orders: list[str] = []
    while len(orders) < most and seat in rules.pending(state):
        choices = list(islice(rules.moves(state, seat), LOOKED_AT))
        move = choose(state, choices, dice)
        orders.append(str(move))
        ahead = rules.foresee(state, seat, move)
        if ahead is None:
            break
        state = ahead
    return orders


def again() -> None:
    """Every stored game played again and written anew, by the rules as they are now: after a change that was meant, to
    be read as a diff. Games of versions that are still offered beside the newest stay as they are."""
    for path in sorted(FOLDER.glob("*.txt")):
        script = parse(path.read_text(encoding="utf-8"))
        try:
            load(script.rules)
        except UnknownGame:
            script.rules = f"{script.id}@{load(script.id).version}"
        with TemporaryDirectory() as folder:
            path.write_text(replay(Path(folder) / "host", script), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["again"]:
        again()
        sys.exit()
    game, name, *choices = sys.argv[1:]
    sys.stdout.write(f"{record(game, name, dict(choice.split('=', 1) for choice in choices))}\n")
