"""A file read as an order form: what the keys take, and every fault at its place in one answer."""

import json
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.entries import Branch, Condition
from pbem.intake.characters import settled, words
from pbem.intake.fields import read_form
from pbem.intake.form import Absence, Reading
from pbem.intake.limits import USUAL
from pbem.intake.problems import Mark

HEAD = "game: jade-river\nseat: red\nturn: 12\nkey: K7Q2-9FXM\n"


def form(text, **settings):
    reading = read_form((text if text.startswith(("game", "Game", "{")) else HEAD + text).encode(), **settings)
    assert reading.problems == (), [str(problem.why) for problem in reading.problems]
    assert Reading.from_json(json.loads(json.dumps(reading.to_json()))) == reading
    return reading.form


def faults(text, **settings):
    """The codes with line and column, counted from the line below the head."""
    whole = text if isinstance(text, bytes) else (HEAD + text).encode()
    reading = read_form(whole, **settings)
    assert Reading.from_json(json.loads(json.dumps(reading.to_json()))) == reading
    assert all(str(problem.why) for problem in reading.problems)
    above = 0 if isinstance(text, bytes) else HEAD.count("\n")
    return [(found.why.code, found.mark.line - above, found.mark.column) for found in reading.problems]


def test_the_form_of_the_report():
    found = form("orders:\n  - plan HU development 2 fortification 3\nend: orders\n", body=True)
    assert (found.game, found.seat, found.turn, found.key) == ("jade-river", "red", 12, "K7Q2-9FXM")
    assert found.orders == ("plan HU development 2 fortification 3",)
    assert (found.draft, found.standing, found.say, found.nonce, found.absent) == (False, None, {}, None, None)
    assert (found.ended, found.written, found.numbers) == (True, 1, (1,))
    assert found.mark(("orders", 0)) == Mark(6, 5, 6, 42)


@pytest.mark.parametrize(
    ("written", "orders", "places"),
    [
        ("orders: pass", ("pass",), (("orders",),)),
        ("orders: {do: pass}", ({"do": "pass"},), (("orders",),)),
        ("orders:\n  do: plan\n  target: NO", ({"do": "plan", "target": "NO"},), (("orders",),)),
        ("orders: [a, {b: [c, d]}]", ("a", {"b": ["c", "d"]}), (("orders", 0), ("orders", 1))),
        ("orders: []", (), ()),
        ("orders: |\n  a5-b4\n\n  # why not\n  - b3", ("a5-b4", "b3"), (("orders", 0), ("orders", 1))),
        ("orders: >\n  plan HU\n  dev 2\n", ("plan HU dev 2",), (("orders",),)),
        ("orders:\n- 3: r5", ({"3": "r5"},), (("orders", 0),)),
        ("orders:\n- ~\n- NO\n- 1e3", ("~", "NO", "1e3"), (("orders", 0), ("orders", 1), ("orders", 2))),
        ("orders:\n- a\n  b", ("a b",), (("orders", 0),)),
        ("orders: {do: ~, to: null}", ({"do": "~", "to": "null"},), (("orders",),)),
        ("orders: “a5–b4”", ("a5-b4",), (("orders",),)),
        ("orders:\n• a5\u2011b4\n–\u00a0b4\u2212c3", ("a5-b4", "b4-c3"), (("orders", 0), ("orders", 1))),
    ],
)
def test_orders_may_be_one_text_a_list_or_a_mapping(written, orders, places):
    found = form(written)
    assert (found.orders, found.places) == (orders, places)


def test_a_conditional_keeps_the_places_of_its_parts():
    found = form(
        "orders:\n- a\n- If: {Seat: blue, Does: b2}\n  Then:\n    - c\n    - if: d\n      then: e\n  else: f\n"
    )
    inner = Branch((Condition(None, "d"),), ("e",))
    assert found.orders[1] == Branch((Condition("blue", "b2"),), ("c", inner), ("f",))
    assert found.mark(("orders", 1, "then", 1, "then", 0)) == Mark(11, 13, 11, 14)
    assert found.mark(("orders", 1, "else", 0))[:2] == (12, 9)
    assert found.mark(("orders", 1, "if", 3))[:2] == (6 + 1, 7)


