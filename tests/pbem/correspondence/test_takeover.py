"""Whole stories of a key in wrong hands, and of players whose address changes, by mail and at the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from email.message import EmailMessage

import pytest

from pbem.cli import run
from pbem.clock import stamp
from pbem.ledger import players
from pbem.ledger.chain import HOST
from pbem.people.substituting import substituted
from tests.pbem.correspondence.conftest import NOON, Post, words
from tests.pbem.host.conftest import DEADLINE

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
EVE, OWNER, NEW = "eve@elsewhere.example", "1@players.example", "new@players.example"


def address(post: Post, name: str = "player-1") -> str | None:
    with post.host.ledger.read() as tx:
        player = players.by_name(tx, name)
        assert player is not None
        return player.address


def pbem(post: Post, *args: str, at: datetime = NOON, code: int = 0) -> None:
    """A command of the host."""
    assert run(["--config", str(post.host.config.folder), *args, "--now", stamp(at)]) == code


def code_in(mail: EmailMessage, purpose: str) -> str:
    """The address in a mail that a code comes back to; in its head or in its words."""
    said = f"{mail['Reply-To']} {mail.get_content()}".replace("\n", "")
    found = re.search(rf"orders\+{purpose}\.[0-9a-z]{{16}}@localhost", said)
    assert found is not None, f"no {purpose} in {said}"
    return found[0]


def asked(post: Post, at: datetime = NOON) -> tuple[EmailMessage, EmailMessage]:
    """The owner asks for a new address; gives the mails to the new and to the old one."""
    assert post.write(f"address {NEW}", at=at) == "accepted"
    return post.sent(NEW)[-1], post.last()


def carried(post: Post, at: datetime) -> None:
    """The letters that wait leave, as they do at once where mail is judged at once."""
    pbem(post, "deliver", at=at)


def quoted_report(post: Post, number: int = 0) -> str:
    """A report of the owner's, as it is quoted in a mail that was forwarded or copied to others."""
    reports = [mail for mail in post.sent(OWNER) if mail["X-Pbem-Kind"] == "report"]
    body = reports[number].get_body(("plain",))
    assert body is not None
    return "On Wed, 18 Nov 2026 pbem wrote:\n\n" + "".join(f"> {line}\n" for line in body.get_content().splitlines())


# --- 1. a stranger with an old key ------------------------------------------------------------------------------------

WORDS = (f"address {EVE}", "draw", "take-back 1", "dispute: it is mine", "remind 5h", "digest", "volunteer")


def closed(post: Post) -> tuple[str, datetime]:
    """The owner's report of decision 1, which is closed."""
    report = quoted_report(post)
    post.host.night()
    return report, DEADLINE + HOUR


def over(post: Post) -> tuple[str, datetime]:
    """The owner's last report of a game that has ended; another one goes on."""
    report = quoted_report(post)
    post.host.start("nim", "other", heaps="3,4,5")
    for seat in ("1", "2"):
        assert post.write("draw", seat=seat) == "accepted"
    post.host.night(NOON + HOUR)
    assert post.host.status() == "over"
    return report, NOON + 2 * HOUR


@pytest.mark.parametrize("leaked", [closed, over])
@pytest.mark.parametrize("word", WORDS)
def test_g39_a_stranger_with_an_old_key_gets_nothing(
    post: Post, leaked: Callable[[Post], tuple[str, datetime]], word: str
) -> None:
    """Seen red: the address was asked for, the game was drawn and taken back in the owner's name."""
    report, at = leaked(post)
    before, rows = post.count(), {kind: len(post.rows(kind)) for kind in ("consent", "dispute", "taken_back")}
    assert post.write(f"{word}\n\n{report}", to=post.host.config.address, sender=EVE, at=at) == "refused"
    assert post.sent(EVE) == []
    assert address(post) == OWNER
    assert {kind: len(post.rows(kind)) for kind in rows} == rows
    assert post.count() == before + 1
    assert "eve@elsewhere.example, which is not the address that is registered for you" in post.text()
    assert "is closed" in post.text() or "its keys change nothing any more" in post.text()


