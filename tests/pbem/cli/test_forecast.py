"""forecast: the next deadlines in words, as JSON and as a calendar."""

from tests.pbem.cli.desk import BEGINS, DEADLINE, LATER, Desk
from tests.pbem.test_icalendar import read


def test_the_open_deadline_and_those_after_it(desk: Desk) -> None:
    said = desk("forecast", "jade-river", "--count", 3).out.splitlines()
    assert said == [
        "Wed 2026-11-18 20:00 UTC: jade-river, decision 1; waits for 1 (Anna)",
        "Thu 2026-11-19 20:00 UTC: jade-river, decision 2, if the one before takes its time",
        "Fri 2026-11-20 20:00 UTC: jade-river, decision 3, if the one before takes its time",
    ]


def test_json_says_who_is_waited_for(desk: Desk) -> None:
    [coming] = desk.data("forecast")["deadlines"]
    assert coming["at"] == "2026-11-18T20:00:00Z"
    assert coming["waits_for"] == [{"seat": "1", "player": "Anna"}]
    desk("submit", desk.file("a1"), "--now", LATER)
    assert desk.data("forecast")["deadlines"][0]["waits_for"] == []


def test_only_the_games_of_a_player(desk: Desk) -> None:
    desk("player", "add", "Nora", "nora@example.org")
    assert desk("forecast", "--player", "Nora").out == "No deadline is coming.\n"
    assert "jade-river" in desk("forecast", "--player", "Anna").out
    desk.refused("forecast", "--player", "Anne", code=3, says="did you mean Anna")


def test_a_game_that_is_over_has_no_deadline(desk: Desk) -> None:
    desk("referee", "pause", "jade-river", "--reason", "holidays", "--now", LATER)
    assert desk("forecast").out == "No deadline is coming.\n"


def test_the_calendar_file(desk: Desk) -> None:
    said = desk("forecast", "--ics", "--count", 2, "--now", BEGINS).out
    first, second = read(said.replace("\r\n", "\n").replace("\n", "\r\n").encode())
    assert first["UID"] == "1.jade-river@localhost"
    assert first["DTSTART"] == DEADLINE.replace("-", "").replace(":", "").replace("Z", "00Z")
    assert first["DESCRIPTION"] == "The game waits for seat 1 (Anna)."
    assert second["DTSTART"] == "20261119T200000Z"


def test_two_answers_at_once_are_one_too_many(desk: Desk) -> None:
    desk.refused("forecast", "--ics", "--json", code=2, says="choose one of them")
