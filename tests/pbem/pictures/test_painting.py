"""Painting: the same bytes from any process on any machine, nothing but our own letters, and never too much at once."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from pbem.arriving.message import LARGEST
from pbem.bounded import Pool
from pbem.pictures import painting
from pbem.pictures.finishing import BOUNDS
from pbem.pictures.painting import LONGEST, WIDE, NotPainted, height, paint
from tests.maps.boards import OURS, boards
from tests.maps.pixels import pixels, size_of
from tests.pbem.pictures.conftest import resvg

ROOT = Path(__file__).parents[3]


def small(inside: str, box: str = "0 0 100 50") -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{inside}</svg>\n'.encode()


@resvg
@pytest.mark.parametrize("game", OURS)
def test_a_map_is_the_same_bytes_again_and_from_another_process(game):
    svg = boards(game)[-1].svg.encode()
    here = paint(svg)
    assert here == paint(svg)
    with Pool(paint, 2, BOUNDS) as pool:
        assert list(pool.map([svg, svg])) == [here, here]
    wide, high = size_of(here)
    assert (wide, high) == (WIDE, pytest.approx(height(svg), abs=1))


@resvg
@pytest.mark.parametrize("game", OURS)
def test_an_answer_may_carry_a_map_back(game):
    """Programs put the picture of a letter into the answer to it: as base64 it leaves most of a mail to the words.

    Weakened build, seen red: a mail of 256 KiB at most, which the map of Conquest is longer than."""
    svg = max((board.svg for board in boards(game)), key=len).encode()
    assert len(paint(svg)) * 4 / 3 < LARGEST / 2


@resvg
def test_no_font_of_the_machine_and_no_setting_of_the_user_changes_it(tmp_path):
    """Weakened build, seen red: without skip_system_fonts a machine that has other fonts paints other letters."""
    svg = boards("bagh-chal")[0].svg.encode()
    (tmp_path / "a.svg").write_bytes(svg)
    program = (
        "import sys, hashlib; from pathlib import Path; from pbem.pictures.painting import paint;"
        "print(hashlib.sha256(paint(Path(sys.argv[1]).read_bytes())).hexdigest())"
    )
    clean = {"PATH": os.environ["PATH"], "LANG": "tr_TR.UTF-8", "HOME": str(tmp_path), "FONTCONFIG_FILE": "/dev/null"}
    said = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "a.svg")],
        cwd=ROOT, env=clean | {"XDG_DATA_DIRS": str(tmp_path)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout.strip() == sha256(paint(svg)).hexdigest()


@resvg
def test_the_letters_are_ours():
    """Bold, plain, accents and signs are drawn, whatever family is asked for; nothing vanishes."""
    for family in ("DejaVu Sans, sans-serif", "sans-serif", "No Such Font"):
        for letter in ("G", "é", "▲", "×"):
            text = f'<text x="10" y="40" font-family="{family}" font-size="40">{letter}</text>'
            assert _ink(paint(small(text))) > 100, (family, letter)
    plain, bold = (paint(small(f'<text x="9" y="40" font-weight="{weight}">M</text>')) for weight in ("normal", "bold"))
    assert _ink(bold) > 1.3 * _ink(plain)


def _ink(png: bytes) -> int:
    shown = pixels(png)
    return sum(row[3::4].count(255) for row in shown.rows)


@pytest.mark.parametrize(
    "box", ["0 0 0 10", "0 0 10 0", "0 0 100 100000", "0 0 1e9 5", "0 0 -5 5", "a b c d", "0 0 0.001 5"]
)
def test_what_is_too_large_or_no_picture_is_refused_before_the_library_sees_it(box, monkeypatch):
    """G31's bound for pictures: 100,000 pixels squared would end the process."""
    monkeypatch.setattr(painting, "library", lambda: pytest.fail("the library was asked"))
    with pytest.raises(NotPainted):
        paint(small("", box))


def test_a_picture_without_a_size_or_of_endless_length_is_refused():
    for svg in (b"", b"<svg/>", b"<p>", small("") + b" " * (painting.MOST + 1), b"x" + small("")):
        with pytest.raises(NotPainted):
            paint(svg)
    assert height(small("", f"0 0 {WIDE} {LONGEST}")) == LONGEST


@resvg
def test_what_the_library_cannot_read_is_said():
    with pytest.raises(NotPainted):
        paint(small("<g>"))


def test_without_the_library_it_is_said(no_library):
    assert not painting.able()
    with pytest.raises(NotPainted, match="not installed"):
        paint(small(""))


def test_the_fonts_lie_here_with_their_licence():
    assert {path.name for path in painting.FONTS.iterdir()} == {"DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "LICENSE"}
    assert "Bitstream" in (painting.FONTS / "LICENSE").read_text("utf-8")
    assert sum(path.stat().st_size for path in painting.FONTS.iterdir()) < 100_000
