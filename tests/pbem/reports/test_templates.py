"""The templates themselves: where they are found, that HTML ones escape, and what none of them may contain."""

from __future__ import annotations

import re
import sys
from gettext import NullTranslations
from pathlib import Path

import pytest
from jinja2 import FileSystemBytecodeCache, TemplateNotFound, UndefinedError, nodes
from markupsafe import Markup, escape

from engine import Event, games, load
from pbem.paths import data
from pbem.reports import environment, fallback, html, quick, text
from pbem.reports.words import Memo, Words
from tests.pbem.reports import letters
from tests.pbem.reports.hostile import NASTY

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
    """Whatever it prints besides its own words goes through escape, in the code that the HTML environment makes."""
    source, escaping, plain = file.read_text("utf-8"), known("en", True), known("en", False)
    template = escaping.parse(source)
    printed = [node for output in template.find_all(nodes.Output) for node in output.nodes]
    expressions = [node for node in printed if not isinstance(node, nodes.TemplateData | nodes.Const)]
    assert not list(template.find_all((nodes.ScopedEvalContextModifier, nodes.EvalContextModifier)))
    assert not list(template.find_all((nodes.MarkSafe, nodes.MarkSafeIfAutoescape)))
    shown = escaping.compile(source, raw=True).count("environment.escaped(")
    assert shown >= len(expressions)
    assert "environment.escaped(" not in plain.compile(source, raw=True)


@pytest.mark.parametrize("value", [*NASTY, 7, 1.5, None, True, Markup("<b>"), ["<", "&"], {"a": "'"}])
def test_the_quick_escape_escapes_as_the_slow_one_does(value):
    assert str(quick.escaped(value)) == str(escape(value))
    assert quick.spoken(NullTranslations(), True)["_"]("<b>%(x)s</b>", x=value) == f"<b>{escape(value)}</b>"


def test_translated_words_are_filled_in_the_way_each_environment_needs():
    for html_too, shown in ((True, "&lt;i&gt;"), (False, "<i>")):
        makes = environment.environment("en", html=html_too).from_string
        assert makes("{{ _('100 %% of %(x)s', x='<i>') }}").render() == f"100 % of {shown}"
        assert makes("{{ ngettext('%(num)s %(x)s', '%(num)s %(x)ss', 2, x='<i>') }}").render() == f"2 {shown}s"
        assert makes("{% trans x='<i>' %}All {{ x }}{% endtrans %}").render() == f"All {shown}"
        assert makes("{% for y in [1] %}{{ _('%(x)s', x='<i>') }}{% endfor %}").render() == shown


def test_a_template_that_names_what_is_not_there_fails():
    with pytest.raises(UndefinedError):
        environment.environment("en", html=True).from_string("{{ nobody }}").render()


def test_markup_is_made_in_two_places_only():
    """Of a picture that an escaping template rendered, and of our own words with escaped texts in them."""
    made = {
        file.name: re.findall(r"Markup\((\w+)", file.read_text("utf-8"))
        for file in Path(environment.__file__).parent.glob("*.py")
        if "Markup(" in file.read_text("utf-8")
    }
    assert made == {"words.py": ["template"], "quick.py": ["message"]}


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
    environment._environment.cache_clear()


def test_kept_bytecode_is_used_again_and_never_mixed_up(kept):
    """Text first, HTML second and anew: a page made from what the text environment left behind would not escape."""
    nasty = letters.report("<b>")
    first = text.render(nasty), html.render(nasty)
    compiled = sorted(kept.iterdir())
    assert {file.name[:5] for file in compiled} == {"html_", "text_"}
    before = {file: file.stat().st_mtime_ns for file in compiled}
    environment._environment.cache_clear()
    assert (text.render(nasty), html.render(nasty)) == first
    assert {file: file.stat().st_mtime_ns for file in kept.iterdir()} == before
    assert kept.stat().st_mode & 0o077 == 0


def test_who_may_not_keep_templates_compiles_for_himself(kept, monkeypatch):
    """A bounded process may write no file: a template that changed since it was kept must not halt a night."""

    def full(self, bucket):
        raise OSError(27, "File too large")

    monkeypatch.setattr(FileSystemBytecodeCache, "dump_bytecode", full)
    assert environment.environment("en", html=False).get_template("bagh-chal/words.txt.j2")
    assert not list(kept.iterdir())


def test_rendering_is_the_same_with_and_without_kept_bytecode(kept):
    letter = letters.report()
    with_it = html.render(letter)
    environment._bytecode.clear()
    environment._environment.cache_clear()
    assert html.render(letter) == with_it


@pytest.mark.parametrize("game", [game for game in games() if (data("templates") / game).is_dir()])
def test_no_game_breaks_its_lines_itself(game):
    """A frame breaks them where it needs to; in HTML, half a thought would be a paragraph of its own."""
    assert "wordwrap" not in (data("templates") / game / "words.txt.j2").read_text("utf-8")


def test_plain_facts_begin_with_whose_they_are():
    crept = Event("crept", "SNAIL-2.2", {"place": 3, "seat": "amber", "steps": 2})
    assert fallback.sentence(crept) == "Crept: seat amber, place 3, steps 2."
    assert fallback.sentence(Event("arrived", "SNAIL-3.1", {})) == "Arrived."
