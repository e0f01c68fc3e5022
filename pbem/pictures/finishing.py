"""Mails made ready to leave: the SVG that was stored with each gives way to its PNG, painted before and kept.

A picture is painted once, in bounded processes, and is in the ledger, committed, before the first mail with it leaves:
so a mail that is sent again is the same bytes. Where none can be painted the mail leaves without one, its words say all
that the picture would; that is kept too, and such a mail never gets a picture later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sqlalchemy as sa

from pbem.bounded import Bounds, Pool, TaskDied
from pbem.faults import fault
from pbem.ledger import Ledger
from pbem.ledger.tables import BARE_MAIL, PICTURE
from pbem.ledger.transaction import Read, Write
from pbem.mailparts import Found, decoded, picture_in
from pbem.pictures import painting
from pbem.pictures.exchange import bare, with_png

BOUNDS = Bounds(cpu_seconds=20, wall_seconds=40, memory_bytes=512 << 20, answer_bytes=16 << 20)

Raws = Mapping[str, bytes]  # the stored bytes of mails, by their Message-IDs


def finished(ledger: Ledger, raws: Raws, processes: int) -> dict[str, bytes]:
    """The mails as they leave. Those without a picture are as they were stored."""
    found = {name: place for name, raw in raws.items() if (place := picture_in(raw)) is not None}
    if not found:
        return dict(raws)
    wanted = {place.name for place in found.values()}
    with ledger.read() as tx:
        pngs, left_bare = kept(tx, wanted), left_without(tx, found)
    missing = {
        place.name: decoded(raws[name], place)
        for name, place in found.items()
        if place.name not in pngs and name not in left_bare
    }
    if missing:
        pngs |= _painted(missing, processes)
        left_bare |= {name for name, place in found.items() if place.name not in pngs}
        with ledger.write() as tx:
            keep(tx, {name: pngs[name] for name in missing if name in pngs})
            leave_without(tx, left_bare)
        fault("pictures-kept")
    return {name: _ready(raw, found.get(name), pngs, name in left_bare) for name, raw in raws.items()}


def _ready(raw: bytes, place: Found | None, pngs: Mapping[str, bytes], is_bare: bool) -> bytes:
    if place is None:
        return raw
    return bare(raw, place) if is_bare else with_png(raw, place, pngs[place.name])


def _painted(svgs: Mapping[str, bytes], processes: int) -> dict[str, bytes]:
    """What could be painted, by the names of the pictures."""
    try:
        painting.warm()
    except painting.NotPainted:
        return {}
    with Pool(painting.paint, min(processes, len(svgs)), BOUNDS) as pool:
        answers = list(pool.map(svgs.values()))
    return {name: png for name, png in zip(svgs, answers, strict=True) if not isinstance(png, TaskDied)}


# --- what the ledger keeps -------------------------------------------------------------------------------------------


_KEPT = sa.select(PICTURE.c.sha256, PICTURE.c.png).where(PICTURE.c.sha256.in_(sa.bindparam("names", expanding=True)))
_BARE = sa.select(BARE_MAIL.c.message_id).where(BARE_MAIL.c.message_id.in_(sa.bindparam("message_ids", expanding=True)))


def kept(tx: Read, names: Iterable[str]) -> dict[str, bytes]:
    """The pictures that were painted before, by the hashes of their SVG."""
    return {row.sha256: row.png for row in tx.all(_KEPT, {"names": sorted(names)})}


def keep(tx: Write, pngs: Mapping[str, bytes]) -> None:
    """Store pictures. One that another run has stored meanwhile is the same and stays."""
    known = kept(tx, pngs)
    for name in sorted(pngs.keys() - known.keys()):
        tx.add(PICTURE, {"sha256": name, "png": pngs[name]})


def left_without(tx: Read, message_ids: Iterable[str]) -> set[str]:
    """Those of these mails that left without their picture."""
    return {row.message_id for row in tx.all(_BARE, {"message_ids": sorted(message_ids)})}


def leave_without(tx: Write, message_ids: Iterable[str]) -> None:
    names = set(message_ids)
    for name in sorted(names - left_without(tx, names)):
        tx.add(BARE_MAIL, {"message_id": name})


def left_bare(tx: Read) -> int:
    """How many mails have left without their picture."""
    found = tx.one(sa.select(sa.func.count()).select_from(BARE_MAIL))
    return 0 if found is None else int(found[0])
