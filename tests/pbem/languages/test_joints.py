"""Where a sentence meets what is put into it: no preposition before an article that it would melt with, and gender and
number of what stands there. And boards in letters are as narrow in each language as in English."""

from __future__ import annotations

import dataclasses
import re

import pytest

from engine import Dice, Event, Refusal, load
from engine import Notice as Line
from pbem.reports import html, text
from pbem.reports.plain import COLUMNS, width
from pbem.reports.report import News, Notice, Problem, Reader
from pbem.reports.telling import Who
from pbem.reports.words import Memo, Words
from tests.pbem.languages.test_letters import AT, LATE
from tests.pbem.reports.played import play, report

LANGUAGES = ("fr", "it")
OPTIONS = [
    ("bagh-chal", {"heroes": "true", "variant": "pulijudam"}),
    ("conquest", {"mode": "alliance"}),
    ("hasami-shogi", {"shogun": "front"}),
    ("jarmo", {"golden": "true", "camps": "default"}),
    ("khan", {"players": "4"}),
    ("yuan", {"players": "8", "tile_setup": "dealt"}),
    ("yut", {"players": "4", "favourite": "true", "wild": "true", "hurdles": "default"}),
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("name", "choices"), OPTIONS)
def test_lines_are_no_wider_in_another_language(name, choices, lang):
    letter = dataclasses.replace(report(play(name, 6, **choices), None), reader=Reader("", lang, "UTC"))
    assert [line for line in text.render(letter).split("\n") if width(line) > COLUMNS] == []


def sentence(name: str, lang: str, kind: str, **facts: object) -> str:
    """What is told of an event of that kind."""
    rules = load(name)
    view = rules.view(play(name, 0).state, None)
    return Words(rules, lang, Memo()).sentence(Event(kind, "RULE-1", facts), view)


def told(name: str, lang: str, why: Refusal) -> str:
    """A refusal as a report tells it."""
    letter = dataclasses.replace(report(play(name, 0), None), reader=Reader("", lang, "UTC"))
    return " ".join(text.render(dataclasses.replace(letter, problems=(Problem(why),))).split())


TO_ACT = [
    ("bagh-chal", "fr", "Le siège 2 (chèvres) doit jouer maintenant."),
    ("hasami-shogi", "fr", "Le siège 1 (vert) doit jouer maintenant."),
    ("bagh-chal", "it", "Il posto 2 (capre) deve giocare ora."),
    ("hasami-shogi", "it", "Il posto 1 (verde) deve giocare ora."),
    ("jarmo", "it", "a1-a2: tocca al verde."),
]


@pytest.mark.parametrize(("name", "lang", "said"), TO_ACT)
def test_who_is_to_act(name, lang, said):
    game = play(name, 0)
    [seat] = set(game.rules.seats(game.options)) - set(game.rules.pending(game.state))
    assert said in told(name, lang, game.rules.read(game.state, seat, "a1-a2"))


HOME = [
    ("fr", "Bleu mène un cheval de r18 avec le 5, jusqu’à l’écurie."),
    ("it", "Blu muove un cavallo da r18 con il 5, e raggiunge la stalla."),
]


@pytest.mark.parametrize(("lang", "said"), HOME)
def test_a_horse_comes_home(lang, said):
    facts = {"side": "blue", "horses": 1, "from": "r18", "to": "home", "throw": 5, "shortcut": False}
    assert sentence("yut", lang, "moved", **facts) == said


GONE = [
    ("fr", "archer doré (vert), perdu pour de bon."),
    ("it", "arciere dorato (verde), perso per sempre."),
]


@pytest.mark.parametrize(("lang", "said"), GONE)
def test_only_archers_are_gone_for_good(lang, said):
    facts = {"side": "blue", "piece": "golden archer", "at": "b3", "fate": "out"}
    assert sentence("jarmo", lang, "captured", **facts).endswith(said)


DUE = [
    ("fr", "était attendue le jeudi 19 novembre 2026, 20:00 (UTC) ; ceci est arrivé le jeudi 19"),
    ("it", "scadeva giovedì 19 novembre 2026, 20:00 (UTC); questo è arrivato giovedì 19"),
]


