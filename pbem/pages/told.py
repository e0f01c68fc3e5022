"""What a letter told, as data: its report as JSON, and the picture of the board that it brought.

The picture is not drawn again: what a page shows of a turn is what was mailed, whatever draws boards today.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pbem.game.outgoing import JSON_FILE, PAGE_FILE, REPORT
from pbem.mailparts import kind_and_turn, some_parts
from pbem.reports import json as plain

Told = Mapping[str, Any]  # a report as JSON; or, with the SVG that came with it under PICTURE, without its facts
PICTURE = "picture"

_beyond = re.compile(r"&#(\d{3,});")


def told_in(raw: bytes) -> Told | None:
    """The report in a letter; None where it is another kind of letter, or its bytes were forgotten."""
    if kind_and_turn(raw)[0] != REPORT:
        return None
    files, svg = some_parts(raw, (JSON_FILE, PAGE_FILE))
    # Of a report that was cut the picture shows the last changes only: it is drawn once more, from the facts.
    if svg is None or PAGE_FILE in files:
        told: dict[str, Any] = json.loads(files[JSON_FILE])
        return told
    return plain.without_facts(files[JSON_FILE].decode()) | {PICTURE: _written(svg)}


def _written(svg: bytes) -> str:
    """The picture as its template wrote it: letters outside ASCII had to travel as numbers."""
    return _beyond.sub(_letter, svg.decode("ascii").rstrip("\n"))


def _letter(found: re.Match[str]) -> str:
    return chr(int(found[1])) if int(found[1]) >= 128 else found[0]
