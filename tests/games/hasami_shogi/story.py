"""Events as the lines of section 8 of the rules document, for the vectors and the tests beside them."""

from engine import Event


def line(event: Event) -> str:
    """One event: its kind and its fields in their order, separated by blanks."""
    facts = dict(event.facts)
    if event.kind == "sides":
        facts["green"] = f"g{facts['green']}"
    if "squares" in facts:
        facts["squares"] = ",".join(facts["squares"])
    return " ".join([event.kind, *map(str, facts.values())])


def lines(events) -> list[str]:
    return [line(event) for event in events]
