"""The post at the command line: what waits and what was refused is shown, sent again when asked for, and tried."""

from __future__ import annotations

from tests.pbem.cli.desk import DEADLINE, LATER, NEXT_DAY, Desk
from tests.pbem.post.rude import NEVER_RCPT, Rude


def by_server(desk: Desk, server: Rude) -> None:
    path = desk.folder / "pbem.toml"
    text = (
        path.read_text().partition("[post]")[0].replace('address = "orders@localhost"', 'address = "orders@pbem.test"')
    )
    path.write_text(f'{text}[post]\nby = "smtp"\nsmtp = "127.0.0.1:{server.port}"\n')


def plan(number: int) -> str:
    return {0: NEVER_RCPT, 1: "450 at RCPT"}.get(number, "")


def test_a_night_shows_what_did_not_get_through(desk: Desk) -> None:
    with Rude(plan=plan) as server:
        by_server(desk, server)
        out = desk("nightly", "--jobs", "1", "--now", DEADLINE).out
        assert "Mails: 1 not taken yet, 1 refused, 1 sent." in out  # what was refused is told to its player
        assert (
            "Tried again later: report of jade-river, seat 2 to bruno@example.org, since 2026-11-18 20:00 UTC: 450"
            in out
        )
        assert "NOT SENT: report of jade-river, seat 1 to anna@example.org" in out
        assert "pbem deliver --refused" in out
        status = desk.data("status", "--now", DEADLINE)
        assert (status["mails_waiting"], status["mails_lost"]) == (1, 1)
        assert "1 mail could not be sent; `pbem deliver` shows why." in desk("status", "--now", DEADLINE).out
        found = desk.data("doctor", "--now", DEADLINE, code=1)["findings"]
        assert [one["what"] for one in found if not one["well"]] == ["mails refused"]


def test_what_was_refused_is_sent_when_asked_for(desk: Desk) -> None:
    with Rude(plan=plan) as server:
        by_server(desk, server)
        desk("nightly", "--jobs", "1", "--now", DEADLINE)
        said = desk.data("deliver", "--now", NEXT_DAY)
        assert said["sent"] == 1
        assert len(said["mails_lost"]) == 1
        server.stuck.clear()
        assert desk.data("deliver", "--refused", "--now", NEXT_DAY) == {
            "sent": 1,
            "mails_lost": [],
            "mails_tried_again": [],
        }
        assert {one.recipients for one in server.taken} == {("anna@example.org",), ("bruno@example.org",)}


def test_a_player_may_wish_for_digests(desk: Desk) -> None:
    assert desk("player", "digest", "Anna", "on").out == "All mails of one run come to Anna as one.\n"
    listed = {one["name"]: one["digest"] for one in desk.data("player", "list")}
    assert listed == {"Anna": True, "Bruno": False}
    assert "in digests" in desk("player", "list").out
    assert desk.data("player", "digest", "Anna", "off") == {"name": "Anna", "digest": False}
    assert desk("player", "add", "Chiara", "c@example.org", "--digest").out.endswith(
        "All mails of one run come as one.\n"
    )
    desk.refused("player", "digest", "Ana", "on", code=3, says="did you mean Anna?")
    desk.refused("player", "digest", "Anna", "maybe", code=2, says="'maybe' is not one of")


def test_the_doctor_sends_a_mail_to_the_host(desk: Desk) -> None:
    with Rude() as server:
        by_server(desk, server)
        said = desk("doctor", "--mail", "--wait", "1", "--now", LATER, code=1).out
    assert "well  mail out to the plain address: smtp took a mail to the plain address: 250 taken" in said
    assert "ILL   mail in from the plain address: it did not come back within 1 seconds" in said
    assert {one.recipients for one in server.taken} == {("orders@pbem.test",), ("orders+trial@pbem.test",)}


def test_where_mails_are_files_the_doctor_says_so(desk: Desk) -> None:
    assert "mails stay here as files" in desk("doctor", "--mail", "--now", LATER).out
