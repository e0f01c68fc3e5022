"""A seat's page: every report it was mailed, turn by turn, and what it may order now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine import Refusal
from engine.entries import IF
from engine.registry import AnyGame
from pbem.config import Config
from pbem.errors import Trouble
from pbem.game.hosting import game_set_up, sheet_of, standing_of
from pbem.game.outgoing import stands
from pbem.game.sheet import Sheet, Standing
from pbem.ledger import games, outbox
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read
from pbem.pages.document import document
from pbem.pages.frames import packed
from pbem.pages.offer import offer
from pbem.pages.rules import cited, has_rules, rules_of
from pbem.pages.told import Told, told_in
from pbem.reports import environment, plain
from pbem.reports.telling import Who
from pbem.reports.translating import FACT

TO_ALL = "all"
NOT_HANDED_ON = {"press": [], "key": ""}  # of reports to somebody who does not sit there any more


def seat_page(tx: Read, config: Config, name: str, seat: str, turn: int | None) -> str:
    """The page of that seat as of that turn; orders can be written in that of the last one."""
    game = game_set_up(tx, name)
    if seat not in game.seats:
        raise Trouble(f"{game.name} has no seat {seat!r}; its seats are {', '.join(sorted(game.seats))}.")
    reports = _mailed(tx, game, seat, game.turn if turn is None else turn)
    if not reports or (turn is not None and reports[-1]["turn"] != turn):
        raise Trouble(f"Seat {seat} of {game.name} was sent no report of " + ("that turn." if turn else "any turn."))
    sheet, last = sheet_of(tx, config, game), reports[-1]
    lang = environment.language(last["reader"]["lang"], sheet.rules)
    open_now = game.status == games.OPEN and last["turn"] == game.turn and last["key"]
    order = _ordering_now(sheet, standing_of(tx, game), last, lang) if open_now else None
    return filled(sheet, reports, lang, order)


class Place(NamedTuple):
    """Where a page stands in a site: what is around it."""

    home: str
    rules: str  # the page of the rules


def filled(
    sheet: Sheet, reports: list[Told], lang: str, order: dict[str, Any] | None, place: Place | None = None
) -> str:
    """The page of these reports, with or without a place to write orders.

    Each paragraph that it cites is a link: in a site to the rules' own page; else the page holds the rules itself.
    """
    last, rules = reports[-1], sheet.rules
    words = environment.translations(lang, rules.id)
    players = {plain.one_line(one["seat"]): plain.one_line(one["name"], 60) for one in last["players"]}
    called = {one["seat"]: plain.one_line(words.pgettext(FACT, one["seat"])) for one in last["players"]}
    said: Any = environment.environment(lang, html=False).get_template("frame/words.j2").module
    shown = {
        "game": sheet.name,
        "seat": last["seat"],
        "turn": last["turn"],
        "players": players,
        "called": called,
        "named": {seat: plain.begun(said.named(Who(called.get(seat, seat), name))) for seat, name in players.items()},
        "order": order,
        "frames": packed(rules, reports),
    }
    ruled = rules_of(rules.id, lang) if has_rules(rules.id) else None
    shown["rules"] = {"page": place.rules if place else "", "places": ruled.places(cited(shown)) if ruled else {}}
    title = rules.title.get(lang) or rules.title["en"]
    due = last["deadline_told"]
    home, inside = (place.home, None) if place else ("", ruled)
    return document(
        "page.html.j2", lang, script="page.js", shown=shown, title=title, deadlines=due, home=home, rules=inside
    )


def _mailed(tx: Read, game: GameRow, seat: str, turn: int) -> list[Told]:
    """The reports that seat was sent up to that turn, oldest first."""
    found = list[Told]()
    for mail in outbox.of_game(tx, game.name):
        if mail.seat == seat:
            told = told_in(outbox.raw(tx, mail.message_id))
            if told is not None and told["turn"] <= turn:
                found = _as_it_stands(found, {**told, **NOT_HANDED_ON} if mail.former else told)
    return found


def _as_it_stands(found: list[Told], told: Told) -> list[Told]:
    """The reports with another one; where that tells of a take-back, without those of what it undid."""
    if not any(news["kind"] == "taken_back" for news in told["news"]):
        return [*found, told]
    turn = told["turn"]
    opened = [one for one in found if one["turn"] == turn][:1]  # the report by which that turn was opened at first
    return [*(one for one in found if one["turn"] < turn), *opened, told]


def _ordering_now(sheet: Sheet, standing: Standing, last: Told, lang: str) -> dict[str, Any]:
    """The place for orders as the game stands at this moment."""
    said = stands(standing.orders_of(last["seat"]), sheet.rules, standing.state, last["seat"])
    written = {"orders": said.orders, "draft": said.draft, "file": said.file, "keys": said.keys}
    written["standing"] = said.standing
    return ordering(sheet, standing.state, written, last, lang)


def ordering(sheet: Sheet, state: Any, written: Mapping[str, Any], last: Told, lang: str) -> dict[str, Any]:
    """All that the place for orders needs: the key as it was mailed, what may be chosen, what is written already."""
    rules, seat, orders, draft = sheet.rules, last["seat"], written["orders"], written["draft"]
    asked = dict.fromkeys((TO_ALL, *(other for other in sheet.sitters if other != seat)))
    may_write = [to for to in asked if rules.why_not_say(state, seat, None if to == TO_ALL else to) is None]
    refused = rules.why_not_standing(state, seat, {})
    offered, stand = offer(rules, state, seat, lang), list((orders or draft)[: written.get("file")])
    if offered is not None:
        stand = _as_offered(rules, state, seat, stand)
    return {
        "key": last["key"],
        "to": sheet.host.answer_to(last["key"], last["turn"], seat, sheet.name),
        "offer": offered,
        "stands": {"orders": stand, "draft": bool(draft and not orders), "keys": dict(written.get("keys", {}))},
        "standing": dict(written["standing"]),
        "standing_choices": dict(rules.standing_choices(state, seat)),
        "conditions": list(rules.conditions),
        "file_keys": {name: list(words) for name, words in rules.order_keys.items() if words},
        "others": [other for other in sheet.sitters if other != seat],
        "asks_standing": refused is None or refused.code != "no_standing",
        "may_write": may_write,
    }


def _as_offered(rules: AnyGame, state: Any, seat: str, orders: list[Any]) -> list[Any]:
    """The orders, the first of them in the words in which the page offers it, however it was written."""
    if not orders or (isinstance(orders[0], Mapping) and IF in orders[0]):
        return orders
    move = rules.read(state, seat, orders[0])
    return orders if isinstance(move, Refusal) else [str(move), *orders[1:]]
