"""The templates themselves: where they are found, that HTML ones escape, and what none of them may contain."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from jinja2 import TemplateNotFound, UndefinedError, nodes

from engine import games, load
from pbem.paths import data
from pbem.reports import environment, html, text
from pbem.reports.words import Memo, Words
from tests.pbem.reports import letters

FOLDERS = (data("templates"), Path(__file__).parents[2] / "sample_games" / "sample_games" / "templates")
FILES = sorted(file for folder in FOLDERS for file in folder.rglob("*.j2"))
HTML = [file for file in FILES if not file.name.endswith(".txt.j2")]

_opening = re.compile(r"<[a-zA-Z][^<>]*>")
_jinja = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_attribute = re.compile(r"""[^\s"'<>/=]+\s*=\s*("[^"]*"|'[^']*')""")


def name(file: Path) -> str:
    return next(file.relative_to(folder) for folder in FOLDERS if file.is_relative_to(folder)).as_posix()


def known(lang: str, autoescape: bool):
    for game in games():
        environment.brought().add(load(game))
    return environment.environment(lang, html=autoescape)


def faults(source: str) -> list[str]:
    """What a template may not contain: a way round autoescape, attributes without quotes, or anything from outside."""
    words = (r"\|\s*safe\b", "Markup", "autoescape", "<script", "<link", "<iframe", "<object", "@import", r"url\(")
    found = [word for word in words if re.search(word, source)]
    addresses = re.findall(r"(?:src|href|action|background)\s*=\s*\"(?!\{\{|#)[^\"]*\"|https?://[^\s\"]+", source)
    found += [address for address in addresses if "http://www.w3.org/" not in address]
    bare = _jinja.sub(lambda jinja: "x" if jinja[0].startswith("{{") else "", source)
    for tag in _opening.findall(bare):
        inside = tag[1:-1].rstrip("/").partition(" ")[2]
        if _attribute.sub("", inside).strip() or re.search(r"\bon[a-z]+\s*=", inside):
            found.append(tag)
    return found


@pytest.mark.parametrize("file", FILES, ids=name)
def test_a_template_escapes_and_brings_nothing_from_outside(file):
    assert faults(file.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "{{ name | safe }}",
        "{{ name|safe }}",
        "{{ Markup(name) }}",
        "{% autoescape false %}{% endautoescape %}",
        "<td class={{ name }}>",
        "<td class=x>",
        '<img src="http://evil.example/x.png">',
        "<script>",
        '<p onclick="x()">',
        '<p style="background: url(x)">',
    ],
)
def test_the_linter_sees_each_fault(source):
    assert faults(source) != []


@pytest.mark.parametrize("file", FILES, ids=name)
def test_every_template_compiles_with_autoescape_on_in_html_and_off_in_text(file):
    for escapes in (True, False):
        template = known("en", escapes).get_template(name(file))
        assert template.environment.autoescape is escapes


@pytest.mark.parametrize("file", HTML, ids=name)
def test_what_a_template_prints_is_escaped(file):
    """Each expression in it, compiled as the HTML environment compiles it, goes through escape."""
    escaping = known("en", True)
    source = file.read_text("utf-8")
    outputs = list(escaping.parse(source).find_all(nodes.Output))
    code = escaping.compile(source, raw=True)
    assert all(
        not isinstance(node, nodes.ScopedEvalContextModifier) for node in escaping.parse(source).find_all(nodes.Node)
    )
    if any(not isinstance(part, nodes.TemplateData) for output in outputs for part in output.nodes):
        assert "escape(" in code


def test_a_template_that_names_what_is_not_there_fails():
    with pytest.raises(UndefinedError):
        environment.environment("en", html=True).from_string("{{ nobody }}").render()


def test_only_this_program_names_markup_and_only_once():
    """One place turns a rendered picture into markup; it is the output of an escaping template."""
    sources = [file.read_text("utf-8") for file in Path(environment.__file__).parent.glob("*.py")]
    assert sum(source.count("return Markup(template.render(") for source in sources) == 1
    assert sum(len(re.findall(r"Markup\((?!\"\"\)|template\.render)", source)) for source in sources) == 0


# --- where templates are found ---------------------------------------------------------------------------------------


def test_a_game_of_somebody_elses_brings_its_own_templates():
    words = Words(letters.NIM, "en", Memo())
    assert "Heap a holds 3 objects." in words.described(letters.quiet().view)
    assert not (data("templates") / "nim").exists()


def test_templates_beside_the_module_itself_are_found_too(tmp_path, monkeypatch):
    package = tmp_path / "lonely_game"
    (package / "templates").mkdir(parents=True)
    (package / "__init__.py").write_text("class Rules:\n    id, version, title = 'lonely', '1', {'en': 'Lonely'}\n")
    (package / "templates" / "board.txt.j2").write_text("a board of its own")
    monkeypatch.syspath_prepend(tmp_path)
    rules = __import__("lonely_game").Rules()
    try:
        assert Words(rules, "en", Memo()).drawn(letters.quiet().view) == "a board of its own"
    finally:
        environment.brought().folders.pop("lonely")
        sys.modules.pop("lonely_game")


@pytest.mark.parametrize(
    "asked", ["nim/../../../conftest.py", "nim/..\\x", "../frame/base.html.j2", "nobody/events.j2", "nim"]
)
def test_no_name_leads_out_of_the_templates(asked):
    known("en", False)
    with pytest.raises(TemplateNotFound):
        environment.environment("en", html=False).get_template(asked)


# --- compiled templates kept on disk ---------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path):
    environment.keep_bytecode(tmp_path / "compiled")
    yield tmp_path / "compiled"
    environment._bytecode.clear()
    environment.environment.cache_clear()


def test_kept_bytecode_is_used_again_and_never_mixed_up(kept):
    """Text first, HTML second and anew: a page made from what the text environment left behind would not escape."""
    nasty = letters.report("<b>")
    first = text.render(nasty), html.render(nasty)
    compiled = sorted(kept.iterdir())
    assert {file.name[:5] for file in compiled} == {"html_", "text_"}
    before = {file: file.stat().st_mtime_ns for file in compiled}
    environment.environment.cache_clear()
    assert (text.render(nasty), html.render(nasty)) == first
    assert {file: file.stat().st_mtime_ns for file in kept.iterdir()} == before
    assert kept.stat().st_mode & 0o077 == 0


def test_rendering_is_the_same_with_and_without_kept_bytecode(kept):
    letter = letters.report()
    with_it = html.render(letter)
    environment._bytecode.clear()
    environment.environment.cache_clear()
    assert html.render(letter) == with_it
