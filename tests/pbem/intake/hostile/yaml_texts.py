"""Y: order texts that attack the reader, or say something else than a person sees."""

from __future__ import annotations

from tests.pbem.intake.hostile.case import END, KEEP, REFUSE, Case, raw, text

ORDER = "orders:\n  - b3\n"
BOMB = "a: &a [x,x]\n" + "".join(f"{c}: &{c} [*{b},*{b}]\n" for b, c in zip("abcdefgh", "bcdefghi", strict=True))
LAUGHS = "orders:\n  - &x " + "ha" * 200 + "\n" + "  - *x\n" * 1000
DEEP_BLOCK = "orders:\n" + "".join(f"{' ' * depth}k:\n" for depth in range(1, 60))
CONDITIONS = "orders:\n  - " + "{if: any, then: " * 12 + "b3" + "}" * 12
MANY_KEYS = "".join(f"k{number}: x\n" for number in range(100))
CYRILLIC_SEAT = "\u0455eat: 2"
NOWHERE = {"fate": KEEP}

ANCHORS: tuple[Case, ...] = (
    text("Y01-bomb", BOMB, "anchor", 1, 4, "no place in orders"),
    text("Y01-bomb-in-orders", f"orders:\n  - {{{BOMB.replace(chr(10), ', ')}}}", "anchor", 2, 9),
    text("Y01-alias-alone", "orders:\n  - *b3\n", "alias", 2, 5, "alias"),
    text("Y01-star-as-bullet", "orders:\n* b3\n", "alias", 2, 2, "alias"),
    text("Y01-anchor-on-a-key", "&orders orders: b3", "anchor", 1, 1),
    text("Y01-alias-as-key", "*x : b3", "alias", 1, 1),
    text("Y01-itself", "orders: &a [*a]", "anchor", 1, 9),
    text("Y01-nothing-behind", "orders: &", "anchor", 1, 10),
    text("Y02-laughs", LAUGHS, "anchor", 2, 5),
    text("Y03-merge", "orders:\n  - {<<: {do: b3}}", "merge", 2, 6, "merges"),
    text("Y03-merge-at-the-top", "<<: {seat: '2'}\norders: b3", "merge", 1, 1),
    text("Y03-merge-of-an-alias", "base: &base {do: b3}\norders:\n  - <<: *base", "anchor", 1, 7),
)

DEEP: tuple[Case, ...] = (
    text("Y04-brackets", "orders: " + "[" * 1000, "depth", 1, 18, "deeper than 10"),
    text("Y04-closed-brackets", "orders: " + "[" * 1000 + "]" * 1000, "depth", 1, 18, "deeper than 10"),
    text("Y04-braces", "orders: " + "{a: " * 1000, "depth", 1, 45),
    text("Y04-dashes", "orders:\n" + "- " * 1000, "depth", 2, 19),
    text("Y04-questions", "orders:\n  ? " + "? " * 1000, "key", 2, 5),
    text("Y04-blocks", DEEP_BLOCK, "depth", 11, 11),
    text("Y04-many-brackets", "orders: " + "[" * 30_000, "depth", 1, 18),
    text("Y04-conditions", CONDITIONS, "depth", 2, 133),
    text("Y05-too-large", ORDER + "#" * 33_000, "size", -3, 1, "at most 32768"),
    text("Y05-one-long-order", "orders: " + "x" * 501, "text", 1, 9, "501 characters"),
    text("Y05-one-long-key", "x" * 501 + ": b3", "key", 1, 1),
    text("Y05-many-orders", "orders:\n" + "- b3\n" * 5000, "nodes", 1991, 3, "more than 2000"),
    text("Y05-many-keys", MANY_KEYS, "unknown_key", 1, 1, "no key `k0`"),
    text("Y05-one-long-line-of-commas", "orders: [" + "," * 20_000, "sign", 1, 10),
    text("Y05-empty-orders", "orders: [" + "''," * 900 + "]", "empty_order", 1, 10),
    text("Y05-comments", "#" * 30_000 + "\n" + ORDER),
    text("Y05-blank-lines", "\n" * 30_000 + ORDER),
    text("Y05-blanks", ORDER + " " * 30_000 + "\n"),
    text("Y05-no-break-blanks", "orders:\u00a0" + "\u00a0" * 10_000 + "b3"),
    text("Y05-unseen", "orders: b" + "\u200b" * 9_000 + "3"),
    text("Y05-combining", "orders: b3" + "\u0301" * 9_000, "text", 1, 9),
    text("Y05-swelling", "say: " + "\ufdfa" * 3_900 + "\n" + ORDER),
    text("Y05-quotes", "orders: " + "'" * 20_000 + "\n", "text", 1, 9, "9999 characters"),
    text("Y05-backslashes", 'orders: "' + "\\\\" * 10_000 + '"', "text", 1, 9),
    text("Y05-escapes", 'orders: "' + "\\x41" * 7_000 + '"', "text", 1, 9),
    text("Y05-folded", "orders: >\n" + "  b3\n\n" * 4_000, "text", 1, 9),
    text("Y05-colons", "orders: " + ":" * 20_000, "text", 1, 9),
    text("Y05-colons-and-blanks", "orders: " + "a: " * 9_000, "colon", 1, 10),
)

