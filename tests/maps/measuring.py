"""A map taken apart: every text with its size, colour and place in the picture, all transforms done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import hypot
from typing import NamedTuple
from xml.etree import ElementTree

from tests.maps.lettering import width

SVG = "{http://www.w3.org/2000/svg}"
PHONE = 360  # pixels of a phone's own, over which a picture is stretched
INHERITED = ("font-size", "font-weight", "text-anchor", "fill", "stroke", "opacity")
ASCENT = 0.73  # of a capital, in the fonts we ship

Matrix = tuple[float, float, float, float, float, float]
SAME: Matrix = (1, 0, 0, 1, 0, 0)


class Text(NamedTuple):
    """A text as it stands in the picture: `pixels` is its size on a phone."""

    said: str
    pixels: float
    fill: str
    halo: bool
    left: float
    top: float
    right: float
    bottom: float

    def crosses(self, other: Text) -> bool:
        """Whether the two lie on one another, by more than a hair."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > 1.5 and down > 1.5


class Measured(NamedTuple):
    """A whole map."""

    root: ElementTree.Element
    box: tuple[float, float, float, float]
    texts: tuple[Text, ...]

    @property
    def title(self) -> str:
        return self.root.findtext(f"{SVG}title", "")

    @property
    def desc(self) -> str:
        return self.root.findtext(f"{SVG}desc", "")


class Line(NamedTuple):
    """A straight line as it is drawn."""

    x1: float
    y1: float
    x2: float
    y2: float

    def crosses(self, text: Text, gap: float = 0) -> bool:
        """Whether it comes nearer to the text than that: clipped to the box around it, something of it is left."""
        enter, leave = 0.0, 1.0
        for start, end, low, high in (
            (self.x1, self.x2, text.left - gap, text.right + gap),
            (self.y1, self.y2, text.top - gap, text.bottom + gap),
        ):
            if start == end:
                if not low < start < high:
                    return False
                continue
            at = sorted(((low - start) / (end - start), (high - start) / (end - start)))
            enter, leave = max(enter, at[0]), min(leave, at[1])
        return enter < leave


def lines(root: ElementTree.Element) -> list[Line]:
    """The lines that no transform moves, those of a board."""
    still = [root, *(group for group in root.findall(f"{SVG}g") if "transform" not in group.attrib)]
    drawn = [line for node in still for line in node.findall(f"{SVG}line")]
    return [Line(*(float(line.attrib[name]) for name in ("x1", "y1", "x2", "y2"))) for line in drawn]


class Disc(NamedTuple):
    """A circle as it is drawn, with half of its rim."""

    x: float
    y: float
    radius: float

    def touches(self, text: Text, gap: float = 0) -> bool:
        """Whether it comes nearer to the text than that."""
        across = max(text.left - self.x, 0, self.x - text.right)
        down = max(text.top - self.y, 0, self.y - text.bottom)
        return hypot(across, down) < self.radius + gap


def discs(root: ElementTree.Element, fill: str) -> list[Disc]:
    """The circles of that colour that no transform moves, in the order in which they are drawn."""
    drawn = [node for node in root.findall(f"{SVG}circle") if node.get("fill") == fill]
    return [
        Disc(
            float(one.attrib["cx"]),
            float(one.attrib["cy"]),
            float(one.attrib["r"]) + float(one.get("stroke-width", "0")) / 2,
        )
        for one in drawn
    ]


def measured(svg: str) -> Measured:
    root = ElementTree.fromstring(svg)
    x, y, wide, high = map(float, root.attrib["viewBox"].split())
    return Measured(root, (x, y, wide, high), tuple(_texts(root, SAME, {"fill": "#000000"}, PHONE / wide)))


def _texts(node: ElementTree.Element, matrix: Matrix, style: dict[str, str], scale: float) -> Iterator[Text]:
    style = style | {name: node.attrib[name] for name in INHERITED if name in node.attrib and name != "opacity"}
    matrix = _times(matrix, _matrix(node.get("transform", "")))
    if node.tag == f"{SVG}text":
        yield _text(node, matrix, style, scale)
        return
    for below in node:
        yield from _texts(below, matrix, style, scale)


def _text(node: ElementTree.Element, matrix: Matrix, style: dict[str, str], scale: float) -> Text:
    said = " ".join("".join(node.itertext()).split())
    size, bold = float(style.get("font-size", "16")), style.get("font-weight", "normal") == "bold"
    wide = width(said, size, bold)
    anchor = style.get("text-anchor", "start")
    x = float(node.get("x", "0")) - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
    y = float(node.get("y", "0"))
    corners = [_at(matrix, *corner) for corner in ((x, y), (x + wide, y), (x, y - ASCENT * size))]
    pixels = size * hypot(matrix[2], matrix[3]) * scale
    across, down = [corner[0] for corner in corners], [corner[1] for corner in corners]
    halo = style.get("stroke", "none") != "none"
    return Text(said, pixels, style["fill"], halo, min(across), min(down), max(across), max(down))


def _matrix(text: str) -> Matrix:
    matrix = SAME
    for name, inside in re.findall(r"(\w+)\(([^)]*)\)", text):
        values = [float(value) for value in re.split(r"[\s,]+", inside.strip())]
        matrix = _times(matrix, _one(name, values))
    return matrix


def _one(name: str, values: list[float]) -> Matrix:
    if name == "translate":
        return (1, 0, 0, 1, values[0], values[1] if len(values) > 1 else 0)
    if name == "scale":
        return (values[0], 0, 0, values[-1], 0, 0)
    assert name == "rotate", name
    turns: dict[float, Matrix] = {0: SAME, 90: (0, 1, -1, 0, 0, 0), 180: (-1, 0, 0, -1, 0, 0), 270: (0, -1, 1, 0, 0, 0)}
    return turns[values[0] % 360]


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    p, q, r, s, t, u = other
    return (a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f)


def _at(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
