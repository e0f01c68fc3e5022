"""`pbem nonce`: a secret text that a player mixes into the dice, and the SHA-256 that is sent first."""

from __future__ import annotations

import click

from pbem.cli.frame import as_json
from pbem.cli.output import emit, say


@click.command()
@click.argument("text", required=False)
@as_json
def nonce(text: str | None, as_json: bool) -> None:
    """Make a secret text for the dice and its SHA-256, or give the SHA-256 of your own TEXT. No host is needed.

    Send the SHA-256 first, behind `nonce:`, and the text itself only when you are asked for it.
    """
    import secrets

    from pbem.seeding.protocol import LEAST, MOST, hash_of, is_text

    text = secrets.token_urlsafe(24) if text is None else text
    if not is_text(text):
        raise click.UsageError(f"A text has {LEAST} to {MOST} letters, digits, dots, hyphens or underscores.")
    if as_json:
        emit({"text": text, "sha256": hash_of(text)})
        return
    say(f"Send now:        nonce: {hash_of(text)}")
    say(f"Send when asked: nonce: {text}")