def test_the_lines_of_a_text_have_places():
    found = form("orders: |\n  a5-b4\n\n    b3\n")
    assert [found.mark(path) for path in found.places] == [Mark(6, 3, 6, 8), Mark(8, 5, 8, 7)]


@pytest.mark.parametrize("name", ["NO", "on", "Y", "~", "null", "1", "12:30", "d’Or"])
def test_names_are_the_letters_written(name):  # Y08
    found = form(f"game: {name}\nseat: {name}\nturn: 1\nkey: {name}\norders: [{name}]")
    assert found.seat == found.key == found.orders[0] == words(name)
    assert found.game == words(name).lower(), "which the names of all games are"


def test_phones_begin_lines_with_a_capital():
    found = form("Game: x\nSEAT: NO\nTurn: 3\nOrders: a\nDraft: Oui\nEnd: Orders", body=True)
    assert (found.seat, found.turn, found.orders, found.draft, found.ended) == ("NO", 3, ("a",), True, True)


@pytest.mark.parametrize(
    ("written", "draft"), [("true", True), ("Sì", True), ("1", True), ("no", False), ("off", False), ("", False)]
)
def test_a_draft_is_said_in_many_words(written, draft):
    assert form(f"orders: a\ndraft: {written}").draft is draft


def test_what_is_left_empty_is_not_said():
    found = form("orders: a\ndraft:\nstanding:\nsay:\nnonce:\nabsent:\n")
    assert (found.draft, found.standing, found.say, found.nonce, found.absent) == (False, None, {}, None, None)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("say: Hello", {"all": "Hello"}),
        ("say: |\n  Two –\n  “lines”\n", {"all": "Two –\n“lines”"}),
        ("say:\n  blue: hi\n  all: ho", {"blue": "hi", "all": "ho"}),
        ("say: null", {"all": "null"}),
    ],
)
def test_press(written, said):
    assert form(written).say == said


@pytest.mark.parametrize(
    ("written", "absence"),
    [
        ("2026-12-31", Absence(True, None, date(2026, 12, 31))),
        ("{since: 2026-12-20, until: 2026-12-31}", Absence(True, date(2026, 12, 20), date(2026, 12, 31))),
        ("{since: 2026-12-20}", Absence(True, date(2026, 12, 20), None)),
        ("{since: 2026‑12‑20}", Absence(True, date(2026, 12, 20), None)),
        ("no", Absence(False)),
        ("yes", Absence(True)),
    ],
)
def test_notice_of_absence(written, absence):
    assert form(f"absent: {written}").absent == absence


def test_standing_answers_are_words_all_the_way_down():
    text = "standing:\n  counter: {rules: [{when: {at: [capital, NO]}, answer: “always”}], else: ~}\n"
    rules = [{"when": {"at": ["capital", "NO"]}, "answer": "always"}]
    assert form(text).standing == {"counter": {"rules": rules, "else": "~"}}
    assert form("standing: {}").standing == {}
    assert form("nonce: 4F-2~x").nonce == "4F-2~x"


def test_keys_that_rules_of_games_add():
    text = "orders: a\nOn_Illegal: skip\n"
    assert form(text, game_keys={"on_illegal"}).extra == {"on_illegal": "skip"}
    assert [code for code, *_ in faults(text)] == ["unknown_key"]
    asks = "orders:\n- if: {countered: no}\n  then: a\n"
    assert form(asks, conditions={"countered"}).orders == (Branch((Condition(facts=(("countered", "no"),)),), ("a",)),)
    assert [code for code, *_ in faults(asks)] == ["bad_if"]


# --- Y15: no order found, which is not "orders cancelled" ------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [b"", b"\n\n", b"# only\n# comments\n", b"null", b"~", b"---", b"word", b"'a text'", b"- a\n- b", b"[]", b"{}"],
)
def test_a_file_without_a_form_holds_no_order(raw):
    reading = read_form(raw)
    assert reading.form is None
    assert [problem.why.code for problem in reading.problems] == ["no_order"]


