"""Bagh Chal a second time: a slow little program written from the rules document alone, to count against the first.

It shares no code and no data with the game: the board is a mutable dict of letters, `classic` is made of arithmetic on
files and ranks, `pulijudam` of strings copied from the drawing, and every action is played on a copy. It knows single
games only.
"""

from copy import copy
from itertools import pairwise

TIGER, GOAT = "TA", "gb"


def rails(variant):
    """Every straight line as a list of points."""
    if variant == "pulijudam":
        drawn = (
            "a4b4c4d4e4f4 a3b3c3d3e3f3 a2b2c2d2e2f2 b1c1d1e1 a4a3a2 f4f3f2 t5b4b3b2b1 t5c4c3c2c1 t5d4d3d2d1 t5e4e3e2e1"
        )
        return [[rail[i : i + 2] for i in range(0, len(rail), 2)] for rail in drawn.split()]
    found = []
    for x in range(5):
        for y in range(5):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if dx and dy and (x + y) % 2:
                    continue  # only every second point has diagonals
                ray = [(x + n * dx, y + n * dy) for n in range(3)]
                found.append(["abcde"[i] + "12345"[j] for i, j in ray if 0 <= i < 5 and 0 <= j < 5])
    return found  # rails of three, of two at the rim: enough to walk and to jump


ROWS = {
    "classic": [[file + rank for file in "abcde"] for rank in "54321"],
    "pulijudam": [["t5"], *([file + rank for file in "abcdef"] for rank in "432"), ["b1", "c1", "d1", "e1"]],
}


def neighbours(variant):
    near, over = {}, {}
    for rail in rails(variant):
        for way in (rail, rail[::-1]):
            for one, two in pairwise(way):
                near.setdefault(one, set()).add(two)
            for one, two, three in zip(way, way[1:], way[2:], strict=False):
                over[one, three] = two
    return near, over


NET = {variant: neighbours(variant) for variant in ROWS}
ORDER = {variant: [point for row in rows for point in row] for variant, rows in ROWS.items()}


