"""HTML as a person sees it: indentation kept, quotations marked, nothing hidden, and never slow."""

from __future__ import annotations

import time

import pytest

from pbem.intake.mail.html_text import text_of


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<div>a</div><div>b</div>", "a\nb"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<p>a <b>b</b>\n  c</p>", "a b c"),
        ("<pre>a\n  - b\n</pre>c", "a\n  - b\nc"),
        ("<div style='white-space: pre-wrap'>a\n  b</div>", "a\n  b"),
        ("<div>&nbsp; - b</div>", "\u00a0 - b"),
        ("orders:<ul><li>b3</li><li><p>a2</p></li></ul>end: orders", "orders:\n- b3\n- a2\nend: orders"),
        ("<blockquote>a<br>b</blockquote>c", "> a\n> b\nc"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>> b"),
        ("<div class='yahoo_quoted'>a</div>", "> a"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
        ("a &lt;b&gt; &amp; &#233;&eacute;", "a <b> & \u00e9\u00e9"),
        ("1 < 2 > 1 <3", "1 < 2 > 1 <3"),
        ("<a title='x > y'>a</a>", "a"),
        ("a<!-- b -->c<!x>d<?y?>e", "acde"),
        ("<unknown>a</unknown></b>b</div></p>c", "ab\nc"),
        ("<p>a", "a"),
        ("<div style='display:none'>a<br>b</div>c", "c"),
        ("<blockquote><ul><li>a</li></ul></blockquote>b", "> - a\nb"),
        ("a<!-- never closed", "a"),
        ("<!a>b", "b"),
        ("a<!-->b<!>c", "abc"),  # a comment may end as soon as it has begun
        ("a<blockquote><br>b</blockquote>", "a\n> \n> b"),  # a blank line belongs to what it stands in,
        ("a<span class='quoted-content'><br>b</span>", "a\n> b"),  # and the end of a line to that line
        ("a<span class='quoted-content'>b</span>c", "a\n> b\nc"),
        ("a<span class='quoted-content'></span>b", "ab"),  # where nothing is quoted the line goes on
        ("<ul><li class='quoted-content'><br>b</li></ul>", "> -\n> b"),
        ("<ul><li hidden>a</li><li>b</li></ul>", "- b"),
        ("<div hidden><p>a</div>b", "b"),  # what closes a tag closes those that are open inside it
        ("<<b>a</b>", "<a"),
        ("<style>.x { display: none }</style><p class='x'>a</p><p class='y'>b</p>", "b"),
    ],
)
def test_what_is_seen(html: str, text: str) -> None:
    assert text_of(html) == text


@pytest.mark.parametrize(("blanks", "seen"), [(398, ""), (399, "a")])
def test_the_names_of_a_rule_are_looked_at_so_far_back(blanks: int, seen: str) -> None:
    assert text_of(f"<style>.x{' ' * blanks}{{display:none}}</style><p class='x'>a</p>") == seen


def test_tags_are_told_apart_up_to_a_depth() -> None:
    """Deeper ones close nothing that stands above them."""
    for depth, seen in ((198, "b"), (199, "a\nb")):
        html = "<div>" * depth + "<div style='display:none'>a</div>b"
        assert text_of(html).strip() == seen


@pytest.mark.parametrize(
    "html",
    [
        "<div style='display: none'>{}</div>",
        "<div style='DISPLAY:\nNONE !important'>{}</div>",
        "<div style='visibility:hidden'>{}</div>",
        "<div style='font-size:0px'>{}</div>",
        "<div style='font-size:1px'>{}</div>",
        "<div style='max-height:0;overflow:hidden'>{}</div>",
        "<div style='opacity:0'>{}</div>",
        "<div style='mso-hide:all'>{}</div>",
        "<div style='color:#FFFFFF'>{}</div>",
        "<div style='color:transparent'>{}</div>",
        "<div style='position:absolute;left:-9999px'>{}</div>",
        "<div style='text-indent:-999px'>{}</div>",
        "<font color='white'>{}</font>",
        "<div hidden>{}</div>",
        "<div hidden='hidden'><p>{}</p></div>",
        "<style>.x {{display:none}}</style><div class='y x'>{}</div>",
        "<style>@media all {{ #x{{ display : none }} }}</style><div id=x>{}</div>",
        "<style>p{{}} .a, .x{{visibility:hidden}}</style><p class=x>{}",
        "<template>{}</template>",
        "<noscript>{}</noscript>",
        "<head><title>{}</title></head>",
        "<script>{}</script>",
        "<style></script>{}</style>",
        "<script><p></style>{}</script>",
        "<select><option>{}</option></select>",
        "<!-- {} -->",
        "<!-- {}",
        "<div style='display:none'><p></p></b>{}</div>",
        "<script>{}",
    ],
)
def test_what_is_hidden_is_not(html: str) -> None:
    assert "secret" not in text_of(html.format("secret"))


def test_a_tag_is_read_with_care_up_to_a_length() -> None:
    """Up to there a sign in quotes ends no tag; a longer one ends at the first, if that is not before."""

    def tag(first: int, length: int) -> str:
        start = "<p a='".ljust(first, "x") + ">"
        return start + "y" * (length - len(start) - 2) + "'>"

    assert text_of(tag(10, 4000) + "b") == "b"
    assert text_of(tag(10, 4001) + "b") == tag(10, 4001) + "b"
    assert text_of(tag(3999, 4100) + "b") == tag(3999, 4100) + "b"
    assert text_of(tag(4000, 4100) + "b") == "y" * 97 + "'>b"


@pytest.mark.parametrize(
    "html",
    [
        "<div style='min-width:0;line-height:0;border-width:0'>{}</div>",
        "<div style='font-size:1em;opacity:0.9'>{}</div>",
        "<div style='background:#000'><span style='color:#fff'>{}</span></div>",
        "<table bgcolor='black'><tr><td style='color:white'>{}</td></tr></table>",
        "<div style='margin-left:-100px'>{}</div>",
        "<style>.x {{display:none}}</style><div class='xy'>{}</div>",
        "<div style='display:none'>a</div>{}",
        "<script>a</script>{}",
        "<div data-hidden='1' class='hidden-xs'>{}</div>",
    ],
)
def test_what_is_not_hidden_is_seen(html: str) -> None:
    assert "secret" in text_of(html.format("secret"))


ENDLESS = {
    "comments": "<!--" * 65_000,
    "tags": "<a " * 85_000,
    "tags that close": "</a" * 85_000,
    "signs": "<" * 250_000,
    "quotes": "<a b='" * 40_000,
    "mixed quotes": "<a b='\"" * 40_000 + ">",
    "nested": "<div>" * 50_000,
    "ends without a beginning": ("<div>" * 90 + "</p>" * 2000) * 20,
    "scripts": "<script>" * 30_000,
    "sheets": "<style>" + "a{" * 120_000,
    "blanks": " " * 250_000,
    "entities": "&#" * 120_000,
    "quotations": "<blockquote><br>" * 15_000,
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_no_page_takes_long(kind: str) -> None:
    """The standard library's parser needs 40 seconds for the first of them."""
    begun = time.process_time()
    text_of(ENDLESS[kind])
    assert time.process_time() - begun < 1.5
