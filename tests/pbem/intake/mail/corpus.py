"""The corpus: hundreds of mails with orders, or without, and what each of them must be read as. All made, none found.

Each mail is a program (`programs.py`), a language, a way to answer, and one of our own letters, quoted as that program
quotes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from pbem.reports import html, text
from tests.pbem.intake.mail.programs import (
    ADDRESS,
    LANGUAGES,
    PHONE,
    PLAYER,
    PROGRAMS,
    RE,
    Draft,
    Original,
    Program,
    attachment,
    encoded,
    headers,
    multipart,
)
from tests.pbem.reports import letters

OURS = ("orders@pbem.test",)
KEY = "K7Q2-9FXM"
HEAD = f"game: jade-river\nseat: '2'\nturn: 2\nkey: {KEY}\n"
NEW = f"{HEAD}orders:\n  - c1\n  - a2\nend: orders"
OLD = f"{HEAD}orders:\n  - b1\nend: orders"
OFFERED = "a1"  # what silence means, which our form offers

NOTHING, FORM, SAME, CHANGED, COMMAND = "nothing", "form", "same", "changed", "command"
AUTOMATIC = "automatic"

BY_NAME = {program.name: program for program in PROGRAMS}
MARKING = tuple(program for program in PROGRAMS if program.marks)
WITH_PAGE = tuple(program for program in PROGRAMS if program.page)

HELLO = {"en": "Hello,\n", "fr": "Bonjour,\n", "it": "Ciao,\n", "de": "Guten Abend,\n", "es": "Hola,\n"}
THANKS = {
    "en": "Thanks, more tomorrow.",
    "fr": "Merci, la suite demain.",
    "it": "Grazie, il resto domani.",
    "de": "Danke, mehr morgen.",
    "es": "Gracias, mañana más.",
}


@dataclass(frozen=True, slots=True)
class Case:
    """One mail, and what it must be read as: `says` is one of the words above; an empty `found` is left open."""

    id: str
    make: Callable[[], bytes] = field(repr=False)
    says: str = FORM
    orders: tuple[str, ...] = ("c1", "a2")
    found: str = ""
    word: str = ""
    argument: str = ""
    to: str = ""


@cache
def our_report() -> Original:
    letter = letters.quiet()
    return Original(text.render(letter), html.render(letter))


@cache
def our_receipt() -> Original:
    """A receipt to the same seat, which offers what stands."""
    letter = letters.receipt("a1", seat="2", turn=2)
    return Original(
        text.render(letter), html.render(letter), "[jade-river] Decision 2: orders taken", "<c.9@pbem.test>"
    )


@cache
def offered(original: Original) -> str:
    """The form in a letter of ours."""
    return "game:" + original.text.partition("\ngame:")[2].partition("end: orders")[0] + "end: orders"


def filled(change: str) -> Callable[[str], str]:
    """What a player does who writes into the form that stands there already."""

    def fill(letter: str) -> str:
        before, game, form = letter.partition("game: jade-river")
        return before + game + form.replace("  - a1", f"  - {change}", 1)

    return fill


# --- answers to our letters ------------------------------------------------------------------------------------------


def on_top() -> Iterator[Case]:
    """New orders above our quoted report: only these count."""
    for program in PROGRAMS:
        for lang in LANGUAGES:
            draft = Draft(top=HELLO[lang] + "\n" + NEW)
            yield Case(f"top-{program.name}-{lang}", _made(program, lang, draft), found="block")


def below() -> Iterator[Case]:
    """New orders below the quotation, as Usenet taught."""
    for program in MARKING:
        for lang in LANGUAGES:
            yield Case(f"below-{program.name}-{lang}", _made(program, lang, Draft(bottom="\n" + NEW)), found="block")
    for name in ("outlook", "yahoo", "samsung"):  # no mark shows where our letter ends, but its last lines do
        yield Case(f"below-{name}", _made(BY_NAME[name], "en", Draft(bottom="\n" + NEW)), found="block")


def in_place() -> Iterator[Case]:
    """The form in our letter filled in where it stands: quoted, but no more what we offered."""
    for program in PROGRAMS:
        for lang in LANGUAGES:
            draft = Draft(top=HELLO[lang], change=filled("c3"))
            yield Case(f"filled-{program.name}-{lang}", _made(program, lang, draft), CHANGED, ("c3",), "quoted")


def only_words() -> Iterator[Case]:
    """A few words above our letter: its form comes back as we sent it, and is no order."""
    for program in PROGRAMS:
        for lang in LANGUAGES:
            yield Case(f"words-{program.name}-{lang}", _made(program, lang, Draft(top=THANKS[lang])), SAME)
        yield Case(f"receipt-{program.name}", _made(program, "fr", Draft(top=THANKS["fr"]), our_receipt), SAME)


def old_orders() -> Iterator[Case]:
    """The player answers a mail of his own, in which his old orders stand above our report: they are not new ones."""
    for program in PROGRAMS:
        for lang in LANGUAGES:
            old = Original(
                program.text(lang, Draft(top=OLD), our_report()),
                subject="Re: [jade-river] Decision 2 is yours",
                id="<a.0@players.example>",
                who="Anna",
                address=PLAYER,
            )
            draft = Draft(top=THANKS[lang])
            yield Case(f"old-{program.name}-{lang}", _made(program, lang, draft, lambda old=old: old), SAME, ("b1",))
            both = Draft(top=NEW)
            yield Case(f"new-above-old-{program.name}-{lang}", _made(program, lang, both, lambda old=old: old))


def pages() -> Iterator[Case]:
    """Mails that are HTML and nothing else."""
    for program in WITH_PAGE:
        for lang in LANGUAGES:
            for name, draft, says, orders, found in (
                ("top", Draft(top=NEW), FORM, ("c1", "a2"), "html"),
                ("filled", Draft(top=HELLO[lang], change=filled("c3")), CHANGED, ("c3",), "quoted"),
                ("words", Draft(top=THANKS[lang]), SAME, (), "quoted"),
            ):
                made = _made(program, lang, draft, html_only=True)
                yield Case(f"page-{name}-{program.name}-{lang}", made, says, orders, found)


def _made(
    program: Program,
    lang: str,
    draft: Draft,
    original: Callable[[], Original] = our_report,
    *more: str,
    html_only: bool = False,
) -> Callable[[], bytes]:
    return lambda: program.mail(lang, draft, original(), *more, html_only=html_only)


# --- what hands and programs do to a form -----------------------------------------------------------------------------

BENT = {
    "quotes": NEW.replace("'2'", "\u20182\u2019"),
    "double-quotes": NEW.replace("'2'", "\u201c2\u201d"),
    "french-quotes": NEW.replace("'2'", "\u00ab\u00a02\u00a0\u00bb"),
    "bullets": NEW.replace("  - ", "\u2022 "),
    "bullets-behind-tabs": NEW.replace("  - ", "\t\u2022\t"),
    "dashes": NEW.replace("  - ", "  \u2013 "),
    "long-dashes": NEW.replace("  - ", "\u2014 "),
    "asterisks": NEW.replace("  - ", "  *   "),
    "tab-behind-the-dash": NEW.replace("  - ", "-\t"),
    "no-break-blanks": NEW.replace(" ", "\u00a0"),
    "narrow-blanks": NEW.replace(": ", "\u202f: "),
    "french-colons": NEW.replace(":", "\u00a0:"),
    "capitals": "\n".join(line[:1].upper() + line[1:] for line in NEW.split("\n")),
    "all-capitals-keys": NEW.replace("orders:", "ORDERS:"),
    "zero-width": NEW.replace("orders:", "\u200borders:\u200b").replace("c1", "c\u20601"),
    "byte-order-mark": "\ufeff" + NEW,
    "direction-marks": NEW.replace("c1", "\u200ec1\u200f"),
    "blanks-at-the-ends": NEW.replace("\n", "  \n"),
    "blank-lines": NEW.replace("\n", "\n\n"),
    "full-stop": NEW + ".",
    "indented": "\n".join("    " + line for line in NEW.split("\n")),
    "indented-by-tabs": "\n".join("\t" + line for line in NEW.split("\n")),
    "non-breaking-hyphen": NEW.replace(KEY, KEY.replace("-", "\u2011")),
    "soft-hyphen": NEW.replace("jade-river", "jade-ri\u00adver"),
    "other-order": NEW.replace("game: jade-river\nseat: '2'\n", "seat: 2\ngame: jade-river\n"),
    "fence": f"=== ORDERS ===\n{NEW}\n=== END ===\nSee you",
    "french-fence": f"=== ORDRES ===\n{NEW}\n=== FIN ===",
    "italian-fence": f"=== ORDINI ===\n{NEW}\n=== FINE ===",
    "code-fence": f"```yaml\n{NEW}\n```",
    "one-order": NEW.replace("\n  - c1\n  - a2", "\n  - c1\n  - a2\n"),
}
SIGNED = (
    "\n\n-- \nAnna",
    "\n-- \nAnna: pacifist\nturn: left at the lights\n",
    "\n\n" + PHONE["it"],
    "\nCheers, Anna",
    "",
)


def bent() -> Iterator[Case]:
    """What typing on phones and in word processors does to a form."""
    for number, (name, form) in enumerate(BENT.items()):
        found = "fence" if "fence" in name else "block"
        program = replace(BY_NAME["k-9"], wide=0)
        draft = Draft(top=HELLO["fr"] + "\n" + form + SIGNED[number % len(SIGNED)])
        yield Case(f"bent-{name}", _made(program, "fr", draft), found=found)
        yield Case(f"bent-alone-{name}", lambda form=form: plain(form), found=found)
        if "fence" not in name and "tab" not in name:
            page = _made(BY_NAME["ios"], "it", Draft(top=form), html_only=True)
            yield Case(f"bent-page-{name}", page, found="html")


def plain(form: str, charset: str = "utf-8", encoding: str = "8bit") -> bytes:
    program = Program("plain", lambda lang, original: "", charset=charset, encoding=encoding)
    return headers("en", Original("")) + encoded(form, f"text/plain; charset={charset}", program)


CHARSETS = (
    *("utf-8", "us-ascii", "iso-8859-1", "iso-8859-2", "iso-8859-9", "iso-8859-15", "windows-1250", "windows-1251"),
    *("windows-1252", "windows-1254", "windows-1257", "utf-16", "macintosh"),
)


GREETINGS = {
    "us-ascii": "Hello",
    "iso-8859-2": "Cze\u015b\u0107",
    "iso-8859-9": "Te\u015fekk\u00fcr",
    "windows-1250": "Cze\u015b\u0107",
    "windows-1251": "\u041f\u0440\u0438\u0432\u0435\u0442",
    "windows-1254": "Te\u015fekk\u00fcr",
    "windows-1257": "A\u010di\u016b",
}


def charsets() -> Iterator[Case]:
    """Each character set on the list in each encoding."""
    for charset in CHARSETS:
        greeting = GREETINGS.get(charset, "\u00c9t\u00e9")
        for encoding in ("base64",) if charset == "utf-16" else ("8bit", "base64", "quoted-printable"):
            made = lambda c=charset, e=encoding, g=greeting: plain(f"{g}\n\n{NEW}\n\n{g}", c, e)  # noqa: E731
            yield Case(f"charset-{charset}-{encoding}", made, found="block")


def files() -> Iterator[Case]:
    """Orders in a file, whatever its name and type; beside the same orders, and beside none."""
    words = encoded("Orders attached.\n", "text/plain; charset=utf-8", BY_NAME["mutt"])
    body = encoded(NEW + "\n", "text/plain; charset=utf-8", BY_NAME["mutt"])
    ended = NEW.removesuffix("\nend: orders")
    for number, (name, kind, form) in enumerate(
        (
            ("orders.yml", "text/yaml", NEW),
            ("orders.yaml", "application/x-yaml", NEW),
            ("orders.txt", "text/plain", NEW),
            ("noname", "application/octet-stream", NEW),
            ("orders.doc", "application/msword", NEW),
            ("orders.yml", "text/yaml", ended),
            ("orders.yml", "application/octet-stream", "# my plan\n\n" + NEW),
            ("orders.yml", "text/plain", NEW.replace("\n", "\r\n")),
            ("letter.txt", "text/plain", f"Dear host,\n\n{NEW}\n\nYours, Anna"),
        )
    ):
        for beside, part in (("words", words), ("same", body)):
            made = lambda part=part, form=form, name=name, kind=kind: (  # noqa: E731
                headers("en", our_report()) + multipart("mixed", part, attachment(form, name, kind))
            )
            yield Case(f"file-{number}-{beside}", made, found="attachment")


# --- commands and robots ---------------------------------------------------------------------------------------------

COMMANDS = (
    ("help", "help"), ("aide", "help"), ("Aiuto", "help"), ("HELP", "help"), ("status", "status"), ("Statut", "status"),
    ("\u00e9tat", "status"), ("stato", "status"), ("report", "report"), ("Rapport 11", "report 11"),
    ("resoconto 3", "report 3"), ("rapporto", "report"), ("report #7", "report 7"), ("history", "history"),
    ("historique", "history"), ("storico", "history"), ("withdraw", "withdraw"), ("retirer", "withdraw"),
    ("ritirare", "withdraw"), ("absent", "absent"), ("absent 2026-12-20 2026-12-31", "absent 2026-12-20 2026-12-31"),
    ("absence du 20/12/2026 au 31/12/2026", "absent 2026-12-20 2026-12-31"),
    ("assente dal 20.12.2026 al 31.12.2026", "absent 2026-12-20 2026-12-31"), ("absent no", "absent no"),
    ("absent until 2026-12-31", "absent 2026-12-31"),
    ("resign", "resign"), ("abandonner", "resign"), ("Abbandonare.", "resign"),
    ("say all Good game!", "say all Good game!"), ("dire tous Bien jou\u00e9 !", "say all Bien jou\u00e9 !"),
    ("dire rosso: Pace?", "say rosso Pace?"), ("Say 'north east' hello", "say north east hello"),
    ("say 1 Peace?\nFor two turns.", "say 1 Peace?\nFor two turns."),
)  # fmt: skip


def commands() -> Iterator[Case]:
    """Commands above a quoted report, in a mail of their own, and as a subject."""
    for number, (typed, wanted) in enumerate(COMMANDS):
        word, _, rest = wanted.partition(" ")
        to, argument = "", rest
        if word == "say":
            to, _, argument = rest.partition(" ")
            if to == "north":
                to, argument = "north east", "hello"
        for program in (PROGRAMS[number % len(PROGRAMS)], PROGRAMS[(number + 5) % len(PROGRAMS)]):
            lang = LANGUAGES[number % len(LANGUAGES)]
            made = _made(program, lang, Draft(top=typed))
            yield Case(f"command-{number}-{program.name}", made, COMMAND, (), "", word, argument, to)
        alone = lambda typed=typed: plain(typed + "\n\n" + PHONE["fr"])  # noqa: E731
        yield Case(f"command-{number}-alone", alone, COMMAND, (), "", word, argument, to)
        if "\n" not in typed:
            subject = lambda typed=typed: _with_subject(f"Re: {typed}", "")  # noqa: E731
            yield Case(f"command-{number}-subject", subject, COMMAND, (), "", word, argument, to)


def _with_subject(subject: str, body: str) -> bytes:
    head = (
        f"From: Anna <{PLAYER}>\r\nTo: {ADDRESS}\r\nSubject: {subject}\r\nContent-Type: text/plain; charset=utf-8\r\n"
    )
    return (head + "\r\n" + body).encode()


NO_COMMANDS = (
    "Report me to the referee if you like.", "Help me, I am lost in the rules of this game.", "status quo it is, then",
    "absent friends", "resign yourself to it", "History repeats itself.", "Withdraw from the river, you fools!",
    "Absent without leave", "say", "report eleven", "Rapport de force", "Aide toi, le ciel t'aidera", "Non.",
)  # fmt: skip


def no_commands() -> Iterator[Case]:
    """Sentences that happen to begin with such a word, and such words in what is quoted."""
    for number, typed in enumerate(NO_COMMANDS):
        made = _made(PROGRAMS[number % len(PROGRAMS)], "en", Draft(top=typed))
        yield Case(f"sentence-{number}", made, SAME)
    for program in PROGRAMS:
        old = Original("resign\n", id="<a.0@players.example>", who="Anna", address=PLAYER)
        made = _made(program, "it", Draft(top=THANKS["it"]), lambda old=old: old)
        yield Case(f"quoted-command-{program.name}", made, NOTHING)


AWAY = {
    "en": ("Automatic reply: {}", "I am out of the office until Monday."),
    "fr": ("R\u00e9ponse automatique : {}", "Je suis absente jusqu'\u00e0 lundi."),
    "it": ("Risposta automatica: {}", "Sono assente fino a luned\u00ec."),
    "de": ("Automatische Antwort: {}", "Ich bin bis Montag nicht im B\u00fcro."),
    "es": ("Respuesta autom\u00e1tica: {}", "Estoy fuera de la oficina hasta el lunes."),
}


def robots() -> Iterator[Case]:
    """Out-of-office answers that quote our form: known by a header, by the subject alone, by the words alone."""
    for program in PROGRAMS:
        for lang in LANGUAGES:
            subject, words = AWAY[lang]
            report = our_report()
            named = replace(report, subject=subject.format(report.subject))
            for name, original, top, more in (
                ("header", report, THANKS[lang], ("Auto-Submitted: auto-replied (vacation)",)),
                ("subject", named, THANKS[lang], ()),
                ("words", report, words, ()),
            ):
                made = _unanswered(
                    _made(program, lang, Draft(top=top), lambda o=original: o, *more), lang, named.subject
                )
                yield Case(f"robot-{name}-{program.name}-{lang}", made, AUTOMATIC)


def _unanswered(made: Callable[[], bytes], lang: str, subject: str) -> Callable[[], bytes]:
    """The same without the sign of an answer before that subject."""
    return lambda: made().replace(f"{RE[lang]}: {subject}".encode(), subject.encode())


GROUPS = {
    "on top": tuple(on_top()),
    "below": tuple(below()),
    "in place": tuple(in_place()),
    "only words": tuple(only_words()),
    "old orders": tuple(old_orders()),
    "pages": tuple(pages()),
    "bent": tuple(bent()),
    "charsets": tuple(charsets()),
    "files": tuple(files()),
    "commands": tuple(commands()),
    "no commands": tuple(no_commands()),
    "robots": tuple(robots()),
}
EVERY = tuple(case for group in GROUPS.values() for case in group)
