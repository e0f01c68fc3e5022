"""Order words: the letters and words of an order in three languages, and the English word each stands for (KHAN-17.1).

Accents may be left out. Whatever stands in none of these lists means itself.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from games.khan.state import AGREE, ALWAYS, ASK, NEVER, REFUSE, SKIP

KINDS: Mapping[str, str] = {
    "p": "place",
    "a": "invade",
    "b": "chase",
    "c": "conquer",
    "d": "anywhere",
    "s": "special",
    **dict.fromkeys(("poser", "placer", "posare", "piazzare"), "place"),
    **dict.fromkeys(("envahir", "invadere"), "invade"),
    **dict.fromkeys(("chasser", "pourchasser", "cacciare", "spostare"), "chase"),
    **dict.fromkeys(("conquerir", "conquistare"), "conquer"),
    **dict.fromkeys(("partout", "ovunque"), "anywhere"),
    "speciale": "special",
    **dict.fromkeys(("passer", "passare"), "pass"),
    **dict.fromkeys(("abandonner", "abbandonare"), "resign"),
    **dict.fromkeys(("accord", "consenso"), "consent"),
    "permanent": "standing",
    "permanente": "standing",
}
ANSWERS: Mapping[str, str] = {
    **dict.fromkeys(("accepter", "accettare"), AGREE),
    **dict.fromkeys(("refuser", "rifiutare"), REFUSE),
    **dict.fromkeys(("toujours", "sempre"), ALWAYS),
    **dict.fromkeys(("jamais", "mai"), NEVER),
    **dict.fromkeys(("demander", "chiedere"), ASK),
    **dict.fromkeys(("sauter", "saltare"), SKIP),
}
SPECIAL_CARDS: Mapping[str, str] = {
    "moral": "morale",
    "protezione": "protection",
    **dict.fromkeys(("dieux", "soutien", "dei", "aiuto"), "gods"),
    **dict.fromkeys(("exploration", "explorer", "esplora", "esplorare"), "explore"),
    **dict.fromkeys(("aucune", "rien", "nessuna", "niente"), "none"),
}
LANDS: Mapping[str, str] = {
    **dict.fromkeys(("montagne", "montagna"), "mountain"),
    **dict.fromkeys(("glace", "ghiaccio"), "ice"),
    "toundra": "tundra",
    **dict.fromkeys(("desert_rocheux", "deserto_roccioso"), "rock_desert"),
    **dict.fromkeys(("desert_de_sable", "deserto_sabbioso"), "sand_desert"),
    **dict.fromkeys(("foret", "foresta", "foret_tropicale", "foresta_tropicale"), "rainforest"),
}
COLOURS: Mapping[str, str] = {
    **dict.fromkeys(("rouge", "rosso"), "red"),
    **dict.fromkeys(("jaune", "giallo"), "yellow"),
    **dict.fromkeys(("bleu", "blu"), "blue"),
    **dict.fromkeys(("vert", "verde"), "green"),
}
STANDING: Mapping[str, str] = {**KINDS, **ANSWERS, **COLOURS}


def meaning(word: str, among: Mapping[str, str]) -> str:
    """The English word, in small letters without accents."""
    plain = "".join(sign for sign in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(sign))
    return among.get(plain, plain)
