"""The log of faults of ours: their tracebacks, in the host's folder, or where this user's programs keep such things."""

from __future__ import annotations

import os
import traceback
from datetime import UTC, datetime
from pathlib import Path

import pbem
from pbem.sharing import open_private

NAME = "pbem-fault.log"
LONG = 1 << 20  # bytes; a longer log is put aside once and begun anew


def write_down(fault: BaseException, folder: Path | None) -> Path | None:
    """Add the fault to the log; gives where it stands now, or None when it could be written nowhere."""
    when = datetime.now(UTC).isoformat(timespec="seconds")
    kept = f"--- {when} pbem {pbem.__version__}\n{''.join(traceback.format_exception(fault))}"
    for place in (folder, _state_folder()):
        try:
            if place is not None:
                return _add(place / NAME, kept)
        except OSError:
            continue
    return None


def place_of(fault: BaseException) -> str:
    """Where in the code it happened, such as turning.py:80."""
    frames = traceback.extract_tb(fault.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "nowhere"


def _add(path: Path, text: str) -> Path:
    if path.exists() and path.stat().st_size > LONG:
        path.replace(path.with_name(f"{NAME}.1"))
    # Only its owner may read it: what a fault says may hold what was being worked on.
    handle = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW)
    with os.fdopen(handle, "a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
    return path


def _state_folder() -> Path | None:
    """For commands that belong to no host: never the folder somebody happens to stand in."""
    try:
        base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        folder = Path(base) / "pbem"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder
