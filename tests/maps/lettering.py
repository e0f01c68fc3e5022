"""How wide a text is in the fonts we ship, read out of their tables (cmap and hmtx)."""

from __future__ import annotations

import struct
from functools import cache

from pbem.pictures.painting import FONTS


def width(text: str, size: float, bold: bool) -> float:
    """In the units of `size`. Letters the font does not have are an error: they would be drawn as boxes."""
    advances, per_em = _advances(bold)
    missing = [letter for letter in text if ord(letter) not in advances]
    assert not missing, f"the fonts have no {missing} (in {text!r})"
    return sum(advances[ord(letter)] for letter in text) * size / per_em


@cache
def _advances(bold: bool) -> tuple[dict[int, int], int]:
    data = (FONTS / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")).read_bytes()
    tables = {}
    for number in range(struct.unpack(">H", data[4:6])[0]):
        name, _, start, _ = struct.unpack(">4sIII", data[12 + 16 * number : 28 + 16 * number])
        tables[name.decode()] = start
    per_em = struct.unpack(">H", data[tables["head"] + 18 : tables["head"] + 20])[0]
    metrics = struct.unpack(">H", data[tables["hhea"] + 34 : tables["hhea"] + 36])[0]
    wide = [struct.unpack(">H", data[tables["hmtx"] + 4 * g : tables["hmtx"] + 4 * g + 2])[0] for g in range(metrics)]
    return {code: wide[min(glyph, metrics - 1)] for code, glyph in _glyphs(data, tables["cmap"]).items()}, per_em


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """Letter -> glyph, from the table of format 4."""
    for number in range(struct.unpack(">H", data[cmap + 2 : cmap + 4])[0]):
        start = cmap + struct.unpack(">I", data[cmap + 8 + 8 * number : cmap + 12 + 8 * number])[0]
        if struct.unpack(">H", data[start : start + 2])[0] == 4:
            return _format_4(data, start)
    raise AssertionError("the font has no table of format 4")


def _format_4(data: bytes, start: int) -> dict[int, int]:
    count = struct.unpack(">H", data[start + 6 : start + 8])[0] // 2

    def column(at: int, kind: str = "H") -> tuple[int, ...]:
        first = start + 14 + at
        return struct.unpack(f">{count}{kind}", data[first : first + 2 * count])

    ends, starts = column(0), column(2 * count + 2)
    deltas, offsets = column(4 * count + 2, "h"), column(6 * count + 2)
    found = {}
    for at, (first, last, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for code in range(first, last + 1 if last < 0xFFFF else last):
            glyph = code
            if offset:
                place = start + 14 + 6 * count + 2 + 2 * at + offset + 2 * (code - first)
                glyph = struct.unpack(">H", data[place : place + 2])[0]
            if glyph or not offset:
                found[code] = glyph + delta & 0xFFFF
    return found
