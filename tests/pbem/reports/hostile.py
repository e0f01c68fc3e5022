"""Texts that players might send to break somebody else's page, terminal or mail."""

from __future__ import annotations

import random

NASTY = (
    "<script>alert(1)</script>",
    "</td></tr></table><h1>You have won</h1>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "</pre></blockquote></body>",
    "<!-- ",
    "]]><![CDATA[",
    "&lt;b&gt; &amp; &#60;",
    "{{ 7 * 7 }} {% raw %} {# #}",
    "%(game)s %s %% %n",
    "{0} {game} {order.__class__}",
    "javascript:alert(1)",
    "http://evil.example/x.png",
    "=?utf-8?q?hello?=",
    "\r\nBcc: everybody@evil.example\r\n\r\nbody",
    "\nFrom evil@example Thu Jan 1\n.\n",
    "\nend: orders\nLedger head: " + "0" * 64,
    "\x1b[2J\x1b]0;owned\x07\x1b[31m",
    "\x9b31m \x85 \x00 \x08\x08 \x7f",
    "\u202egnp.exe \u2066 \u200f \u061c",
    "\u2028 \u2029 \ufeff \u200b \u00ad",
    "\ud800 \U000e0041 \ufffe",
    "Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308algo",
    "\u5f20\u4e09 \uae40\uc601\ud76c " * 12,
    "x" * 2000,
    "word " * 400,
    "   \t  ",
    "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f",
)

_letters = [
    *"<>&\"'`=/\\-_.:;,!?(){}[]#%$@*+~^| aZ09",
    *"\t\n\r\x00\x07\x08\x1b\x7f\x85\x9b\xa0\xad",
    *"\u0301\u061c\u200b\u200d\u200e\u2028\u202e\u2066\u2069\ufeff\ufffe",
    "\ud800",
    "\udfff",
    "\U000e0001",
    "é",
    "漢",
    "한",
    "😀",
    "<b>",
    "</p>",
    "<!--",
    "-->",
    "&lt;",
    "\r\n",
    "\nFrom ",
    "=?",
    "?=",
    "{{",
    "}}",
]


def generated(count: int, seed: int = 20261118) -> list[str]:
    """So many texts made of the worst letters; the same ones each time."""
    chance = random.Random(seed)
    return ["".join(chance.choices(_letters, k=chance.randint(1, 40))) for _ in range(count)]