TAGS: tuple[Case, ...] = tuple(
    text(f"Y06-{name}", written, code, line, column, says)
    for name, written, code, line, column, says in (
        ("python-object", "orders: !!python/object/apply:os.system ['id']", "tag", 1, 9, "no place in orders"),
        ("python-name", "orders:\n  - !!python/name:os.system ''", "tag", 2, 5, "tag"),
        ("python-module", "orders: !!python/module:antigravity ''", "tag", 1, 9, "tag"),
        ("binary", "orders: !!binary aGk=", "tag", 1, 9, "tag"),
        ("set", "orders: !!set {b3, a1}", "tag", 1, 9, "tag"),
        ("omap", "orders: !!omap [a: b]", "tag", 1, 9, "tag"),
        ("own", "orders: !own b3", "tag", 1, 9, "tag"),
        ("bare", "orders: ! b3", "tag", 1, 9, "tag"),
        ("long", "orders: !<" + "x" * 5000 + "> b3", "tag", 1, 9, "tag"),
        ("handle", "orders: !h!x b3", "tag", 1, 9, "tag"),
        ("text", "seats: !!str NO", "tag", 1, 8, "tag"),
        ("on-a-key", "!!str orders: b3", "tag", 1, 1, "tag"),
        ("exclamation", "orders:\n  - !charge b3", "tag", 2, 5, "in quotes"),
    )
) + (
    raw("Y06-yaml-line", lambda head: b"%YAML 1.1\n---\n" + (head + ORDER + END).encode(), "directive", 1, 1),
    raw("Y06-tag-line", lambda head: b"%TAG ! tag:x,2000:\n---\n" + (head + ORDER + END).encode(), "directive", 1, 1),
    raw("Y06-unknown-line", lambda head: b"%FOO\n---\n" + (head + ORDER + END).encode(), "directive", 1, 5),
)

TWICE: tuple[Case, ...] = (
    text("Y07-orders", "orders: b3\norders: a1", "duplicate", 2, 1, "the first is on line 5"),
    text("Y07-orders-in-capitals", "orders: b3\nOrders: a1", "duplicate", 2, 1, "the first is on line 5"),
    text("Y07-seat", "seat: '2'\n" + ORDER, "duplicate", 1, 1, "line 2"),
    text("Y07-quoted-seat", "'seat': '2'\n" + ORDER, "duplicate", 1, 1, "line 2"),
    text("Y07-key", "key: AAAA-AAAA\n" + ORDER, "duplicate", 1, 1, "line 4"),
    text("Y07-escaped", '"\\x73eat": "2"\n' + ORDER, "duplicate", 1, 1, "line 2"),
    text("Y07-unseen-sign", "se\u200bat: '2'\n" + ORDER, "duplicate", 1, 1, "line 2"),
    text("Y07-no-break-blank", "seat\u00a0: '2'\n" + ORDER, "duplicate", 1, 1, "line 2"),
    text("Y07-composed", "\u00e9: a\ne\u0301: b\n" + ORDER, "duplicate", 2, 1, "line 5"),
    text("Y07-in-an-order", "orders:\n  - {do: b3, do: a1}", "duplicate", 2, 14, "line 6"),
    text("Y07-in-an-order-by-quotes", "orders:\n  - {do: b3, \u201cdo\u201d: a1}", "duplicate", 2, 14, "line 6"),
    text("Y07-if", "orders:\n  - {if: any, If: never, then: b3}", "duplicate", 2, 15, "line 6"),
    text("Y07-say", "say: {'2': a, '2': b}\n" + ORDER, "duplicate", 1, 15, "line 5"),
    text("Y07-say-by-blanks", "say: {'2': a, ' 2 ': b}\n" + ORDER, "duplicate", 1, 15, "line 5"),
    text("Y07-absent", "absent: {since: 2026-12-01, since: 2026-12-02}\n" + ORDER, "duplicate", 1, 29, "line 5"),
)

