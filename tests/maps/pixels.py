"""A PNG of ours as pixels: eight bits a channel, not interlaced, which is all that resvg writes."""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


class Pixels(NamedTuple):
    """The rows of a picture, each with `channels` bytes for every pixel."""

    wide: int
    high: int
    channels: int
    rows: list[bytes]

    def at(self, x: int, y: int) -> tuple[int, int, int]:
        row = self.rows[y]
        start = x * self.channels
        return (row[start], row[start + 1], row[start + 2])


def size_of(png: bytes) -> tuple[int, int]:
    return struct.unpack(">II", png[16:24])  # type: ignore[return-value]


def pixels(png: bytes) -> Pixels:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", png[16:29])
    assert (depth, interlaced) == (8, 0), (depth, interlaced)
    data, at = b"", 8
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at : at + 8])
        if name == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += length + 12
    return Pixels(wide, high, CHANNELS[kind], _unfiltered(zlib.decompress(data), wide * CHANNELS[kind], CHANNELS[kind]))


def _unfiltered(data: bytes, stride: int, step: int) -> list[bytes]:
    rows, before = [], bytes(stride)
    for start in range(0, len(data), stride + 1):
        row = bytearray(data[start + 1 : start + 1 + stride])
        _undo[data[start]](row, before, step)
        before = bytes(row)
        rows.append(before)
    return rows


def _none(row: bytearray, before: bytes, step: int) -> None:
    pass


def _sub(row: bytearray, before: bytes, step: int) -> None:
    for at in range(step, len(row)):
        row[at] = row[at] + row[at - step] & 255


def _up(row: bytearray, before: bytes, step: int) -> None:
    for at, above in enumerate(before):
        row[at] = row[at] + above & 255


def _average(row: bytearray, before: bytes, step: int) -> None:
    for at, above in enumerate(before):
        row[at] = row[at] + ((row[at - step] if at >= step else 0) + above >> 1) & 255


def _paeth(row: bytearray, before: bytes, step: int) -> None:
    for at, up in enumerate(before):
        left, corner = (row[at - step], before[at - step]) if at >= step else (0, 0)
        guess = left + up - corner
        a, b, c = abs(guess - left), abs(guess - up), abs(guess - corner)
        row[at] = row[at] + (left if a <= b and a <= c else up if b <= c else corner) & 255


_undo = (_none, _sub, _up, _average, _paeth)
