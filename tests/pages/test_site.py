"""A site speaks the host's language, tells the rules by paragraph, and brings calendars of all deadlines."""

from __future__ import annotations

import re
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine import Dice, Outcome, Turned, games, load
from pbem.config import Config
from pbem.game.overview import Details, Glance
from pbem.ledger import Ledger
from pbem.ledger.games import OVER
from pbem.pages.rules import ID, has_rules, rules_of
from pbem.pages.settings import Site
from pbem.pages.site import LANGUAGES, first_page, shown
from pbem.rulebook import player_rules
from tests.games.khan.table import drawn
from tests.pages.test_telling import begin, data_of
from tests.pbem import hosted
from tests.pbem.cli.desk import DEADLINE, LATER, Desk
from tests.pbem.reports.tags import Tags
from tests.pbem.test_icalendar import read

RULED = [game for game in games() if has_rules(game)]
OURS = [game for game in RULED if type(load(game)).__module__.startswith("games.")]


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    return Desk(tmp_path, capsys, monkeypatch)


def host(desk: Desk, lang: str = "en") -> Path:
    """A host of that language, with a game that waits for green; gives its site."""
    folder = desk.folder / "host"
    begin(folder, "jarmo", {"green": "Anna", "blue": "Bruno"}, "5eed")
    settings = folder / "pbem.toml"
    said = settings.read_text("utf-8")
    assert 'lang = "en"' in said
    settings.write_text(said.replace('lang = "en"', f'lang = "{lang}"'), encoding="utf-8")
    desk.go(folder)
    desk("site", "site", "--now", LATER)
    return folder / "site"


def words(path: Path) -> str:
    return " ".join("".join(Tags(path.read_text("utf-8")).words).split())


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("Decision 1.", "The game waits for green (Anna).", "Deadline: Wednesday 18 November 2026")),
        ("fr", ("Décision 1.", "La partie attend : vert (Anna).", "mercredi 18 novembre 2026", "Parties en cours")),
        ("it", ("Decisione 1.", "verde (Anna)", "mercoledì 18 novembre 2026")),
    ],
)
def test_a_site_speaks_the_hosts_language(desk: Desk, lang: str, said: tuple[str, ...]) -> None:
    site = host(desk, lang)
    first = words(site / "index.html")
    assert all(some in first for some in said), first
    assert f'<html lang="{lang}">' in (site / "index.html").read_text("utf-8")
    assert f'<html lang="{lang}">' in (site / "coral.html").read_text("utf-8")


def test_a_site_says_which_games_rest(desk: Desk) -> None:
    site = host(desk)
    desk("referee", "pause", "coral", "--reason", "ill", "--now", LATER)
    desk("site", "site", "--now", LATER)
    assert "Decision 1. The game is paused." in words(site / "index.html")


def test_a_language_that_nobody_wrote_is_refused(desk: Desk) -> None:
    site = host(desk)
    settings = site.parent / "pbem.toml"
    settings.write_text(settings.read_text("utf-8").replace('lang = "en"', 'lang = "eo"'), encoding="utf-8")
    refused = desk("site", "site", code=3)
    assert "site.lang: 'eo' is none of en, fr, it." in refused.err


def test_every_link_of_a_site_leads_to_something(desk: Desk) -> None:
    site = host(desk)
    for page in site.glob("*.html"):
        for link in re.findall(r'href="([^"]*)"', page.read_text("utf-8")):
            file, _, place = link.partition("#")
            there = site / file if file else page
            assert there.is_file(), (page.name, link)
            assert not place or f'id="{place}"' in there.read_text("utf-8"), (page.name, link)


def test_what_a_public_page_cites_is_told_in_the_rules(desk: Desk) -> None:
    site = host(desk)
    desk("nightly", "--now", DEADLINE, "--jobs", "1")
    desk("site", "site", "--now", DEADLINE)
    shown = data_of((site / "coral.html").read_text("utf-8"))
    cited = {rule for frame in shown["frames"] for step in frame["steps"] for _, rule in step["told"]}
    assert cited
    told = (site / shown["rules"]["page"]).read_text("utf-8")
    for rule in cited:
        assert f'id="{shown["rules"]["places"][rule]}"' in told


