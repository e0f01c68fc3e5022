"""Colours as eyes see them: contrast (WCAG), distance (CIEDE2000), and what colour blindness makes of them."""

from __future__ import annotations

from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Rgb = tuple[float, float, float]  # 0 to 1, as written (gamma-encoded)

# Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency (2009),
# severity 1.0; to be used on linear light.
BLINDNESS = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def rgb(text: str) -> Rgb:
    """`#rrggbb`."""
    return tuple(int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))  # type: ignore[return-value]


def contrast(one: Rgb, other: Rgb) -> float:
    """WCAG 2: 4.5 is AA for text, 3 for large text and for what pictures mean."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: Rgb) -> float:
    red, green, blue = map(_linear, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def seen(colour: Rgb, blindness: str) -> Rgb:
    """The colour as somebody with that blindness sees it."""
    linear = tuple(map(_linear, colour))
    mixed = (sum(share * part for share, part in zip(row, linear, strict=True)) for row in BLINDNESS[blindness])
    return tuple(_encoded(min(1.0, max(0.0, part))) for part in mixed)  # type: ignore[return-value]


def nearest(colours: dict[str, str], blindness: str) -> tuple[float, str, str]:
    """The two of these meanings that look most alike, and how far apart they are."""
    shown = {name: seen(rgb(colour), blindness) for name, colour in colours.items()}
    return min((distance(shown[one], shown[other]), one, other) for one, other in combinations(sorted(shown), 2))


def distance(one: Rgb, other: Rgb) -> float:
    """CIEDE2000: 1 is just seen by who compares, 10 at a glance."""
    (l1, a1, b1), (l2, a2, b2) = _lab(one), _lab(other)
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    grey = 0.5 * (1 - sqrt(mean**7 / (mean**7 + 25**7)))
    c1, c2 = hypot(a1 * (1 + grey), b1), hypot(a2 * (1 + grey), b2)
    h1, h2 = _hue(a1 * (1 + grey), b1), _hue(a2 * (1 + grey), b2)
    dl, dc, dh = l2 - l1, c2 - c1, _turn(h1, h2, c1 * c2)
    lm, cm, hm = (l1 + l2) / 2, (c1 + c2) / 2, _middle(h1, h2, c1 * c2)
    t = (
        1
        - 0.17 * cos(radians(hm - 30))
        + 0.24 * cos(radians(2 * hm))
        + 0.32 * cos(radians(3 * hm + 6))
        - 0.20 * cos(radians(4 * hm - 63))
    )
    sl, sc, sh = 1 + 0.015 * (lm - 50) ** 2 / sqrt(20 + (lm - 50) ** 2), 1 + 0.045 * cm, 1 + 0.015 * cm * t
    dh = 2 * sqrt(c1 * c2) * sin(radians(dh / 2))
    rt = -2 * sqrt(cm**7 / (cm**7 + 25**7)) * sin(radians(60 * exp(-(((hm - 275) / 25) ** 2))))
    return sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * (dc / sc) * (dh / sh))


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _encoded(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else float(1.055 * part ** (1 / 2.4) - 0.055)


def _lab(colour: Rgb) -> tuple[float, float, float]:
    red, green, blue = map(_linear, colour)
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _hue(a: float, b: float) -> float:
    return degrees(atan2(b, a)) % 360


def _turn(h1: float, h2: float, both: float) -> float:
    if not both:
        return 0
    turn = h2 - h1
    return turn - 360 if turn > 180 else turn + 360 if turn < -180 else turn


def _middle(h1: float, h2: float, both: float) -> float:
    if not both:
        return h1 + h2
    if abs(h1 - h2) <= 180:
        return (h1 + h2) / 2
    return (h1 + h2 + (360 if h1 + h2 < 360 else -360)) / 2
