"""Instants in words: a deadline in somebody's language and time zone, never without naming the zone."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.dates import format_datetime


@cache
def load(lang: str) -> None:
    """Have the names of days and months in that language at hand, before children are made: they lie in a file."""
    told(datetime.fromtimestamp(0, UTC), "UTC", lang)


@lru_cache(4096)
def told(instant: datetime, zone: str, lang: str) -> str:
    """For instance: Thursday 19 November 2026, 21:00 (Europe/Paris, UTC+01:00)."""
    where = _zone(zone)
    local = instant.astimezone(where)
    words = format_datetime(local, "EEEE d MMMM y, HH:mm", tzinfo=where, locale=lang)
    return f"{words} ({_named(where, local)})"


def deadlines(instant: datetime, reader_zone: str, game_zone: str, lang: str) -> tuple[str, ...]:
    """The same instant for the reader, then for the game when its clocks show another time."""
    reader, game = _zone(reader_zone), _zone(game_zone)
    same = instant.astimezone(reader).utcoffset() == instant.astimezone(game).utcoffset()
    return tuple(told(instant, str(zone), lang) for zone in ((reader,) if same else (reader, game)))


@lru_cache(512)
def _zone(name: str) -> ZoneInfo:
    """The zone of that name; UTC when this machine does not know it, which the words then say."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def _named(zone: ZoneInfo, local: datetime) -> str:
    if local.utcoffset() == UTC.utcoffset(None) and str(zone) == "UTC":
        return "UTC"
    offset = local.strftime("%z")
    return f"{zone}, UTC{offset[:3]}:{offset[3:5]}"
