"""Whole games as text a person can read: what each seat sent, what was resolved, and where it led.

A transcript is made from the journal. `replay` sends the same files again through the real path (submit, nightly) and
the transcript of that must be the same to the letter; a change of rules shows up as a diff a person can judge.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from engine import load
from pbem import keys
from pbem.audit.verify import verify_ledger
from pbem.care.settling import settle
from pbem.config import Config
from pbem.deadlines.schedule import Schedule
from pbem.game.hosting import NewGame, add_player, game_named, new_game
from pbem.game.taking import take_file
from pbem.ledger import Ledger, journal
from pbem.ledger.journal import JournalRow
from pbem.ledger.opening import facts_of
from pbem.nightly import night
from pbem.pictures import painting

BEGINS = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
SECRET = b"the secret of a stored game     "
NAME = "stored"
SENDS, SILENT = "sends", "silence"


@dataclass
class Script:
    """What is needed to play a stored game again; its rules are named with their version, such as `khan@1`."""

    rules: str
    options: dict[str, str]
    seed: str
    nights: list[list[tuple[str, dict[str, Any]]]] = field(default_factory=list)  # who sends what before each night

    @property
    def id(self) -> str:
        return self.rules.partition("@")[0]

    @property
    def version(self) -> str:
        return self.rules.partition("@")[2]


@dataclass
class Stage:
    """A host with one game, and its days."""

    config: Config
    ledger: Ledger
    day: int = 0

    @property
    def now(self) -> datetime:
        return BEGINS + timedelta(days=self.day)

    def send(self, seat: str, form: dict[str, Any]) -> None:
        """One order file. What is not said of orders may be standing answers, a draft, press."""
        with self.ledger.read() as tx:
            turn = game_named(tx, NAME).turn
        head = {"game": NAME, "seat": seat, "turn": str(turn), "key": keys.key(SECRET, seat, turn)}
        text = json.dumps(head | form | {"end": "orders"}, ensure_ascii=False, indent=1)  # JSON is YAML, too
        take_file(self.config, self.ledger, text.encode(), "orders.yml", self.now)

    def night(self) -> None:
        self.day += 1
        with patch.object(painting, "warm", side_effect=painting.NotPainted):  # maps take far longer than all the rest
            night(self.config, self.ledger, self.now, jobs=1)

    @property
    def status(self) -> str:
        with self.ledger.read() as tx:
            return game_named(tx, NAME).status


def stage(folder: Path, rules: str, options: dict[str, str], seed: str) -> Stage:
    config = settle(folder, secret=SECRET)
    config = replace(config, post=replace(config.post, page=False))  # a transcript tells of no mails
    ledger = Ledger.open(config.ledger)
    chosen = load(rules)
    seats = chosen.seats(chosen.Options(**options))
    with ledger.write() as tx:
        for seat in seats:
            add_player(tx, f"Player {seat}", f"{seat}@players.example", "en", "UTC", BEGINS, SECRET)
        wanted = NewGame(
            rules=rules,
            name=NAME,
            seats={seat: f"Player {seat}" for seat in seats},
            options=options,
            schedule=Schedule.read("nightly 06:00 UTC think=0"),
            seed=bytes.fromhex(seed),
            secret=SECRET,
        )
        new_game(tx, config, wanted, BEGINS)
    return Stage(config, ledger)


def replay(folder: Path, script: Script) -> str:
    """The script played through the real path; its transcript."""
    played = stage(folder, script.rules, script.options, script.seed)
    try:
        for sent in script.nights:
            for seat, form in sent:
                played.send(seat, form)
            played.night()
        assert [found.fault for found in verify_ledger(played.ledger) if not found.ok] == []
        return transcript(played.ledger, script)
    finally:
        played.ledger.close()


# --- writing ----------------------------------------------------------------------------------------------------------


def transcript(ledger: Ledger, script: Script) -> str:
    with ledger.read() as tx:
        rows = list(journal.rows(tx, NAME, kinds=("turn", "at_once", "submission", "over")))
        opened = [facts_of(tx, row.facts()) for row in rows]
    options = " ".join(f"{name}={value}" for name, value in script.options.items())
    lines = [f"game {script.rules}", f"options {options}".rstrip(), f"seed {script.seed}"]
    rules = load(script.rules)
    number = 0
    fresh = False  # whether a night has to be announced before the next line
    for row, facts in zip(rows, opened, strict=True):
        if fresh and row.kind != "over":
            number += 1
            lines += ["", f"night {number}"]
            fresh = False
        lines += _told(rules, row, facts)
        fresh = fresh or (row.kind == "turn" and "deadline_at" in facts)
    return "\n".join(lines) + "\n"


def _told(rules: Any, row: JournalRow, facts: Mapping[str, Any]) -> Iterator[str]:
    if row.kind == "submission":
        form = {name: facts[name] for name in ("orders", "standing") if facts.get(name) is not None}
        form |= facts["extra"] | ({"draft": "true"} if facts["draft"] else {})
        yield f"  {row.seat} {SENDS} {json.dumps(form, ensure_ascii=False, sort_keys=True)}  ({facts['fate']})"
    elif row.kind == "over":
        outcome = facts["outcome"]
        places = "; ".join(", ".join(place) for place in outcome["places"])
        yield f"over: {places} [{outcome['rule']}]"
    else:
        yield f"  {'out of turn, ' if row.kind == 'at_once' else ''}turn {row.turn}"
        for seat, made in facts["moves"].items():
            yield f"    {seat}: {made['move']}  ({made['how']})"
        for why, n, value in facts["draws"]:
            yield f"    drawn for {why}: {value} of {n}"
        for event in facts["events"]:
            told = json.dumps(event["facts"], ensure_ascii=False, sort_keys=True)
            yield f"    - {event['kind']} {told} [{event['rule']}]"
        if "deadline_at" in facts:  # the last step of a night
            yield f"    {rules.position(rules.restore(facts['state']))}"


# --- reading ----------------------------------------------------------------------------------------------------------


def parse(text: str) -> Script:
    """The script of a transcript: its head, and what was sent before each night."""
    head, *rest = text.split("\nnight ")
    said = dict(line.split(" ", 1) for line in head.split("\n")[:3] if " " in line)
    options = dict(choice.split("=", 1) for choice in said.get("options", "").split())
    script = Script(said["game"], options, said["seed"])
    for block in rest:
        script.nights.append([_sent(line) for line in block.split("\n") if f" {SENDS} " in line.split("{")[0]])
    return script


def _sent(line: str) -> tuple[str, dict[str, Any]]:
    seat, form = line.strip().split(f" {SENDS} ", 1)
    return seat, json.loads(form[: form.rindex("  (")])