@pytest.mark.parametrize(
    "text", ["", "orders:", "orders: ~", "orders: null", "orders: ''", "orders: {}", "draft: true"]
)
def test_a_form_without_an_order_holds_none(text):
    reading = read_form((HEAD + text).encode())
    assert [problem.why.code for problem in reading.problems] == ["no_order"]
    assert reading.form.orders is None


def test_an_empty_list_is_the_word_that_there_is_nothing_to_order():
    assert form("orders: []").orders == ()


# --- what is wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("moev: x\norders: a", [("unknown_key", 1, 1)]),  # Y16
        ("seat: blue\norders: a", [("duplicate", 1, 1)]),  # Y07
        ("Seat: blue\norders: a", [("duplicate", 1, 1)]),
        ("orders: a\ndraft: perhaps", [("draft", 2, 8)]),
        ("orders: a\ndraft: [yes]", [("not_text", 2, 8)]),
        ("standing: always", [("standing", 1, 11)]),
        ("standing: [a]", [("standing", 1, 11)]),
        ("standing: {a: }", [("empty", 1, 12)]),
        ("say: [a, b]", [("say", 1, 6)]),
        ("say: {blue: [a]}", [("say", 1, 6)]),
        ("say: {blue: }", [("say", 1, 6)]),
        ("say:\n  anon: a\n  anonyme all: b", [("duplicate", 3, 3)]),
        ("nonce: {a: b}", [("not_text", 1, 8)]),
        ("absent: soon", [("absent", 1, 9)]),
        ("absent: 2026-02-30", [("absent", 1, 9)]),
        ("absent: {from: 2026-12-20}", [("absent", 1, 9)]),
        ("absent: {since: [x]}", [("absent", 1, 9)]),
        ("absent: {since: ~}", [("absent", 1, 9)]),
        ("absent: {}", [("absent", 1, 9)]),
        ("absent: [x]", [("absent", 1, 9)]),
        ("absent: {since: 2026-12-20, until: 2026-12-19}", [("absent", 1, 9)]),
        ("orders: a\nend: here", [("end", 2, 6)]),
        ("orders: a\nend:", [("empty", 2, 5)]),
        ("orders:\n- \n- a", [("empty_order", 2, 2)]),
        ("orders: ['']", [("empty_order", 1, 10)]),
        ("orders: [[a]]", [("list_in_list", 1, 10)]),
        ("orders:\n- {do: , to: a}", [("empty", 2, 4)]),
        ("orders:\n- do:\n", [("empty", 2, 3)]),
        ("orders:\n- {“do”: a, do: b}", [("duplicate", 2, 13)]),
        ("orders:\n- if: a\n  then: b\n  If: c", [("duplicate", 4, 3)]),
        ("orders:\n- if: a", [("no_then", 2, 3)]),
        ("orders:\n- if: a\n  than: b", [("branch_key", 3, 3)]),
        ("orders:\n- then: a", [("no_if", 2, 3)]),
        ("orders:\n- if: {seet: blue}\n  then: a", [("bad_if", 2, 8)]),
        ("orders:\n- if: a\n  then:\n  - \n", [("empty_order", 4, 4)]),
        ("orders:\n- a\n  - b", [("indent", 3, 3)]),
        ("orders:\n- a\n  b\n  -", [("indent", 4, 3)]),
        ("standing:\n  a: b\n   - c", [("indent", 3, 4)]),
        ("orders: [BID 1000001]", [("number", 1, 10)]),
        ("orders: {bid: -1000001}", [("number", 1, 15)]),
        ("orders: ['９９９９９９９９']", [("number", 1, 10)]),
        ("orders: |\n  a\n  b 99999999999", [("number", 3, 3)]),
        ("orders: |\n  a\n  " + "x" * 501, [("text", 3, 3)]),
    ],
)
def test_what_is_refused_and_where(text, expected):
    assert faults(text) == expected


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("turn: twelve", "turn"),
        ("turn: -1", "turn"),
        ("turn: 1.5", "turn"),
        ("turn: 12 13", "turn"),
        ("turn: ¹²", "turn"),
        ("turn: 1000001", "turn"),
        ("turn: " + "9" * 400, "turn"),
        ("turn: [12]", "not_text"),
        ("turn:", "empty"),
        ("", "missing"),
    ],
)
def test_a_turn_is_a_whole_number(line, code):
    reading = read_form(f"game: x\nseat: y\n{line}\norders: a\n".encode())
    assert [problem.why.code for problem in reading.problems] == [code]
    assert reading.form.turn is None