def test_g39_a_report_never_leaves_for_a_stranger(post: Post) -> None:
    """It goes to the registered address. What the whole attack of before comes to, step by step."""
    report, at = closed(post)
    plain = post.host.config.address
    post.write(f"address {EVE}\n\n{report}", to=plain, sender=EVE, at=at)
    assert post.write(f"report 2\n\n{report}", to=plain, sender=EVE, at=at) == "accepted"
    assert post.sent(EVE) == []
    assert post.last()["X-Pbem-Kind"] == "report"


def test_g40_a_draw_takes_the_current_key_of_every_seat(post: Post) -> None:
    """Seen red: seat 1 offered a draw and agreed to it for seat 2, by an old report that seat 2 had forwarded."""
    old = post.tagged("2", 1)
    post.host.night()
    at = DEADLINE + HOUR
    assert post.write("draw", at=at) == "accepted"
    assert post.write("draw", to=old, sender=OWNER, at=at) == "refused"
    post.host.night(DEADLINE + DAY)
    assert post.host.status() == "open"
    assert post.write("draw", seat="2", at=DEADLINE + DAY + HOUR) == "accepted"
    post.host.night(DEADLINE + DAY + 2 * HOUR)
    assert post.host.status() == "over"


def test_g40_neither_forms_nor_words_in_them_are_taken_with_an_old_key(post: Post) -> None:
    old = post.host.file("2", "draw", turn=1)
    away = post.host.file("2", "b3", turn=1).replace("end:", "absent: 2026-12-31\nsay: hello\nend:")
    post.host.night()
    at = DEADLINE + HOUR
    post.write("draw", at=at)
    for form in (old, away):
        assert post.write(form, to=post.host.config.address, sender=EVE, at=at) == "refused"
    assert post.rows("absence") == []
    assert [row.seat for row in post.rows("consent")] == ["1"]
    post.host.night(DEADLINE + DAY)
    assert post.host.status() == "open"
    assert "hello" not in post.text("1").split()


def test_g39_who_plays_no_more_asks_the_host(post: Post) -> None:
    report, at = over(post)
    post.write(f"address {NEW}\n\n{report}", to=post.host.config.address, at=at)
    assert "if you have none, ask the host" in post.text()
    assert not post.sent(NEW)


def test_g39_a_former_player_changes_nothing(post: Post) -> None:
    old = post.tagged("1")
    with post.host.ledger.write() as tx:
        substituted(tx, post.host.config, "game", "1", "player-3", NOON, "she has moved")
    before = len(post.sent())
    assert post.write(f"address {EVE}", to=old, sender=OWNER) == "quarantined"
    assert len(post.sent()) == before


# --- 2. the owner moves -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["new", "old"])
def test_g39_both_addresses_confirm_in_any_order(post: Post, first: str) -> None:
    new, old = asked(post)
    confirm, agree = code_in(new, "confirm"), code_in(old, "agree")
    steps = [(confirm, NEW), (agree, OWNER)][:: 1 if first == "new" else -1]
    assert post.write("yes", to=steps[0][0], sender=steps[0][1]) == "accepted"
    assert address(post) == OWNER, "one of them is not enough"
    assert post.write("yes", to=steps[1][0], sender=steps[1][1]) == "accepted"
    assert address(post) == NEW
    assert "no more to this one" in post.text()
    assert "come to this address from now on" in words(post.sent(NEW)[-1])
    assert post.write("yes", to=agree) == post.write("yes", to=confirm) == "quarantined", "a code counts once"
    before = post.count()
    post.host.night()
    assert "game, decision 2" in words(post.sent(NEW)[-1])
    assert post.count() == before


