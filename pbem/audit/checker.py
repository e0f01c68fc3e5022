#!/usr/bin/env python3
"""Checks an exported game of pbem with nothing but Python: hash chain, seed, every draw. `python3 checker.py FILE`"""

# ruff: noqa: T201
import hmac
import json
import sys
import zipfile
from hashlib import sha256
from typing import Any


def canonical(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def insist(true: bool, what: str) -> None:
    if not true:
        sys.exit(f"WRONG: {what}.")


def check_chain(file: str) -> Any:
    """leaf = SHA-256(salt + row), hash = SHA-256(hash before + leaf). Gives the file's header and its opened rows."""
    with zipfile.ZipFile(file) as export:
        header, *rows = [json.loads(line) for line in export.read("history.jsonl").decode().split("\n") if line]
    head, opened = bytes(32), [row["row"] for row in rows if "row" in row]
    for place, row in enumerate(rows, 1):
        said = row.get("row", {"chain": header["game"], "seq": place})
        insist(said["chain"] == header["game"] and said["seq"] == place, f"row {place} belongs to another place")
        salted = "row" in row and bytes.fromhex(row["salt"]) + canonical(said)
        leaf = sha256(salted).digest() if salted else bytes.fromhex(row["leaf"])
        insist(row["prev"] == head.hex(), f"row {place} does not stand on the row before it")
        head = sha256(head + leaf).digest()
        insist(row["hash"] == head.hex(), f"the hash of row {place} does not fit what it says")
    insist(header["head"] == head.hex() and header["rows"] == len(rows), "rows are missing at the end")
    insist([row["kind"] for row in opened[:1] if row["seq"] == 1] == ["created"], "the first row is not the set-up")
    return header, opened


def draw(key: bytes, context: str, why: str, index: int, n: int, attempt: int = 0) -> int:
    """HMAC-SHA256, the first 8 bytes; numbers that would favour the small results are drawn again."""
    label = f"{context}\0{why}\0{index}\0{attempt}".encode()
    value = int.from_bytes(hmac.digest(key, label, "sha256")[:8], "big")
    return value % n if value < 2**64 - 2**64 % n else draw(key, context, why, index, n, attempt + 1)


def check_draws(game: str, opened: Any) -> None:
    created, revealed = opened[0]["body"], [row["body"] for row in opened if row["kind"] == "revealed"]
    if not revealed:
        insist(all(row["kind"] != "over" for row in opened), "the game is over, and no row reveals its seed")
        return print("The seed is not revealed yet, so no draw can be checked.")
    seed, nonces = bytes.fromhex(revealed[0]["seed"]), created["nonces"]
    committed = sha256(b"pbem seed\0" + game.encode() + b"\0" + seed).hexdigest()
    insist(committed == created["seed_commitment"], "the seed is not the one committed to before the first order")
    parts = [part.encode() for seat in sorted(nonces) for part in (seat, nonces[seat])]
    mixed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    key, number, out_of_turn, count = hmac.digest(seed, b"pbem dice\0" + mixed, "sha256"), 0, 0, 0
    for row in (row for row in opened if row["kind"] in ("turn", "at_once", "taken_back")):
        back = row["kind"] == "taken_back" and 0 < row["turn"] <= number
        insist(back or row["turn"] == number, f"row {row['seq']} stands where turn {number} should")
        out_of_turn = out_of_turn + 1 if row["kind"] == "at_once" else 0
        turn = f"{row['turn']}+{out_of_turn}" if out_of_turn else f"{row['turn']}"
        used: Any = {}
        for why, n, value in row["body"].get("draws", ()):
            fair = draw(key, f"{game}/{turn}", why, used.get(why, 0), n)
            insist(value == fair, f"turn {turn}: the draw for {why} was {fair} and stands as {value}")
            print(f"turn {turn:<6} {why:<30} {value} of 0 to {n - 1}")
            used[why], count = used.get(why, 0) + 1, count + 1
        number = row["turn"] + (row["kind"] == "turn")
    print(f"The seed is the one committed to, and every draw comes from it: {count}.")


if __name__ == "__main__":
    try:
        header, opened = check_chain(sys.argv[-1])
        many = f"{header['rows']} rows stand on each other, {len(opened)} of them opened"
        print(f"{header['game']}: {many}; head {header['head']}")
        check_draws(header["game"], opened)
    except Exception as error:  # bytes that are no export can break anything
        sys.exit(f"WRONG: {sys.argv[-1]} is no export of pbem, or is damaged ({type(error).__name__}: {error}).")