WORDS: tuple[Case, ...] = tuple(
    text(f"Y08-{name or 'nothing'}", f"orders:\n  - {name}", fate=REFUSE)
    for name in ("NO", "on", "Y", "~", "null", "true", "=", "1e3", ".inf", "0x1F", "2026-11-18", "12:30:00", "1_000")
) + (
    text("Y08-nothing", "orders:\n  -", "empty_order", 2, 4),
    text("Y08-seat", "say: {NO: hello}\n" + ORDER, fate=REFUSE),
    raw("Y08-game-null", lambda head: (head.replace("game: game", "game: ~") + ORDER + END).encode(), fate=KEEP),
    raw("Y08-seat-no", lambda head: (head.replace("'1'", "NO") + ORDER + END).encode(), fate=REFUSE),
    text("Y08-draft-null", "draft: ~\n" + ORDER, "draft", 1, 8, "true"),
)

NUMBERS: tuple[Case, ...] = (
    text("Y09-million-and-one", "orders:\n  - b1000001", "number", 2, 5, "1000001"),
    text("Y09-million", "orders:\n  - b1000000", fate=REFUSE),
    text("Y09-400-digits", "orders:\n  - b" + "9" * 400, "number", 2, 5, "1000000"),
    text("Y09-4000-digits", "orders: |\n  " + "9" * 3_999, "number", 2, 3, "1000000"),
    text("Y09-minus", "orders:\n  - b-1000001", "number", 2, 5),
    text("Y09-noughts", "orders:\n  - b" + "0" * 400 + "3", fate=REFUSE),
    text("Y09-arabic", "orders:\n  - b\u0663", fate=REFUSE),
    text("Y09-arabic-many", "orders:\n  - b" + "\u0669" * 9, "number", 2, 5),
    text("Y09-fullwidth", "orders:\n  - b\uff13"),
    text("Y09-superscript", "orders:\n  - b\u00b3", fate=REFUSE),
    text("Y09-exponent", "orders:\n  - b3e999", fate=REFUSE),
    text("Y09-many-huge", "orders:\n" + "  - 99999999\n" * 100, "number", 2, 5),
    *(
        raw(
            f"Y09-turn-{name}",
            lambda head, turn=turn: (head.replace("turn: 1", f"turn: {turn}") + ORDER + END).encode(),
            "turn",
            3,
            7,
            "whole number",
        )
        for name, turn in (
            ("minus", "-1"),
            ("fraction", "1.0"),
            ("exponent", "1e0"),
            ("hexadecimal", "0x1"),
            ("arabic", "\u0661"),
            ("huge", "9" * 400),
            ("words", "one"),
            ("two", "1 1"),
            ("superscript", "\u00b9"),
        )
    ),
    raw("Y09-turn-list", lambda head: (head.replace("turn: 1", "turn: [1]") + ORDER + END).encode(), "not_text", 3, 7),
    raw("Y09-turn-ahead", lambda head: (head.replace("turn: 1", "turn: 2") + ORDER + END).encode(), fate=REFUSE),
    raw("Y09-turn-nought", lambda head: (head.replace("turn: 1", "turn: 0") + ORDER + END).encode(), fate=REFUSE),
)


def _whole(below: str = ORDER) -> str:
    return below + END


