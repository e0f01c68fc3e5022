"""Mail addresses: what is accepted as one, so that no address can say anything else to a mail program."""

from __future__ import annotations

import re

from pbem.errors import Trouble

# None begins with a hyphen: a mail program could take it for an option.
ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~][A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{0,63}@[A-Za-z0-9.-]{1,255}")

NOBODY = "nobody@localhost"  # stands for the address of a player who was forgotten


def known_address(text: str) -> str:
    """The address, or Trouble."""
    if not ADDRESS.fullmatch(text):
        raise Trouble(f"{text!r} is not a mail address like anna@example.org.")
    return text
