"""Events as the lines of section 8 of the rules document, for the vectors and the tests beside them."""

from engine import Event


def line(event: Event) -> str:
    """One event: its kind and its fields in their order, separated by blanks."""
    facts = dict(event.facts)
    if event.kind == "roles":
        facts["tigers"] = f"t{facts['tigers']}"
    if event.kind == "match_over":
        wins = facts.pop("wins")
        facts = {"winner": facts["winner"] or 0, "score": f"{wins['1']}-{wins['2']}-{facts['draws']}"}
    return " ".join([event.kind, *map(str, facts.values())])


def lines(events) -> list[str]:
    return [line(event) for event in events]
