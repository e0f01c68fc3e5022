"""I at a whole host: the seat's key speaks for it, and nothing else does; answers go to the registered address."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.arriving.message import arrived_by
from pbem.arriving.storing import store
from tests.faults.figures import counted
from tests.pbem.host.conftest import NOON, Host
from tests.pbem.intake.hostile.case import ACCEPT, KEEP, REFUSE
from tests.pbem.intake.hostile.identity_table import CLAIMS, OTHERS, Seat
from tests.pbem.intake.hostile.mails import IGNORE, OURS
from tests.pbem.intake.hostile.table import EARLIER, LATER, Table

FATES = {ACCEPT: "accepted", REFUSE: "refused", KEEP: "quarantined", IGNORE: "ignored", OTHERS: "refused"}


def claimed(host: Host) -> Table:
    """A table with each claim in its inbox."""
    host.config = replace(host.config, address=OURS)
    table = Table(host, len(CLAIMS))
    table.open()
    raws = [claim.make(seat(table, number)) for number, claim in enumerate(CLAIMS)]
    table.arrived += [one.sha256 for one in store(host.ledger, [arrived_by(raw, NOON) for raw in raws], "imap")]
    return table


def seat(table: Table, number: int) -> Seat:
    others, following = table.key(number, "2"), table.key(number, "1", 2)
    elsewhere = table.key((number + 1) % table.count)
    player = f"seat1-{number}@players.example"
    return Seat(f"game{number}", player, table.key(number), others, following, elsewhere)


def outcomes(table: Table) -> list[tuple[str, str, str]]:
    """The claims that did not end as the table says."""
    fates = table.fates_by_bytes()
    found = []
    for number, claim in enumerate(CLAIMS):
        fate, reason = fates[table.arrived[number]]
        stands = [LATER if claim.fate == ACCEPT else EARLIER]
        answers = table.answers(number)
        to = {one.addr_spec for mail in answers for name in ("To", "Cc") if mail[name] for one in mail[name].addresses}
        right = (
            fate == FATES[claim.fate]
            and table.stands(number) == stands
            and len(answers) == (claim.fate in (ACCEPT, REFUSE))
            and to <= {f"seat1-{number}@players.example"}
            and table.receipts(number, "2") == (claim.fate == OTHERS)
        )
        if not right:
            found.append((claim.id, fate, reason))
    return found


def test_each_has_its_name() -> None:
    assert len({claim.id for claim in CLAIMS}) == len(CLAIMS) >= 60


@pytest.mark.slow
def test_only_the_key_speaks(host: Host) -> None:
    table = claimed(host)
    table.settle()
    wrong = outcomes(table)
    assert wrong == []
    counted(len(table.arrived), "claims of who one is (From, Reply-To, names, forged results, keys)")
    counted(len(wrong), "claims believed or answered wrongly")


@pytest.mark.slow
def test_g28_weakened_by_from(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that believes whom a form names is seen: it is every claim without a right key that passes."""
    monkeypatch.setattr("pbem.keys.matches", lambda *_: True)
    table = claimed(host)
    table.settle()
    assert {"I03-key-of-the-other-seat", "I03-key-noughts", "I03-key-star"} <= {name for name, *_ in outcomes(table)}
