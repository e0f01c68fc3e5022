"""Plays an exported game again with nothing but Python, by the rules in the file: `python3 FILE TURN SEAT`.

Hands, flips and everything else must come out of the committed seed and the moves as they stand (whether those are the
moves that were ordered, `pbem audit check` looks into); then that turn is printed as the seat saw it. `all` is the
whole of it, `public` what everybody may know.
"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from typing import Any

NEEDS = (3, 11)
# These lie beside this one.
checker: Any = import_module(f"{__package__}.checker" if __package__ else "checker")
settled: Any = import_module(f"{__package__}.settled" if __package__ else "settled")


def main(file: str, turn: str, seat: str) -> None:
    header, opened = checker.check_chain(file)
    if "rules" not in header:
        sys.exit("The turns are not in this file: its game is not over, or its rules were not at hand.")
    with redirect_stdout(StringIO()):
        checker.check_draws(header["game"], opened)  # that the seed is the one committed to, too
    sys.path.insert(0, f"{file}/rules")
    module, _, name = header["rules"].partition(":")
    rules = getattr(import_module(module), name)
    steps = list(played(rules, header["game"], opened))
    wanted = [step for step in standing(steps) if step[0]["turn"] == int(turn)] if turn.isdigit() else []
    seats = [*opened[0]["body"]["seats"], "all", "public"]
    if seat not in seats or not wanted:
        sys.exit(checker.safe(f"There are turns 0 to {steps[-1][0]['turn']}, and seats {', '.join(seats)}."))
    over = any(row["kind"] == "revealed" for row in opened)
    came = "comes out of the seed and the moves" if over else "follows from the moves and the draws (no seed yet)"
    checker.say(f"{header['game']}: {len(steps)} steps played again; each {came} as it stands.")
    known = [seen(rules, row, after, seat)[1] for row, _, after in steps]
    same = {name for name in known[0] if all(facts.get(name) == known[0][name] for facts in known)}
    for row, before, after in wanted:
        tell(rules, row, before, after, seat, same)


def played(rules: Any, game: str, opened: Any) -> Any:
    """Each step with the states before and after it, played again from the seed."""
    from engine import Dice
    from engine.dice import mix

    created = opened[0]["body"]
    revealed = next((row["body"]["seed"] for row in opened if row["kind"] == "revealed"), None)
    nonces = settled.mixed_in(opened)
    dice = None if revealed is None else Dice(mix(bytes.fromhex(revealed), nonces), game)
    renewed = [row["seq"] for row in opened if row["kind"] == "ruling" and "seed_commitment" in row["body"]]
    state, opens = None, dict[int, Any]()  # what each turn began with, as it stands
    for row in opened:
        if row["kind"] == "taken_back":
            same = checker.canonical(row["body"]["state"]) == checker.canonical(opens.get(row["turn"]))
            checker.insist(same, f"row {row['seq']}: the state is not what stood when turn {row['turn']} was opened")
            state = rules.restore(row["body"]["state"])
            yield row, state, state
        if row["kind"] in ("turn", "at_once"):
            lost = bool(renewed) and row["seq"] < renewed[-1]  # a draw of a seed that the host has lost
            after = step(rules, created, None if lost else dice, row, state)
            yield row, state, after
            state = after
        if row["kind"] == "turn":
            opens[row["turn"] + 1] = row["body"]["state"]


def step(rules: Any, created: Any, dice: Any, row: Any, state: Any) -> Any:
    """The state that comes out, if it is the one that stands."""
    from engine import Dice

    body, extra = row["body"], f"+{row['body']['at_once']}" if row["kind"] == "at_once" else ""
    drawn = (
        Dice.script([(n, value) for _, n, value in body["draws"]]) if dice is None else dice.at(f"{row['turn']}{extra}")
    )
    if state is None:
        turned = rules.setup(rules.Options(**created["options"]), drawn)
    else:
        turned = rules.resolve(state, moves(rules, row, state), drawn)
    for name, value in (
        ("draws", [list(draw) for draw in drawn.draws]),
        ("events", [event.to_json() for event in turned.events]),
        ("state", rules.dump(turned.state)),
        ("decision", rules.decision(turned.state)),
        ("pending", list(rules.pending(turned.state))),
    ):
        same = checker.canonical(value) == checker.canonical(body[name])
        checker.insist(same, f"row {row['seq']} (turn {row['turn']}): the {name} do not come out of its moves")
    return rules.restore(body["state"])


def moves(rules: Any, row: Any, state: Any) -> Any:
    """The moves as the rules read them, in the order in which they ask for them."""
    made, asked = row["body"]["moves"], rules.pending(state)
    seats = asked if row["kind"] == "turn" else list(made)
    checker.insist({*made} == {*seats}, f"row {row['seq']}: its moves are not those of the seats that were to move")
    found = {seat: move(rules, state, seat, made[seat]) for seat in seats}
    for seat, one in found.items():
        same = str(one) == made[seat]["move"]
        free = row["kind"] == "turn" or (len(found) == 1 and rules.at_once(state, seat, one))
        checker.insist(
            same and free, f"row {row['seq']}: {made[seat]['move']} of seat {seat} is not what was to be done"
        )
    return found


def move(rules: Any, state: Any, seat: str, made: Any) -> Any:
    if made["how"] in ("default", "resigned"):
        return rules.default(state, seat)
    return rules.read(state, seat, made["move"])


def standing(steps: Any) -> Any:
    """The steps that were not taken back later."""
    kept: list[Any] = []
    for one in steps:
        if one[0]["kind"] == "taken_back":
            kept = [step for step in kept if step[0]["turn"] < one[0]["turn"]]
        else:
            kept.append(one)
    return kept


def seen(rules: Any, row: Any, state: Any, seat: str) -> tuple[str, Any]:
    """The position as that seat knows it, as a line and as facts."""
    if seat == "all":
        return rules.position(state), row["body"]["state"]
    view = rules.view(state, None if seat == "public" else seat)
    return view.position, view.facts


def tell(rules: Any, row: Any, before: Any, after: Any, seat: str, same: set[str]) -> None:
    """A step as that seat saw it; what is the same in the whole game (the board, say) is left out."""
    from engine import Event

    reader = None if seat == "public" else seat
    checker.say("")
    checker.say(f"turn {row['turn']}, as {seat} saw it")
    for mover, made in row["body"]["moves"].items():
        own = seat in ("all", mover)
        known = made["move"] if own else rules.shown(before, mover, move(rules, before, mover, made), reader)
        if known == "":
            continue
        checker.say(f"  {mover}: {known or 'a move that this seat may not know'} ({made['how']})")
    for said in row["body"]["events"]:
        event = said if seat == "all" else Event.from_json(said).seen_by(reader)
        if event is not None:
            kind, rule, facts = (said["kind"], said["rule"], said["facts"]) if seat == "all" else event[:3]
            checker.say(f"  - {kind} {said_of(facts)} [{rule}]")
        for one, own in said.get("hidden", {}).items() if seat == "all" else ():
            checker.say(f"      to {one} alone: {said_of(own)}")
        if seat == "all" and "audience" in said:
            checker.say(f"      learned of by {', '.join(said['audience']) or 'nobody'} alone")
    position, facts = seen(rules, row, after, seat)
    checker.say(f"  position: {position}")
    listing({name: value for name, value in facts.items() if name not in same}, "  ")


def said_of(facts: Any) -> str:
    return " ".join(f"{name}={value}" for name, value in facts.items())


def listing(facts: Any, indent: str) -> None:
    """Facts as lines, those inside others further in."""
    for name, value in facts.items() if isinstance(facts, dict) else enumerate(facts, 1):
        inner = isinstance(value, (dict, list, tuple)) and any(
            isinstance(one, (dict, list, tuple)) for one in parts(value)
        )
        if inner:
            checker.say(f"{indent}{name}:")
            listing(value, indent + "  ")
        else:
            checker.say(f"{indent}{name}: {json.dumps(value, ensure_ascii=False, default=str)}")


def parts(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("python3 FILE checks the file; python3 FILE TURN SEAT shows a turn as that seat saw it.")
    if sys.version_info < NEEDS:
        sys.exit("The rules in this file need Python {} or later.".format(".".join(map(str, NEEDS))))
    try:
        main(*sys.argv)
    except Exception as error:  # a file that was forged or damaged can break anything
        sys.exit(checker.safe(f"WRONG: this game cannot be played again ({type(error).__name__}: {error})."))
