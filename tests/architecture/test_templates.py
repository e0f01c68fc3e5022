"""Templates escape what they are given, quote attributes, and fetch and run nothing."""

import pytest

from tests.architecture.drawing import forbidden, templates


def test_no_template_holds_what_is_forbidden():
    found = [finding for place, text in templates() for finding in forbidden(place, text)]
    assert templates()
    assert not found, "\n".join(map(str, found))


@pytest.mark.parametrize(("place", "text"), [
    ("a.html.j2", "{{ name|safe }}"),
    ("a.html.j2", "<p>{{ name | safe }}</p>"),
    ("a.html.j2", "{% autoescape false %}"),
    ("a.html.j2", "<td class={{ kind }}>"),
    ("a.html.j2", "<td\n  class=wide>"),
    ("a.html.j2", "<script>alert(1)</script>"),
    ("a.html.j2", "<img src='x' onerror='x()'>"),
    ("a.html.j2", "<img alt='' src=\"https://example.org/x.png\">"),
    ("a.html.j2", "<link rel='stylesheet' href='x.css'>"),
    ("a.svg.j2", "<style>rect { fill: red }</style>"),
    ("a.svg.j2", "<rect fill=\"var(--ink)\"/>"),
])  # fmt: skip
def test_a_planted_fault_is_found(place, text):
    assert list(forbidden(place, text))


def test_a_quoted_attribute_and_a_comment_are_allowed():
    text = "{# never use |safe #}<td class=\"{{ kind }}\" id='{{ a }}'>{% if a == b %}<br>{% endif %}</td>"
    assert not list(forbidden("a.html.j2", text))
