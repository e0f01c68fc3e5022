"""Order words and commands in three languages: what the rule books of each language call a thing means that thing."""

from __future__ import annotations

import pytest

from games.bagh_chal import reading as bagh
from games.conquest import reading as conquest
from games.jarmo import reading as jarmo
from games.khan import reading as khan
from games.yuan import orders as yuan
from games.yut import reading as yut
from pbem.intake.limits import Limits
from pbem.intake.mail.commands import from_text

READERS = {
    "bagh-chal": bagh.from_text,
    "conquest": conquest.understood,
    "jarmo": jarmo.from_text,
    "khan": lambda text: khan.parse(text, ("red", "blue")),
    "yuan": yuan.from_text,
    "yut": yut.from_text,
}
SAME = [
    ("bagh-chal", "place c3", ("poser c3", "posare c3")),
    ("bagh-chal", "stay", ("rester", "restare")),
    ("conquest", "elephant sc5-sa6", ("éléphant sc5-sa6", "elefante sc5-sa6")),
    ("conquest", "ship sc5-sa6", ("navire sc5-sa6", "nave sc5-sa6")),
    ("conquest", "e sc5-sa6", ("éléphant de sc5 vers sa6", "l’elefante da sc5 verso sa6")),
    (
        "conquest",
        "counter e sd7 drop s sc7",
        ("contre éléphant sd7 dépose soldat sc7", "contro elefante sd7 deposita soldato sc7"),
    ),
    ("conquest", "end", ("fin", "fine")),
    ("conquest", "counter e sd7", ("contre e sd7", "contro e sd7")),
    ("jarmo", "place b1", ("poser b1", "posare b1")),
    ("jarmo", "a1-c2 recall b1", ("a1-c2 rappeler b1", "a1-c2 richiamare b1")),
    ("jarmo", "flip c5", ("retourner c5", "girare c5")),
    ("jarmo", "pass", ("passer", "passare")),
    ("khan", "place G4", ("poser G4", "posare G4")),
    ("khan", "invade SEL-MO G4", ("envahir SEL-MO G4", "invadere SEL-MO G4")),
    ("khan", "conquer T3I C4 D4 E4", ("conquérir T3I C4 D4 E4", "conquistare T3I C4 D4 E4")),
    ("khan", "pass", ("passer", "passare")),
    ("khan", "S none", ("S aucune", "speciale nessuna")),
    ("khan", "S morale", ("spécial moral", "speciale morale")),
    ("khan", "S protection", ("spécial protection", "speciale protezione")),
    ("khan", "S gods rock_desert", ("S dieux désert_rocheux", "S aiuto deserto_roccioso")),
    ("khan", "S explore T5X", ("S exploration T5X", "S esplora T5X")),
    (
        "khan",
        "standing consent always blue special skip",
        ("permanent accord toujours bleu spécial sauter", "permanente consenso sempre blu speciale saltare"),
    ),
    ("khan", "agree", ("accepter", "accettare")),
    ("yuan", "PASS", ("passer", "passare")),
    ("yuan", "BID 3", ("enchère 3", "offerta 3")),
    ("yuan", "CITY HU", ("ville HU", "città HU")),
    ("yuan", "PLAN HU D2 F3 M1", ("HU développement 2 fort 3 mil I", "piano HU sviluppo II fortificazione 3 mil 1")),
    ("yut", "3 new", ("3 nouveau", "3 nuovo")),
    ("yut", "5 r5 short", ("5 r5 raccourci", "5 r5 scorciatoia")),
    ("yut", "hurdle r8", ("haie r8", "siepe r8", "ostacolo r8")),
]


@pytest.mark.parametrize(("game", "english", "others"), SAME)
def test_an_order_in_any_of_the_three_languages(game, english, others):
    """A word taken out of a game's list makes it fail."""
    read = READERS[game]
    meant = read(english)
    assert meant is not None
    assert [read(other) for other in others] == [meant] * len(others)


COMMANDS = {
    "help": ("aide", "aiuto"),
    "status": ("statut", "stato"),
    "report": ("rapport", "rapporto"),
    "history": ("historique", "cronologia"),
    "withdraw": ("retirer", "ritirare"),
    "absent": ("absent", "assente"),
    "address": ("adresse x@example.org", "indirizzo x@example.org"),
    "remind": ("rappel 24h", "promemoria 24h"),
    "digest": ("recueil", "raccolta"),
    "resign": ("abandonner jade-river", "abbandonare jade-river"),
    "take-back": ("reprendre 5", "riprendere 5"),
    "draw": ("nulle", "patta"),
    "dispute": ("contester : il triche", "ricorso: imbroglia"),
    "unsubscribe": ("désabonner", "disiscrivere"),
}


@pytest.mark.parametrize("word", COMMANDS)
def test_the_commands_that_help_names(word):
    """What the French and Italian help letters call a command is that command."""
    for other in COMMANDS[word]:
        command = from_text([other], Limits())
        assert command is not None
        assert command.word == word