BYTES: tuple[Case, ...] = (
    raw("Y10-utf16", lambda head: (head + _whole()).encode("utf-16")),
    raw("Y10-utf16-big", lambda head: b"\xfe\xff" + (head + _whole()).encode("utf-16-be")),
    raw("Y10-utf16-unmarked", lambda head: (head + _whole()).encode("utf-16-le"), "character", 1, 2, **NOWHERE),
    raw("Y10-utf16-odd", lambda head: (head + _whole()).encode("utf-16")[:-1], "end", 7, 6, "end: orders"),
    raw("Y10-utf32", lambda head: (head + _whole()).encode("utf-32"), "character", 1, 1, **NOWHERE),
    raw("Y10-utf7", lambda head: (head + "orders: +AGIAMw-\n" + END).encode(), fate=REFUSE),
    raw("Y10-ebcdic", lambda head: (head + _whole()).encode("cp500"), "no_order", 1, 1, **NOWHERE),
    raw("Y10-marked", lambda head: b"\xef\xbb\xbf" + (head + _whole()).encode()),
    raw("Y10-mark-in-the-middle", lambda head: (head + "\ufeff" + _whole()).encode()),
    raw("Y10-latin", lambda head: (head + "say: \xe0 bient\xf4t\n" + _whole()).encode("latin-1")),
    raw("Y10-overlong", lambda head: head.encode() + b"orders: b\xc0\xb3\n" + END.encode(), fate=REFUSE),
    raw("Y10-surrogates", lambda head: head.encode() + b"orders: \xed\xa0\x80b3\n" + END.encode(), fate=REFUSE),
    raw("Y10-nul", lambda head: (head + "orders: b\0003\n" + END).encode(), "character", 5, 10, "U+0000"),
    raw("Y10-nul-behind-all", lambda head: (head + _whole()).encode() + b"\0" * 100),
    raw("Y10-noncharacter", lambda head: (head + "orders: \uffff\n" + END).encode(), "character", 5, 9, "U+FFFF"),
    raw("Y10-zip", lambda head: b"PK\x03\x04\x14\0\0\0\x08\0" + bytes(range(256)), "character", 1, 3, **NOWHERE),
    raw("Y10-png", lambda head: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "character", 2, 1, **NOWHERE),
    raw("Y10-pdf", lambda head: b"%PDF-1.7\n1 0 obj\n<</Type/Catalog>>", "directive", 1, 7, **NOWHERE),
    raw("Y10-html", lambda head: b"<html><body><p>" + head.replace("\n", "<br>").encode(), "colon", 1, 34, **NOWHERE),
    raw("Y10-json", lambda head: b'{"game": "game", "seat": "1", "orders": ["b3"]}', "missing", 1, 1, **NOWHERE),
)

DOCUMENTS: tuple[Case, ...] = (
    text("Y11-two", ORDER + "---\nseat: '2'\n", "documents", 3, 1, "One file holds one form"),
    text("Y11-two-with-an-end", ORDER + "...\n---\nseat: '2'\n", "documents", 4, 1),
    text("Y11-more-behind-dots", ORDER + "...\nseat: '2'\n", "documents", 4, 1),
    text("Y11-empty-second", ORDER + "---\n", "documents", 3, 1),
    raw(
        "Y11-below-the-end",
        lambda head: (head + _whole() + "---\nseat: '2'\norders: a1\n" + END).encode(),
        "two_forms",
        9,
        1,
    ),
    raw(
        "Y11-second-form-below",
        lambda head: (head + _whole() + head + "orders: a1\n" + END).encode(),
        "two_forms",
        8,
        1,
    ),
    raw("Y11-first-empty", lambda head: ("---\n---\n" + head + _whole()).encode(), "documents", 2, 1),
    raw("Y11-dashes-above", lambda head: ("---\n" + head + _whole()).encode()),
)

TABS: tuple[Case, ...] = (
    text("Y12-before-a-dash", "orders:\n\t- b3", "tab", 2, 1, "Use spaces"),
    text("Y12-before-a-key", "\torders: b3", "tab", 1, 1, "Use spaces"),
    text("Y12-behind-blanks", "orders:\n  - b3\n \t- a1", "tab", 3, 2, "Use spaces"),
    text("Y12-behind-a-colon", "orders:\tb3"),
    text("Y12-within", "orders: b3\t"),
)

