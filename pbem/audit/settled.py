#!/usr/bin/env python3
"""Checks what was mixed into the seed of an exported game, and that it came after the commitment to the seed.

Texts of players: the SHA-256 of all must be closed before the first text is sent, and each text must fit its own. What
the host alone could choose is said plainly. `python3 settled.py FILE`, with checker.py beside it.
"""

import sys
from hashlib import sha256
from importlib import import_module
from typing import Any

checker: Any = import_module(f"{__package__}.checker" if __package__ else "checker")  # it lies beside this one
PUBLIC = "*beacon"
ALONE = (
    "The host alone chose the seed. The commitment proves that it was not changed afterwards, not that no other"
    " seed was tried first."
)


def mixed_in(opened: Any) -> Any:
    """What was mixed into the seed, by its names; ends with a sentence where it came in the wrong order."""
    first, hashes, texts, closed, mixed = opened[0]["body"], {}, {}, False, None  # type: Any, Any, Any, Any, Any
    if "dice" not in first:
        checker.insist(all(row["kind"] != "dice" for row in opened), "nobody was to have a say in these dice")
        return first["nonces"]
    for row in opened:
        said, seat, place = row["body"], row["seat"], f"row {row['seq']}"
        act = said["act"] if row["kind"] == "dice" else row["kind"]
        settled = mixed is not None
        checker.insist(not (settled and row["kind"] == "dice"), f"{place}: the dice were settled before it")
        checker.insist(settled or act not in ("turn", "at_once"), f"{place} draws before the dice were settled")
        if act == "commit":
            checker.insist(not closed and seat not in hashes, f"{place}: a commitment came too late")
            hashes[seat] = said["sha256"]
        elif act == "close":
            checker.insist(not closed and said["commitments"] == hashes, f"{place}: these are not the commitments")
            closed = True
        elif act == "reveal":
            fits = sha256(said["nonce"].encode()).hexdigest() == hashes.get(seat)
            checker.insist(closed and fits, f"{place}: a text came too early, or is not the one committed to")
            texts[seat] = said["nonce"]
        elif act == "void":
            checker.insist(
                closed and sorted(said["withheld"]) == sorted({*hashes} - {*texts}), f"{place}: void in vain"
            )
            hashes, texts, closed = {}, {}, False
        elif act == "beacon":
            checker.insist(row["at"] >= first["dice"]["after"], f"{place}: the value came before it was known")
            texts, closed = {PUBLIC: said["value"]} if said["value"] else {}, True
        elif act == "mix":
            whole = closed and said["nonces"] == texts and {*hashes} <= {*texts}
            checker.insist(whole, f"{place}: it mixes in something else than came")
            mixed = texts
    return mixed


def told(opened: Any) -> str:
    """What a stranger may conclude."""
    first, mixed = opened[0]["body"], mixed_in(opened)
    over = [row["body"] for row in opened if row["kind"] == "revealed"]
    checker.insist(all(row["nonces"] == mixed for row in over), "other texts are revealed than were mixed in")
    renewed = any(row["kind"] == "ruling" and "seed_commitment" in row["body"] for row in opened)
    if "dice" not in first or mixed == {} or renewed:  # a new seed was chosen when all texts were known
        return ALONE
    if mixed is None:
        return "The dice are not settled yet, or the rows that say how are sealed."
    if PUBLIC in mixed:
        return f"Mixed into the seed after its commitment: {mixed[PUBLIC]}, as the value of {first['dice']['beacon']}."
    return f"Mixed into the seed after its commitment: texts of {', '.join(sorted(mixed))}."


if __name__ == "__main__":
    try:
        checker.say(told(checker.check_chain(sys.argv[-1])[1]))
    except Exception as error:  # bytes that are no export can break anything
        sys.exit(checker.safe(f"WRONG: it does not say how its dice were settled ({type(error).__name__}: {error})."))
