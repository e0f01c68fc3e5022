"""[limits] in pbem.toml: every limit of a message can be set, every slip is named, the child reads by what is set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest

from pbem import config
from pbem.errors import Trouble
from pbem.intake.limits import USUAL, Limits
from pbem.intake.reading import BoundedReader
from pbem.intake.settings import KEYS, TEMPLATE
from tests.pbem.intake.hostile.mails import ORDERS, OTHER, OURS, attached, mail, multipart, part
from tests.pbem.intake.hostile.test_limits import AT, code


def loaded(tmp_path: Path, *lines: str) -> Limits:
    path = tmp_path / "pbem.toml"
    path.write_text("\n".join(["[limits]", *lines, ""]))
    return config.load(path).limits


def test_where_nothing_is_said(tmp_path: Path) -> None:
    assert loaded(tmp_path) == USUAL


def test_what_a_new_host_finds_written_out_is_the_usual(tmp_path: Path) -> None:
    lines = TEMPLATE.partition("[limits]")[2].splitlines()
    assert len(lines) == len(KEYS) + 1
    assert loaded(tmp_path, *lines) == USUAL


def test_each_limit_of_a_message_has_its_key(tmp_path: Path) -> None:
    """How many problems one answer lists is no limit of what comes in."""
    assert {key.field for key in KEYS.values()} == {field.name for field in fields(Limits)} - {"problems"}
    for name, key in KEYS.items():
        usual = getattr(USUAL, key.field) // key.unit
        set_to = usual - 1 if usual > key.least and name not in ("message_kilobytes", "wall_seconds") else usual + 1
        found = loaded(tmp_path, f"{name} = {set_to}")
        assert found == replace(USUAL, **{key.field: set_to * key.unit}), name


MOST = 1_000_000  # more makes no sense anywhere
BOUNDS = {
    # IMAP cannot bring more.
    "message_kilobytes": (64, 16_000), "mail_kilobytes": (16, MOST), "order_kilobytes": (1, MOST),
    "head_kilobytes": (4, MOST), "header_bytes": (500, MOST), "headers": (30, MOST), "hops": (5, MOST),
    # What walks down must not fall.
    "mime_depth": (2, 100), "parts": (3, MOST), "attachments": (1, MOST), "depth": (4, 100),
    "nodes": (50, MOST), "text": (50, MOST), "press": (50, MOST), "number": (100, MOST),
    "submissions": (1, MOST), "submissions_a_day": (1, MOST), "kilobytes_a_day": (64, MOST),
    "receipts": (1, MOST), "answers": (1, MOST), "cpu_seconds": (1, 30), "wall_seconds": (1, 30),
    "megabytes": (128, MOST), "files": (16, MOST),
}  # fmt: skip


def test_each_key_has_its_bounds() -> None:
    assert BOUNDS.keys() == KEYS.keys()


@pytest.mark.parametrize("name", KEYS)
def test_the_least_and_the_most(tmp_path: Path, name: str) -> None:
    least, most = BOUNDS[name]
    room = {"text": "press = 1000000", "cpu_seconds": "wall_seconds = 30"}
    small = {"message_kilobytes": "mail_kilobytes = 16\norder_kilobytes = 1", "mail_kilobytes": "order_kilobytes = 1",
             "wall_seconds": "cpu_seconds = 1", "press": "text = 50"}  # fmt: skip
    loaded(tmp_path, f"{name} = {least}", small.get(name, ""))
    if name not in ("mail_kilobytes", "order_kilobytes"):  # they have their most in a larger one
        loaded(tmp_path, f"{name} = {most}", room.get(name, ""))
    for wrong in (least - 1, most + 1):
        with pytest.raises(
            Trouble, match=f"line 2: limits.{name}( must be at most|: it must be from {least} to {most})"
        ):
            loaded(tmp_path, f"{name} = {wrong}")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["parts = 'many'"], "line 2: limits.parts must be a whole number"),
        (["part = 3"], "line 2: .limits. has no key 'part'; did you mean parts"),
        (["mail_kilobytes = 2000"], "line 2: limits.mail_kilobytes: mail_kilobytes cannot be more than"
         " message_kilobytes, which is 1024"),
        (["message_kilobytes = 100"], "line 2: limits.message_kilobytes: mail_kilobytes cannot be more than"
         " message_kilobytes, which is 100"),
        (["", "order_kilobytes = 257"], "line 3: limits.order_kilobytes: .* mail_kilobytes, which is 256"),
        (["cpu_seconds = 6"], "line 2: limits.cpu_seconds: .* wall_seconds, which is 5"),
    ],
)  # fmt: skip
def test_slips(tmp_path: Path, lines: list[str], said: str) -> None:
    with pytest.raises(Trouble, match=said):
        loaded(tmp_path, *lines)


PAST: dict[str, tuple[str, int]] = {
    # what is limited: the field, and a limit that AT can be one past of
    "mail": ("mail_bytes", 20 << 10), "order text": ("order_bytes", 1 << 10), "headers": ("headers", 40),
    "depth of parts": ("mime_depth", 3), "parts": ("parts", 4), "attachments": ("attachments", 1),
    "hops": ("hops", 7), "depth of lists": ("depth", 6), "one text": ("text", 60), "press": ("press", 500),
    "a number": ("number", 100), "nodes": ("nodes", 60),
}  # fmt: skip


@pytest.mark.parametrize("what", AT)
def test_the_bounded_child_reads_by_the_limits_that_are_set(what: str) -> None:
    make: Callable[[int], bytes]
    make, _, past = AT[what]
    field, limit = PAST[what]
    with BoundedReader(replace(USUAL, **{field: limit})) as reader:
        raw = multipart(part("Hi"), attached(), attached(OTHER, "c.yml")) if what == "attachments" else make(limit + 1)
        assert code(reader.read_mail(raw, ours=[OURS])) == past
        assert code(reader.read_mail(mail(ORDERS), ours=[OURS])) == ""
