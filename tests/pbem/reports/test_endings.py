"""Why a game is over, told in a sentence of the reader's language, whatever ended it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine import Outcome, load
from games.bagh_chal import ending as bagh_chal
from games.conquest.ranking import REASONS
from games.hasami_shogi import ending as hasami_shogi
from games.jarmo.variants import ENDS
from games.yut.ending import RULES
from pbem.game.turning import DRAWN_RULE, RESIGNED_RULE
from pbem.reports.environment import LANGUAGES
from pbem.reports.words import Memo, Words
from tests.every_game.ask_words import assert_sentence

YUAN = ("YUAN-14.1", "YUAN-14.2", "YUAN-14.3", "YUAN-14.5", "YUAN-14.6", "YUAN-16.1")  # games/yuan/ending.py
KHAN = {"KHAN-13.6": "nobody can conquer any more", "KHAN-17.7": "one seat is left"}  # games/khan/view.py
FIVE_IN_A_ROW = ("HASAMI-7.1", "five_in_a_row"), ("HASAMI-7.2", "fourteen_taken"), ("HASAMI-8.4", "army_destroyed")


def ends() -> Iterator[tuple[str, str, str]]:
    """Every end there is: the game, the paragraph, and what the game calls it."""
    for one in vars(bagh_chal).values():
        if isinstance(one, bagh_chal.Ending):
            yield "bagh-chal", one.rule, one.reason
    for rule, reason in REASONS.items():
        yield "conquest", f"CONQ-{rule}", reason
    for one in (hasami_shogi.THIRD_REPETITION, hasami_shogi.QUIET_LIMIT):
        yield "hasami-shogi", one.rule, one.reason
    for rule, reason in FIVE_IN_A_ROW:
        yield "hasami-shogi", rule, reason
    for reasons in ENDS.values():
        for reason, rule in reasons.items():
            yield "jarmo", rule, reason
    for rule, reason in KHAN.items():
        yield "khan", rule, reason
    for rule in YUAN:
        yield "yuan", rule, ""
    for reason, rule in RULES.items():
        yield "yut", rule, reason
    for game in ("yut", "nim"):
        yield game, RESIGNED_RULE, "resignation"
        yield game, DRAWN_RULE, "agreed draw"


def told(game: str, rule: str, reason: str, lang: str) -> str:
    return Words(load(game), lang, Memo()).ending(Outcome((("1",), ("2",)), {}, rule, reason))


@pytest.mark.parametrize(("game", "rule", "reason"), [*ends()])
def test_every_end_is_a_sentence_in_every_language(game: str, rule: str, reason: str) -> None:
    said = [told(game, rule, reason, lang) for lang in LANGUAGES]
    for one in said:
        assert_sentence(one, f"{rule} {reason}")
    assert len(set(said)) == len(said), said


def test_ends_of_one_game_are_told_apart() -> None:
    """Two ends of one paragraph by their reasons, two of one reason by their paragraphs."""
    said = {(game, reason or rule): told(game, rule, reason, "en") for game, rule, reason in ends()}
    assert len({(game, words) for (game, _), words in said.items()}) == len(said)


def test_an_end_without_words_is_told_by_its_name() -> None:
    assert told("nim", "NIM-9.9", "no_object_left", "en") == "No object left."
    assert told("nim", "NIM-9.9", "", "en") == ""
