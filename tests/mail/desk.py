"""A host with a mailbox at our servers, and what its owner types."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path

from pbem.cli import run
from pbem.ledger import Ledger, games, letters, outbox
from pbem.ledger.outbox import OutMail
from tests.mail.servers.stack import Account, Stack


class Desk:
    """A host with a mailbox: fetches by IMAP, sends by SMTP, both with passwords and TLS."""

    def __init__(self, folder: Path, stack: Stack, account: Account, *more: str) -> None:
        self.folder, self.account = folder, account
        self.says("init", str(folder))
        (folder / "pass").write_text(f"{account.password}\n")
        (folder / "pass").chmod(0o600)
        lines = (
            "[host]",
            f'address = "{account.address}"',
            *more,
            "[mail]",
            f'imap = "localhost:{stack.imaps}"',
            f'imap_user = "{account.address}"',
            'imap_password_file = "pass"',
            f'imap_ca_file = "{stack.certificate}"',
            'imap_done = "Taken"',
            "[post]",
            'by = "smtp"',
            f'smtp = "localhost:{stack.smtp}"',
            'smtp_tls = "starttls"',
            f'smtp_user = "{account.address}"',
            'smtp_password_file = "pass"',
            f'smtp_ca_file = "{stack.certificate}"',
        )
        (folder / "pbem.toml").write_text("\n".join((*lines, "")))

    def says(self, *words: str) -> str:
        """What the program answers to a command of the host's."""
        out, err = (io.TextIOWrapper(io.BytesIO(), write_through=True) for _ in range(2))
        with redirect_stdout(out), redirect_stderr(err):
            code = run(["--config", str(self.folder / "pbem.toml"), *words] if words[0] != "init" else list(words))
        said, complained = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
        assert code == 0, f"pbem {' '.join(words)}: {code}\n{said}{complained}"
        return str(said)

    def counts(self) -> dict[str, int]:
        """How many messages have which fate."""
        with closing(Ledger.open(self.folder / "ledger.db")) as ledger, ledger.read() as tx:
            return letters.counts(tx)

    def games(self) -> dict[str, str]:
        """How each game stands."""
        with closing(Ledger.open(self.folder / "ledger.db")) as ledger, ledger.read() as tx:
            return {row.name: row.status for row in games.every(tx)}

    def mails(self, game: str) -> Sequence[OutMail]:
        """All mails of a game that were ever written."""
        with closing(Ledger.open(self.folder / "ledger.db")) as ledger, ledger.read() as tx:
            return outbox.of_game(tx, game)