@pytest.mark.parametrize(("lang", "said"), DUE)
def test_orders_that_came_late(lang, said):
    instant = f"{AT:%Y-%m-%dT%H:%M:%SZ}"
    why = Refusal("", "late", LATE, {"turn": 1, "deadline": instant, "arrived": instant})
    assert said in told("jarmo", lang, why)


ONE = [
    ("en", "Seat 1 lays tile M-A in slot 1,0, turned 1 sixth."),
    ("fr", "Le siège 1 pose la tuile M-A à l’emplacement 1,0, tournée de 1 sixième."),
    ("it", "Il posto 1 posa la tessera M-A nello spazio 1,0, girata di 1 sesto."),
]


@pytest.mark.parametrize(("lang", "said"), ONE)
def test_a_tile_is_turned_by_one(lang, said):
    facts = {"seat": "1", "tile": "M-A", "slot": [1, 0], "rot": 1, "defaulted": False}
    assert sentence("yuan", lang, "tile_placed", **facts) == said


POINTS = [("en", "Points: green 1, blue 2."), ("fr", "Points : vert 1, bleu 2."), ("it", "Punti: verde 1, blu 2.")]


@pytest.mark.parametrize(("lang", "said"), POINTS)
def test_one_point_at_the_end(lang, said):
    facts = {"reason": "camp", "points": {"green": 1, "blue": 2}, "winner": "blue"}
    assert said in " ".join(sentence("jarmo", lang, "ended", **facts).split())


@pytest.mark.parametrize("lang", ["en", *LANGUAGES])
def test_one_point_is_left(lang):
    """With what is left to the colour at turn, and above its picture."""
    game = play("conquest", 0)
    while game.rules.view(game.state, None).facts["points_left"] != 1:
        [seat] = game.rules.pending(game.state)
        move = next(iter(game.rules.moves(game.state, seat)))
        game = game._replace(state=game.rules.resolve(game.state, {seat: move}, Dice(b"one")).state)
    letter = dataclasses.replace(report(game, None), reader=Reader("", lang, "UTC"))
    assert not re.search(r"\b1 (?:points|punti)\b", " ".join((text.render(letter) + html.render(letter)).split()))


MANY = [
    ("fr", "tours de cette couleur depuis, sans autre élimination : 1 sur 4", "et 1 autre.", "et 2 autres."),
    ("it", "turni di quel colore da allora, senza altre eliminazioni: 1 su 4", "e 1 altro.", "e altri 2."),
]


@pytest.mark.parametrize(("lang", "calm", "one", "more"), MANY)
def test_one_turn_has_passed_and_one_more_piece_is_in_danger(lang, calm, one, more):
    rules, game = load("conquest"), play("conquest", 0)
    view = rules.view(game.state, None)
    south = [cell for cell, unit in view.facts["units"].items() if unit["colour"] == "s"]
    for number, said in ((13, one), (14, more)):
        by = [{"colour": "w", "piece": "knight", "from": "wa6"}]
        facts = {
            **view.facts,
            "calm": {"owner": "s", "turns": 1, "of": 4},
            "threatened": {colour: [] for colour in "wne"}
            | {"s": [{"cell": cell, "by": by} for cell in south[:number]]},
        }
        aloud = Words(rules, lang, Memo()).described(dataclasses.replace(view, facts=facts))
        assert calm in " ".join(aloud.split())
        assert said in " ".join(aloud.split())


BACK = [
    ("fr", "Suhey ne tient pas sa cible : le coût de la fortification (1 chão) lui est remboursé."),
    ("it", "Suhey non tiene il suo bersaglio e riceve indietro il costo della fortificazione (1 chão)."),
]


@pytest.mark.parametrize(("lang", "said"), BACK)
def test_one_chao_of_a_fortification_comes_back(lang, said):
    assert " ".join(sentence("yuan", lang, "fort_refunded", clan="suhey", amount=1).split()) == said


COLOURED = [
    (
        "campo del verde; punti",
        "{action}: {at} is not a point of the camp of {side}; free points of it: {free}.",
        "green",
    ),
    ("e vince il blu.", "{action} ends the game at once, and {side} wins.", "blue"),
]


