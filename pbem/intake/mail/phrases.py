"""Phrases: what mail programs write between and around what people write, in the five languages they mostly speak."""

from __future__ import annotations

import re
from collections.abc import Iterable


def names(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def any_of(phrases: Iterable[str]) -> str:
    """A pattern for any of some patterns."""
    return "(?:" + "|".join(phrases) + ")"


# --- above what is quoted or forwarded --------------------------------------------------------------------------------

RULE = r"[ \t*]*(?:-{2,}|_{2,}|={2,}|\u2013|\u2014)[ ]*"

ORIGINAL = re.compile(
    RULE
    + any_of(
        (
            *(r"Original[ -]?(?:Message|E?-?mail|Nachricht)", r"Reply (?:message|to)"),
            r"(?:E-?mail |Message )(?:d['\u2019]origine|original|initial)",
            *("Messaggio originale", "Mensaje original", r"Urspr\u00fcngliche (?:Nachricht|E?-?Mail)"),
        )
    ),
    re.I,
)

FORWARDED = re.compile(
    rf"(?:{RULE})?[ \t]*"
    + any_of(
        (
            *("Begin forwarded message", "Forwarded message", "Forwarded by"),
            *(r"(?:D\u00e9but du )?message (?:r\u00e9exp\u00e9di\u00e9|transf\u00e9r\u00e9)",),
            *("(?:Inizio (?:del )?)?messaggio inoltrato", r"Weitergeleitete Nachricht"),
            *("Anfang der weitergeleiteten (?:Nachricht|E-Mail)", "(?:Inicio del )?mensaje reenviado"),
        )
    )
    + r"\b[^\n]{0,80}$",
    re.I,
)

WROTE = re.compile(
    any_of(
        (
            *(r"\bwrote", r"\bwrites", r"\ba \u00e9crit", r"\bha scritto", r"\bha escrito"),
            *(r"\bschrieb", r"\bescribi\u00f3"),
        )
    )
    + r"\b[^\n]{0,160}:[ \t]*$",
    re.I,
)
LEADS = re.compile(r"[ \t]*(?:on|le|il|am|el)\b", re.I)  # how a line begins that ends with "... wrote:"

SENDERS = names("from de da von exp\u00e9diteur mittente remitente absender")
DATED = names(
    "subject objet oggetto betreff asunto sent envoy\u00e9 inviato gesendet enviado date data datum fecha sujet"
)
RECEIVERS = names("to cc \u00e0 a an para reply-to r\u00e9pondre-\u00e0 destinataire destinatario kopie")
FIELDS = SENDERS | DATED | RECEIVERS
FIELD = re.compile(r"[ \t*]{0,4}([^\W\d_][\w-]{0,11})(?: (?:le|el|il))?[ ]?\*?[ ]?:\*?(?:[ \t]|$)")

# What quoted text cannot begin without, where no line is marked.
HINTS = re.compile(
    any_of(("wr(?:ote|ites)", r"\u00e9crit", "scritto", "schrieb", "escri", "messa", "nachricht", "mail", "mensaje"))
    + rf"|forward|^[ \t*]{{0,4}}{any_of(sorted(SENDERS | DATED))}\b",
    re.I | re.M,
)

# --- subjects ---------------------------------------------------------------------------------------------------------

FORWARDS = re.compile(r"(?:fwd?|wg|tr|i|rv|enc)[ ]?:", re.I)
PREFIX = re.compile(
    r"(?:(?:re|r|aw|antw|sv|rif|res|ref|fwd?|tr|wg|i|rv|enc)(?:\[\d+\])?[ ]?:[ ]*|\[[^\]\n]{0,80}\][ ]*)", re.I
)

# --- below what is written --------------------------------------------------------------------------------------------

SIGNATURE = re.compile(
    r"--[ ]?$|_{5,}|"
    + any_of(
        (
            *("sent (?:from|with|using|via)", "get (?:outlook|bluemail)", "yahoo mail"),
            *(r"envoy\u00e9 (?:de|depuis|\u00e0 partir|avec la messagerie)", "provenance ?: courrier pour windows"),
            *("obten(?:ir|e[rz]) outlook", r"t\u00e9l\u00e9charge[rz] (?:outlook|bluemail)"),
            *("inviato (?:da|dal|con)", "(?:scarica|ottieni) (?:outlook|bluemail)"),
            *(r"gesendet (?:von|mit|\u00fcber)", "von meinem"),
            *(r"outlook f\u00fcr", "diese nachricht wurde von mein", "enviado (?:desde|con)"),
        )
    ),
    re.I,
)

# --- what programs answer for somebody who is away --------------------------------------------------------------------

AWAY_SUBJECT = re.compile(
    any_of(
        (
            *("auto(?:matic)?[- ]?(?:reply|response|responder)", "auto ?:", "out of (?:the )?office"),
            *("away from (?:the |my )?(?:office|mail|desk)", "vacation (?:reply|message|notice)"),
            *("on (?:vacation|leave|holiday) ?:", r"r\u00e9ponse automatique", "message automatique"),
            *(r"(?:message|notification) d['\u2019]absence", "absen(?:ce|te?) du bureau", "hors (?:du )?bureau"),
            *(r"en cong\u00e9s? ?:", "risposta automatica", "messaggio automatico", "fuori (?:sede|ufficio)"),
            *(r"(?:assenza|assente) dall['\u2019]ufficio", "in ferie ?:", "abwesenheits", "abwesend ?:"),
            *(r"automatische (?:antwort|r\u00fcckmeldung|nachricht)", r"nicht im (?:b\u00fcro|haus)"),
            *(r"(?:respuesta|mensaje) autom\u00e1tic[ao]", "fuera de (?:la )?oficina", "ausen(?:te|cia) ?:"),
        )
    ),
    re.I,
)

_I_AM = r"(?:i am|i['\u2019]m|i will be|we are) (?:currently )?"
_OFFICE = "(?:the |my )?(?:office|desk|mail|e-?mail)"
AWAY_TEXT = re.compile(
    any_of(
        (
            *(rf"{_I_AM}out of {_OFFICE}", rf"{_I_AM}away from {_OFFICE}", "this is an automat(?:ed|ic)"),
            *(rf"{_I_AM}on (?:vacation|holiday|leave|annual leave)", r"thank you for your (?:e-?mail|message)\. i am"),
            r"je (?:suis|serai) (?:actuellement )?(?:absente?|en (?:cong\u00e9s?|vacances|d\u00e9placement)|hors d)",
            *(r"ceci est une? (?:message|r\u00e9ponse) automatique", r"questo \u00e8 un messaggio automatico"),
            r"(?:sono|sar\u00f2) (?:attualmente )?(?:assente|in ferie|fuori (?:ufficio|sede))",
            r"ich bin [^\n]{0,60}(?:abwesend|nicht im (?:b\u00fcro|haus)|im urlaub|nicht erreichbar)",
            *("dies ist eine automatische", r"este es un mensaje autom\u00e1tico"),
            r"(?:estoy|estar\u00e9) (?:actualmente )?(?:ausente|de vacaciones|fuera de la oficina)",
        )
    ),
    re.I,
)
