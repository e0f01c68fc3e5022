"""The Y-family of hostile inputs: what is no plain YAML is refused with its place, and nothing is expanded or built."""

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.intake.characters import decode, forbidden, settled
from pbem.intake.limits import USUAL
from pbem.intake.problems import Mark, Unreadable
from pbem.intake.yaml_events import parse


def refused(raw, **limits):
    with pytest.raises(Unreadable) as caught:
        parse(raw if isinstance(raw, bytes) else raw.encode(), replace(USUAL, **limits))
    problem = caught.value.problem
    assert str(problem.why)
    assert problem.mark is not None
    return problem.why.code, problem.mark.line, problem.mark.column


ALIAS_BOMB = "a: &a [x,x]\n" + "".join(f"{c}: &{c} [*{b},*{b}]\n" for b, c in zip("abcdefgh", "bcdefghi", strict=True))


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        # Y01: anchors, aliases, merge keys
        (ALIAS_BOMB, "anchor", 1, 4),
        ("orders:\n- *a\n", "alias", 2, 3),
        ("orders:\n- &a x\n", "anchor", 2, 3),
        ("orders: &", "anchor", 1, 10),
        ("orders: *", "alias", 1, 10),
        ("&x orders: a", "anchor", 1, 1),
        ("*x : a", "alias", 1, 1),
        ("<<: {a: b}", "merge", 1, 1),
        ("orders:\n- {<<: x}", "merge", 2, 4),
        # Y06: tags and directives
        ("orders: !!python/object/apply:os.system ['id']", "tag", 1, 9),
        ("orders: !!binary aGk=", "tag", 1, 9),
        ("orders: !!set {a, b}", "tag", 1, 9),
        ("orders: !!str NO", "tag", 1, 9),
        ("orders: !own x", "tag", 1, 9),
        ("orders: ! x", "tag", 1, 9),
        ("orders: !<tag:yaml.org,2002:int> 3", "tag", 1, 9),
        ("orders: !h!x y", "tag", 1, 9),
        ("--- !x\na: b", "tag", 1, 5),
        ("%YAML 1.1\n---\na: b", "directive", 1, 1),
        ("%TAG ! tag:x,2000:\n---\na: b", "directive", 1, 1),
        ("%YAML 9.9\n---\na: b", "directive", 1, 1),
        ("%FOO bar\n---\na: b", "directive", 1, 5),
        # Y07: the same key twice
        ("seat: red\nseat: blue", "duplicate", 2, 1),
        ("orders:\n- {to: a, to: b}", "duplicate", 2, 11),
        ("se\u0301at: a\ns\u00e9at: b", "duplicate", 2, 1),
        ('"seat": a\nseat: b', "duplicate", 2, 1),
        # Y11: more than one document
        ("a: b\n---\nc: d", "documents", 2, 1),
        ("a: b\n...\n---\nc: d", "documents", 3, 1),
        ("a: b\n...\nc: d", "documents", 3, 1),
        ("a: b\n---\n", "documents", 2, 1),
        ("{a: b} c", "documents", 1, 8),
        # Y12: tabs
        ("orders:\n\t- a", "tab", 2, 1),
        ("\tgame: x", "tab", 1, 1),
        ("orders:\n  - a\n\t- b", "tab", 3, 1),
        ("orders:\n  - a\n \t- b", "tab", 3, 2),
        ("a:\n  b: c\n\td: e", "tab", 3, 1),
        # keys that are no words
        ("[a]: b", "key", 1, 1),
        ("? [a, b]\n: c", "key", 1, 3),
        ("{{a: b}: c}", "key", 1, 2),
        ("'': b", "key", 1, 1),
        ("? |\n  two\n  lines\n: c", "key", 1, 3),
        # what a hand slips into
        ("a: b: c", "colon", 1, 5),
        ("orders: - a", "dash", 1, 9),
        ("a: ? b", "question", 1, 4),
        ("a: @b", "sign", 1, 4),
        ("a: `b`", "sign", 1, 4),
        ("a: %b", "sign", 1, 4),
        ("a: ]", "sign", 1, 4),
        ("a: [b,,c]", "sign", 1, 7),
        ("a: 'b", "quote", 1, 4),
        ('a: b\nc: "d\ne: f\n', "quote", 2, 4),
        ('a: "b\n---\nc"', "quote", 1, 4),
        ('a: "\\q"', "escape", 1, 5),
        ('a: "\\xZZ"', "escape", 1, 7),
        ('a: "\\ud800"', "escape", 1, 7),
        ("a: [b\nc: d", "bracket", 1, 4),
        ("a: {b: c", "brace", 1, 4),
        ("a: b\nc", "no_colon", 2, 1),
        ("a:\n  - b\n c: d", "indent", 3, 2),
        ("a: 'b' c", "indent", 1, 8),
        ("a: | x\n  b", "block", 1, 6),
        # characters
        ("a: b\nc: \x00", "character", 2, 4),
        ("a: \x1b[2J", "character", 1, 4),
        ('a: "\\0"', "character", 1, 4),
        ('a: "\\e[2J"', "character", 1, 4),
        (b"a\0:\0 \0b\0".decode(), "character", 1, 2),
    ],
)
def test_what_is_refused_and_where(text, code, line, column):
    assert refused(text) == (code, line, column)