def test_games_that_wait_for_players(desk: Desk) -> None:
    folder = desk.folder / "host"
    begin(folder, "jarmo", {"green": "Anna", "blue": "Bruno"}, "5eed")
    desk.go(folder)
    desk("new", "bagh-chal", "--name", "open-hill", "--seat", "1=Anna", "--open", "--now", LATER)
    desk("site", "site", "--now", LATER)
    first = words(folder / "site" / "index.html")
    assert "Games that wait for players" in first
    assert "open-hill Bagh Chal: seat 1 Anna" in first
    assert "Free: seat 2." in first
    assert "Join open-hill by mail, as a player of this host" in first
    link = 'href="mailto:orders@localhost?subject=open-hill&amp;body=join%20open-hill"'
    assert link in (folder / "site" / "index.html").read_text("utf-8")
    desk("opening", "close", "open-hill", "--reason", "nobody came", "--now", LATER)
    desk("site", "site", "--now", LATER)
    assert "open-hill" not in words(folder / "site" / "index.html")


def test_the_calendars_of_a_site(desk: Desk) -> None:
    site = host(desk)
    feeds = {path.name: read(path.read_bytes()) for path in site.glob("*.ics")}
    own = [name for name in feeds if name.startswith("calendar-of-")]
    assert sorted(set(feeds) - set(own)) == ["calendar-coral.ics", "calendar.ics"]
    assert len(own) == 2
    assert {event["UID"] for events in feeds.values() for event in events} == {"1.coral@localhost"}
    listed = (site / "index.html").read_text("utf-8")
    assert all(f'href="{name}"' in listed for name in feeds)


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("en", ("coral, decision 1", "The game waits for green (Anna).")),
        ("fr", ("coral, décision 1", "La partie attend : green (Anna).")),
        ("it", ("coral, decisione 1", "La partita aspetta: green (Anna).")),
    ],
)
def test_the_calendars_speak_the_language_of_the_site(desk: Desk, lang: str, says: tuple[str, str]) -> None:
    """Seen red: they spoke English, under the name of a deadline that letters tell in the reader's language."""
    site = host(desk)
    told = (site.parent / "pbem.toml").read_text().replace('lang = "en"', f'lang = "{lang}"')
    (site.parent / "pbem.toml").write_text(told)
    desk("site", "site", "--now", LATER)
    [event] = read((site / "calendar-coral.ics").read_bytes())
    assert (event["SUMMARY"].replace("\\", ""), event["DESCRIPTION"].replace("\\", "")) == says


def test_a_calendar_outlives_no_deadline(desk: Desk) -> None:
    """Programs look at it again and again: what does not fall due any more goes from it, and with it who had to."""
    site = host(desk)
    feeds = sorted(site.glob("*.ics"))
    assert len(feeds) == 4
    assert b"Anna" in feeds[0].read_bytes()
    desk("referee", "pause", "coral", "--reason", "ill", "--now", LATER)
    desk("site", "site", "--now", LATER)
    assert sorted(site.glob("*.ics")) == feeds, "who has subscribed finds it where it was"
    assert [read(feed.read_bytes()) for feed in feeds] == [[]] * 4
    assert "calendar-" not in (site / "index.html").read_text("utf-8")
    desk("referee", "resume", "coral", "--reason", "well", "--now", LATER)
    desk("site", "site", "--now", LATER)
    assert all(len(read(feed.read_bytes())) == 1 for feed in feeds)
    desk("player", "forget", "Anna", "--anyway", "--now", LATER)
    desk("site", "site", "--now", LATER)
    assert not any(b"Anna" in file.read_bytes() for file in site.iterdir())


@pytest.mark.parametrize("standing", [{}, {"blue": "always"}, {"yellow": "always"}], ids=str)
def test_the_calendars_name_nobody_who_is_still_asked(desk: Desk, standing: dict[str, str]) -> None:
    """KHAN-29.4: a proposal takes the consent of two; whoever has answered by a standing instruction seems asked."""
    yurts = {"yellow": "B9", "green": "C8", "blue": "D8", "red": "B8", "black": "C9"}
    active = {"yellow": ["gods", "mountain"], "blue": "protection"}
    table = drawn(4, yurts=yurts, active=active, standing=standing)
    table.do("C T5P B8 C8 D8 B9 C9")
    site = host(desk)
    seats = [word for seat in ("red", "yellow", "blue", "green") for word in ("--seat", f"{seat}=Anna")]
    desk("new", "khan", "--name", "steppe", *seats, "--option", "players=4", "--same-person", "--now", LATER)
    with closing(Ledger.open(site.parent / "ledger.db")) as ledger, ledger.write() as tx:
        hosted._resolved(tx, "steppe", "turn", 1, {}, Turned(table.state, ()), Dice.script(()), hosted.START)
    desk("site", "site", "--now", LATER)
    for name in ("calendar.ics", "calendar-steppe.ics"):
        [told] = [event for event in read((site / name).read_bytes()) if "steppe" in event["SUMMARY"]]
        assert told["DESCRIPTION"].replace("\\", "") == "The game waits for yellow (Anna), blue (Anna)."