def test_numbers_may_be_as_large_as_the_limit():
    assert form("orders: [BID 1000000, '-1000000']").written == 2
    assert faults("orders: [BID 7]", limits=replace(USUAL, number=6)) == [("turn", -1, 7), ("number", 1, 10)]


def test_without_game_and_seat_there_is_no_form():
    reading = read_form(b"turn: 3\norders: a\n")
    assert reading.form is None
    assert [str(problem.why)[:17] for problem in reading.problems] == ["The line `game:` ", "The line `seat:` "]


def test_a_body_must_end():
    assert faults("orders: a\n", body=True) == [("no_end", 2, 1)]
    [missing] = read_form((HEAD + "orders: a\n").encode(), body=True).problems
    assert missing.mark == Mark(6, 1, 6, 1)
    assert faults("orders: a\n- b", body=True)[0][0] == "indent"
    assert form("orders: a\nend: orders", body=True).ended
    assert not form("orders: a").ended


def test_a_mail_cut_in_the_middle_of_the_orders_is_not_a_shorter_order():
    whole = HEAD + "orders:\n  - a\n  - b\nend: orders\n"
    for length in range(len(HEAD), len(whole) - 1):
        assert read_form(whole[:length].encode(), body=True).problems


def test_all_that_is_wrong_is_told_in_one_answer():
    text = "orders:\n- \n- if: x\n- BID 9999999\nturm: 3\ndraft: maybe\nsay: [x]\n"
    expected = ["empty_order", "no_then", "number", "unknown_key", "draft", "say"]
    assert [code for code, *_ in faults(text)] == expected


def test_the_nearest_key_is_named():
    (problem,) = read_form((HEAD + "oders: a\n").encode()).problems
    assert "Did you mean `orders`?" in str(problem.why)


def test_numbers_count_the_faulty_orders_too():
    reading = read_form((HEAD + "orders:\n- a\n- \n- b\n").encode())
    assert (reading.form.orders, reading.form.numbers, reading.form.written) == (("a", "b"), (1, 3), 3)


plain_words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)
orders = plain_words | st.dictionaries(plain_words, plain_words, min_size=1, max_size=3)


@given(plain_words, plain_words, st.integers(0, 10**6), st.lists(orders, max_size=4), st.booleans())
def test_what_is_written_in_json_is_read_as_it_was_meant(game, seat, turn, listed, draft):
    data = {"game": game, "seat": seat, "turn": str(turn), "orders": listed, "draft": str(draft)}
    reading = read_form(json.dumps(data, ensure_ascii=False).encode())
    if reading.problems:
        allowed = {"empty", "empty_order", "duplicate", "number", "no_if", "branch_key", "no_then", "bad_if", "text"}
        assert {problem.why.code for problem in reading.problems} <= allowed | {"key", "merge", "character"}
        return
    assert (reading.form.game, reading.form.seat, reading.form.turn) == (
        words(settled(game)).lower(),
        words(settled(seat)),
        turn,
    )
    assert reading.form.draft is draft
    assert len(reading.form.orders) == len(listed)


def test_the_longest_line_of_a_text_is_taken():
    assert form("orders: |\n  a\n  " + "x" * USUAL.text + "\n").orders == ("a", "x" * USUAL.text)