def test_g39_each_code_has_one_purpose(post: Post) -> None:
    new, old = asked(post)
    code = {purpose: code_in(mail, purpose) for purpose, mail in (("confirm", new), ("agree", old), ("veto", old))}
    assert len({one.partition(".")[2] for one in code.values()}) == 3
    assert code["agree"] not in words(new)
    assert code["confirm"] not in words(old)
    for purpose in code:
        for other in set(code) - {purpose}:
            assert post.write("yes", to=code[purpose].replace(purpose, other)) == "quarantined"
    assert address(post) == OWNER


def test_g39_codes_expire(post: Post) -> None:
    new, old = asked(post)
    for purpose, mail in (("confirm", new), ("agree", old), ("veto", old)):
        assert post.write("yes", to=code_in(mail, purpose), at=NOON + 8 * DAY) == "quarantined"
    assert address(post) == OWNER


def test_g39_a_robot_neither_agrees_nor_vetoes(post: Post) -> None:
    _, old = asked(post)
    for purpose in ("agree", "veto"):
        assert post.write("away", to=code_in(old, purpose), more="Auto-Submitted: auto-replied\n") == "ignored"


# --- 3. the old mailbox is dead ---------------------------------------------------------------------------------------


def test_g39_without_a_word_from_the_old_address_it_waits(post: Post) -> None:
    new, old = asked(post)
    assert "Saturday 21 November 2026, 12:00" in words(old)
    carried(post, NOON)
    assert post.write("yes", to=code_in(new, "confirm"), sender=NEW) == "accepted"
    assert "go to the old one" in words(post.sent(NEW)[-1])
    for at in (DEADLINE, NOON + 3 * DAY - HOUR):
        post.host.night(at)
        assert address(post) == OWNER
    assert "game, decision 2" in post.text(), "until then all letters go to the old address"
    post.host.night(NOON + 3 * DAY)
    assert address(post) == NEW
    count = len(post.sent())
    post.host.night(NOON + 3 * DAY + HOUR)
    assert len(post.sent()) == count, "it took effect once"


def test_g39_it_takes_effect_in_a_night_with_nothing_else_to_do(post: Post) -> None:
    with post.host.ledger.write() as tx:
        from pbem.rulings.ruling import paused

        paused(tx, post.host.config, "game", NOON, "holidays")
    new, _ = asked(post)
    carried(post, NOON)
    post.write("yes", to=code_in(new, "confirm"), sender=NEW)
    carried(post, NOON)
    post.host.night(NOON + 3 * DAY)
    assert address(post) == NEW


def test_g39_the_days_count_from_when_the_old_address_was_told(post: Post) -> None:
    """A host whose post does not leave has told nobody."""
    new, _ = asked(post)
    post.write("yes", to=code_in(new, "confirm"), sender=NEW)
    late = NOON + 5 * DAY
    post.host.night(late)
    assert address(post) == OWNER
    post.host.night(late + 3 * DAY - HOUR)
    assert address(post) == OWNER
    post.host.night(late + 3 * DAY)
    assert address(post) == NEW


def test_g39_a_change_that_was_not_confirmed_is_forgotten(post: Post) -> None:
    new, _ = asked(post)
    for day in range(1, 10):
        post.host.night(NOON + day * DAY)
    assert address(post) == OWNER
    assert post.write("yes", to=code_in(new, "confirm"), sender=NEW, at=NOON + 9 * DAY) == "quarantined"


def test_g39_the_host_says_how_long_it_waits(make_post: Callable[..., Post]) -> None:
    from dataclasses import replace

    post = make_post()
    post.host.config = replace(post.host.config, address_days=10)
    post.host.start("nim", heaps="3,4,5")
    new, old = asked(post)
    assert "Saturday 28 November 2026" in words(old)
    carried(post, NOON)
    post.write("yes", to=code_in(new, "confirm"), sender=NEW)
    post.host.night(NOON + 9 * DAY)
    assert address(post) == OWNER
    post.host.night(NOON + 10 * DAY)
    assert address(post) == NEW