@pytest.mark.parametrize(("said", "text", "side"), COLOURED)
def test_a_colour_of_jarmo_has_its_article(said, text, side):
    facts = {"action": "a1-c2", "at": "c5", "free": "none", "side": side}
    assert said in told("jarmo", "it", Refusal("", "told", text, facts))


def noted(name: str, lang: str, *, lines: tuple[Line, ...] = (), news: tuple[News, ...] = ()) -> str:
    """Lines or news as a letter to the first seat tells them."""
    game = play(name, 0)
    seats = game.rules.seats(game.options)
    players = dict(zip(seats, ("Ann", "Ben", "Chiara", "Dawa"), strict=False))
    letter = Notice(kind="news", game="hill", rules=game.rules, players=players, seat=seats[0],
                    reader=Reader("Ann", lang, "UTC"), turn=2, lines=lines, news=news)  # fmt: skip
    return " ".join(text.render(letter).split())


DAYS = {"first_at": "2026-11-19T20:00:00Z", "last_at": "2026-11-29T20:00:00Z", "mode": "wait"}
AWAY = [
    ("fr", "sera absent du jeudi 19 novembre 2026, 20:00 (UTC) au dimanche 29 novembre 2026, 20:00 (UTC)."),
    ("it", "sarà assente da giovedì 19 novembre 2026, 20:00 (UTC) a domenica 29 novembre 2026, 20:00 (UTC)."),
]


@pytest.mark.parametrize(("lang", "said"), AWAY)
def test_days_away_whatever_days_they_are(lang, said):
    assert said in noted("bagh-chal", lang, news=(News("absent", "2", DAYS),))


def test_days_away_without_a_last_one():
    alone = {"first_at": "2026-11-29T20:00:00Z", "mode": "wait"}
    assert "assente a partire da domenica 29" in noted("bagh-chal", "it", news=(News("absent", "2", alone),))


CALLED = {"fr": "siège", "it": "posto"}
BARE = {"fr": re.compile(r"\b(?:attend|êtes|jouez|joue|désormais|à|par|de|et) siège "),
        "it": re.compile(r"\b(?:aspetta|siete|giocate|gioca|a|da|di|e) posto ")}  # fmt: skip
"""A seat after a word that wants its article: colours are called without one, and numbers `seat 1`."""
OF_SEATS = [
    "{game}, where you are {seat}: it is {status} at decision {turn}.",
    "{game}, where you are {seat}: decision {turn} waits for {who}, until {until}.",
    "{game}, where you are {seat}: decision {turn} waits for {who}.",
    "You play {seat} in {game} from now on. What stands of the seat's orders stands for you; change it as you like.",
    "You play {seat} in {game}. The game begins when all its seats are taken; still free: {free}.",
    "You play {seat} in {game}. All its seats are taken, and your first report is on its way.",
    "Your words to {seat} were not passed on: somebody else plays that seat now.",
    "Somebody else plays {seat} in {game} from now on. Thank you for having played; your keys are worth nothing.",
    "{who} says to you and {others}:",
    "Somebody says to you and {others}:",
    "Sent to: {seats}.",
    "It holds until you take it back. Still to agree: {seats}.",
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("line", OF_SEATS)
def test_a_seat_of_a_number_stands_where_it_needs_no_article(line, lang):
    others = [Who("2", "Ben"), Who("1", "Ann")]
    facts = {"game": "hill", "seat": Who("2", ""), "status": "paused", "turn": 2, "who": others, "others": others,
             "seats": others, "until": AT, "free": 1}  # fmt: skip
    said = noted("bagh-chal", lang, lines=(Line("", "told", line, facts),))
    assert f"{CALLED[lang]} 2" in said
    assert not BARE[lang].search(said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_dispute_of_a_seat_of_a_number(lang):
    said = noted("bagh-chal", lang, news=(News("settled", "2", {"number": 1, "reason": "so be it"}),))
    assert f"{CALLED[lang]} 2 (Ben)" in said
    assert not BARE[lang].search(said)
