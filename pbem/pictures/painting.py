"""Painting: an SVG of ours becomes a PNG, the same bytes on every machine.

The letters come from two fonts that lie beside this file and from nowhere else: DejaVu Sans, cut down to the signs that
Western and Central European languages and our maps use (fonts/LICENSE says how and by what right).
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

WIDE = 720  # pixels: sharp on a phone that shows 360 of its own, and all that a letter's column takes on a desk
LONGEST = 5 * WIDE  # pixels of height
MOST = 2 << 20  # bytes of SVG
LIBRARY = "resvg_py"
FAMILY = "DejaVu Sans"
FONTS = Path(__file__).parent / "fonts"

_family = re.compile(r'font-family="[^"]*"')  # letters of a family that is not there would vanish
_box = re.compile(rb'^<svg\b[^>]*\bviewBox="(-?[\d.]+) (-?[\d.]+) ([\d.]+) ([\d.]+)"')


class NotPainted(Exception):
    """No PNG can be made of this, or none here."""


def able() -> bool:
    """Whether the library that paints is installed (the extra `png`)."""
    return find_spec(LIBRARY) is not None


def paint(svg: bytes) -> bytes:
    """The PNG of a picture."""
    height(svg)
    try:
        return bytes(
            library().svg_to_bytes(
                svg_string=_family.sub(f'font-family="{FAMILY}"', svg.decode()),
                width=WIDE,
                skip_system_fonts=True,
                font_files=_fonts(),
                font_family=FAMILY,
            )
        )
    except ValueError as error:
        raise NotPainted(str(error)) from error


def height(svg: bytes) -> int:
    """How high it will be. Looked at first: the library ends the process when it is asked for too much."""
    found = _box.match(svg) if len(svg) <= MOST else None
    if found is None:
        raise NotPainted("it is too long, or does not say how large it is")
    wide, high = float(found[3]), float(found[4])
    if not 1 <= wide <= 100_000 or not 1 <= high * WIDE / wide <= LONGEST:
        raise NotPainted(f"it would be {wide:.0f} x {high:.0f}")
    return round(high * WIDE / wide)


def warm() -> None:
    """Load the library, before children are made that shall find it loaded."""
    library()


@cache
def library() -> Any:
    """The module that paints, loaded once."""
    try:
        return import_module(LIBRARY)
    except ImportError as error:
        raise NotPainted(f"{LIBRARY} is not installed") from error


@cache
def _fonts() -> list[str]:
    return [str(FONTS / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]
