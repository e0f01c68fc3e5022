"""Catalogues: every message is said in every language, with the same names in it and all forms of its plurals."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog

from engine import load
from pbem.reports import environment, translating
from tests.pbem.languages import checking, keeping
from tests.pbem.languages.extracting import FRAME, ROOT, Found, folders, messages

BOTH = pytest.mark.parametrize("lang", keeping.LANGUAGES)
EVERY = pytest.mark.parametrize("folder", folders())


@BOTH
@EVERY
def test_everything_is_said(folder, lang):
    """A message left out of a .po file, an empty msgstr, a lost `%(name)s` or a plural form too few makes it fail."""
    assert [*checking.faults(keeping.read(folder, lang), messages(folder))] == []


@BOTH
@EVERY
def test_the_file_is_as_the_tool_writes_it(folder, lang):
    """Nothing that is not said any more lies in it: `python -m tests.pbem.languages.keeping` brings it up to date."""
    known = {(message.id, message.context) for message in keeping.read(folder, lang) if message.id}
    said = {((one.single, one.plural) if one.plural else one.single, one.context or None) for one in messages(folder)}
    assert {entry for entry in known - said if entry[1] not in keeping.KEPT} == set()


@BOTH
@EVERY
def test_readers_get_it(folder, lang):
    rules = None if folder == FRAME else load(folder)
    assert environment.language(lang, rules) == lang


def catalogue() -> Catalog:
    made = Catalog(locale="fr")
    made.add("{seat} takes %(what)s.", "{seat} prend %(what)s.")
    made.add(("%(num)s horse", "%(num)s horses"), ("%(num)s cheval", "%(num)s chevaux"))
    return made


FOUND = [Found("here", 1, "{seat} takes %(what)s."), Found("here", 2, "%(num)s horse", "%(num)s horses")]


def test_a_catalogue_without_faults_has_none():
    assert [*checking.faults(catalogue(), FOUND)] == []
    assert translating.is_complete(catalogue())


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda made: made.delete("{seat} takes %(what)s."), "missing"),
        (lambda made: setattr(made["{seat} takes %(what)s."], "string", ""), "nothing said"),
        (lambda made: setattr(made["{seat} takes %(what)s."], "string", "{seat} prend."), "other names"),
        (lambda made: setattr(made["{seat} takes %(what)s."], "string", "{siege} prend %(what)s."), "other names"),
        (lambda made: setattr(made["%(num)s horse"], "string", ("%(num)s cheval", "")), "nothing said"),
        (lambda made: setattr(made["%(num)s horse"], "string", ("%(num)s cheval",)), "not as many forms"),
        (lambda made: made["{seat} takes %(what)s."].flags.add("fuzzy"), "only a guess"),
    ],
)
def test_a_fault_is_found(spoil, why):
    """The weakened builds of the test above, one each."""
    made = catalogue()
    spoil(made)
    (fault,) = checking.faults(made, FOUND)
    assert fault.startswith(why)


def test_readers_never_get_half_of_each(tmp_path):
    """A catalogue with one message unsaid is none at all."""
    (tmp_path / translating.LOCALE).mkdir()
    path = tmp_path / translating.LOCALE / "fr.po"
    made = catalogue()
    path.write_bytes(_written(made))
    said = translating.load((tmp_path,), "fr")
    assert said is not None
    assert said.ngettext("%(num)s horse", "%(num)s horses", 0) == "%(num)s cheval"  # French counts none as one
    made["{seat} takes %(what)s."].string = ""
    path.write_bytes(_written(made))
    assert translating.load((tmp_path,), "fr") is None


def _written(made: Catalog) -> bytes:
    out = BytesIO()
    keeping.write_po(out, made)
    return out.getvalue()


def test_a_compiled_catalogue_says_the_same(tmp_path):
    """What the build puts into a wheel, against what a checkout reads."""
    source = keeping.path_of(FRAME, "it")
    (tmp_path / translating.LOCALE).mkdir()
    (tmp_path / translating.LOCALE / "it.mo").write_bytes(translating.compiled(keeping.read(FRAME, "it")))
    made, read = translating.load((tmp_path,), "it"), translating.load((source.parent.parent,), "it")
    assert made is not None
    assert read is not None
    for one in messages(FRAME):
        if not one.plural and not one.context:
            assert made.gettext(one.single) == read.gettext(one.single) != ""


def test_reading_catalogues_is_left_until_somebody_needs_one():
    """An English host does not pay for languages: no catalogue is parsed when a module is loaded."""
    code = "import pbem.reports.text, sys; from pbem.reports import environment as e; print(e._catalogue.cache_info())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "currsize=0" in done.stdout
