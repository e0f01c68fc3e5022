"""Orders composed in the page go the whole way: saved, checked, submitted, resolved, told in the next report."""

from __future__ import annotations

from functools import partial
from itertools import chain
from pathlib import Path
from textwrap import TextWrapper
from typing import Any

import pytest

from engine.entries import Branch
from pbem.intake.fields import read_form
from pbem.intake.mail.walk import read_mail
from tests.pages.conftest import GAMES, HOSTILE, Opened, Sit, Table, Window, picture
from tests.pbem.cli.desk import DEADLINE, LATER

pytestmark = pytest.mark.browser


def chosen(page: Any) -> str:
    """The move that the page has composed."""
    return str(page.evaluate("composer.choice.text"))


def complete(page: Any) -> bool:
    return bool(page.evaluate("composer.choice.complete"))


def by_clicking(page: Any) -> str:
    """Places are clicked on the board as long as that leads on; where it does not, the lists are clicked."""
    if page.locator(".target").count():
        targets = page.locator(".target")
        targets.nth(targets.count() // 2).click()
    for _ in range(12):
        if complete(page) and page.evaluate("composer.choice.path.some((edge) => edge.text)"):
            break
        opened = page.locator(".target.open")
        if opened.count() and not page.evaluate("composer.places.length"):
            opened.nth(opened.count() // 2).click()
        else:
            page.locator("#steps fieldset").last.locator("input:enabled").last.click()
    return chosen(page)


def by_keyboard(page: Any, *answers: str) -> str:
    """The answers are typed and taken with Enter; to each further question it is the last one there."""
    page.locator("#filter").focus()
    for step in range(12):
        inputs = page.locator(f"input[name='step-{page.evaluate('composer.active')}']:enabled")
        answer = answers[step] if step < len(answers) else str(inputs.last.get_attribute("value"))
        page.keyboard.type(answer)
        page.keyboard.press("Enter")
        if complete(page):
            return chosen(page)
    raise AssertionError("the questions do not end")


def saved(opened: Opened, folder: Path, press: str = "") -> Path:
    page = opened.page
    with page.expect_download() as coming:
        if press:
            page.locator("#save").focus()
            page.keyboard.press(press)
        else:
            page.locator("#save").click()
    target = folder / coming.value.suggested_filename
    coming.value.save_as(target)
    return target


def goes_the_whole_way(table: Table, seat: str, file: Path, move: str) -> None:
    table.desk("check", file, "--now", LATER)
    assert table.desk.data("submit", file, "--now", LATER)["fate"] == "accepted"
    table.desk("nightly", "--now", DEADLINE, "--jobs", "1")
    made = [(made["seat"], made["move"], made["how"]) for step in table.report(seat)["steps"] for made in step["moves"]]
    assert (seat, move, "given") in made


@pytest.mark.parametrize("game", list(GAMES))
def test_an_order_is_clicked_on_a_telephone(game: str, sit: Sit, window: Window) -> None:
    table = sit(game)
    seat = table.seat
    opened = window.open(table.page(seat), 360, has_touch=True)
    move = by_clicking(opened.page)
    picture(opened.page, f"{game}-360")
    file = saved(opened, table.desk.folder)
    assert opened.page.evaluate("document.documentElement.scrollWidth") == 360
    assert [url for url in opened.asked_for if not url.startswith("blob:")] == []
    assert opened.said == []
    goes_the_whole_way(table, seat, file, move)


@pytest.mark.parametrize("game", list(GAMES))
def test_an_order_is_typed_at_a_desk(game: str, sit: Sit, window: Window) -> None:
    table = sit(game)
    seat = table.seat
    opened = window.open(table.page(seat), 1280)
    move = by_keyboard(opened.page)
    may_say = opened.page.locator("#say").count()
    if may_say:
        opened.page.locator("#say").fill("Well: \"played\"\n# - 'you' \u202e \u0007")
    picture(opened.page, f"{game}-1280")
    file = saved(opened, table.desk.folder, "Enter")
    link = opened.page.locator("#mail").get_attribute("href")
    assert link.startswith("mailto:orders")
    assert file.read_text().splitlines()[-1] == "end: orders"
    goes_the_whole_way(table, seat, file, move)
    if may_say:
        assert table.report(seat)["press"][0]["text"] == "Well: \"played\"\n# - 'you'"


def test_earlier_turns_are_stepped_through_by_keys(sit: Sit, window: Window) -> None:
    table = sit("jarmo")
    table.desk("nightly", "--now", DEADLINE, "--jobs", "1")
    opened = window.open(table.page("green"))
    page = opened.page
    assert page.locator("#when").inner_text() == "Decision 2"
    now = page.locator("#map svg desc").text_content()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#when").inner_text() == "Decision 1"
    assert page.locator("#map svg desc").text_content() != now
    page.keyboard.press("End")
    assert page.locator("#map svg desc").text_content() == now
    opened.is_quiet()


def test_what_is_wide_in_the_rules_is_scrolled_by_keys(sit: Sit, window: Window) -> None:
    """Its arrows are its own: they do not step through the turns."""
    table = sit("jarmo")
    table.desk("nightly", "--now", DEADLINE, "--jobs", "1")
    page = window.open(table.page("green"), 360, bypass_csp=True).page  # which lets nobody wait for an expression
    page.locator("#rules summary").click()
    page.locator("#rules pre").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.activeElement.scrollLeft > 0")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("document.activeElement.scrollLeft === 0")
    assert page.locator("#when").inner_text() == "Decision 2"


def test_several_orders_conditions_and_standing_answers_are_written_together(sit: Sit, window: Window) -> None:
    table = sit("conquest")
    seat = table.seat
    opened = window.open(table.page(seat), 360)
    page = opened.page
    moves = []
    for place in ("2", "3"):
        page.locator("#filter").fill(place)
        for _ in range(2):  # a piece, then where it goes
            page.locator("#steps fieldset").last.locator("input:enabled").first.check()
        moves.append(chosen(page))
        page.locator("#more").click()
    page.locator("#queue button", has_text="↓").first.click()
    page.locator(".composer summary").click()
    page.locator("#if-who").select_option("countered")
    page.locator("#if-what").fill("false")
    page.locator("#if-then").fill("end")
    page.locator("#if-add").click()
    page.locator("#key-at_end").select_option("ask")
    page.locator("#standing-counter").select_option("never")
    page.locator("#draft").check()
    picture(page, "conquest-queue-360")
    read = table.desk.data("check", saved(opened, table.desk.folder), "--now", LATER)
    assert opened.said == []
    assert read["fate"] == "draft"
    assert read["stands"]["standing"] == {"counter": "never"}
    [file] = read["stands"]["draft"]
    assert file["orders"][:2] == [moves[1], moves[0]]
    assert file["orders"][2] == {"if": [{"countered": "false"}], "then": ["end"]}
    assert file["at_end"] == "ask"


def test_a_condition_is_added_where_nothing_is_paid(sit: Sit, window: Window) -> None:
    """Most games have no purse; the choice goes on behind the condition."""
    table = sit("bagh-chal")
    opened = window.open(table.page(table.seat))
    page = opened.page
    page.locator(".composer summary").click()
    page.locator("#if-what").fill("a5-a4")
    page.locator("#if-then").fill("place c3")
    page.locator("#if-add").click()
    move = by_keyboard(page)
    assert opened.said == []
    written = saved(opened, table.desk.folder).read_text().splitlines()
    assert written[4:7] == ["orders:", '  - {"if": "a5-a4", "then": "place c3"}', f"  - {move}"]


def test_a_condition_outlives_a_mail_program_that_breaks_lines(sit: Sit, window: Window) -> None:
    """Broken wherever there is a blank, as narrow as a mail program may: it is read as it was written."""
    table = sit("bagh-chal")
    page = window.open(table.page(table.seat)).page
    page.locator(".composer summary").click()
    for name, said in (("what", "a5-a4"), ("then", "place c3"), ("else", "b2-b3")):
        page.locator(f"#if-{name}").fill(said)
    page.locator("#if-who").select_option("2")
    page.locator("#if-add").click()
    text = page.locator("#yaml").text_content()
    whole = read_form(text.encode()).form
    assert whole is not None
    assert isinstance(whole.orders[0], Branch)
    for width in range(30, 80):
        broken = "\n".join(chain.from_iterable(map(BREAKING(width).wrap, text.split("\n"))))
        [block] = read_mail(MAIL + broken.encode()).blocks
        assert block.reading.form is not None
        assert block.reading.form.orders == whole.orders, width


BREAKING = partial(TextWrapper, break_long_words=False, break_on_hyphens=False)
MAIL = b"From: a@example.org\nTo: orders@localhost\nMessage-ID: <1@example.org>\nSubject: Re: a game\n\n"


def test_a_mapping_is_written_by_hand_as_the_rules_show_it(sit: Sit, window: Window) -> None:
    """In quotes it would be a text, which no game reads."""
    table = sit("bagh-chal")
    opened = window.open(table.page(table.seat))
    opened.page.locator("#later").fill("{do: place, at: c3}")
    read = table.desk.data("check", saved(opened, table.desk.folder), "--now", LATER)
    assert [one["move"] for one in read["orders"]] == ["place c3"]


def test_what_stands_is_there_to_be_changed(sit: Sit, window: Window) -> None:
    """Orders that a page wrote are read by the next page: the first is chosen, the others stand as lines."""
    table = sit("khan")
    seat = table.seat
    opened = window.open(table.page(seat), 1280)
    move = by_keyboard(opened.page, "A")  # one action of two
    later = ["B RUS", f"if {other(seat)}: any, then pass, else S none"]
    opened.page.locator("#later").fill("\n".join(later))
    table.desk("submit", saved(opened, table.desk.folder), "--now", LATER)
    again = window.open(table.page(seat), 1280).page
    assert chosen(again) == move
    assert again.locator("#later").input_value().split("\n") == later


@pytest.mark.parametrize("written", ["C3", "{do: place, at: c3}"])
def test_what_stands_is_chosen_however_it_was_written(sit: Sit, window: Window, written: str) -> None:
    """As an order for later it would stay, in the same form, behind another move that is chosen in its place."""
    table = sit("bagh-chal")
    file = table.desk.folder / "before.yml"
    key = table.report(table.seat)["key"]
    file.write_text(f"game: {table.game}\nseat: 1\nturn: 1\nkey: {key}\norders:\n  - {written}\n  - d3\nend: orders\n")
    table.desk("submit", file, "--now", LATER)
    page = window.open(table.page(table.seat)).page
    assert chosen(page) == "place c3"
    assert page.locator("#later").input_value() == "d3"


def test_a_file_for_a_turn_is_there_as_it_was_written(sit: Sit, window: Window) -> None:
    """With its keys, in the page and in the form of the receipt; without the orders of a file for another turn."""
    table = sit("conquest")
    report = table.report(table.seat)
    head = f"game: {table.game}\nseat: {table.seat}\nturn: 1\nkey: {report['key']}\n"
    file = table.desk.folder / "before.yml"
    later = "n" if report["facts"]["mover"] == "s" else "s"
    file.write_text(f"{head}colour: {later}\nat_end: ask\norders:\n  - k {later}c3-{later}c2\nend: orders\n")
    told = table.desk("submit", file, "--now", LATER).out
    assert f"1. k {later}c3-{later}c2" in told
    assert "orders:\n  - end\n" in told, "what is asked now has no answer yet"
    file.write_text(f"{head}at_end: ask\non_illegal: skip\norders:\n  - end\nend: orders\n")
    told = table.desk("submit", file, "--now", LATER).out
    assert f"1. end\n2. k {later}c3-{later}c2\n" in told
    keys = "at_end: ask\norders:\n  - end\n"
    assert keys in told
    page = window.open(table.page(table.seat)).page
    assert keys in page.locator("#yaml").inner_text()
    assert chosen(page) == "end"


def test_a_line_for_later_that_would_count_now_is_told(sit: Sit, window: Window) -> None:
    """Without a move for now it would be the first of the file."""
    table = sit("bagh-chal")
    page = window.open(table.page(table.seat)).page
    page.locator("#later").fill("place d3")
    assert "the first line for later decisions would be used" in page.locator("#note").inner_text()
    page.locator("[data-place='c3']").click()
    assert page.locator("#note").inner_text() == ""
    assert "orders:\n  - place c3\n  - place d3\n" in page.locator("#yaml").text_content()


def test_what_is_taken_out_of_the_page_is_not_said_to_stand(sit: Sit, window: Window) -> None:
    """Standing answers end when the form says that there are none; of orders it says nothing, and the page tells so."""
    table = sit("conquest")
    file = table.desk.folder / "before.yml"
    key = table.report(table.seat)["key"]
    head = f"game: {table.game}\nseat: {table.seat}\nturn: 1\nkey: {key}\n"
    file.write_text(f"{head}orders:\n  - end\nstanding:\n  counter: never\nend: orders\n")
    table.desk("submit", file, "--now", LATER)
    opened = window.open(table.page(table.seat))
    page = opened.page
    assert page.locator("#note").inner_text() == ""
    page.locator("#standing-counter").select_option("")
    page.locator("#anew").click()
    assert "withdraw" in page.locator("#note").inner_text()
    table.desk("submit", saved(opened, table.desk.folder), "--now", LATER)
    opened = window.open(table.page(table.seat))
    opened.page.locator("#anew").click()
    opened.page.locator("#save").click()
    assert "withdraw" in opened.page.locator("#note").inner_text()
    assert "standing" not in opened.page.locator("#yaml").inner_text()


def test_orders_are_copied_where_a_page_may_not_write_to_the_clipboard_by_itself(sit: Sit, window: Window) -> None:
    table = sit("bagh-chal")
    page = window.open(table.page(table.seat)).page
    page.evaluate(
        """Object.defineProperty(navigator, "clipboard", { value: undefined });
        document.addEventListener("copy", () => (window.taken = getSelection().toString()))"""
    )
    by_keyboard(page)
    page.locator("#copy").click()
    assert page.locator("#note").inner_text() == "Copied."
    assert page.evaluate("taken").strip() == page.locator("#yaml").inner_text().strip()
    page.evaluate("document.execCommand = () => false")
    page.locator("#copy").click()
    assert page.locator("#note").inner_text() == "It is marked: copy it as you copy any text."


def test_without_its_script_a_page_says_so_and_shows_nothing_dead(sit: Sit, window: Window) -> None:
    """As a telephone shows it that looks into a file before it opens it."""
    table = sit("bagh-chal")
    page = window.open(table.page(table.seat), 360, java_script_enabled=False).page
    assert page.locator("noscript p").bounding_box()["y"] < 900
    assert not page.locator("#composer, .board, .jump").filter(visible=True).count()
    assert page.locator("#rules").is_visible()


def other(seat: str) -> str:
    return next(one for one in GAMES["khan"].seats if one != seat)


def test_a_hostile_name_is_a_text_and_would_do_nothing_as_markup(sit: Sit, window: Window) -> None:
    """Weakened build: a page without its policy; the last lines see it."""
    table = sit("bagh-chal")
    file = table.page(table.seat)
    opened = window.open(file)
    assert HOSTILE in opened.page.locator(".players").inner_text()
    opened.is_quiet()
    assert does_run(opened.page) is False
    bare = table.desk.folder / "bare.html"
    bare.write_text(file.read_text().replace("Content-Security-Policy", "X-Nothing"))
    assert does_run(window.open(bare).page) is True


def does_run(page: Any) -> bool:
    """Whether a handler that came in as markup is obeyed."""
    return bool(
        page.evaluate("""() => new Promise((tell) => {
          window.owned = () => tell(true);
          const box = document.createElement("div");
          box.innerHTML = "<button onclick='owned()'>x</button>";
          document.body.append(box);
          box.firstChild.click();
          setTimeout(() => tell(false), 200);
        })""")
    )
