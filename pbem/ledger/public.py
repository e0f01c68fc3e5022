"""Public facts: what a public file may say of each kind of row. Declared here, and nowhere else.

A row of a kind that is not declared, or with a fact that is not, is published as its commitment alone (the salted hash
that its chain is made of). Where rows of one kind hold both, what is not public is kept apart as the row is written:

    stored   {"counter":3,"orders":["a1"],"private":{"facts":{"say":{"all":"hi"}},"salt":"9f.."}}
    hashed   {"counter":3,"orders":["a1"],"private":"SHA-256(salt + canonical JSON of the facts)"}

so that the row can be opened without its private facts, and whoever is shown those as well can check them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

from engine.canon import Canonical, canonical

PRIVATE, FACTS, SALT = "private", "facts", "salt"
KEEPS_PRIVATE = "keeps_private"  # what a game's first row says where its rows keep private facts apart
SAY = "say"
_MARK = b'"%b":{"%b":' % (PRIVATE.encode(), FACTS.encode())

_DEADLINES = {"deadline_at", "due_at", "remind_at"}
_GOING_ON = {*_DEADLINES, "attendance", "news", "status"}
_STANDS = {"state", "decision", "pending", "deeds", "queues"}
_STEP = {*_STANDS, *_GOING_ON, "moves", "draws", "events", "stopped", "at_once", "keyless"}

PUBLIC: Mapping[str, frozenset[str]] = {
    kind: frozenset(facts)
    for kind, facts in {
        "created": {
            *("rules", "version", "options", "seats", "schedule", "due_at", "seed_commitment", "nonces", "match"),
            *("pbem", "sealed", "tells_looks", "masks", "signing_key", "dice", "attendance", KEEPS_PRIVATE),
        },
        "dice": {
            *("act", "sha256", "nonce", "commitments", "round", "withheld", "value", "source", "at", "nonces"),
            *("reason", *_GOING_ON),
        },
        "turn": _STEP,
        "at_once": _STEP,
        "taken_back": {*_STANDS, *_GOING_ON, "from", "opened", "by", "agreed", "reason"},
        # Orders of a game that hides something lie encrypted under `sealed`; the last row of the game reveals the key.
        "submission": {
            *("counter", "fate", "orders", "draft", "standing", "understood", "replaces", "withdraws", "sealed"),
            *("queue", "due_at", "attendance"),
        },
        "ruling": {
            *(*_GOING_ON, "act", "reason", "schedule", "resigned", "seats", "former", "tenure", "queues", "dispute"),
            *("until", "since", "was", "lost", "seed_commitment"),
        },
        "consent": {"what", "word", "turn", "reason", "attendance", "due_at", "drawn", "agreed"},
        "held": {*_GOING_ON, "silent"},
        "outage": {*_GOING_ON, "off_since", "was"},
        "look": {"who", "what", "attendance"},
        "over": {"outcome"},
        "revealed": {"seed", "nonces", "seal"},
    }.items()
}
# Of these the players are told while the game runs; all others are public once it is over.
TOLD_AT_ONCE = frozenset(
    {"created", "dice", "turn", "at_once", "taken_back", "ruling", "held", "outage", "look", "over", "revealed"}
)
# Rows of games that no public file opens, each with what it must not tell.
NEVER: Mapping[str, str] = {
    "press": "words between seats, and who wrote those that leave without a name",
    "readers_told": "who has begun to write to others",
    "dispute": "an appeal, which is between a seat and the referee",
    "absence": "the days on which a player is away",
    "too_many": "how often a player wrote",
    "dice_refused": "what a player sent that did not count",
    "reminded": "who had not answered yet",
    "mail": "who was written to, and hashes of letters that are guessed easily",
    "mail_fate": "addresses, and what mail servers said",
    "bot_silent": "what a program or its error output said",
    "failed": "what a program's error said, which may quote orders",
    "halted": "the same",
}
SPLIT = frozenset({"submission", "consent", "ruling", "dice"})  # whose rows hold public and private facts


def split(chain: str, kind: str, body: Mapping[str, Any] | Canonical, secret: bytes, seq: int) -> bytes:
    """Return a row's body as it is stored: canonical JSON, with what is not public kept apart.

    A writer may keep more apart than the declaration demands: what he names under PRIVATE, as plain facts.
    """
    if kind not in SPLIT or chain.startswith("@"):  # the host's own rows are in no public file
        return canonical(body)
    facts = json.loads(body) if isinstance(body, Canonical) else body
    allowed = PUBLIC[kind]
    open_facts = {name: value for name, value in facts.items() if name in allowed}
    apart = {name: value for name, value in facts.items() if name not in allowed and name != PRIVATE}
    apart |= facts.get(PRIVATE, {})
    if not apart:
        return canonical(open_facts)
    salt = hmac.digest(secret, b"private%d" % seq, "sha256").hex()
    return canonical({**open_facts, PRIVATE: {FACTS: apart, SALT: salt}})


def published(body: bytes) -> bytes:
    """Return what is hashed of a stored body: private facts as their commitment."""
    if _MARK not in body:
        return body
    facts = json.loads(body)
    kept = facts.get(PRIVATE)
    if not isinstance(kept, dict):  # the mark stands deeper, in what a player wrote
        return body
    return canonical({**facts, PRIVATE: commitment(kept)})


def commitment(kept: Mapping[str, Any]) -> str:
    """Return the commitment to private facts."""
    return hashlib.sha256(bytes.fromhex(kept[SALT]) + canonical(kept[FACTS])).hexdigest()


def merged(facts: Any) -> Any:
    """Return all facts of a stored body as one mapping; without the private ones where they are not here. What a forger
    wrote in its place is left as it is."""
    if not isinstance(facts, dict) or PRIVATE not in facts:
        return facts
    kept = facts[PRIVATE]
    rest = {name: value for name, value in facts.items() if name != PRIVATE}
    apart = kept.get(FACTS) if isinstance(kept, dict) else None
    return {**rest, **apart} if isinstance(apart, dict) else rest


def fault_of(facts: Any) -> str | None:
    """Return what is wrong with the private part of a stored body, as the end of a sentence."""
    kept = facts.get(PRIVATE) if isinstance(facts, dict) else None
    if kept is None and (not isinstance(facts, dict) or PRIVATE not in facts):
        return None
    sound = (
        isinstance(kept, dict)
        and kept.keys() == {FACTS, SALT}
        and isinstance(kept[FACTS], dict)
        and isinstance(kept[SALT], str)
        and len(kept[SALT]) == 64
        and all(digit in "0123456789abcdef" for digit in kept[SALT])
    )
    return None if sound else "its private facts are missing or damaged"


def is_public(kind: str, body: bytes) -> bool:
    """Whether a public file may open a row: its kind is declared, and so is each of its facts that is not kept apart.

    Rows of older programs hold private facts among the others, and words that wait among the orders that wait.
    """
    if kind not in PUBLIC:
        return False
    facts = json.loads(body)
    split_off = isinstance(facts.pop(PRIVATE, None), dict)
    if not facts.keys() <= PUBLIC[kind]:
        return False
    waits = [facts["queue"]] if "queue" in facts else [*(facts.get("queues") or {}).values()]
    if any(isinstance(one, dict) and SAY in one for one in waits):
        return False
    # What an older program wrote of a substitution may hold words under the key that the end of the game reveals.
    return kind != "ruling" or split_off or not any(isinstance(one, str) for one in waits)
