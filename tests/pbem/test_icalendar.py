"""Calendar files: read back by a second reader, whatever a game or a player is called."""

import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.deadlines.icalendar import Event, calendar

AT = datetime(2026, 11, 18, 19, 0, tzinfo=UTC)
MADE = datetime(2026, 11, 17, 8, 30, tzinfo=UTC)


def read(raw: bytes) -> list[dict[str, str]]:
    """The events of a calendar, by RFC 5545's own words: unfold, split at the first colon, take escapes away."""
    assert raw.endswith(b"END:VCALENDAR\r\n")
    assert raw.startswith(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:")
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    assert b"\n" not in raw.replace(b"\r\n", b"")
    events: list[dict[str, str]] = []
    for line in raw.decode().replace("\r\n ", "").split("\r\n"):
        name, _, value = line.partition(":")
        if (name, value) == ("BEGIN", "VEVENT"):
            events.append({})
        elif events and name not in events[-1]:
            events[-1][name] = plain(value)
    return events


def plain(value: str) -> str:
    letters, found = iter(value), ""
    for letter in letters:
        if letter == "\\":
            letter = next(letters)
            letter = "\n" if letter in "nN" else letter
        found += letter
    return found


def test_an_event_says_when_and_what() -> None:
    [event] = read(
        calendar([Event("12.jade-river@pbem.test", AT, "jade-river: decision 12", "waits for red", 24)], MADE)
    )
    assert event["DTSTART"] == "20261118T190000Z"
    assert not {"DTEND", "DURATION"} & set(event)  # 3.8.2.2: an end would be later; 3.6.1: without one it is an instant
    assert event["DTSTAMP"] == "20261117T083000Z"
    assert (event["UID"], event["SUMMARY"]) == ("12.jade-river@pbem.test", "jade-river: decision 12")
    assert (event["DESCRIPTION"], event["TRIGGER"]) == ("waits for red", "-PT24H")


def test_a_moved_deadline_keeps_its_name_and_outranks_the_old_one() -> None:
    [old] = read(calendar([Event("1.g@h", AT, "g")], MADE))
    [new] = read(calendar([Event("1.g@h", AT.replace(day=19), "g")], MADE.replace(hour=9)))
    assert old["UID"] == new["UID"]
    assert int(new["SEQUENCE"]) > int(old["SEQUENCE"])


def test_a_blank_where_no_line_may_be_broken_is_a_blank() -> None:
    """Seen red: French lost the one before its colons."""
    [event] = read(calendar([Event("1.g@h", AT, "La partie attend\u00a0: rouge", "1\u202f000")], MADE))
    assert (event["SUMMARY"], event["DESCRIPTION"]) == ("La partie attend : rouge", "1 000")


@given(st.text(max_size=300), st.text(max_size=300))
@pytest.mark.filterwarnings("error")
def test_no_text_breaks_out_of_its_line(summary: str, description: str) -> None:
    events = read(calendar([Event("1.g@h", AT, summary, description), Event("2.g@h", AT, "second")], MADE))
    assert len(events) == 2
    plain = (
        "\n" if one == "\n" else " " if unicodedata.category(one) == "Zs" else one
        for one in summary.replace("\r\n", "\n")
    )
    kept = "".join(one for one in plain if one == "\n" or one.isprintable())
    assert events[0]["SUMMARY"] == kept
    assert set(events[0]) <= {
        "UID",
        "DTSTAMP",
        "SEQUENCE",
        "DTSTART",
        "SUMMARY",
        "DESCRIPTION",
        "TRANSP",
        "END",
    }