class Table:
    """One game on the table."""

    def __init__(self, line):
        self.variant, rows, self.turn, hand, eaten, self.heroes, memory, self.match, limit = line.split(" ")
        self.near, self.over = NET[self.variant]
        letters = "".join("." * int(c) if c.isdigit() else c for c in rows if c != "/")
        self.at = dict(zip(ORDER[self.variant], letters, strict=True))
        self.hand, self.eaten, self.limit = int(hand), int(eaten), int(limit)
        self.memory = [] if memory == "-" else memory.split(",")
        assert self.match.startswith("single")

    def line(self):
        rows = ["".join(self.at[point] for point in row) for row in ROWS[self.variant]]
        board = "/".join(rows)
        for n in range(9, 0, -1):
            board = board.replace("." * n, str(n))
        memory = ",".join(self.memory) or "-"
        fields = (self.variant, board, self.turn, self.hand, self.eaten, self.heroes, memory, self.match, self.limit)
        return " ".join(map(str, fields))

    # --- what can be done -----------------------------------------------------------------------------------------

    def tiger_can(self, start):
        """Every end of a walk or jump from there, with the point jumped over or None."""
        for end in ORDER[self.variant]:
            if self.at[end] == ".":
                if end in self.near[start]:
                    yield end, None
                elif (start, end) in self.over and self.at[self.over[start, end]] in GOAT:
                    yield end, self.over[start, end]

    def is_safe(self, middle, tiger):
        """9.6, 9.7"""
        beside_bouc = any(self.at[point] == "b" for point in self.near[middle])
        return self.at[middle] == "g" and self.at[tiger] == "T" and beside_bouc

    def hunting(self, only):
        for start in ORDER[self.variant]:
            if self.at[start] in only:
                for end, middle in self.tiger_can(start):
                    yield f"{start}{'x' if middle and not self.is_safe(middle, start) else '-'}{end}"

    def bouc_can_enter(self):
        return self.heroes.startswith("wait") and self.eaten >= 2

    def herding(self):
        for start in ORDER[self.variant]:
            if self.at[start] in GOAT:
                for end in ORDER[self.variant]:
                    if end in self.near[start] and self.at[end] == ".":
                        yield f"{start}-{end}"

    def anything(self):
        """What the rules let the side do, 5.4 left aside."""
        if self.turn == "a":
            return [*self.hunting("A"), "stay"]
        if self.turn == "t":
            return list(self.hunting(TIGER))
        placing = [f"place {point}" for point, letter in self.at.items() if letter == "."]
        found = placing if self.hand else list(self.herding())
        if self.bouc_can_enter():
            found += [f"bouc {point}" for point, letter in self.at.items() if letter == "g"]
        return found

    def actions(self):
        if self.turn.startswith("over"):
            return []
        found = self.anything()
        if len(self.memory) > 1:
            back = "-".join(reversed(self.memory[-2].split("-")))
            rest = [action for action in found if action != back]
            return rest or found
        return found

    def silent(self):
        """6.6: what is played for a side that says nothing."""
        listed = self.actions()
        captures = [action for action in listed if "x" in action]
        if self.turn == "g":
            pool = [action for action in listed if not action.startswith("bouc")] or listed
            return min(pool, key=lambda action: self.after(action).danger())
        if self.turn == "a":
            pool = captures or ["stay"]
        else:
            wins = [action for action in captures if self.after(action).turn.startswith("over")]
            pool = wins or captures or listed
        return max(pool, key=lambda action: len(list(self.after(action).hunting(TIGER))))

    def danger(self):
        hunts = list(self.hunting(TIGER))
        prey = [self.at[self.over[hunt[:2], hunt[-2:]]] for hunt in hunts if "x" in hunt]
        return prey.count("g") + 10 * prey.count("b") if hunts else -1

    # --- doing it -------------------------------------------------------------------------------------------------

    def after(self, action):
        table = copy(self)
        table.at, table.memory = dict(self.at), list(self.memory)
        table.do(action)
        return table

    def do(self, action):
        turn, phase_one, mover, bouc_gone = self.turn, self.hand > 0, None, False
        if action.startswith("place"):
            self.at[action[-2:]] = "g"
            self.hand -= 1
            self.memory = []
        elif action.startswith("bouc"):
            self.at[action[-2:]] = "b"
            self.heroes = self.heroes.replace("wait", "used")
            self.memory = []
        elif action != "stay":
            start, end = action[:2], action[-2:]
            mover = self.at[start]
            self.at[start], self.at[end] = ".", mover
            if "x" in action:
                middle = self.over[start, end]
                bouc_gone = self.at[middle] == "b"
                self.eaten += not bouc_gone
                self.at[middle] = "."
                self.memory = []
            elif not phase_one:
                self.memory.append(action)
        if bouc_gone or self.eaten == 5:
            return self.over_for("tigers")
        if turn == "g" and not list(self.hunting(TIGER)):
            return self.over_for("goats")
        if self.is_stale():
            return self.over_for(None)
        may_follow = phase_one and turn == "t" and mover == "T" and self.heroes.startswith("wait")
        if may_follow and list(self.hunting("A")):
            self.turn = "a"
            return None
        self.turn = "t" if turn == "g" else "g"
        if self.turn == "g" and not self.anything():
            self.memory.append(".")
            self.turn = "t"
            if self.is_stale():
                return self.over_for(None)
        return None

    def is_stale(self):
        """7.3, 7.4"""
        told = self.memory
        for n in range(2, len(told), 2):
            if len(told) >= 3 * n and told[-n:] == told[-2 * n : -n] == told[-3 * n : -2 * n]:
                return True
        return len(told) >= self.limit

    def over_for(self, side):
        tigers = self.match[-1]
        seat = {"tigers": tigers, "goats": "12".replace(tigers, ""), None: "0"}[side]
        results = {"1": "1-0-0", "2": "0-1-0", "0": "0-0-1"}[seat]
        self.match = f"single:1:{results}:t{tigers}"
        self.turn = f"over:{seat}"


def count(table, depth):
    actions = table.actions()
    if depth == 1:
        return len(actions)
    return sum(count(table.after(action), depth - 1) for action in actions)
