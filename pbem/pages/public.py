"""The public page of a game: every turn as somebody saw it who has no seat, made from the journal."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pbem.config import Config
from pbem.errors import Trouble
from pbem.game import again, history
from pbem.game.hosting import game_set_up, sheet_of
from pbem.game.sheet import Sheet
from pbem.ledger.transaction import Read
from pbem.pages.seat import Place, filled
from pbem.pages.told import Told
from pbem.reports import environment


def public_page(
    tx: Read, config: Config, name: str, turn: int | None = None, lang: str = "en", place: Place | None = None
) -> str:
    """The page of what everybody may know, up to that turn, in that language; `place`: where it stands in a site."""
    game = game_set_up(tx, name)
    last = game.turn if turn is None else turn
    if not 0 < last <= game.turn:
        raise Trouble(f"{name} is at turn {game.turn}; name a turn from 1 to {game.turn}.")
    sheet = sheet_of(tx, config, game)
    lang = environment.language(lang, sheet.rules)
    reports = list(_reports(tx, config, sheet, last, lang))
    if not reports:
        raise Trouble(f"{name} has no report of that turn.")
    return filled(sheet, reports, lang, None, place)


def _reports(tx: Read, config: Config, sheet: Sheet, last: int, lang: str) -> Iterator[Told]:
    """The public reports of the runs, oldest first. A turn that was opened and resolved within one run has none."""
    for number in range(1, last + 1):
        try:
            history.run_before(tx, sheet, number)
        except Trouble:
            continue
        yield json.loads(again.report_again(tx, config, sheet.name, None, number, "json", lang))
