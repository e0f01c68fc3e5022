"""Options: what a host may choose when he sets a game up, each value checked with a message that names the choices."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any, ClassVar, Self, cast

TRUE, FALSE = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}


class BadOption(ValueError):
    """An option the game does not have, or a value it does not take."""

    def __init__(self, option: str, value: object, reason: str, code: str = "") -> None:
        super().__init__(f"{option}: {value!s} is not possible: {reason}.")
        self.option, self.value, self.reason, self.code = option, value, reason, code


@dataclasses.dataclass(frozen=True)
class Spec:
    """How one option is read and what it takes, for messages and for `pbem games`."""

    read: Callable[[str, Any], Any]
    values: str
    help: str


def choice(*values: str, default: str | None = None, help: str = "") -> Any:
    """One word out of several; the first is the default unless told otherwise."""

    def read(name: str, value: Any) -> str:
        word = str(value).strip().lower()
        if word not in values:
            raise BadOption(name, value, f"choose one of {', '.join(values)}")
        return word

    return _field(values[0] if default is None else default, Spec(read, " | ".join(values), help))


def flag(default: bool = False, help: str = "") -> Any:
    """Yes or no."""

    def read(name: str, value: Any) -> bool:
        word = str(value).strip().lower()
        if word not in TRUE | FALSE:
            raise BadOption(name, value, "choose true or false")
        return word in TRUE

    return _field(default, Spec(read, "true | false", help))


def whole(default: int, low: int, high: int, help: str = "") -> Any:
    """A whole number between two bounds, both included."""
    if not low <= default <= high:
        raise ValueError(f"{default} does not lie between {low} and {high}")

    def read(name: str, value: Any) -> int:
        digits = str(value).strip()
        written = not isinstance(value, bool) and digits.removeprefix("-").isdecimal() and len(digits) < 20
        if not written or not low <= int(digits) <= high:
            raise BadOption(name, value, f"choose a whole number from {low} to {high}")
        return int(digits)

    return _field(default, Spec(read, f"{low} to {high}", help))


def text(default: str = "", values: str = "text", help: str = "") -> Any:
    """Words that the game itself reads and checks in `check`."""
    return _field(default, Spec(lambda name, value: value, values, help))


def _field(default: Any, spec: Spec) -> Any:
    return dataclasses.field(default=default, metadata={"spec": spec})


class OptionSet:
    """Base of every game's `Options`: a frozen dataclass of fields made by choice, flag, whole and text.

    Values may be typed or text, as they come from a command line. Cross checks go into `check`.
    """

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]

    def __new__(cls, **choices: Any) -> Self:
        names = [field.name for field in dataclasses.fields(cast(Any, cls))]
        for name, value in choices.items():
            if name not in names:
                near = get_close_matches(name, names, 1, 0.6)
                hint = f"did you mean {near[0]}? The" if near else "the"
                known = ", ".join(names) or "none"
                raise BadOption(name, value, f"there is no such option; {hint} options are: {known}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for name, (_, spec) in self.specs().items():
            object.__setattr__(self, name, spec.read(name, getattr(self, name)))
        self.check()

    def check(self) -> None:
        """Refuse combinations that do not go together by raising BadOption."""

    @classmethod
    @cache
    def specs(cls) -> Mapping[str, tuple[Any, Spec]]:
        """Name -> (default, spec), in the order they were written."""
        fields = dataclasses.fields(cast(Any, cls))
        return {field.name: (field.default, field.metadata["spec"]) for field in fields}

    def to_json(self) -> dict[str, Any]:
        """Every option with its value, defaults included, so that a later default changes no running game."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in ((name, getattr(self, name)) for name in self.specs())
        }
