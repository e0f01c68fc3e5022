"""Letters as JSON: what the schema promises, checked with a small validator that is not ours to bend."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import Any

import pytest

from pbem.reports import json as letters_json
from pbem.reports.report import Reader, Stands, Step, Taken
from tests.pbem.reports import letters
from tests.pbem.reports.letters import EVERY

SCHEMA = json.loads(resources.files("pbem.reports").joinpath("schema.json").read_text("utf-8"))
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {
    *("$ref", "oneOf", "anyOf", "const", "enum", "type", "pattern", "minimum"),
    *("required", "properties", "additionalProperties", "items", "description", "title", "$schema", "$defs"),
}


def is_a(value: Any, kind: str) -> bool:
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def faults(value: Any, schema: dict[str, Any], where: str = "") -> list[str]:
    """Where the value is not what this part of the schema says."""
    assert schema.keys() <= KNOWN, f"the validator does not know {schema.keys() - KNOWN}"
    found: list[str] = []
    if "$ref" in schema:
        found += faults(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")], where)
    for word, wanted in (("oneOf", 1), ("anyOf", None)):
        if word in schema:
            fits = sum(not faults(value, choice, where) for choice in schema[word])
            if not fits or (wanted and fits != wanted):
                found.append(f"{where}: {fits} of the choices fit")
    if "const" in schema and value != schema["const"]:
        found.append(f"{where}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where}: {value!r} is none of {schema['enum']}")
    kinds = schema.get("type", [])
    if kinds and not any(is_a(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        found.append(f"{where}: {value!r} is no {kinds}")
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        found.append(f"{where}: {value!r} does not match")
    if is_a(value, "integer") and value < schema.get("minimum", value):
        found.append(f"{where}: {value} is too small")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        found += [f"{where}: no {name}" for name in schema.get("required", ()) if name not in value]
        if schema.get("additionalProperties") is False:
            found += [f"{where}: unknown {name}" for name in value if name not in properties]
        for name in value.keys() & properties.keys():
            found += faults(value[name], properties[name], f"{where}/{name}")
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            found += faults(item, schema["items"], f"{where}/{i}")
    return found


def of_kind(value: dict[str, Any]) -> list[str]:
    return faults(value, SCHEMA["$defs"][value["letter"]])


@pytest.mark.parametrize("kind", EVERY)
def test_a_letter_is_as_the_schema_says(kind):
    value = json.loads(letters_json.render(EVERY[kind]("Word")))
    assert of_kind(value) == []
    assert faults(value, SCHEMA) == []


def test_the_public_report_is_as_the_schema_says():
    public = letters.quiet(seat=None, reader=Reader(""), key="", menu=None, stands=Stands(), deadline=None)
    value = json.loads(letters_json.render(public))
    assert of_kind(value) == []
    assert (value["seat"], value["deadline"], value["form"]) == (None, None, "")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("turn", "2"),
        ("turn", True),
        ("turn", -1),
        ("head", "xyz"),
        ("deadline", "tomorrow"),
        ("letter", "rumour"),
        ("more", 1),
        ("steps", [{"turn": 1, "moves": [], "events": [{"kind": "took"}]}]),
        ("menu", {"default": "a1"}),
    ],
)
def test_the_validator_sees_what_is_wrong(name, value):
    good = json.loads(letters_json.render(letters.quiet()))
    assert faults(good | {name: value}, SCHEMA) != []
    assert faults({key: item for key, item in good.items() if key != "facts"}, SCHEMA) != []


def test_facts_and_words_stand_side_by_side():
    value = letters_json.plain(letters.quiet())
    event = value["steps"][1]["events"][0]
    assert event["facts"] == {"seat": "1", "heap": "b", "count": 2, "left": 2}
    assert event["told"] == "Seat 1 takes 2 from heap b, which leaves 2."
    assert value["steps"][1]["moves"] == [{"seat": "1", "move": "b2", "how": "given"}]
    assert value["deadline"] == "2026-11-19T20:00:00Z"


def test_a_hidden_move_is_null():
    value = letters_json.plain(letters.quiet(steps=(Step(1, (Taken("1", None, "given"),)),)))
    assert value["steps"][0]["moves"] == [{"seat": "1", "move": None, "how": "given"}]
