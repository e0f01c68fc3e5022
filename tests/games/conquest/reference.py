"""A second program for the same rules, slow and plain: cells are names, every way is walked step by step.

It shares nothing with the game but the data file: the lists of legal actions of both are compared on random positions.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import yaml

import games.conquest

DATA = yaml.load(
    (Path(games.conquest.__file__).parent / "data" / "conquest-data.yaml").read_text("utf-8"),
    getattr(yaml, "CSafeLoader", yaml.SafeLoader),
)
CELLS = list(DATA["cells"])
PLACE = {name: at for at, name in enumerate(CELLS)}
KIND = {name: cell["kind"] for name, cell in DATA["cells"].items()}
LIMIT = {"v": 6, "g": 8, "e": 6, "c": 8, "k": 6, "s": 2}
LISTED = "vgeckst"
CARGO = {"e": {"", "s", "ss"}, "c": {"", "s"}, "k": {""}, "s": {""}}
CARGO["v"] = CARGO["g"] = {"", "s", "ss", "k", "c", "c(s)", "e", "e(s)", "e(ss)"}
EDGES: dict[str, list[tuple[str, str]]] = {name: [] for name in CELLS}  # to, and the kind of step; ramps up and down
for _kind, _pairs in DATA["edges"].items():
    for _one, _other in _pairs:
        EDGES[_one].append((_other, "up" if _kind == "ramp" else _kind))
        EDGES[_other].append((_one, "down" if _kind == "ramp" else _kind))


class Piece:
    """A piece, what it has spent, and what it carries."""

    def __init__(self, letter, spent=0, cargo=()):
        self.letter, self.spent, self.cargo = letter, spent, list(cargo)

    def shape(self):
        inside = "".join(piece.shape() for piece in sorted(self.cargo, key=lambda piece: LISTED.index(piece.letter)))
        return self.letter + (f"({inside})" if inside else "")

    def hold(self):
        return "".join(piece.shape() for piece in sorted(self.cargo, key=lambda piece: LISTED.index(piece.letter)))

    def all(self):
        return [self, *(piece for carried in self.cargo for piece in carried.all())]

    def fits(self):
        return self.hold() in CARGO[self.letter] and all(piece.fits() for piece in self.cargo)

    def has_elephant(self):
        return any(piece.letter == "e" for piece in self.all())


def read_stack(text, start=0):
    letter, at = text[start], start + 1
    digits = ""
    while at < len(text) and text[at].isdigit():
        digits, at = digits + text[at], at + 1
    piece = Piece(letter, int(digits or 0))
    if at < len(text) and text[at] == "(":
        at += 1
        while text[at] != ")":
            carried, at = read_stack(text, at)
            piece.cargo.append(carried)
        at += 1
    return piece, at


class Position:
    """A position line, taken apart."""

    def __init__(self, line):
        _, opts, turn, _, _, _, self.phase, units = line.split(" ")
        self.allied = opts.startswith("alliance")
        self.round, self.starter, self.mover, self.paid, self.risks = turn.split(":")
        self.units = {}
        for unit in units.split(","):
            cell, _, stack = unit.partition("=")
            self.units[cell] = (stack[0].lower(), read_stack(stack[1:])[0])

    def friends(self, colour):
        return {colour, "swne"[("swne".index(colour) + 2) % 4]} if self.allied else {colour}

    def hostile(self, colour):
        cells = DATA["capital"][colour] + DATA["grail"]
        return sum(cell in self.units and self.units[cell][0] not in self.friends(colour) for cell in cells)

    def points_left(self):
        turn = ("swne".index(self.mover) - "swne".index(self.starter)) % 4
        base = 5 * (turn + 1) if self.round == "1" else 20
        return max(0, base - 4 * self.hostile(self.mover) - int(self.paid))

    def named(self, cell):
        """The pieces that can be named on a cell: letter -> piece."""
        root = self.units[cell][1]
        names = {piece.letter: piece for piece in root.all() if piece.letter != "s"}
        soldiers = sorted((piece for piece in root.all() if piece.letter == "s"), key=lambda piece: piece.spent)
        if soldiers:
            names["s"] = soldiers[0]
            if soldiers[-1].spent != soldiers[0].spent:
                names["t"] = soldiers[-1]
        return names


def may_step(piece, here, there, kind):
    """Whether the edge is open to the piece, whatever stands there."""
    if piece.letter in "vg":
        return kind in ("sea", "sea_under")
    if piece.letter in "ec" and (kind == "down" or KIND[there] == "grail"):
        return False
    if piece.letter == "e" and kind == "bridge_x":
        return False
    return kind in ("road", "bridge", "bridge_x", "quay", "up", "down")


def takes(piece, prey):
    if piece.letter in "vg":
        return prey.letter in "vg"
    return not (piece.letter == "s" and prey.has_elephant())


def boards(piece, carrier):
    """Whether the piece has room on the carrier, or on the carrier that this one carries."""
    if piece.letter in "vg" or carrier.letter in "ks":
        return False
    if Piece(carrier.letter, 0, [*carrier.cargo, piece]).fits():
        return True
    inner = [carried for carried in carrier.cargo if carried.letter in "ec"]
    return carrier.letter in "vg" and piece.letter == "s" and any(boards(piece, carried) for carried in inner)


def ways(position, colour, piece, start, points, leaving, prey=None):
    """Every cell the piece can end on, with its cost. `leaving` is the carrier it leaves, if any."""
    friends = position.friends(colour)
    found, seen = {}, set()
    edge = {(start, "ride" if leaving is not None else "foot")}
    for cost in range(1, points + 1):
        after = set()
        for here, how in edge:
            for there, kind in EDGES[here]:
                if may_step(piece, here, there, kind) and there != start:
                    after |= step_onto(position, colour, friends, piece, there, how, prey)
        for there, how in after:
            if how in ("foot", "ride", "take"):
                found.setdefault(there, cost)
        edge = {state for state in after if state[1] != "take"} - seen
        seen |= edge
    return found


def step_onto(position, colour, friends, piece, there, how, prey):
    """The states a step onto that cell leads to."""
    states = set()
    if there not in position.units:
        if piece.letter in "vg" or KIND[there] != "port":
            states.add((there, "foot"))
        return states
    owner, unit = position.units[there]
    if owner not in friends:
        if takes(piece, unit) and prey in (None, there):
            states.add((there, "take"))
        return states
    if owner == colour and how == "foot" and boards(piece, unit):
        states.add((there, "ride"))
    if piece.letter == "k" and how != "over":
        states.add((there, "over"))
    return states


def steps(line):
    """The legal steps of the mover, without the rule of vulnerability."""
    position = Position(line)
    if position.hostile(position.mover) >= 5:
        return []
    found = []
    for cell in CELLS:
        if cell not in position.units or position.units[cell][0] != position.mover:
            continue
        root = position.units[cell][1]
        for letter, piece in sorted(position.named(cell).items(), key=lambda item: LISTED.index(item[0])):
            points = min(LIMIT[piece.letter] - piece.spent, position.points_left())
            ends = ways(position, position.mover, piece, cell, points, None if piece is root else root)
            found += [f"{letter} {cell}-{there}" for there in sorted(ends, key=PLACE.__getitem__)]
    return found


def answers(line):
    """The legal answers of the victim, `decline` first."""
    position = Position(line)
    _, victim, target, _ = position.phase.split(":")
    found = {}
    for cell in CELLS:
        if cell not in position.units or position.units[cell][0] not in position.friends(victim):
            continue
        colour, _ = position.units[cell]
        if colour != victim and position.hostile(colour) >= 5:
            continue
        for letter in position.named(cell):
            for drops in dropped(position, cell, letter):
                if answers_with(line, cell, letter, drops, target):
                    found[(cell, letter, drops)] = None
    order = sorted(found, key=lambda one: (PLACE[one[0]], LISTED.index(one[1]), len(one[2]), pairs(one[2])))
    return ["decline", *(text_of(*one) for one in order)]


def pairs(drops):
    return [(LISTED.index(letter), PLACE[cell]) for letter, cell in drops]


def text_of(cell, letter, drops):
    return " ".join([f"counter {letter} {cell}", *(["drop"] if drops else []), *(f"{one} {to}" for one, to in drops)])


def dropped(position, cell, letter):
    """All that the named carrier could set down, as sorted tuples, tried without any judgment."""
    carried = position.named(cell)[letter].all()[1:]
    beside = [there for there, _ in EDGES[cell]]
    choices = [[None, *beside] for _ in carried]
    found = set()
    for chosen in product(*choices):
        drops = [(piece.letter, to) for piece, to in zip(carried, chosen, strict=True) if to is not None]
        found.add(tuple(sorted(drops, key=lambda drop: ("skce".index(drop[0]), PLACE[drop[1]]))))
    return found


def answers_with(line, cell, letter, drops, target):
    """Whether the answer can be carried out: the drops one by one, then a way of at most two points."""
    position = Position(line)
    colour, root = position.units[cell]
    for name, to in drops:
        piece = position.named(cell)[name]
        kinds = [kind for there, kind in EDGES[cell] if there == to]
        if to in position.units or KIND[to] == "port" or not any(may_step(piece, cell, to, kind) for kind in kinds):
            return False
        holder = next(carrier for carrier in root.all() if piece in carrier.cargo)
        holder.cargo.remove(piece)
        position.units[to] = (colour, piece)
    if letter not in position.named(cell):
        return False
    piece = position.named(cell)[letter]
    return target in ways(position, colour, piece, cell, 2, None if piece is root else root, target)