OPEN: tuple[Case, ...] = (
    text("Y13-quote", "say: 'it\n" + ORDER, "quote", 1, 6, "never closed"),
    text("Y13-double-quote", 'say: "hello\n' + ORDER, "quote", 1, 6, "never closed"),
    text("Y13-bracket", "orders: [b3\n", "bracket", 1, 9, "not closed"),
    text("Y13-brace", "orders:\n  - {do: b3\n", "brace", 2, 5, "not closed"),
    text("Y13-apostrophe", "say: 'it's on'\n" + ORDER, "indent", 1, 10),
    text("Y13-hidden-end", 'say: "a\nend: orders\nb"\norders: a1', "quote", 1, 6, "never closed"),
    text("Y13-colon-in-text", "say: look: here\n" + ORDER, "colon", 1, 10, "in quotes"),
    text("Y13-no-colon", "orders b3\n" + ORDER, "no_colon", 1, 1, "key: value"),
    text("Y13-no-blank", "orders:b3\n", "no_colon", 1, 1),
    text("Y13-two-lists", "orders: - b3", "dash", 1, 9),
    text("Y13-outdented", "orders:\n    - b3\n  - a1", "indent", 3, 3),
    text("Y13-hidden-dash", "orders:\n  - b3\n    - a1", "indent", 3, 5, "too far in"),
    text("Y13-at-sign", "orders: @b3", "sign", 1, 9),
    text("Y13-backtick", "orders: `b3`", "sign", 1, 9),
    text("Y13-percent", "orders: %b3", "sign", 1, 9),
    text("Y13-block-indicator", "orders: |x\n  b3", "block", 1, 10),
    text("Y13-block-indent", "orders: |99\n  b3", "block", 1, 11),
    text("Y13-bad-escape", 'orders: "\\q"', "escape", 1, 10),
)

SIGNS: tuple[Case, ...] = (
    text("Y14-escape-sequence", "orders: b3\x1b[2J", "character", 1, 11, "U+001B"),
    text("Y14-written-escape", 'orders: "b3\\e[2J"', "character", 1, 9, "U+001B"),
    text("Y14-bell", "say: \x07\n" + ORDER, "character", 1, 6, "U+0007"),
    text("Y14-delete", "say: \x7f\n" + ORDER, "character", 1, 6, "U+007F"),
    text("Y14-c1", "say: \x9b31m\n" + ORDER, "character", 1, 6, "U+009B"),
    text("Y14-form-feed", "say: \x0c\n" + ORDER, "character", 1, 6, "U+000C"),
    text("Y14-written-surrogate", 'say: "\\ud800"\n' + ORDER, "escape", 1, 9),
    text("Y14-written-nul", 'say: "\\0"\n' + ORDER, "character", 1, 6, "U+0000"),
    text("Y14-bidi-order", "orders: \u202e3b", fate=REFUSE),
    text("Y14-bidi-key", "\u202eorders\u202c: b3"),
    text("Y14-isolates", "orders: \u2066b3\u2069"),
    text("Y14-joiner", "orders: b\u200d3"),
    text("Y14-tag-letters", "orders: b3\U000e0041", fate=REFUSE),
    text("Y14-line-separator", "orders:\u2028  - b3\u2029"),
    text("Y14-next-line", "orders:\u0085b3"),
    text("Y14-variation", "orders: b3\ufe0f", fate=REFUSE),
    text("Y14-fullwidth-colon", "orders\uff1a b3"),
    text("Y14-curly-quotes", "orders: \u201cb3\u201d"),
    text("Y14-bullets", "orders:\n\u2022 b3"),
    text("Y14-carriage-return", "orders:\r  - b3\r"),
)