def test_both_places_of_a_double_key_are_named():
    with pytest.raises(Unreadable) as caught:
        parse(b"game: x\nseat: red\n\nseat: blue\n")
    assert "line 2" in str(caught.value.problem.why)
    assert caught.value.problem.mark.line == 4


@pytest.mark.parametrize("text", ["[" * 1000, "[" * 30_000, "{a: " * 8_000, "- " * 1000, "- " * 16_000, "? " * 16_000])
def test_deep_nesting_is_refused_in_no_time(text):  # Y04: the usual loaders die of this
    begun = time.process_time()
    assert refused(text)[0] in ("depth", "key")
    assert time.process_time() - begun < 0.5


def test_block_nesting_is_refused_where_it_gets_too_deep():
    text = "".join(f"{' ' * depth}k:\n" for depth in range(40))
    assert refused(text) == ("depth", 11, 11)


# --- limits: at the limit, and one past it ----------------------------------------------------------------------------


def test_the_size_of_a_file():
    head = b"a: b\n#"
    assert parse(head + b"x" * (USUAL.order_bytes - len(head))).data == {"a": "b"}
    assert refused(head + b"x" * (USUAL.order_bytes - len(head) + 1)) == ("size", 1, 1)
    assert refused("a: b", order_bytes=3) == ("size", 1, 1)


def test_the_depth():
    assert parse(b"[" * 10 + b"]" * 10).data == [[[[[[[[[[]]]]]]]]]]
    assert refused("[" * 11 + "]" * 11) == ("depth", 1, 11)
    assert refused("[[]]", depth=1) == ("depth", 1, 2)


def test_the_number_of_nodes():
    assert len(parse(b"- x\n" * 1999).data) == 1999  # and the list itself
    assert refused("- x\n" * 2000) == ("nodes", 2000, 3)
    assert refused("a: b", nodes=2) == ("nodes", 1, 4)


def test_the_length_of_a_text():
    assert parse(b"a: " + b"x" * 500).data["a"] == "x" * 500
    assert refused(b"a: " + b"x" * 501) == ("text", 1, 4)
    assert refused("a: xyz", text=2) == ("text", 1, 4)
    assert refused(b"x" * 501 + b": a") == ("key", 1, 1)


@pytest.mark.parametrize("begin", ["say: ", "Say: ", "say: {blue: ", "say:\n  blue: ", "orders: |\n  "])
def test_the_length_of_press(begin):
    end = "}" if "{" in begin else ""
    parse(f"{begin}{'x' * 4000}{end}".encode())
    assert refused(f"{begin}{'x' * 4001}{end}")[0] == "text"


def test_a_long_text_elsewhere_is_no_press():
    assert refused(f"note: {{say: {'x' * 501}}}")[0] == "text"
    assert refused(f"orders:\n- |\n  {'x' * 501}")[0] == "text"


# --- Y08: all scalars are text ---------------------------------------------------------------------------------------

