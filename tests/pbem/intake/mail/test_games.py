"""Reports of all games, with their own words and long orders, quoted by every program: none of it becomes an order."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from engine import games, load
from pbem.intake.fields import read_form
from pbem.intake.mail.offered import unchanged
from pbem.intake.mail.walk import read_mail
from pbem.reports import html, text
from pbem.reports.report import Report, Stands
from tests.pbem.intake.mail.corpus import LANGUAGES, OURS, PROGRAMS, THANKS, Draft, Original
from tests.pbem.reports import played

LONG = "march with everything there is from the hills in the north to the river, and fortify what stands there 3 times"


@cache
def reports(game: str) -> tuple[Report, ...]:
    """What each seat gets after a few turns: one where nothing stands, one where a long order and an answer stand."""
    found = played.reports(played.play(game, 4))
    asked = [report for report in found if report.key and report.menu] or found
    standing = {"consent": ["always", {"at": "home"}]}
    return tuple(found) + tuple(replace(report, stands=Stands((LONG,), (), standing)) for report in asked[:1])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
@pytest.mark.parametrize("game", sorted(games()))
def test_a_quoted_report_is_no_order(game: str, program) -> None:
    keys = load(game).order_keys
    for number, report in enumerate(reports(game)):
        if not report.key:
            continue
        original = Original(text.render(report), html.render(report))
        form = "game:" + original.text.partition("\ngame:")[2].partition("end: orders")[0] + "end: orders"
        lang = LANGUAGES[number % len(LANGUAGES)]
        raw = program.mail(lang, Draft(top=THANKS[lang]), original)
        mail = read_mail(raw, ours=OURS, game_keys=keys)
        assert mail.trouble is None
        assert mail.command is None
        offered = read_form(form.encode(), game_keys=keys).form
        for block in mail.blocks:
            assert block.quoted
            assert unchanged(block, form, offered), (block.text, form)
        assert mail.blocks or "# orders:" in form