# --- 4. the owner vetoes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("confirmed", [True, False])
def test_g39_any_answer_from_the_old_address_stops_it(post: Post, confirmed: bool) -> None:
    """Eve has the current key, and reads mail at her address."""
    assert post.write(f"address {EVE}", sender=EVE) == "accepted"
    new, old = post.sent(EVE)[-1], post.last()
    assert "asks that your letters about games at pbem go to eve@elsewhere.example" in words(old)
    carried(post, NOON)
    if confirmed:
        assert post.write("yes", to=code_in(new, "confirm"), sender=EVE) == "accepted"
    assert post.write("This was not me!", to=str(old["Reply-To"].addresses[0].addr_spec)) == "accepted"
    assert "keep coming to this address" in post.text()
    assert "tell the host now" in post.text()
    assert [row.facts()["change"] for row in post.rows("player", HOST) if "change" in row.facts()][-1] == "vetoed"
    assert post.write("yes", to=code_in(new, "confirm"), sender=EVE) == "quarantined"
    assert post.write(f"address {EVE}", sender=EVE, at=NOON + HOUR) == "refused", "not again by mail"
    for day in range(1, 10):
        post.host.night(NOON + day * DAY)
    assert address(post) == OWNER
    assert "game, decision" in post.text()
    assert post.write(f"address {NEW}", at=NOON + 9 * DAY + HOUR) == "accepted", "after the days it can be asked again"


def test_g39_an_older_letter_stops_what_was_asked_again(post: Post) -> None:
    """Else Eve would ask twice, and the owner's answer to the first letter would stop nothing."""
    post.write(f"address {EVE}", sender=EVE)
    first = post.last()
    post.write("address eve2@elsewhere.example", sender=EVE)
    assert post.write("no", to=code_in(first, "veto")) == "accepted"
    new = post.sent("eve2@elsewhere.example")[-1]
    assert post.write("yes", to=code_in(new, "confirm"), sender=EVE) == "quarantined"


def test_g39_no_address_stands_in_the_chain(post: Post) -> None:
    new, old = asked(post)
    post.write("yes", to=code_in(new, "confirm"), sender=NEW)
    post.write("no", to=code_in(old, "veto"))
    said = json.dumps([row.facts() for row in post.rows("player", HOST)])
    assert "@" not in said
    assert '"confirmed"' in said
    assert '"vetoed"' in said


# --- 5. the host does it ----------------------------------------------------------------------------------------------


def test_g39_the_host_changes_an_address_at_once(post: Post, capsys: pytest.CaptureFixture[str]) -> None:
    pbem(post, "player", "change", "player-1", "--address", NEW, "--at-once")
    assert f"player-1 <{NEW}>" in capsys.readouterr().out
    assert address(post) == NEW
    assert "no more to this one" in post.text()
    pbem(post, "player", "change", "player-1", "--at-once", code=2)


def test_g39_what_the_host_asks_for_waits_for_the_new_address_only(post: Post) -> None:
    pbem(post, "player", "change", "player-1", "--address", NEW)
    assert address(post) == OWNER
    assert post.write("yes", to=code_in(post.sent(NEW)[-1], "confirm"), sender=NEW) == "accepted"
    assert address(post) == NEW