NAMES = [
    "NO",
    "no",
    "on",
    "Off",
    "Y",
    "n",
    "true",
    "1e3",
    "0x1F",
    "010",
    "12:30:00",
    "1_000",
    "2026-11-18",
    ".inf",
    "=",
    "5.",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_word_is_read_as_the_letters_written(name):
    tree = parse(f"{name}: {name}\nlist: [{name}]".encode())
    assert tree.data == {name: name, "list": [name]}


@pytest.mark.parametrize("name", ["~", "null", "Null", "NULL"])
def test_a_null_keeps_its_letters(name):
    tree = parse(f"a: {name}\n{name}: b\nc: '{name}'\nd: [{name}]".encode())
    assert tree.data == {"a": None, name: "b", "c": name, "d": [None]}
    assert tree.letters == {("a",): name, ("d", 0): name}


def test_nothing_written_is_another_nothing():
    tree = parse(b"a:\nb: ''\nc:\n  -\n")
    assert tree.data == {"a": None, "b": "", "c": [None]}
    assert tree.letters == {("a",): "", ("c", 0): ""}


# --- Y11: below `end: orders` nothing is read ------------------------------------------------------------------------

TAILS = [
    "",
    "\n-- \nAnna",
    "\n\t[ { *x & !y",
    "\nend: orders",
    "\n---\nseat: blue",
    "\n\x00\x1b",
    "\nseat: blue",
    "\n  more",
]


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("end", ["end: orders", "End: Orders", "end:  'orders'  # thanks", 'end: "orders"'])
def test_what_stands_below_the_end_is_not_read(end, tail):
    assert list(parse(f"seat: red\n{end}{tail}".encode()).data) == ["seat", end[:3]]


def test_the_end_stands_in_the_column_of_the_first_key():
    assert parse(b"\n  # my orders\n  a: b\n  end: orders\n  c: d").data == {"a": "b", "end": "orders"}
    assert parse(b"---\na: b\nend: orders\n...\nx").data == {"a": "b", "end": "orders"}
    assert parse(b"a:\n  end: orders\nc: d").data == {"a": {"end": "orders"}, "c": "d"}


def test_a_quotation_mark_cannot_hide_the_end():
    assert refused('say: "hello\nend: orders\n"\nseat: blue') == ("quote", 1, 6)
    assert parse(b"say: |\n  hello\nend: orders\n  more").data == {"say": "hello\n", "end": "orders"}


# --- marks -----------------------------------------------------------------------------------------------------------


def test_every_key_and_value_has_its_place():
    tree = parse("game: x\n\norders:\n  - {do: 'été', to: [a]}\n  - two\n    lines\n".encode())
    assert tree.key_mark(("orders",)) == Mark(3, 1, 3, 7)
    assert tree.key_mark(("orders", 0, "to")) == Mark(4, 17, 4, 19)
    assert tree.mark(("orders", 0, "do")) == Mark(4, 10, 4, 15)
    assert tree.mark(("orders", 0, "to", 0)) == Mark(4, 22, 4, 23)
    assert tree.mark(("orders", 1)) == Mark(5, 5, 6, 10)
    assert tree.mark(("nowhere",)) == Mark(1, 1, 1, 1)
    assert tree.folded == {("orders", 1)}
    assert tree.blocks == set()


def test_lines_are_those_of_the_players_editor():
    tree = parse("a: 1\r\nb:\u00a02\rc: \u202f3\u2028d: 4".encode())
    assert tree.data == {"a": "1", "b": "2", "c": "3", "d": "4"}
    assert [tree.key_mark(path).line for path in tree.keys] == [1, 2, 3, 4]


simple = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=12)
trees = st.recursive(
    simple, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(simple, inner, max_size=4), max_leaves=12
)


@given(trees)
def test_what_is_written_in_quotes_comes_back(data):
    written = _json(data)
    expected = _read(data)
    if expected is None:
        return
    assert parse(written.encode()).data == expected


def _json(data):
    """JSON is YAML; its escapes are those of double quotes."""
    if isinstance(data, str):
        return '"' + "".join(f"\\U{ord(letter):08x}" for letter in data) + '"'
    if isinstance(data, list):
        return "[" + ", ".join(map(_json, data)) + "]"
    return "{" + ", ".join(f"{_json(key)}: {_json(value)}" for key, value in data.items()) + "}"


def _read(data):
    """What must come of it: composed letters; None where keys fall together, are none, or it is too deep."""
    if isinstance(data, str):
        text = settled(data)
        return None if forbidden(text) else text
    if isinstance(data, list):
        items = [_read(item) for item in data]
        return None if None in items else items
    found = {_read(key): _read(value) for key, value in data.items()}
    ok = len(found) == len(data) and None not in found and None not in found.values()
    return found if ok and "" not in found and "<<" not in found and not any("\n" in key for key in found) else None


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_give_a_tree_or_a_refusal_with_a_place_in_the_file(raw):
    try:
        tree = parse(raw)
    except Unreadable as error:
        mark = error.problem.mark
        assert 1 <= mark.line <= decode(raw).count("\n") + 2
        assert mark.column >= 1
    else:
        assert set(tree.letters) <= set(tree.values)
