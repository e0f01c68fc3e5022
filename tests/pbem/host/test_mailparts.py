"""Our own letters taken apart: the same parts as the standard library finds, for every kind of letter."""

from __future__ import annotations

import re
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

import pytest

from pbem.ledger import outbox
from pbem.mailparts import decoded, page_in, parts
from tests.pbem.host.conftest import Host


@pytest.mark.parametrize("rules", ["bagh-chal", "yuan", "nim", "vault"])
def test_the_parts_are_what_any_mail_program_finds(host: Host, rules: str) -> None:
    host.start(rules)
    seat = host.row().pending[0]
    host.order(seat, "nonsense é “quoted” =20 From here\n")
    host.night()
    with host.ledger.read() as tx:
        for mail in outbox.of_game(tx, "game"):
            raw = outbox.raw(tx, mail.message_id)
            message: EmailMessage = BytesParser(policy=policy.default).parsebytes(raw)
            found = parts(raw)
            page = decoded(raw, page_in(raw)).decode()
            for kind, ours in (("plain", found.text), ("html", page)):
                body = message.get_body(preferencelist=(kind,))
                assert body is not None
                assert ours.rstrip("\n") == body.get_content().replace("\r\n", "\n").rstrip("\n")
            assert found.html.count("<svg") == len(re.findall(r"<img src=.cid:", page)), (
                "the picture is inside the page"
            )
            assert "cid:" not in found.html
            theirs = {part.get_filename(): part.get_payload(decode=True) for part in message.iter_attachments()}
            assert {name: data.rstrip(b"\n") for name, data in found.files.items()} == {
                name: data.replace(b"\r\n", b"\n").rstrip(b"\n") for name, data in theirs.items()
            }
            assert (found.kind, str(found.turn)) == (message["X-Pbem-Kind"], message["X-Pbem-Turn"])