NOTHING: tuple[Case, ...] = (
    *(
        raw(f"Y15-{name}", lambda head, content=content: content, "no_order", 1, 1, "No order was found", **NOWHERE)
        for name, content in (
            ("empty", b""),
            ("lines", b"\n\n\n"),
            ("comments", b"# nothing\n# at all\n"),
            ("null", b"null"),
            ("tilde", b"~"),
            ("word", b"b3"),
            ("list", b"- b3\n"),
            ("no-keys", b"{}"),
            ("mark", b"\xef\xbb\xbf"),
            ("text", b"'orders'"),
        )
    ),
    raw("Y15-dashes", lambda head: b"---", "no_order", 2, 1, "No order was found", **NOWHERE),
    text("Y15-no-orders", "", "no_order", -3, 1, "No order was found"),
    text("Y15-orders-nothing", "orders:", "no_order", 1, 8, "orders: []"),
    text("Y15-orders-null", "orders: null", "no_order", 1, 9),
    text("Y15-orders-quotes", "orders: ''", "no_order", 1, 9),
    text("Y15-orders-braces", "orders: {}", "no_order", 1, 9),
    text("Y15-draft-alone", "draft: true", "no_order", -3, 1),
    text("Y15-comment-orders", "orders: |\n  # b3\n", "no_order", 1, 9, "orders: []"),
)

KEYS: tuple[Case, ...] = (
    text("Y16-moev", "moev: b3\n" + ORDER, "unknown_key", 1, 1, "no key `moev`"),
    text("Y16-oders", "oders: b3", "unknown_key", 1, 1, "Did you mean `orders`"),
    text("Y16-price", "price: 0\n" + ORDER, "unknown_key", 1, 1, "The keys are"),
    text("Y16-homoglyph", CYRILLIC_SEAT + "\n" + ORDER, "unknown_key", 1, 1, "Did you mean `seat`"),
    text("Y16-braces-in-it", "'{0.__class__}': b3\n" + ORDER, "unknown_key", 1, 1, "{0.__class__}"),
    text("Y16-percent-in-it", "'%(key)s%n': b3\n" + ORDER, "unknown_key", 1, 1, "%(key)s%n"),
    text("Y16-jinja-in-it", "'{{ 7 * 7 }}': b3\n" + ORDER, "unknown_key", 1, 1, "{{ 7 * 7 }}"),
    text("Y16-script", "<script>alert(1)</script>: b3\n" + ORDER, "unknown_key", 1, 1, "<script>"),
    text("Y16-dunder", "__class__: b3\n" + ORDER, "unknown_key", 1, 1, "__class__"),
    text("Y16-from-another-game", "on_illegal: skip\n" + ORDER, "unknown_key", 1, 1),
    text("Y17-list-as-key", "[a, b]: c\n" + ORDER, "key", 1, 1),
    text("Y17-map-as-key", "{a: b}: c\n" + ORDER, "key", 1, 1),
    text("Y17-question-key", "? [a]\n: b\n" + ORDER, "key", 1, 3),
    text("Y17-lines-as-key", "? |\n  a\n  b\n: c\n" + ORDER, "key", 1, 3),
    text("Y17-empty-key", "'': b3\n" + ORDER, "key", 1, 1),
    text("Y18-if-alone", "orders:\n  - if: any\n", "no_then", 2, 5),
    text("Y18-then-alone", "orders:\n  - then: b3\n", "no_if", 2, 5),
    text("Y18-if-if", "orders:\n  - {if: {if: any}, then: b3}", "bad_if", 2, 11),
    text("Y19-end-otherwise", "end: order\n" + ORDER, "duplicate", 4, 1, fate=REFUSE),
    text("Y19-end-indented", "orders:\n  - b3\n  end: orders\n", "indent", 3, 3),
    text("Y19-end-in-press", "say: |\n  end: orders\n" + ORDER),
    raw("Y19-end-in-the-middle", lambda head: (head + END + ORDER).encode(), "no_order", 1, 1),
    raw("Y19-end-of-something", lambda head: (head + ORDER + "end: war\n").encode(), "end", 7, 6, "end: orders"),
    raw("Y19-end-twice", lambda head: (head + _whole() + "orders: a1\n" + END).encode(), "two_forms", 8, 1),
    raw("Y19-end-first", lambda head: (END + head + ORDER).encode(), "missing", 1, 1, **NOWHERE),
)

YAML_TEXTS: tuple[Case, ...] = (
    *ANCHORS, *DEEP, *TAGS, *TWICE, *WORDS, *NUMBERS, *BYTES, *DOCUMENTS, *TABS, *OPEN, *SIGNS, *NOTHING, *KEYS,
)  # fmt: skip
