"""What the player's rules must tell in every language: each option, and how a game begins."""

import re

import pytest

from games.yuan.box import AUCTION_CHAO, CLANS
from games.yuan.opening import start_chao
from games.yuan.options import Options
from tests.games.templates import TEMPLATES

LANGUAGES = ("en", "fr", "it")


def told(lang):
    return (TEMPLATES / "yuan" / f"rules.{lang}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_option_is_told(lang):  # YUAN-3.1
    named = {name for words in re.findall(r"\*\*([a-z_]+)\*\*", told(lang)) for name in words.split()}
    assert set(Options.specs()) - {"players"} <= named


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_is_told_how_a_game_begins(lang):  # YUAN-3.8, YUAN-3.11, YUAN-3.12, YUAN-3.15
    [begins] = [part for part in told(lang).split("\n## ") if "(YUAN-3.15)" in part]
    assert "(YUAN-3.8)" in begins
    powers = start_chao(Options(powers=True), tuple(CLANS))
    assert [int(number) for number in re.findall(r" (\d)\b", begins)] == [4, powers["mu"], 3, AUCTION_CHAO]
    named = {clan for clan in powers if clan.capitalize() in begins}
    assert named == {clan for clan, chao in powers.items() if chao < 4}
    assert {powers[clan] for clan in named - {"mu"}} == {3}
