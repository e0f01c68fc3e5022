"""The audit page: all of a history on one page that needs nothing else, and no more of it than its reader may know."""

import os
import re
from html import unescape
from html.parser import HTMLParser

import pytest

from pbem.audit import book as books
from pbem.audit.export import export
from pbem.audit.exported import ExportBook
from pbem.audit.page import page
from pbem.audit.show import show
from pbem.audit.why import as_written
from pbem.audit.witnesses import Witness
from pbem.clock import stamp
from pbem.ledger import games
from pbem.ledger.backup import backup
from pbem.ledger.public import PUBLIC
from pbem.ledger.store import Ledger
from pbem.pages.rules import quoted
from pbem.reports import environment
from tests.faults.figures import told
from tests.pbem.audit.forging import rewrite
from tests.pbem.hosted import NIGHT, START, order, resolve
from tests.pbem.reports.hostile import NASTY, generated
from tests.pbem.reports.tags import Tags


class Links(HTMLParser):
    """The ids of a page, and where its links and pictures lead."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.to, self.pictures, self.tags = [], set(), [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        said = dict(attrs)
        self.tags.add(tag)
        self.ids += [said["id"]] if "id" in said else []
        self.to |= {said["href"]} if "href" in said else set()
        self.pictures += [said["src"]] if "src" in said else []


def tags(text):
    """What it is built of; numbers and hashes of rows, which differ, are left out."""
    return [tag for tag, *_ in Tags(text).found]


def made(ledger, game, **how):
    with books.of_ledger(ledger, game) as book:
        return page(book, **how)


def test_a_finished_game_is_told_whole(played):
    text = made(played, "jade")
    with books.of_ledger(played, "jade") as book:
        lines = list(book.lines())
        turns = [line for line in lines if line.content.kind == "turn"]
        draws = [draw for line in turns for draw in line.facts()["draws"]]
    for line in turns:
        assert f'id="turn-{line.content.turn}"' in text
        assert line.hash.hex() in text
        for made_ in line.facts()["moves"].values():
            assert made_["move"] in text
    whole = made(played, "jade", referee=True)
    assert all(f'id="row-{line.seq}"' in whole for line in lines)
    public = [line.seq for line in lines if line.content.kind in PUBLIC]
    assert [int(seq) for seq in re.findall(r'id="row-(\d+)"', text)] == public
    sent = [line.facts() for line in lines if line.content.kind == "submission"]
    ordered = unescape(text.partition('id="ordered"')[2].partition("</section>")[0])
    assert sent  # what was ordered, taken or not: seen red
    assert ordered.count("<tr>") == 1 + len(sent)
    assert all(f">{as_written(order)}<" in ordered for one in sent for order in one["orders"] or ())
    assert text.count("of 0 to") == 2 * len(draws)
    assert "<strong>True.</strong>" in text
    assert "The last vault is open, and points decide. [VAULT-4.2] The places: " in text
    assert re.search(r"The key is <span class=\"code\">[0-9a-f]{64}</span>", text)
    assert "What red saw" in text
    assert "Mails and their fates" not in text
    assert "waits" in whole  # no mail of it has left


def test_the_rules_it_cites_are_set_as_rules_are(played):
    """No mark of how they were written is read; no heading of theirs is one of the page."""
    cited = made(played, "jade").partition('<section id="rules"')[2]
    assert "<strong>VAULT-2.2</strong>" in cited
    assert "**" not in cited
    assert quoted("## Title\nText <b>") == "<p><strong>Title</strong></p>\n<p>Text &lt;b&gt;</p>\n"


def test_every_link_leads_somewhere_and_nothing_runs_or_is_loaded(played):
    text = made(played, "jade", pictures=True)
    found = Links(text)
    assert len(found.ids) == len(set(found.ids))
    assert found.to
    assert all(link.startswith("#") and link[1:] in found.ids for link in found.to)
    assert not found.tags & {"script", "iframe", "object", "link", "form", "button"}
    assert found.pictures
    assert all(src.startswith("data:image/svg+xml;base64,") for src in found.pictures)
    assert "script-src 'none'; img-src data:" in unescape(text)
    assert len(Links(made(played, "jade")).pictures) == 1


def test_while_a_game_runs_everybody_may_read_it(played):
    with books.of_ledger(played, "coral") as book:
        hands = [card for seat in ("red", "green", "blue") for card in show(book, 0, seat)[0].facts["hand"]]
        hidden = show(book, 1, "all")[0].moves
        last = [line.seq for line in book.lines(("turn", "at_once"))][-1]
        entries = [line.seq for line in book.lines()]
    text = made(played, "coral")
    assert "what everybody may know" in text
    assert "a move that is still secret" in text or all(one["move"] in text for one in hidden.values())
    assert "Every draw" not in text
    assert "What red saw" not in text
    assert last < entries[-1]
    assert not re.findall(r'id="row-\d+"|\brow \d+', text)  # how many there are tells who writes how much
    whole = made(played, "coral", referee=True)
    assert "THIS PAGE TELLS ITS SECRETS" in whole
    assert "The key is" not in whole  # the seed is not revealed yet
    for seat in ("red", "green", "blue"):
        assert f"What {seat} saw" in whole
    assert hands


def test_while_a_game_runs_nobody_reads_who_wrote_what(played):
    """Seen red: the row of a word with a mask named its seat, and the counts and the head told that somebody had
    answered since."""
    with played.write() as tx:
        at = START + 2 * NIGHT
        body = {"to": ["green"], "text": "trust nobody", "letter": "", "masked": True}
        tx.append("coral", "press", at, body, 2, "blue")
        tx.append("coral", "consent", at, {"what": "draw", "turn": None, "word": "no", "reason": ""}, 2, "blue")
        hand = games.get(tx, "coral").state["players"][0]["hand"]
        resolve(tx, "coral", {"red": f"bid {hand[0]}"}, at)
    before = made(played, "coral")
    assert not re.findall(r"<td>(press|submission|mail|mail fate|consent)</td>", before)
    assert "rows-title" not in before
    assert "<td>press</td>" in made(played, "coral", referee=True)
    with played.write() as tx:
        order(tx, "coral", "red", "pass", at)
    assert made(played, "coral") == before


def test_what_is_not_true_is_said_on_top(played):
    rewrite(
        played.path,
        "amber",
        lambda facts, seq, kind: facts | {"events": []} if kind == "turn" and facts["moves"] else None,
    )
    text = made(played, "amber")
    assert "<strong>Not true.</strong>" in text
    assert "the events are not what comes out" in text
    assert "1 heads out of mails" in made(played, "amber", witnesses=[Witness("ab" * 32)])


def test_words_of_people_are_words(played):
    with played.write() as tx:
        body = {"act": "pause", "reason": "<script>alert(1)</script> & <b>so</b>"}
        tx.append("amber", "ruling", START.replace(year=2027), body)
    text = made(played, "amber")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;so&lt;/b&gt;" in text
    assert "script" not in Links(text).tags


WORDS = [*NASTY, *generated(10_000 if "PBEM_LONG" in os.environ else 60, seed=34)]
TEXTS = [text.encode(errors="replace").decode() for text in WORDS]  # no ledger holds half a letter


def told_of(ledger, texts):
    """The page of a game in which each text was said by a player, by the referee, and by a mail server."""
    with ledger.write() as tx:
        for number, text in enumerate(texts):
            at, name = START.replace(year=2027), f"<{number:030x}@localhost>"
            tx.append("amber", "ruling", at, {"act": "rule", "reason": text})
            tx.append("amber", "press", at, {"to": ["2"], "text": text, "letter": ""}, seat="1")
            asked = {"counter": number, "fate": "refused", "orders": [text, {"do": text}], "standing": {"x": text}}
            tx.append("amber", "submission", at, asked, 1, "1")
            tx.append("amber", "dispute", at, {"number": number, "text": text, "letter": ""}, seat="1")
            tx.append(
                "amber", "mail", at, {"message_id": name, "kind": "report", "sha256": "ab" * 32, "date": stamp(at)}
            )
            body = {"message_id": name, "fate": "refused", "detail": text, "tries": 1, "next_try_at": None}
            tx.append("amber", "mail_fate", at, body)
    return made(ledger, "amber", referee=True)


@pytest.mark.timeout(0 if len(TEXTS) > 1000 else 300)
def test_g32_words_of_players_and_servers_make_no_tags(played, tmp_path):
    twin = Ledger.open(backup(played.path, tmp_path / "twin.db"))
    page = told_of(played, TEXTS)
    assert tags(page) == tags(told_of(twin, ["harmless"] * len(TEXTS)))
    assert Links(page).tags.isdisjoint({"script", "iframe", "object", "link", "form"})
    twin.close()
    told(f"{len(TEXTS):,} texts in each place of the audit page, 0 tags of theirs")


def test_g32_weakened_without_autoescape_it_is_found(played, tmp_path, monkeypatch):
    """Seen red: the audit page made as text is made."""
    real = environment.environment
    monkeypatch.setattr(environment, "environment", lambda lang, html, game="": real(lang, html=False, game=game))
    twin = Ledger.open(backup(played.path, tmp_path / "twin.db"))
    assert tags(told_of(played, TEXTS[:60])) != tags(told_of(twin, ["harmless"] * 60))
    twin.close()


def test_an_export_gives_the_same_page_but_for_the_mails(played, tmp_path):
    with books.of_ledger(played, "jade") as book:
        export(book, tmp_path / "jade.pbem")
    ours, theirs = made(played, "jade"), page(ExportBook(tmp_path / "jade.pbem"))
    assert ours.partition('id="game"')[2] == theirs.partition('id="game"')[2]
    assert "The mails and letters are not in this file" in theirs


@pytest.mark.parametrize("game", ["jade", "amber"])
def test_the_same_history_gives_the_same_page(played, game):
    assert made(played, game) == made(played, game)
