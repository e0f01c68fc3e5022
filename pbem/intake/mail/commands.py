"""Commands: a mail that asks the host for something with one word, in English, French or Italian.

The word begins the first new line, or is the whole subject. A command is strict about what may stand around it, so that
a sentence that happens to begin with such a word is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.intake import masks
from pbem.intake.away import BESIDE, MODE_OF, plain_letters
from pbem.intake.characters import settled
from pbem.intake.hours import read_hours
from pbem.intake.limits import Limits
from pbem.intake.mail.phrases import PREFIX, SIGNATURE, names
from pbem.intake.mail.reading import Command

WORDS = {
    "help": "help aide aiuto",
    "status": "status statut etat stato",
    "report": "report rapport rapporto resoconto",
    "history": "history historique storico cronologia",
    "withdraw": "withdraw retirer retrait ritirare ritira ritiro",
    "absent": "absent absente absence assente assenza away",
    "resign": "resign abandonner abandon abbandonare abbandono resa",
    "say": "say dire dis di dici press",
    "address": "address adresse indirizzo",
    "remind": "remind reminder rappel rappels rappelle promemoria ricordami avviso",
    "digest": "digest recueil raccolta",
    "unsubscribe": "unsubscribe desabonner desabonnement desinscrire desinscription disiscrivere disiscrizione",
    "take-back": "take-back takeback reprendre reprise riprendere ripresa",
    "join": "join rejoindre participer unirsi partecipare",
    "leave": "leave quitter lasciare",
    "volunteer": "volunteer volontaire volontario volontaria",
    "draw": "draw nulle nul patta pareggio",
    "dispute": "dispute appeal contester contestation recours contestare contestazione ricorso",
}
COMMAND_OF = {word: command for command, words in WORDS.items() for word in words.split()}
NAMED = re.compile(r"[A-Za-z0-9_-]{1,40}")  # what can be the name of a game, or a seat
SEVERAL = re.compile(r"([\w-]+(?:(?:\s*[,;&]\s*|\s+(?:and|et|e)\s+)[\w-]+)+)\s*:")  # names with a colon behind them
EVERYONE = frozenset({"all", "tous", "toutes", "tout", "tutti", "tutte", "everyone"})
BACK = frozenset({"no", "non", "back", "off"})

DAY = re.compile(r"\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{4}")
BETWEEN = names("from to until till du au de le jusqu jusqu'au dal al dall fino il a - and et e")
PLEASE = frozenset({"please", "s'il vous pla\u00eet", "svp", "stp", "s'il te pla\u00eet", "per favore", "per piacere"})


def from_text(lines: Sequence[str], limits: Limits) -> Command | None:
    """The command that the new lines of a mail begin with."""
    written = unsigned(lines)
    first = next((number for number, line in enumerate(written) if line.strip()), None)
    if first is None:
        return None
    return _command(written[first], [*written[first + 1 :]], limits)


def from_subject(subject: str, limits: Limits) -> Command | None:
    """The command that a subject is, whatever stands before it that mail programs put there."""
    while found := PREFIX.match(subject):
        subject = subject[found.end() :]
    return _command(subject, [], limits)


def unsigned(lines: Sequence[str]) -> list[str]:
    """The lines above the signature."""
    kept: list[str] = []
    begun = False
    for line in lines:
        if not SIGNATURE.match(line.strip()):
            kept.append(line)
            begun = begun or bool(line.strip())
        elif begun:
            break
    return kept


def _command(line: str, below: list[str], limits: Limits) -> Command | None:
    word, _, rest = line.strip().partition(" ")
    command = COMMAND_OF.get(plain_letters(word).rstrip(".:,!?"))
    rest = rest.strip()
    match command:
        case None:
            return None
        case "say":
            return _said(rest, below, limits)
        case "report":
            turn = rest.rstrip(".!").removeprefix("#")
            return (
                Command(command, turn) if not turn or (turn.isascii() and turn.isdecimal() and len(turn) < 8) else None
            )
        case "digest":
            wished = plain_letters(rest.rstrip(".!"))
            return Command(command, "off" if wished in BACK else "on") if wished in BACK | {"", "on"} else None
        case "take-back":
            return _word(command, rest, turn=True)
        case "join" | "leave":
            return _seat(command, rest)
        case "volunteer":
            words = plain_letters(rest).rstrip(".!").split()
            return Command(command, "no" if set(words) & BACK else " ".join(words)) if len(words) <= 10 else None
        case "draw":
            return _word(command, rest, turn=False)
        case "dispute":
            return _disputed(word, rest, below, limits)
        case "absent":
            return _absent(rest)
        case "remind":
            hours = read_hours(rest)
            return Command(command, str(hours)) if hours is not None else None
        case "resign" | "address":
            words = rest.rstrip(".!").split()
            return Command(command, *words) if len(words) <= 1 else None
    return Command(command) if not rest.strip(".!?") or rest.lower().strip(".!") in PLEASE else None


def _absent(rest: str) -> Command | None:
    """Days away, as ISO dates where they can be nothing else, and what is to happen meanwhile; no word besides but what
    joins them."""
    days, modes = [], set()
    for word in rest.replace(",", " ").rstrip(".!").split():
        if DAY.fullmatch(word):
            days.append(_iso(word))
        elif plain_letters(word) in BACK and not days:
            return Command("absent", "no")
        elif (mode := MODE_OF.get(plain_letters(word))) is not None:
            modes.add(mode)
        elif plain_letters(word) not in BETWEEN | BESIDE:
            return None
    return Command("absent", " ".join([*days, *modes])) if len(days) <= 2 and len(modes) <= 1 else None


def _iso(day: str) -> str:
    """A day as year, month and day; written with points or strokes the day comes first, as in our languages."""
    parts = re.split(r"[-./]", day)
    year, month, number = parts if len(parts[0]) == 4 else reversed(parts)
    return f"{year}-{int(month):02}-{int(number):02}"


def _seat(command: str, rest: str) -> Command | None:
    """The name of a game, and for `join` the seat that is wished."""
    words = rest.rstrip(".!").split()
    if command == "leave" and not words:
        return Command(command)
    if not words or len(words) > 2 or not all(NAMED.fullmatch(word) for word in words):
        return None
    return Command(command, words[0].lower(), words[1] if len(words) == 2 else "")


def _word(command: str, rest: str, *, turn: bool) -> Command | None:
    """A word of consent: with the number of a turn, where one is needed; or no."""
    word = plain_letters(rest).rstrip(".!").removeprefix("#")
    if word in BACK:
        return Command(command, "no")
    fits = word.isascii() and word.isdecimal() and len(word) < 8 if turn and word else not word
    return Command(command, word) if fits else None


def _disputed(word: str, rest: str, below: list[str], limits: Limits) -> Command | None:
    """An appeal: the word with a colon, or alone on its line, and what it is about."""
    if rest and not word.endswith(":") and not rest.startswith(":"):
        return None
    rest = rest.lstrip(": ")
    return Command("dispute", settled("\n".join([rest, *below])).strip()[: limits.press + 1])


def _said(rest: str, below: list[str], limits: Limits, *, masked: bool = False) -> Command | None:
    """Press: to whom, and the text, which goes on over the lines below; behind a word for that, by nobody by name."""
    if rest[:1] in ('"', "'") and (end := rest.find(rest[0], 1)) > 0:
        to, first = rest[1:end], rest[end + 1 :].lstrip(" :,")
    elif several := SEVERAL.match(rest):
        to, first = several[1], rest[several.end() :].lstrip()
    else:
        to, _, first = rest.partition(" ")
        to, first = to.rstrip(":,"), first.lstrip(" :")
    if plain_letters(to) in masks.MASKED and not masked:
        found = _said(first, below, limits, masked=True)
        return found and Command("say", found.argument, masks.put_on(found.to))
    text = settled("\n".join([first, *below])).strip()
    if not to or not text:
        return None
    return Command("say", text[: limits.press + 1], "all" if plain_letters(to) in EVERYONE else to[:80])
