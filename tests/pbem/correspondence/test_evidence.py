"""Evidence: what our own server found about a sender is kept as facts, and can be demanded; it never proves a seat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.correspondence import evidence
from tests.pbem.correspondence.conftest import Post
from tests.pbem.host.test_submitting import waits

ORDER = "orders:\n  - b3\nend: orders"
OURS = "Authentication-Results: mx.pbem.test; dkim=pass header.d={domain}\n"


@pytest.fixture
def strict(post: Post) -> Post:
    """A host that demands signed mails."""
    post.host.config = replace(
        post.host.config, mail=replace(post.host.config.mail, authserv="mx.pbem.test", require="dkim")
    )
    return post


def said(post: Post) -> dict[str, object]:
    found: dict[str, object] = post.rows("submission")[-1].facts()["evidence"]
    return found


def test_it_is_kept_as_facts(post: Post) -> None:
    post.host.config = replace(post.host.config, mail=replace(post.host.config.mail, authserv="mx.pbem.test"))
    post.write(ORDER, more=OURS.format(domain="players.example"))
    assert said(post) == {"from_registered": True, "server": [["dkim", "pass", True]], "host": []}
    post.write(ORDER, sender="x@elsewhere.example", more=OURS.format(domain="elsewhere.example"))
    assert said(post) == {"from_registered": False, "server": [["dkim", "pass", False]], "host": []}


def test_what_another_server_claims_is_no_evidence(post: Post) -> None:
    post.write(ORDER, more=OURS.format(domain="players.example"))
    assert said(post)["server"] == []


def test_no_address_stands_in_the_journal(post: Post) -> None:
    post.write(ORDER, sender="x@elsewhere.example")
    for chain in ("game", "@host"):
        assert not [row for row in post.rows("submission", chain) if b"elsewhere" in row.body]
        assert not [row for row in post.rows("letter_fate", chain) if b"elsewhere" in row.body]


def test_a_signed_mail_is_taken(strict: Post) -> None:
    assert strict.write(ORDER, more=OURS.format(domain="players.example")) == "accepted"


@pytest.mark.parametrize(
    ("sender", "more", "told"),
    [
        ("1@players.example", "", "this one is not, or was changed since"),
        ("1@players.example", OURS.format(domain="elsewhere.example"), "this one is not, or was changed since"),
        ("1@players.example", OURS.format(domain="players.example").replace("pass", "fail"), "this one is not"),
        ("1@players.example", OURS.format(domain="players.example").replace("mx.pbem", "mx.evil"), "this one is not"),
        ("x@elsewhere.example", OURS.format(domain="elsewhere.example"), "only from addresses at players.example"),
    ],
)
def test_what_is_not_is_refused_and_its_player_told(strict: Post, sender: str, more: str, told: str) -> None:
    assert strict.write(ORDER, sender=sender, more=more) == "refused"
    assert told in strict.text()
    assert waits(strict.host, "1") == []
    assert strict.write("withdraw", sender=sender, more=more) == "refused"


def test_a_signature_without_the_key_is_nobody(strict: Post) -> None:
    before = len(strict.sent())
    fate = strict.write(ORDER, to=strict.tagged("1", key="AAAA-AAAA"), more=OURS.format(domain="players.example"))
    assert fate == "quarantined"
    assert len(strict.sent()) == before


@pytest.mark.parametrize(
    ("one", "other", "within"),
    [
        ("example.org", "example.org", True),
        ("mail.example.org", "example.org", True),
        ("Example.ORG.", "example.org", True),
        ("badexample.org", "example.org", False),
        ("example.org", "mail.example.org", False),
        ("example.org", "org", False),
        ("example.org", "", False),
    ],
)
def test_domains_that_are_aligned(one: str, other: str, within: bool) -> None:
    assert evidence.aligned(one, other) is within


def test_weakened_without_the_demand_anything_is_taken(strict: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "missing", lambda desk: None)
    assert strict.write(ORDER) == "accepted"
