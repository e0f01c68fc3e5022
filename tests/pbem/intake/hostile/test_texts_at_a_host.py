"""Y at a whole host: a hundred at once, each kept, answered once to the right address or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from pbem.intake.form import Form, Reading
from tests.pbem.host.conftest import Host
from tests.pbem.intake.hostile.case import ACCEPT, KEEP, KEY, REFUSE, Case
from tests.pbem.intake.hostile.table import EARLIER, LATER, Table, chunks, text_of
from tests.pbem.intake.hostile.yaml_texts import YAML_TEXTS

BATCH = 100
FATES = {ACCEPT: "accepted", REFUSE: "refused", KEEP: "quarantined"}


def seated(case: Case, number: int, key: str) -> bytes:
    """The text as the player of that table's game would send it."""
    return replace(case, make=lambda head: case.make(head.replace("game: game", f"game: game{number}"))).raw(key)


def sent(host: Host, cases: Sequence[Case], key: Callable[[Table, int], str]) -> tuple[Table, list[bytes]]:
    table = Table(host, len(cases))
    table.open()
    raws = [seated(case, number, key(table, number)) for number, case in enumerate(cases)]
    for case, raw in zip(cases, raws, strict=True):
        table.arrive(case.id, raw)
    return table, raws


@pytest.mark.parametrize("cases", chunks(YAML_TEXTS, BATCH), ids=lambda cases: f"{cases[0].id}-to-{cases[-1].id}")
def test_with_the_right_key_each_is_answered_as_said(host: Host, cases: Sequence[Case]) -> None:
    table, raws = sent(host, cases, Table.key)
    counts = table.settle()
    assert sum(counts.values()) == len(cases)
    fates = table.fates()
    for number, (case, raw) in enumerate(zip(cases, raws, strict=True)):
        fate, reason = fates[case.id]
        assert fate == FATES[case.fate], (case.id, reason)
        assert table.raw_is_kept(raw), case.id
        assert (reason == "") is (case.fate == ACCEPT), case.id
        assert table.stands(number) == [LATER if case.fate == ACCEPT else EARLIER], case.id
        answers = table.answers(number)
        assert len(answers) == (case.fate != KEEP), case.id
        for answer in answers:
            assert answer["To"].addresses[0].addr_spec == f"seat1-{number}@players.example", case.id
            # The answer is broken into lines, so words are looked for without their breaks.
            assert " ".join(case.says.split()) in " ".join(text_of(answer).split()), case.id
            if case.code:
                where = f"line {case.line}, column {case.column}"
                assert where in " ".join(text_of(answer).split()), case.id


@pytest.mark.parametrize("cases", chunks(YAML_TEXTS, BATCH), ids=lambda cases: f"{cases[0].id}-to-{cases[-1].id}")
def test_without_the_key_nothing_is_answered(host: Host, cases: Sequence[Case]) -> None:
    table, raws = sent(host, cases, lambda table, number: KEY)
    before = table.mails_out()
    assert table.settle() == {"quarantined": len(cases)}
    assert table.mails_out() == before
    for number, raw in enumerate(raws):
        assert table.raw_is_kept(raw)
        assert table.stands(number) == [EARLIER]


def test_a_form_known_by_its_lines_only_is_never_taken(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weakened build: a problem that is dropped makes a hostile text an order that is accepted."""
    case = next(case for case in YAML_TEXTS if case.id == "Y01-bomb")
    table, _ = sent(host, [case], Table.key)
    monkeypatch.setattr("pbem.intake.fields.Reading", lambda form, problems=(): Reading(_with_orders(form)))
    assert table.settle() == {"accepted": 1}


def _with_orders(form: Form | None) -> Form | None:
    return form and replace(form, orders=(LATER,), places=(("orders", 0),), written=1)
