"""Codes: what is mailed to an address, and shows, when it comes back, that somebody reads mail there.

Each code has one purpose, which stands before it in the address that it comes back to: `orders+veto.4k...@host`. It is
made of the host's secret and the place in the host's chain, so nobody can guess it, and a run that is begun again
writes the same mail.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable

from pbem.config import Config
from pbem.keys import LONGEST_LOCAL
from pbem.ledger import chains
from pbem.ledger.chain import HOST
from pbem.ledger.transaction import Read

CODE = 16  # letters of a code, of 5 bits each
LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_tag = re.compile(rf"([a-z]{{1,20}})\.([{LETTERS}]{{{CODE}}})", re.ASCII)


def new_code(tx: Read, purpose: str, *about: str) -> str:
    """Return a code for that purpose."""
    secret, end = chains.secret_of(tx, HOST).secret, tx.end(HOST)
    digest = hmac.digest(secret, "\0".join((purpose, *about, str(end.seq))).encode(), "sha256")
    return "".join(LETTERS[byte & 31] for byte in digest[:CODE])


def is_same(one: str, other: str) -> bool:
    """Compare two codes in the same time whatever they are. An empty one, which was used up, fits none."""
    return bool(one) and hmac.compare_digest(one.encode(), other.strip().lower().replace("-", "").encode())


def address_for(config: Config, purpose: str, code: str) -> str:
    """Return the address that the code comes back to; "" where it would be too long for mail."""
    local, _, host = config.address.rpartition("@")
    tagged = f"{local}+{purpose}.{code}"
    return f"{tagged}@{host}" if len(tagged) <= LONGEST_LOCAL else ""


def read_tags(tags: Iterable[str]) -> list[tuple[str, str]]:
    """Return the purposes and codes in these tags."""
    return [(found[1], found[2]) for tag in tags if (found := _tag.fullmatch(tag)) is not None]
