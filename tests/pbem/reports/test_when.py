"""Deadlines in words: the reader's zone, the game's zone, and never a time without its zone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.reports.when import deadlines, told

THURSDAY = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "Thursday 19 November 2026, 21:00 (Europe/Paris, UTC+01:00)"),
        ("fr", "jeudi 19 novembre 2026, 21:00 (Europe/Paris, UTC+01:00)"),
        ("it", "giovedì 19 novembre 2026, 21:00 (Europe/Paris, UTC+01:00)"),
    ],
)
def test_a_deadline_in_the_readers_language(lang, words):
    assert told(THURSDAY, "Europe/Paris", lang) == words


@pytest.mark.parametrize(
    ("utc", "words"),
    [
        ("2026-03-29T00:59Z", "Sunday 29 March 2026, 01:59 (Europe/Paris, UTC+01:00)"),
        ("2026-03-29T01:00Z", "Sunday 29 March 2026, 03:00 (Europe/Paris, UTC+02:00)"),  # 02:xx does not exist
        ("2026-10-25T00:30Z", "Sunday 25 October 2026, 02:30 (Europe/Paris, UTC+02:00)"),
        ("2026-10-25T01:30Z", "Sunday 25 October 2026, 02:30 (Europe/Paris, UTC+01:00)"),  # the same hour again
        ("2028-02-29T12:00Z", "Tuesday 29 February 2028, 13:00 (Europe/Paris, UTC+01:00)"),
    ],
)
def test_hours_that_are_skipped_or_doubled_are_told_apart(utc, words):
    assert told(datetime.fromisoformat(utc), "Europe/Paris", "en") == words


def test_offsets_of_half_hours():
    assert told(THURSDAY, "Asia/Kathmandu", "en").endswith("(Asia/Kathmandu, UTC+05:45)")
    assert told(THURSDAY, "America/St_Johns", "en").endswith("(America/St_Johns, UTC-03:30)")


def test_both_zones_unless_they_are_the_same():
    assert deadlines(THURSDAY, "UTC", "UTC", "en") == ("Thursday 19 November 2026, 20:00 (UTC)",)
    reader, game = deadlines(THURSDAY, "Europe/Rome", "Asia/Tokyo", "en")
    assert "21:00 (Europe/Rome" in reader
    assert "Friday 20 November 2026, 05:00 (Asia/Tokyo" in game


def test_two_zones_whose_clocks_agree_need_one_line():
    assert len(deadlines(THURSDAY, "Europe/Rome", "Europe/Paris", "en")) == 1
    summer = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)
    assert len(deadlines(summer, "Africa/Lagos", "Europe/Paris", "en")) == 2, "they agree in winter alone"
    assert len(deadlines(THURSDAY, "Africa/Lagos", "Europe/Paris", "en")) == 1


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../../etc/passwd", "x" * 300])
def test_an_unknown_zone_reads_as_utc_and_says_so(zone):
    assert told(THURSDAY, zone, "en") == "Thursday 19 November 2026, 20:00 (UTC)"
