"""How an absence is written: what is to happen while somebody is away, by its words in English, French and Italian."""

from __future__ import annotations

import unicodedata

WAIT, STAND_IN, STANDING = "wait", "stand-in", "standing"
MODES = (WAIT, STAND_IN, STANDING)
WORDS = {
    WAIT: "wait attendre attendez attente aspettare aspettate attesa",
    STAND_IN: "stand-in standin remplacant remplacante sostituto sostituta",
    STANDING: "standing permanents permanenti",
}
MODE_OF = {word: mode for mode, words in WORDS.items() for word in words.split()}
BESIDE = frozenset({"orders", "ordres", "ordini"})  # `standing orders` is as good as `standing`


def plain_letters(word: str) -> str:
    """A word in small letters without accents, as people type on whatever keyboard they have."""
    return "".join(c for c in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(c))


def mode_of(text: str) -> str | None:
    """The mode that some words name, and no words besides; None where they name none, or two."""
    words = [plain_letters(word) for word in text.split()]
    named = {MODE_OF[word] for word in words if word in MODE_OF}
    if len(named) != 1 or any(word not in MODE_OF and word not in BESIDE for word in words):
        return None
    return named.pop()
