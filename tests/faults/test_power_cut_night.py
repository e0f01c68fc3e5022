"""G2, the whole way: the power fails at any moment of a night, from the drop folder to the mails, and nothing is lost.

What must hold on the disk that is left: no dropped order is in neither place (G3), every mail the ledger calls sent
lies in the outbox to the byte, and the same night run again comes to the same ledger and the same mails (G10).
"""

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from pbem.errors import Trouble
from pbem.ledger import connect, letters, mailed, outbox, sound
from pbem.ledger.outbox import SENT
from pbem.ledger.signing import signer
from pbem.pages.mailing import with_pages
from pbem.pictures.finishing import finished
from pbem.post import files
from pbem.post.signing import signed
from tests.faults import a_host
from tests.faults.figures import so_many, told
from tests.faults.forking import apart
from tests.faults.line_killer import memory_folder
from tests.faults.power_cut import campaign, record
from tests.faults.tracing import needs_strace

LONG = "PBEM_LONG" in os.environ
CUTS = so_many(30, 2000)

pytestmark = [pytest.mark.faults, pytest.mark.slow, needs_strace, pytest.mark.timeout(0 if LONG else 300)]


@pytest.fixture
def room():
    with memory_folder() as folder:
        a_host.build(folder / "disk")
        shutil.copytree(folder / "disk", folder / "prepared")
        yield folder


def lasting(folder):
    """What a night leaves that must last: the games, the letters and the mails.

    Not the host's own rows: a dropped file whose moving away was lost is seen again, known again, and counted as one
    more night. Nor the readable copies of mails, which can be made again.
    """
    found = a_host.remains(folder)
    mails = {name: data for name, data in found.items() if name.startswith("outbox/mail/")}
    lines = [line for line in found["ledger"].splitlines() if b'"chain":"@host"' not in line]
    return mails, [line for line in lines if b'"table":"night"' not in line]


def undisturbed(room):
    for program in (a_host.night, a_host.later):
        folder = room / program.__name__
        shutil.copytree(room / "prepared", folder)
        apart(program, folder)
        yield lasting(folder)


def checked(room, again=True):
    dropped = {path.name: path.read_bytes() for path in (room / "prepared" / "inbox").iterdir()}
    wanted = list(undisturbed(room)) if again else []

    def check(folder: Path, acks: list[str]) -> str | None:
        try:
            problem = wrong(folder, acks, dropped)
        except Trouble as trouble:
            return type(trouble).__name__
        if problem is None and again:
            apart(a_host.later, folder)
            if lasting(folder) not in wanted:
                return "run again, the night comes to something else"
        return problem

    return check


def as_it_leaves(settings, ledger, mail, raw):
    """The mail with its map, its page and its signature, as it was carried."""
    ready = finished(ledger, {mail.message_id: raw}, 1)
    key, carried = signer(ledger.keys), with_pages(settings, ledger, [mail], ready)[mail.message_id]
    return carried if key is None else signed(key, mail, raw, carried)


def wrong(folder, acks, dropped):
    """What is wrong with the folder as the power cut left it."""
    with a_host.opened(folder) as (settings, ledger), ledger.read() as tx:
        if next(sound.all_faults(tx), None) is not None:
            return "the ledger is corrupt"
        mailed.guard(ledger)
        for name, raw in dropped.items():
            file = folder / "inbox" / name
            lies_there = file.exists() and file.read_bytes() == raw
            if not lies_there and letters.get(tx, hashlib.sha256(raw).hexdigest()) != raw:
                return "a dropped order is in neither place"
        for mail in (mail for game in a_host.GAMES for mail in outbox.of_game(tx, game)):
            letter = settings.outbox / "mail" / f"{files.name_of(mail.message_id)}.eml"
            held = letter.read_bytes() if letter.exists() else None
            if mail.state == SENT and held != as_it_leaves(settings, ledger, mail, outbox.raw(tx, mail.message_id)):
                return "a mail that was sent is not there"
            if mail.state != SENT and "night done" in acks:
                return "the night said it was done"
    return None


def worked(folder, ack):
    a_host.night(folder)
    ack("night done")


def test_g2_a_night_in_a_power_cut(room):
    found = campaign(record(worked, room), checked(room), cuts=CUTS)
    told(found)
    assert not found.bad, str(found)


def with_weak_settings(folder, ack):
    connect.SETTINGS["synchronous"] = ("NORMAL", 1)
    worked(folder, ack)


def with_unsynced_mails(folder, ack):
    files.make_last = lambda paths: None
    worked(folder, ack)


@pytest.mark.parametrize("program", [with_weak_settings, with_unsynced_mails], ids=lambda program: program.__name__)
def test_g2_weakened_nights_lose_mails(room, program):
    """Seen red: the log synced less often, or mails called sent before they are on the disk."""
    found = campaign(record(program, room), checked(room, again=False), cuts=80)
    told(f"{program.__name__}: {found}")
    assert found.bad
