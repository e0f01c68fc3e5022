"""A row of events that differ in one fact is told in one sentence, where the game's templates say so."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine import Event, View, load
from pbem.pages.frames import packed
from pbem.reports import json as plain
from pbem.reports import text
from pbem.reports.words import Memo, Words
from tests.pbem.reports.played import play, report

VIEW = View(None, (), "plan", "", {})


def village(province: str, clan: str = "mu", rule: str = "YUAN-7.8", of: str | None = None) -> Event:
    return Event("village_placed", rule, {"clan": clan, "province": province, "from": of})


def story(*events: Event, lang: str = "en") -> list[tuple[str, str, int]]:
    return [*Words(load("yuan"), lang, Memo()).story(events, VIEW)]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Mu has villages on KE, KHO and XA."),
        ("fr", "Mu a des villages sur KE, KHO et XA."),
        ("it", "Mu ha villaggi su KE, KHO e XA."),
    ],
)
def test_the_villages_of_a_clan_are_told_in_one_sentence(lang: str, said: str) -> None:
    assert story(*map(village, ("KE", "KHO", "XA")), lang=lang) == [(said, "YUAN-7.8", 3)]


def test_only_a_row_that_differs_in_that_fact_alone_is_told_at_once() -> None:
    told = story(
        village("KE"),
        village("XA", "suhey"),
        village("WA", "suhey"),
        village("QO", "suhey", "YUAN-10.7"),
        village("RA", "suhey", "YUAN-10.7", "mu"),
        village("WO", "suhey", "YUAN-10.7", "mu"),
        Event("freed", "YUAN-10.11", {"province": "AN", "owner": "mu"}),
        Event("freed", "YUAN-10.11", {"province": "BAI", "owner": "mu"}),
        village("KHO"),
    )
    assert told[:4] == [
        ("Mu has a village on KE.", "YUAN-7.8", 1),
        ("Suhey has villages on XA and WA.", "YUAN-7.8", 2),
        ("Suhey has a village on QO.", "YUAN-10.7", 1),
        ("Suhey has villages on RA and WO, which were held by Mu.", "YUAN-10.7", 2),
    ]
    assert [count for _, _, count in told[4:]] == [1, 1, 1]


def test_what_stays_free_and_what_burns_is_told_in_the_same_way() -> None:
    short = [Event("village_short", "YUAN-2.3", {"clan": "mu", "province": name}) for name in ("KE", "XA")]
    burnt = [Event("volcano_cleared", "YUAN-13.1", {"owner": "mu", "province": name}) for name in ("KE", "XA")]
    assert [said for said, _, _ in story(*short, *burnt)] == [
        "Mu has no village left for KE and XA, which stay free.",
        "The volcano erupts: Mu loses everything on KE and XA.",
    ]


def test_a_row_is_told_anew_when_its_events_are_others() -> None:
    """A memo knows it by all of its events."""
    words, one, two, three = Words(load("yuan"), "en", Memo()), *map(village, ("KE", "KHO", "XA"))
    assert [said for said, _, _ in words.story((one, two), VIEW)] == ["Mu has villages on KE and KHO."]
    assert [said for said, _, _ in words.story((one, three), VIEW)] == ["Mu has villages on KE and XA."]
    assert [said for said, _, _ in words.story((one,), VIEW)] == ["Mu has a village on KE."]


def test_a_program_reads_every_event_and_a_page_every_sentence_once() -> None:
    """In JSON the sentence stands with the first of the row; the others have none, and no page shows an empty line."""
    made = report(play("yuan", 22, players=4), "1", last=1)
    events = (village("KE"), village("KHO"), village("XA", "suhey"))
    made = replace(made, steps=(replace(made.steps[-1], events=events),))
    told = json.loads(plain.render(made))
    said = [event["told"] for event in told["steps"][0]["events"]]
    assert said == ["Mu has villages on KE and KHO.", "", "Suhey has a village on XA."]
    assert [event["facts"]["province"] for event in told["steps"][0]["events"]] == ["KE", "KHO", "XA"]
    assert packed(made.rules, [told])[0]["steps"][0]["told"] == [
        ["Mu has villages on KE and KHO.", "YUAN-7.8"],
        ["Suhey has a village on XA.", "YUAN-7.8"],
    ]
    assert "- Mu has villages on KE and KHO. [YUAN-7.8]" in text.render(made)