def test_the_calendars_do_not_tell_who_has_answered(desk: Desk) -> None:
    """No page does, and the file to check a game with ends where all were told last (G25)."""
    folder = desk.folder / "host"
    begin(folder, "nim", {"1": "Anna", "2": "Bruno"}, "5eed")
    desk.go(folder)
    desk("site", "site", "--now", LATER)
    before = {path.name: path.read_bytes() for path in (folder / "site").iterdir()}
    key = desk.data("report", "coral", "--seat", "1")["key"]
    form = folder / "orders.yml"
    form.write_text(f"game: coral\nseat: 1\nturn: 1\nkey: {key}\norders:\n  - b3\nend: orders\n")
    desk("submit", form, "--now", LATER)
    assert "nobody is waited for" in desk("forecast").out, "the host knows"
    desk("site", "site", "--now", LATER)
    assert {path.name: path.read_bytes() for path in (folder / "site").iterdir()} == before


# --- the rules -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", RULED)
def test_each_paragraph_has_one_place(game: str, lang: str) -> None:
    rules = rules_of(game, lang)
    found = Tags(rules.body)
    places = [part.removeprefix("id=") for tag in found.found for part in tag[1:] if part.startswith("id=")]
    assert sorted(places) == sorted(rules.ids)
    assert set(places) == set(
        ID.findall(re.sub(r"```.*?```|`[^`]*`", "", player_rules(game, lang)[0], flags=re.DOTALL))
    )
    assert (found.crossed, found.open) == ([], [])
    assert set(re.findall(r'href="#([^"]*)"', rules.body)) <= set(places)


@pytest.mark.parametrize("game", OURS)
def test_whatever_a_game_cites_leads_somewhere_near(game: str) -> None:
    """Each paragraph in the game's own code: itself, or the one before it in its section."""
    folder = Path(str(load(game).__class__.__module__).replace(".", "/")).parent
    sources = [path.read_text("utf-8") for path in (Path(__file__).parents[2] / folder).rglob("*.py")]
    cited = {rule for source in sources for rule in re.findall(r'"([A-Z]+-\d+(?:\.\d+)*)"', source)}
    places = rules_of(game, "en").places(cited)
    assert len(cited) > 10
    lost = {rule for rule in cited - set(places) if f"{rule.partition('.')[0]}." in str(rules_of(game, "en").ids)}
    assert lost == set()
    assert all(place.partition(".")[0] == rule.partition(".")[0] for rule, place in places.items())


def test_the_nearest_place_is_the_one_before() -> None:
    rules = rules_of("bagh-chal", "en")._replace(ids=("BAGH-2.1", "BAGH-2.4", "BAGH-3.2", "BAGH-10.1"))
    asked = {
        "BAGH-2.1": "BAGH-2.1",
        "BAGH-2.3": "BAGH-2.1",
        "BAGH-2.10": "BAGH-2.4",
        "BAGH-3.1": "BAGH-3.2",
        "BAGH-3": "BAGH-3.2",
    }
    assert rules.places((*asked, "BAGH-4.1", "YUT-2.1")) == asked


def finished(lang: str, outcome: Outcome) -> str:
    """The first page of a host of that language, with one game of Jarmo that ended so."""
    config, rules = Config(Path(), site=Site(lang)), load("jarmo")
    glance = Glance("coral", "jarmo", OVER, 300, "over", None, (), 0)
    seen = Details(glance, {"green": "Anna", "blue": "Bruno"}, {}, "", "", "", "", outcome)
    page = first_page(config, [shown(config, rules, seen)], (), (), (), (), datetime(2026, 11, 19, tzinfo=UTC))
    return " ".join("".join(Tags(page).words).split())


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "The last turn agreed upon is played. [JARMO-6.6]"),
        ("fr", "Le dernier tour convenu est joué. [JARMO-6.6]"),
        ("it", "L’ultimo turno convenuto è giocato. [JARMO-6.6]"),
    ],
)
def test_a_finished_game_says_in_a_sentence_why_it_is_over(lang: str, said: str) -> None:
    """What the rules and the ledger say of it is the one word `limit`."""
    first = finished(lang, Outcome((("green", "blue"),), {}, "JARMO-6.6", "limit"))
    assert said in first
    assert ": limit" not in first


def test_an_end_without_a_reason_is_no_blank_in_a_sentence() -> None:
    first = finished("en", Outcome((("green",), ("blue",)), {}, "A-1"))
    assert "The game is over. [A-1] Place 1: green (Anna)." in first
