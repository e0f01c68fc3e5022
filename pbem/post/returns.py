"""Where a mail comes back to when it cannot be delivered: an address of ours that names the mail.

`orders+bounce.<the mail's own digits>@host` stands on the envelope, so that a bounce tells which mail of which seat
came back even when it quotes nothing of it. The digits are those of the Message-ID, which nobody can guess who has
not had the mail.
"""

from __future__ import annotations

import re

from pbem.keys import LONGEST_LOCAL

_ours = re.compile(r"<([0-9a-f]{30})@([A-Za-z0-9.-]{1,120})>", re.ASCII)
_tag = re.compile(r"bounce\.([0-9a-f]{30})", re.ASCII)


def sender_for(message_id: str, address: str) -> str:
    """The envelope's sender for that mail; the plain address where it would grow too long."""
    found, (local, _, host) = _ours.fullmatch(message_id), address.rpartition("@")
    tagged = f"{local}+bounce.{found[1]}" if found else local
    return f"{tagged if len(tagged) <= LONGEST_LOCAL else local}@{host}"


def returned(tag: str, address: str) -> str | None:
    """The id of the mail that came back to this tag (what stood behind the `+`); None when it is no such tag."""
    found = _tag.fullmatch(tag.strip().lower())
    return f"<{found[1]}@{address.rpartition('@')[2]}>" if found else None
