#!/usr/bin/env python3
"""Checks an exported game of pbem with nothing but Python: hash chain, seed, every draw. `python3 checker.py FILE`"""

# ruff: noqa: T201
import hmac
import json
import re
import sys
import zipfile
from hashlib import sha256
from typing import Any

MOST, LONGEST = 1 << 27, 1 << 22  # bytes that a history and one row of it may have


def safe(text: str) -> str:
    """Return what a file says as one line that cannot steer a terminal."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def say(text: str) -> None:
    print(safe(text))


def canonical(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def insist(true: bool, what: str) -> None:
    if not true:
        sys.exit(safe(f"WRONG: {what}."))


class Opened(list):  # type: ignore[type-arg]
    """Rows as text; each is parsed when it is asked for: parsed, all of them could fill the memory."""

    def __iter__(self) -> Any:
        return map(json.loads, super().__iter__())

    def __getitem__(self, place: Any) -> Any:
        return json.loads(super().__getitem__(place))


def history(file: str) -> Any:
    """The lines of the history, one by one: a small file may unpack to any length."""
    with zipfile.ZipFile(file) as export:
        insist(export.getinfo("history.jsonl").file_size <= MOST, "its history is longer than any game's")
        with export.open("history.jsonl") as lines:
            for line in iter(lambda: lines.readline(LONGEST), b""):
                insist(len(line) < LONGEST, "a row is longer than rows are")
                yield json.loads(line.decode())


def check_chain(file: str) -> Any:
    """leaf = SHA-256(salt + row), hash = SHA-256(hash before + leaf). Gives the file's header and its opened rows."""
    lines = history(file)
    header, head, opened, place = next(lines), bytes(32), Opened(), 0
    insist(bool(re.fullmatch("[a-z0-9][a-z0-9-]{0,63}", header["game"])), "it does not name a game as games are named")
    for place, row in enumerate(lines, 1):
        said = row.get("row", {"chain": header["game"], "seq": place})
        insist(said["chain"] == header["game"] and said["seq"] == place, f"row {place} belongs to another place")
        salted = "row" in row and bytes.fromhex(row["salt"]) + canonical(said)
        leaf = sha256(salted).digest() if salted else bytes.fromhex(row["leaf"])
        insist(row["prev"] == head.hex(), f"row {place} does not stand on the row before it")
        head = sha256(head + leaf).digest()
        insist(row["hash"] == head.hex(), f"the hash of row {place} does not fit what it says")
        if salted:
            opened.append(canonical(said))
    insist(header["head"] == head.hex() and header["rows"] == place, "rows are missing at the end")
    set_up = len(opened) > 0 and opened[0]["seq"] == 1 and opened[0]["kind"] == "created"
    insist(set_up, "the first row is not the set-up")
    return header, opened


def draw(key: bytes, context: str, why: str, index: int, n: int, attempt: int = 0) -> int:
    """HMAC-SHA256, the first 8 bytes; numbers that would favour the small results are drawn again."""
    label = f"{context}\0{why}\0{index}\0{attempt}".encode()
    value = int.from_bytes(hmac.digest(key, label, "sha256")[:8], "big")
    return value % n if value < 2**64 - 2**64 % n else draw(key, context, why, index, n, attempt + 1)


def check_draws(game: str, opened: Any) -> None:
    created, revealed = opened[0]["body"], next((row["body"] for row in opened if row["kind"] == "revealed"), None)
    if revealed is None:
        insist(all(row["kind"] != "over" for row in opened), "the game is over, and no row reveals its seed")
        return say("The seed is not revealed yet, so no draw can be checked.")
    seed, nonces = bytes.fromhex(revealed["seed"]), (revealed if "dice" in created else created)["nonces"]
    committed = sha256(b"pbem seed\0" + game.encode() + b"\0" + seed).hexdigest()
    renewed = [row for row in opened if row["kind"] == "ruling" and "seed_commitment" in row["body"]]
    said, later = (renewed[-1], " after an older one was lost") if renewed else (opened[0], "")
    insist(committed == said["body"]["seed_commitment"], "the seed is not the one committed to before the first order")
    parts = [part.encode() for seat in sorted(nonces) for part in (seat, nonces[seat])]
    mixed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    key, number, out_of_turn, count = hmac.digest(seed, b"pbem dice\0" + mixed, "sha256"), 0, 0, 0
    for row in (row for row in opened if row["kind"] in ("turn", "at_once", "taken_back")):
        back = row["kind"] == "taken_back" and 0 < row["turn"] <= number
        insist(back or row["turn"] == number, f"row {row['seq']} stands where turn {number} should")
        out_of_turn = out_of_turn + 1 if row["kind"] == "at_once" else 0
        turn = f"{row['turn']}+{out_of_turn}" if out_of_turn else f"{row['turn']}"
        used: Any = {}
        for why, n, value in row["body"].get("draws", ()) if not renewed or row["seq"] > said["seq"] else ():
            plain = isinstance(why, str) and len(why) <= 80 and why.isprintable() and why == " ".join(why.split())
            insist(plain and type(n) is int and 0 < n <= 2**63, f"turn {turn}: that is no draw: {why!r} of {n!r}")
            fair = draw(key, f"{game}/{turn}", why, used.get(why, 0), n)
            insist(value == fair, f"turn {turn}: the draw for {why} was {fair} and stands as {value}")
            say(f"turn {turn:<6} {why:<30} {value} of 0 to {n - 1}")
            used[why], count = used.get(why, 0) + 1, count + 1
        number = row["turn"] + (row["kind"] == "turn")
    say(f"The seed is the one committed to{later}, and every draw comes from it: {count}.")


if __name__ == "__main__":
    try:
        header, opened = check_chain(sys.argv[-1])
        many = f"{header['rows']} rows stand on each other, {len(opened)} of them opened"
        say(f"{header['game']}: {many}; head {header['head']}")
        check_draws(header["game"], opened)
    except Exception as error:  # bytes that are no export can break anything
        damaged = f"{sys.argv[-1]} is no export of pbem, or is damaged"
        sys.exit(safe(f"WRONG: {damaged} ({type(error).__name__}: {error})."))
