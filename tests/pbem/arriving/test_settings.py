"""[mail] in pbem.toml: every slip is named, and no password goes where others can read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem import config
from pbem.arriving import settings
from pbem.arriving.settings import Arriving, Imap
from pbem.errors import Trouble
from pbem.settings import Place


def loaded(tmp_path: Path, *lines: str) -> Arriving:
    path = tmp_path / "pbem.toml"
    path.write_text("\n".join(["[mail]", *lines, ""]))
    return config.load(path).mail


def test_where_nothing_is_said(tmp_path: Path) -> None:
    assert loaded(tmp_path) == Arriving()
    assert (Arriving().at_once, Arriving().require, Arriving().imap) == (True, "key", None)


IMAP = ('imap = "imap.example.org"', 'imap_user = "orders"')


def test_everything_at_once(tmp_path: Path) -> None:
    said = loaded(
        tmp_path,
        *IMAP,
        'judge = "night"',
        'maildir = "Maildir"',
        'maildir_done = ".Taken"',
        'imap_password_file = "secret"',
        'imap_folder = "Play"',
        'imap_done = "Done"',
        'imap_ca_file = "ca.pem"',
        'listen = "lmtp.sock"',
    )
    box = Imap(
        Place("imap.example.org", 993), "tls", "orders", tmp_path / "secret", "Play", "Done", tmp_path / "ca.pem"
    )
    assert said == Arriving(
        at_once=False,
        maildir=tmp_path / "Maildir",
        maildir_done=".Taken",
        imap=box,
        listen=tmp_path / "lmtp.sock",
        authserv=said.authserv,
    )


@pytest.mark.parametrize(
    ("server", "tls", "place"),
    [
        ("imap.example.org", "tls", Place("imap.example.org", 993)),
        ("imap.example.org", "starttls", Place("imap.example.org", 143)),
        ("imap.example.org:1993", "tls", Place("imap.example.org", 1993)),
        ("[2001:db8::1]:1993", "tls", Place("2001:db8::1", 1993)),
        ("[::1]", "none", Place("::1", 143)),
        ("127.0.0.1:1143", "none", Place("127.0.0.1", 1143)),
        ("localhost", "none", Place("localhost", 143)),
    ],
)
def test_servers(tmp_path: Path, server: str, tls: str, place: Place) -> None:
    box = loaded(tmp_path, f'imap = "{server}"', f'imap_tls = "{tls}"', 'imap_user = "o"').imap
    assert box is not None
    assert box.place == place


def test_a_port_of_this_machine_is_listened_on(tmp_path: Path) -> None:
    assert loaded(tmp_path, 'listen = "127.0.0.1:2400"').listen == Place("127.0.0.1", 2400)
    for name in ("lmtp.sock", "lmtp:sock", "2400"):  # a port is known by the colon before its digits
        assert loaded(tmp_path, f'listen = "{name}"').listen == tmp_path / name


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (['judge = "later"'], "judge: 'later' is none of at-once, night"),
        (['judg = "night"'], "did you mean judge"),
        (['imap_user = "o"'], "imap_user: it goes with imap"),
        (['imap = "x"'], "imap_user: it is missing"),
        ([*IMAP, 'imap_tls = "ssl"'], "imap_tls: 'ssl' is none of tls, starttls, none"),
        ([*IMAP, 'imap_tls = "none"'], "must not travel in the clear"),
        (['imap = "x:99999"', 'imap_user = "o"'], "'x:99999' is no server and port"),
        (['imap = ":993"', 'imap_user = "o"'], "line 2: mail.imap: ':993' is no server and port"),
        (['listen = ":2424"'], "line 2: mail.listen: ':2424' is no server and port"),
        (['maildir_done = "../elsewhere"'], "maildir_done: '../elsewhere' is no folder of a Maildir"),
        (['maildir_done = "cur"'], "is no folder of a Maildir"),
        (['listen = "192.0.2.1:24"'], "192.0.2.1 is not this machine"),
        (['listen = "mail.example.org:24"'], "mail.example.org is not this machine"),
    ],
)
def test_slips(tmp_path: Path, lines: list[str], said: str) -> None:
    with pytest.raises(Trouble, match=r"pbem\.toml[:,] .*") as told:
        loaded(tmp_path, *lines)
    assert said in str(told.value)


def test_passwords(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = Imap(Place("x", 1), password_file=tmp_path / "secret")
    with pytest.raises(Trouble, match="cannot be read"):
        box.password()
    for text, says in (("", "is empty"), ("\nx", "is empty"), ("\udcff", "not UTF-8")):
        box.password_file.write_text(text, errors="surrogateescape")  # type: ignore[union-attr]
        box.password_file.chmod(0o600)  # type: ignore[union-attr]
        with pytest.raises(Trouble, match=says):
            box.password()
    (tmp_path / "secret").write_text("a word, with blanks \r\nand more\n")
    assert box.password() == "a word, with blanks "
    (tmp_path / "secret").write_text("\ufeffa word\n")
    assert box.password() == "a word", "the mark that some editors set says only how it is encoded"
    (tmp_path / "secret").chmod(0o640)
    with pytest.raises(Trouble, match="chmod 600"):
        box.password()
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "from outside")
    assert Imap(Place("x", 1)).password() == "from outside"
    monkeypatch.delenv("PBEM_IMAP_PASSWORD")
    with pytest.raises(Trouble, match="name an imap_password_file"):
        Imap(Place("x", 1)).password()


def test_signatures_are_not_demanded_where_they_cannot_be_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host without the libraries would refuse every mail: it is told at once instead."""
    assert loaded(tmp_path, 'require = "dkim"').require == "dkim"
    monkeypatch.setattr(settings, "find_spec", lambda name: None if name == "authres" else True)
    with pytest.raises(Trouble, match=r"authres.*pip install"):
        loaded(tmp_path, 'require = "dkim"')
    assert loaded(tmp_path, 'require = "key"').require == "key"
