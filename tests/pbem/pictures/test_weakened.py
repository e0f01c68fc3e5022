"""Weakened builds of the pictures: what the tests beside this one promise is seen to fail where its guard is gone."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem import delivering, faults
from pbem.bounded import Pool, TaskDied
from pbem.ledger.tables import PICTURE
from pbem.mailparts import picture_in
from pbem.pictures import finishing, painting
from tests.pbem.host.conftest import DEADLINE, Host
from tests.pbem.pictures.conftest import left, resvg
from tests.pbem.pictures.test_finishing import PLANTED, again, rows, stored
from tests.pbem.pictures.test_painting import small

LATER = DEADLINE + timedelta(minutes=5)


class Killed(BaseException):
    """As by a signal: nothing may catch it."""


def killed_when_written(host: Host) -> None:
    def kill(here: str) -> None:
        if here == "mails-written":
            raise Killed

    faults.arm(kill)
    try:
        with pytest.raises(Killed):
            delivering.deliver(host.config, host.ledger, DEADLINE)
    finally:
        faults.arm(None)


@resvg
@pytest.mark.parametrize("kept", [True, False])
def test_a_picture_that_is_not_kept_is_another_one_the_next_time(host: Host, monkeypatch, kept: bool) -> None:
    """After the run that was killed the host gets a newer library, which paints a little differently."""
    real = painting.paint
    if not kept:
        monkeypatch.setattr(finishing, "keep", lambda tx, pngs: None)
    host.start("bagh-chal")
    killed_when_written(host)
    first = left(host)
    monkeypatch.setattr(painting, "paint", lambda svg: real(svg) + b"newer")
    delivering.deliver(host.config, host.ledger, LATER)
    assert (left(host) == first) is kept
    assert rows(host, PICTURE) == kept


@resvg
@pytest.mark.parametrize("noted", [True, False])
def test_a_mail_of_which_nobody_noted_that_it_left_bare_changes(host: Host, monkeypatch, noted: bool) -> None:
    def cannot() -> None:
        raise painting.NotPainted("not here")

    if not noted:
        monkeypatch.setattr(finishing, "leave_without", lambda tx, names: None)
    host.start("bagh-chal")
    with monkeypatch.context() as patched:
        patched.setattr(painting, "warm", cannot)
        delivering.deliver(host.config, host.ledger, DEADLINE)
    first = left(host)
    again(host)
    delivering.deliver(host.config, host.ledger, DEADLINE)
    assert (left(host) == first) is noted


def test_the_first_thing_that_looks_like_a_picture_is_the_players(host: Host) -> None:
    """A build that looked for it by its first line would paint what he wrote, and leave the map as it is."""
    host.start("bagh-chal")
    lines = "\n".join(f"    {line}" for line in PLANTED.split("\n"))
    host.submit(host.file("1", "a3").replace("end: orders", f"say: |\n{lines}\nend: orders"))
    host.night()
    by_looks = [(raw.find(b"Content-Type: image/svg+xml"), picture_in(raw)) for raw in stored(host).values()]
    assert [first for first, place in by_looks if place and 0 <= first < place.start]
    assert all(
        raw[place.start :].startswith(b"Content-Type: image/svg+xml")
        for raw, (_, place) in zip(stored(host).values(), by_looks, strict=True)
        if place
    )


@resvg
def test_what_is_too_large_kills_a_painter_that_does_not_look_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(painting, "height", lambda svg: 1)
    monkeypatch.setattr(painting, "WIDE", 100_000)
    with Pool(painting.paint, 1, finishing.BOUNDS) as pool:
        (answer,) = pool.map([small("", "0 0 100000 100000")])
    assert isinstance(answer, TaskDied)
