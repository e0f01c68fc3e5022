"""The public page of a game: every turn as somebody saw it who has no seat, made from the journal."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pbem import again, history
from pbem.config import Config
from pbem.errors import Trouble
from pbem.hosting import game_named, sheet_of
from pbem.ledger.transaction import Read
from pbem.pages.frames import Told
from pbem.pages.seat import filled
from pbem.reports import environment


def public_page(tx: Read, config: Config, name: str, turn: int | None = None, home: str = "") -> str:
    """The page of what everybody may know, up to that turn; `home` is where the site begins."""
    game = game_named(tx, name)
    last = game.turn if turn is None else turn
    if not 0 < last <= game.turn:
        raise Trouble(f"{name} is at turn {game.turn}; name a turn from 1 to {game.turn}.")
    reports = list(_reports(tx, config, name, last))
    if not reports:
        raise Trouble(f"{name} has no report of that turn.")
    return filled(sheet_of(tx, config, game), reports, environment.LANGUAGES[0], None, home)


def _reports(tx: Read, config: Config, name: str, last: int) -> Iterator[Told]:
    """The public reports of the runs, oldest first. A turn that was opened and resolved within one run has none."""
    sheet = sheet_of(tx, config, game_named(tx, name))
    for number in range(1, last + 1):
        try:
            history.run_before(tx, sheet, number)
        except Trouble:
            continue
        yield json.loads(again.report_again(tx, config, name, None, number, "json"))
