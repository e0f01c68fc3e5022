"""The servers themselves: what they take and refuse, that one set serves a whole run, and that none is left behind."""

from __future__ import annotations

import fcntl
import imaplib
import os
import re
import smtplib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.architecture.reading import ROOT
from tests.mail.conftest import Open
from tests.mail.mailbox import words
from tests.mail.servers.keeper import IN_USE, READY, up
from tests.mail.servers.places import listens, program
from tests.mail.servers.sharing import shared_stack
from tests.mail.servers.stack import POLITE, POSTFIX, Account, Stack
from tests.mail.servers.waiting import until

MAIL = b"Subject: hello\r\nFrom: anna@elsewhere.test\r\n\r\nGood evening.\r\n"


def submission(stack: Stack, account: Account | None = None) -> smtplib.SMTP:
    """A line to the mail server; logged in as an account, or as a stranger."""
    line = smtplib.SMTP(stack.host, stack.smtp)
    if account is not None:
        line.starttls(context=stack.trust)
        line.login(account.address, account.password)
    return line


@pytest.fixture(scope="module")
def polite(stack: Stack) -> Iterator[Stack]:
    """What stands in for Postfix where we are not root."""
    with ExitStack() as on:
        yield up(on, user_only=True)


@pytest.fixture(params=["shared", "as a user"])
def either(request: pytest.FixtureRequest, stack: Stack, polite: Stack) -> Stack:
    return stack if request.param == "shared" else polite


def test_a_mail_goes_all_the_way(either: Stack, opened: Open) -> None:
    """A stranger writes to a plus-address; it is read over IMAP, with the address it was for."""
    account = either.account()
    with submission(either) as line:
        line.sendmail("anna@elsewhere.test", [f"{account.name}+k7q29fxm.3@pbem.test"], MAIL)
    [mail] = opened(either, account).wait_for(1)
    assert mail["Delivered-To"] == f"{account.name}+k7q29fxm.3@pbem.test"
    assert mail["Return-Path"] == "<anna@elsewhere.test>"
    assert words(mail) == "Good evening.\n"


def test_passwords_count(either: Stack) -> None:
    account = either.account()
    with submission(either, account) as line:
        assert line.noop()[0] == 250
    with smtplib.SMTP(either.host, either.smtp) as line:
        line.starttls(context=either.trust)
        with pytest.raises(smtplib.SMTPAuthenticationError):
            line.login(account.address, "guessed")
    with imaplib.IMAP4(either.host, either.imap) as imap:
        imap.starttls(either.trust)
        with pytest.raises(imaplib.IMAP4.error, match="AUTHENTICATIONFAILED"):
            imap.login(account.address, "guessed")
        assert imap.login(account.address, account.password)[0] == "OK"


def test_strangers_neither_relay_nor_reach_unknown_names(either: Stack) -> None:
    with submission(either) as line:
        for address, code in (("x@elsewhere.test", 554), ("unknown@pbem.test", 550)):
            with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
                line.sendmail("anna@elsewhere.test", [address], MAIL)
            assert refused.value.recipients[address][0] == code


def test_a_bounce_comes_back(postfixed: Stack, opened: Open) -> None:
    """Mail for elsewhere does not leave the machine: Postfix bounces it, as it bounces for a whole world."""
    account = postfixed.account()
    with submission(postfixed, account) as line:
        line.sendmail(account.address, ["gone@elsewhere.test"], MAIL)
        line.sendmail(account.address, ["unknown@pbem.test"], MAIL)
    mails = opened(postfixed, account).wait_for(2)
    assert {mail.get_content_type() for mail in mails} == {"multipart/report"}
    assert {mail["Return-Path"] for mail in mails} == {"<>"}
    assert {found for mail in mails for found in re.findall(r"^Status: (\S+)", mail.as_string(), re.M)} == {
        "5.1.1",
        "5.7.1",
    }


def test_one_name_is_refused_at_once_whoever_writes(postfixed: Stack) -> None:
    account = postfixed.account()
    with submission(postfixed, account) as line, pytest.raises(smtplib.SMTPRecipientsRefused):
        line.sendmail(account.address, ["refused@pbem.test"], MAIL)


def test_tls_from_the_start(postfixed: Stack, opened: Open) -> None:
    account = postfixed.account()
    with smtplib.SMTP_SSL(postfixed.host, postfixed.smtps, context=postfixed.trust) as line:
        line.login(account.address, account.password)
        line.sendmail(account.address, [account.address], MAIL)
    assert opened(postfixed, account).wait_for(1)


def test_no_test_gets_the_mailbox_of_another(stack: Stack) -> None:
    assert len({stack.account() for _ in range(10)}) == 10


def test_processes_share_one_set_and_the_last_one_ends_it(tmp_path: Path) -> None:
    """Another process asks while we hold on; then all let go, and everything is gone: servers, folder and all."""
    if program("dovecot") is None:
        pytest.skip("dovecot is not installed here")
    ask = "import sys, pathlib; from tests.mail.servers.sharing import shared_stack\n"
    ask += "with shared_stack(pathlib.Path(sys.argv[1])) as stack: print(stack.to_json())"
    call = [sys.executable, "-c", ask, str(tmp_path)]
    with shared_stack(tmp_path) as stack:
        other = subprocess.run(call, cwd=ROOT, check=True, capture_output=True, text=True)
        assert Stack.from_json(other.stdout) == stack
        assert listens(stack.imap)
        assert stack.kind == (POSTFIX if os.geteuid() == 0 and program("postfix") else POLITE)
    until(lambda: not (tmp_path / READY).exists() and not Path(stack.folder).exists(), "the servers' end")
    assert not listens(stack.imap)
    assert not listens(stack.smtp)


def test_a_killed_test_leaves_no_server_behind(tmp_path: Path) -> None:
    """Weakened build: a fixture's own clean-up, which a killed process does not run."""
    if program("dovecot") is None:
        pytest.skip("dovecot is not installed here")
    ask = "import os, sys, pathlib; from tests.mail.servers.sharing import shared_stack\n"
    ask += "with shared_stack(pathlib.Path(sys.argv[1])) as stack: os.kill(os.getpid(), 9)"
    done = subprocess.run([sys.executable, "-c", ask, str(tmp_path)], cwd=ROOT, check=False, capture_output=True)
    assert done.returncode == -9
    until(lambda: not (tmp_path / READY).exists(), "the servers' end")
    with (tmp_path / IN_USE).open("a") as in_use:
        until(lambda: _free(in_use.fileno()), "the keeper's end")


def _free(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
