"""The peers, and a room for each: a virtual environment of its own, made when it is first needed.

A peer that cannot be had, because there is no network or its package does not build, is left out by name.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from tests.bench.peers.talking import Lost, Talker

OURS = "ours"
MEMORY = "/dev/shm"
MINUTES = 10  # for one peer to be fetched, and built where it must be


class Peer(NamedTuple):
    """A package, what of the index makes it run, and the program that measures it."""

    requirements: tuple[str, ...]
    script: str


PEERS: Mapping[str, Peer] = {
    "baghchal": Peer(("baghchal==1.0.1",), "with_baghchal.py"),
    "chess": Peer(("chess==1.11.2",), "with_chess.py"),
    "open_spiel": Peer(("open_spiel==2.0.2", "pokerkit"), "with_open_spiel.py"),  # pokerkit: for its poker in Python
    "diplomacy": Peer(("diplomacy==1.1.2",), "with_diplomacy.py"),
}


class NoRoom(Exception):
    """Why a peer is not here."""


def room(folder: Path, peer: Peer) -> Path:
    """The interpreter of that peer's room, which is made, and filled from the index, where it is not there yet."""
    python, stamp = folder / "bin" / "python", folder / ".installed"
    wanted = "\n".join(peer.requirements)
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return python
    _run(sys.executable, "-m", "venv", "--clear", folder)
    _run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *peer.requirements)
    stamp.write_text(wanted, encoding="utf-8")
    return python


def _run(*command: str | Path) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, errors="replace", timeout=60 * MINUTES)
    except subprocess.TimeoutExpired:
        raise NoRoom(f"not had within {MINUTES} minutes") from None
    except subprocess.CalledProcessError as broken:
        lines = [line.strip() for line in f"{broken.stdout}\n{broken.stderr}".split("\n") if line.strip()]
        errors = [line for line in lines if line.startswith("ERROR")] or lines or ["no word why"]
        raise NoRoom(errors[-1]) from None


def ours() -> Talker:
    """Our own programs, in this interpreter."""
    return Talker(Path(sys.executable), "ours.py", _surroundings(dict(os.environ)))


def invited(folder: Path, names: Mapping[str, Peer], kept: ExitStack) -> tuple[dict[str, Talker], dict[str, str]]:
    """Those that came, and why the others did not."""
    came: dict[str, Talker] = {OURS: ours()}
    kept.callback(came[OURS].close)
    absent: dict[str, str] = {}
    for name, peer in names.items():
        try:
            talker = Talker(room(folder / name, peer), peer.script, _surroundings(_alone()))
        except (NoRoom, Lost) as why:
            absent[name] = str(why)
            continue
        kept.callback(talker.close)
        came[name] = talker
    return came, absent


def _surroundings(env: dict[str, str]) -> dict[str, str]:
    """Files lie in memory where that can be: what the disk waits for is no work, and is not counted."""
    return {**env, "TMPDIR": MEMORY} if Path(MEMORY).is_dir() else env


def _alone() -> dict[str, str]:
    """A peer sees nothing of our own environment but the paths of the system."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
