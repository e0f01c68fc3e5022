"""Fetching: every route that is set up is asked for what has come. What is silent is named; the others go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem import faultlog, messages
from pbem.arriving import drop, imap, maildir, storing
from pbem.arriving.brought import DROP, Brought, mail_routes
from pbem.config import Config
from pbem.errors import Trouble
from pbem.ledger import Ledger, own_key
from pbem.ledger.letters import REFUSED

KEPT = "kept"  # how files of the drop folder are counted that are no plain files of ours, or far too large


@dataclass(frozen=True, slots=True)
class Collected:
    """What a run of all routes came to: how many messages had which fate, and what each route said."""

    counts: dict[str, int]
    routes: tuple[Brought, ...]

    @property
    def well(self) -> bool:
        return all(one.reachable for one in self.routes)

    def to_json(self) -> dict[str, Any]:
        """How many had which fate; beside it the routes of mail, where there are any."""
        routes = mail_routes(self.routes)
        return {**self.counts, "routes": routes} if routes else dict(self.counts)


def collect(config: Config, ledger: Ledger, now: datetime) -> Collected:
    """Store what has come, then judge everything that waits."""
    own_key.guard(ledger)
    routes = gather(config, ledger, now)
    counts = kept(routes)
    for fate, count in messages.settle_waiting(config, ledger, now).items():
        counts[fate] = counts.get(fate, 0) + count
    return Collected(counts, routes)


def gather(config: Config, ledger: Ledger, now: datetime) -> tuple[Brought, ...]:
    """Store what has come, by every route. Trouble of the ledger's ends the run; trouble of a route does not."""
    found = [drop.gather(config, ledger, now)]
    if (folder := config.mail.maildir) is not None:
        done = config.mail.maildir_done
        bring = lambda: maildir.gather(ledger, folder, done, now, config.limits.message_bytes)  # noqa: E731
        found.append(_asked(config, storing.MAILDIR, str(folder), bring))
    if (box := config.mail.imap) is not None:
        memory = config.ledger.with_suffix(".imap.json")
        bring = lambda: imap.gather(ledger, box, memory, now, most=config.limits.message_bytes)  # noqa: E731
        found.append(_asked(config, storing.IMAP, str(box.place), bring))
    return tuple(found)


def _asked(config: Config, route: str, place: str, bring: Callable[[], Brought]) -> Brought:
    """What the route brought. A fault of ours in one route is written down, and no other route suffers by it."""
    try:
        return bring()
    except Trouble:
        raise
    except Exception as ours:
        faultlog.write_down(ours, config.folder)
        return Brought(route, place, silent=f"a fault of pbem, {faultlog.place_of(ours)}")


def kept(routes: Sequence[Brought]) -> dict[str, int]:
    """The files of the drop folder that are never opened, as a count beside the fates, and those refused unread."""
    count = sum(len(one.left) for one in routes if one.route == DROP)
    refused = sum(one.refused for one in routes)
    return ({KEPT: count} if count else {}) | ({REFUSED: refused} if refused else {})
