"""The order form: YAML that a player can send back as it is, or after changing the lines under `orders:`.

Every scalar is read as text by the intake, so plain words are enough nearly always; whatever YAML could read in
another way is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.reports import plain
from pbem.reports.report import Menu, Notice, Receipt, Report, Stands

INDENT = "  "
WIDTH = 64  # columns of a comment, so that no line of it is broken again in the frame of a page
_plain = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 _+./()=,@<>*~^!?;'-]|:(?=\S)|#(?<=\S#))*", re.ASCII)

Says = Callable[..., str]  # gettext, with keywords


def form(letter: Report | Receipt | Notice, says: Says) -> str:
    """The form of a seat's next orders; "" when there is nothing to order any more, or not now."""
    if letter.seat is None or not letter.key or (not isinstance(letter, Report) and letter.is_closed):
        return ""
    lines = [f"game: {scalar(letter.game)}", f"seat: {scalar(letter.seat)}", f"turn: {letter.turn}"]
    lines += [f"key: {scalar(letter.key)}"]
    if isinstance(letter, Notice) and letter.kind == "dice":
        return "\n".join([*lines, "nonce:", "end: orders"])
    if _has_resigned(letter):  # it may still write to the others
        gone = says("This seat has resigned; its orders are not used any more.")
        return "\n".join([*lines, *_comment(gone), "end: orders"])
    lines += [*_comment(_advice(letter.stands, letter.menu, says))]
    lines += [*_orders(letter.stands, letter.menu, says), *_examples(letter.menu, says)]
    if letter.stands.standing:
        lines += ["standing:", *_block(letter.stands.standing, INDENT)]
    return "\n".join([*lines, "end: orders"])


def _has_resigned(letter: Report | Receipt | Notice) -> bool:
    if isinstance(letter, Receipt):
        return letter.resigned
    return isinstance(letter, Report) and letter.seat in letter.resigned


def _orders(stands: Stands, menu: Menu | None, says: Says) -> list[str]:
    """What stands is there to be changed; where nothing stands, the move that silence would mean."""
    if stands.nothing and not stands.orders:
        return ["orders: []"]
    orders = stands.form or ((menu.default,) if menu else ())
    if not orders:
        return ["# orders:", f"#   - {says('your order')}"]
    keys = [f"{scalar(name)}: {scalar(word)}" for name, word in stands.keys.items()]
    draft = ["draft: true"] if stands.form and not stands.orders else []
    return [*keys, *draft, "orders:", *_block(orders, INDENT)]


def _advice(stands: Stands, menu: Menu | None, says: Says) -> str:
    if stands.orders and stands.form:
        return says("These orders stand. Send the form back only to change them.")
    if stands.nothing:
        return says("You said that there is nothing to order. Write orders between the brackets only to change that.")
    if stands.form:
        return says("This draft counts only if you send nothing better. Take the draft line out to make it an order.")
    if menu:
        return says("This is what silence would mean. Write your own order in its place.")
    return says("You have nothing to decide now. To order ahead, write in the lines below, without their #.")


def _examples(menu: Menu | None, says: Says) -> list[str]:
    if menu is None or menu.count == 1 or not menu.examples:
        return []
    moves = [plain.one_line(move) for move in menu.examples]
    if sum(map(len, moves)) > 2 * plain.COLUMNS or any("," in move for move in moves):
        return [f"# {_legal(menu, says)}", *(f"#   {move}" for move in moves)]
    return _comment(f"{_legal(menu, says)} {', '.join(moves)}")


def _legal(menu: Menu, says: Says) -> str:
    if menu.count is None:
        return says("Some of many legal moves:")
    if menu.count > len(menu.examples):
        return says("Some of %(count)s legal moves:", count=menu.count)
    return says("All legal moves:")


def _comment(sentence: str) -> list[str]:
    return plain.wrap(sentence, "# ", "# ", WIDTH).split("\n")


def _block(value: Any, indent: str) -> Iterator[str]:
    """A mapping or a list, a line for each scalar."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _pair(f"{indent}{scalar(name)}:", item, indent)
    else:
        for item in value:
            yield from _item(item, indent)


def _pair(start: str, item: Any, indent: str) -> Iterator[str]:
    if isinstance(item, Mapping | list | tuple) and item:
        yield start
        yield from _block(item, indent + INDENT)
    else:
        yield f"{start} {_leaf(item)}"


def _item(item: Any, indent: str) -> Iterator[str]:
    """An item of a list: what it holds stands beside its dash."""
    inner = iter([_leaf(item)])
    if isinstance(item, Mapping | list | tuple) and item:
        inner = _block(item, indent + INDENT)
    yield f"{indent}- {next(inner).lstrip()}"
    yield from inner


def _leaf(item: Any) -> str:
    if isinstance(item, Mapping):
        return "{}"
    return "[]" if isinstance(item, list | tuple) else scalar(item)


def scalar(value: Any) -> str:
    """A text as YAML that reads as that text: plain where nothing else could be read, quoted elsewhere."""
    text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
    if _plain.fullmatch(text) and not text.endswith((" ", ":")):
        return text
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(_escaped(letter) for letter in text) + '"'


def _escaped(letter: str) -> str:
    if letter in '"\\':
        return "\\" + letter
    if letter.isprintable():
        return letter
    return f"\\x{ord(letter):02x}" if ord(letter) < 256 else f"\\U{ord(letter):08x}"
