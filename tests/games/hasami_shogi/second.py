"""Hasami Shogi a second time: a slow little program written from the rules document alone, to count against the first.

It shares no code and no data with the game: the board is a dict of (file, row) pairs counted from 1, a letter or
nothing on each, every move is tried square by square on a copy, and the earlier positions are kept whole.
"""

from copy import copy

COMPASS = {"straight": ((0, 1), (1, 0), (0, -1), (-1, 0)), "slanted": ((1, 1), (1, -1), (-1, -1), (-1, 1))}
EVERYWHERE = [(file, row) for row in range(9, 0, -1) for file in range(1, 10)]


def name(square):
    return "?abcdefghi"[square[0]] + str(square[1])


def square(text):
    return "?abcdefghi".index(text[0]), int(text[1])


def side_of(letter):
    return {"P": "g", "S": "g", "p": "r", "s": "r"}.get(letter)


class Table:
    """One game on the table."""

    def __init__(self, line):
        self.variant, rows, self.turn, memory, self.sides, limit = line.split(" ")
        letters = "".join("." * int(c) if c.isdigit() else c for c in rows if c != "/")
        self.at = dict(zip(EVERYWHERE, letters, strict=True))
        self.limit = int(limit)
        self.memory = [] if memory == "-" else memory.split(",")
        self.past = self.earlier()

    def earlier(self):
        """10.1: the positions since the last progress, this one last, by undoing the memory from its end."""
        at, turn, found = dict(self.at), self.turn, []
        for entry in reversed(self.memory):
            found.append((tuple(at.values()), turn))
            if entry != ".":
                start, end = map(square, entry.split("-"))
                at[start], at[end] = at[end], "."
            turn = "gr".replace(turn, "")
        return [*reversed([*found, (tuple(at.values()), turn)])]

    def line(self):
        rows = ["".join(self.at[file, row] for file in range(1, 10)) for row in range(9, 0, -1)]
        board = "/".join(rows)
        for n in range(9, 0, -1):
            board = board.replace("." * n, str(n))
        return " ".join((self.variant, board, self.turn, ",".join(self.memory) or "-", self.sides, str(self.limit)))

    # --- what can be done -----------------------------------------------------------------------------------------

    def camp(self, side):
        rows = {"base": {"g": (1, 2), "r": (8, 9)}, "war": {"g": (1,), "r": (9,)}}
        return rows[self.variant][side]

    def may_end(self, side, start, end):
        """4.5, 4.6, 8.2"""
        if self.variant == "war":
            return True
        own, enemy = self.camp(side), self.camp("gr".replace(side, ""))
        return end[1] not in enemy and (end[1] not in own or start[1] in own)

    def ends(self, start):
        ways = COMPASS["straight"] + (COMPASS["slanted"] if self.at[start] in "Ss" else ())
        for x, y in ways:
            one, two = (start[0] + x, start[1] + y), (start[0] + 2 * x, start[1] + 2 * y)
            if self.at.get(one, ".") != "." and self.at.get(two) == ".":
                yield two
            while self.at.get(one) == ".":
                yield one
                one = (one[0] + x, one[1] + y)

    def actions(self):
        if self.turn.startswith("over"):
            return []
        found = []
        for start in EVERYWHERE:
            if side_of(self.at[start]) == self.turn:
                open_to = {end for end in self.ends(start) if self.may_end(self.turn, start, end)}
                found += [f"{name(start)}-{name(end)}" for end in EVERYWHERE if end in open_to]
        return found

    # --- doing it -------------------------------------------------------------------------------------------------

    def after(self, action):
        table = copy(self)
        table.at, table.memory, table.past = dict(self.at), list(self.memory), list(self.past)
        table.do(action)
        return table

    def caught(self, end, mover):
        """5.1, 8.3"""
        found = set()
        for x, y in COMPASS["straight"]:
            line, here = [], (end[0] + x, end[1] + y)
            while side_of(self.at.get(here)) not in (mover, None):
                line.append(here)
                here = (here[0] + x, here[1] + y)
            if side_of(self.at.get(here)) == mover:
                found |= set(line)
        if self.variant == "war":
            for file in (1, 9):
                for row in (1, 9):
                    beside = [(2 if file == 1 else 8, row), (file, 2 if row == 1 else 8)]
                    held = all(side_of(self.at[one]) == mover for one in beside)
                    if end in beside and held and side_of(self.at[file, row]) not in (mover, None):
                        found.add((file, row))
        return found

    def five(self, side):
        """7.1"""
        for start in EVERYWHERE:
            for x, y in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(start[0] + n * x, start[1] + n * y) for n in range(5)]
                if all(3 <= row <= 7 and side_of(self.at.get((file, row))) == side for file, row in line):
                    return True
        return False

    def do(self, action):
        mover, enemy = self.turn, "gr".replace(self.turn, "")
        start, end = map(square, action.split("-"))
        self.at[start], self.at[end] = ".", self.at[start]
        gone = self.caught(end, mover)
        for one in gone:
            self.at[one] = "."
        left_camp = self.variant == "base" and start[1] in self.camp(mover) and end[1] not in self.camp(mover)
        enemies = sum(side_of(letter) == enemy for letter in self.at.values())
        self.turn = enemy
        if gone or left_camp:
            self.memory, self.past = [], []
        else:
            self.memory.append(action)
        self.past.append((tuple(self.at.values()), self.turn))
        lost = enemies <= {"base": 4, "war": 1}[self.variant]
        if lost or (self.variant == "base" and self.five(mover)):
            self.turn = "over:" + (self.sides[1] if mover == "g" else "12".replace(self.sides[1], ""))
        elif self.is_stale():
            self.turn = "over:0"
        elif not self.actions():
            self.turn = mover
            self.memory.append(".")
            self.past.append((tuple(self.at.values()), self.turn))
            if self.is_stale():
                self.turn = "over:0"

    def is_stale(self):
        """7.4, 7.5"""
        return self.past.count(self.past[-1]) >= 3 or len(self.memory) >= self.limit


def count(table, depth):
    actions = table.actions()
    if depth == 1:
        return len(actions)
    return sum(count(table.after(action), depth - 1) for action in actions)