def test_g39_a_code_that_is_read_out_to_the_host_is_no_more_than_a_code(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    new, _ = asked(post)
    code = code_in(new, "confirm").partition("confirm.")[2].partition("@")[0]
    pbem(post, "player", "confirm", code)
    assert "takes effect at 2026-11-21" in capsys.readouterr().out
    assert address(post) == OWNER
    assert run(["--config", str(post.host.config.folder), "player", "show", "player-1"]) == 0
    assert f"A change to {NEW} is confirmed" in capsys.readouterr().out


def test_g39_the_host_stops_a_change(post: Post, capsys: pytest.CaptureFixture[str]) -> None:
    asked(post)
    pbem(post, "player", "veto", "player-1")
    assert f"Letters to player-1 go to {OWNER}, as before." in capsys.readouterr().out
    assert "keep coming to this address" in post.text()
    pbem(post, "player", "veto", "player-1", code=1)
    pbem(post, "player", "change", "player-1", "--address", NEW, "--at-once")
    assert address(post) == NEW


# --- 6. what an old key brings to a new address -----------------------------------------------------------------------


def keys_in(mail: EmailMessage, key: str) -> bool:
    return key in mail.as_string() or key.replace("-", "").lower() in mail.as_string().lower()


def test_g39_an_old_key_brings_no_current_key_to_a_newer_address(post: Post) -> None:
    """Whoever took an address over has the old keys of all games; the current ones come with the next reports."""
    old, form = post.tagged("1", 1), post.host.file("1", "b3", turn=1)
    post.host.night()
    pbem(post, "player", "change", "player-1", "--address", EVE, "--at-once", at=DEADLINE + HOUR)
    at, key, before = DEADLINE + 2 * HOUR, post.host.key("1"), len(post.sent(EVE))
    for word, fate in (("report", "refused"), ("report 2", "refused"), ("report 1", "accepted"), ("help", "accepted"),
                       ("status", "accepted"), ("withdraw", "refused")):  # fmt: skip
        assert post.write(word, to=old, sender=EVE, at=at) == fate, word
    assert post.write(form, to=post.host.config.address, sender=EVE, at=at) == "refused"
    post.host.submit(form, at)
    told = post.sent(EVE)[before:]
    assert len(told) == 8
    assert not [mail["Subject"] for mail in told if keys_in(mail, key)]
    post.host.night(DEADLINE + DAY)
    newer = post.tagged("1", 2)
    post.host.night(DEADLINE + 2 * DAY)
    assert post.write("report", to=newer, sender=EVE, at=DEADLINE + 2 * DAY + HOUR) == "refused"
    newest = post.tagged("1", 3)
    post.host.night(DEADLINE + 3 * DAY)
    assert post.write("report", to=newest, sender=EVE, at=DEADLINE + 3 * DAY + HOUR) == "accepted"
    assert keys_in(post.sent(EVE)[-1], post.host.key("1")), "this one was given out to this address"


def test_an_old_key_brings_the_open_report_to_the_address_it_went_to(post: Post) -> None:
    """Whoever has lost the newest letter answers an older one."""
    old = post.tagged("1", 1)
    post.host.night()
    assert post.write("report", to=old, at=DEADLINE + HOUR) == "accepted"
    assert keys_in(post.last(), post.host.key("1"))


# --- weakened builds --------------------------------------------------------------------------------------------------


def test_g39_weakened_a_build_that_believes_the_new_address_is_found(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build of before: whoever reads mail at the new address has the account."""
    from pbem.correspondence import addresses

    def believes(tx, config, new, now):  # type: ignore[no-untyped-def]
        player = players.get(tx, new.player)
        addresses._take_effect(tx, config, player, new.address, now)

    monkeypatch.setattr(addresses, "confirmed", believes)
    with pytest.raises(AssertionError):
        test_g39_any_answer_from_the_old_address_stops_it(post, confirmed=True)


def test_g39_weakened_a_build_that_forgets_whom_it_told_is_found(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """The days would count from the asking, though the old address knows nothing yet."""
    from pbem.correspondence import addresses

    monkeypatch.setattr(addresses, "_is_on_its_way", lambda tx, new: False)
    with pytest.raises(AssertionError):
        test_g39_the_days_count_from_when_the_old_address_was_told(post)


def test_g39_weakened_a_build_that_mails_keys_to_any_address_is_found(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.correspondence.desk import Desk

    monkeypatch.setattr(Desk, "may_see_key", property(lambda desk: True))
    with pytest.raises(AssertionError):
        test_g39_an_old_key_brings_no_current_key_to_a_newer_address(post)


def test_g40_weakened_a_build_that_takes_any_key_for_consent_is_found(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.correspondence import commands
    from pbem.correspondence.commands import COMMANDS, READS, Act

    loose = {word: Act(act.run, READS) for word, act in COMMANDS.items()}
    monkeypatch.setattr(commands, "COMMANDS", loose)
    with pytest.raises(AssertionError):
        test_g40_a_draw_takes_the_current_key_of_every_seat(post)
