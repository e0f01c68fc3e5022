"""Versions: the rules of a game get another one when, and only when, the same orders would end otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from engine import UnknownGame, load
from tests.playthroughs.transcript import Script, parse, replay

Replay = Callable[[Script], str]


class Changed(AssertionError):
    """What has to be done, in a sentence."""


def check(name: str, text: str, again: Replay) -> None:
    """A stored game comes out the same under the version that it names."""
    script = parse(text)
    newest = load(script.id).version
    try:
        load(script.rules)
    except UnknownGame:
        raise Changed(
            f"{name} was stored under version {script.version} of {script.id}, which is not offered any more (it is "
            f"{newest} now). Offer the older rules as an entry point {script.rules}, since games that were begun under "
            "them go on; or, before a first release, write the stored games anew: `python -m tests.playthroughs.record "
            "again`."
        ) from None
    found = again(script)
    if found != text:
        at = next(n for n, (one, other) in enumerate(zip(found + "\0", text + "\0", strict=False), 1) if one != other)
        line = text[:at].count("\n") + 1
        raise Changed(
            f"{name} comes out otherwise from line {line} on, and {script.id} still calls itself version "
            f"{script.version}. If that was not meant, it is a fault. If it was, games in play would change: raise "
            f"`version` in the rules, offer the older ones as an entry point {script.rules}, and store games of the "
            "new version beside them: `python -m tests.playthroughs.record GAME NAME [OPTION=VALUE ...]`."
        )


def moved_for_nothing(stored: Iterable[tuple[str, str]], again: Replay) -> None:
    """Where games are stored under an older version, one of them at least must come out otherwise under the newest."""
    same: dict[str, bool] = {}
    for _, text in stored:
        script = parse(text)
        newest = f"{script.id}@{load(script.id).version}"
        if script.rules == newest or same.get(script.rules) is False:
            continue
        script.rules = newest
        same[parse(text).rules] = _story(again(script)) == _story(text)
    for rules in (rules for rules, still in same.items() if still):
        raise Changed(
            f"Every stored game of {rules} comes out the same under the newest version: the version was moved for "
            "nothing, and games in play would be held. Set it back."
        )


def _story(text: str) -> str:
    """All but the first line, which names the version."""
    return text.partition("\n")[2]


def in_folder(folder: Path) -> Replay:
    """Plays scripts again on a host in that folder, one after another."""
    count = 0

    def again(script: Script) -> str:
        nonlocal count
        count += 1
        return replay(folder / f"host-{count}", script)

    return again
