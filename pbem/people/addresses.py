"""Mail addresses: what is accepted as one, so that no address can say anything else to a mail program."""

from __future__ import annotations

import re

from pbem.errors import Trouble

# None begins with a hyphen: a mail program could take it for an option. Neither % nor ! stands in one: some servers
# read `eve%elsewhere@example.org` and `elsewhere!eve@example.org` as routes, and send what is for Eve elsewhere.
_LOCAL = r"[A-Za-z0-9#$&'*+/=?^_`{|}~][A-Za-z0-9.#$&'*+/=?^_`{|}~-]{0,63}"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
ADDRESS = re.compile(rf"{_LOCAL}@(?=.{{1,255}}\Z){_LABEL}(?:\.{_LABEL})*")

NOBODY = "nobody@localhost"  # stands for the address of a player who was forgotten


def known_address(text: str) -> str:
    """The address, or Trouble."""
    if not ADDRESS.fullmatch(text):
        raise Trouble(f"{text!r} is not a mail address like anna@example.org.")
    return text
