"""Jarmo a second time: a slow little program written from the rules document alone, to count against the first.

It shares no code and no data with the game. A board is a dict from points to columns, a column a text from bottom to
top as the position line writes it; lines are copied from the table of neighbours; a position is its line, cut up, and
each action is played on a copy. Earlier boards are not kept: like the rules say, TAIL is walked back.
"""

from copy import deepcopy

FILES, RANKS = "abcde", "12345"
ORDER = [file + rank for rank in RANKS for file in FILES]
HOME = {"g": "1", "b": "5"}
FAR = {"g": "5", "b": "1"}
FOE = {"g": "b", "b": "g"}

TABLE = """
a1 c2 b3 | e2 c1 d4          | d4 e2 d3 c4 b5
b1 d2 a3 | a3 b1 b5          | e4 c3 c5
c1 a2 e2 d3 | b3 a1 b2 d2 b4 a5 c5 | a5 b3 c4
d1 b2 c3 | c3 d1 a2 a4 e4    | b5 a3 d4
e1 c2 d3 | d3 c1 e1 d2 b4 d4 e5 | c5 b3 a4 e4
a2 c1 c3 | e3 c2 d5          | d5 e3 b4
b2 d1 c2 b3 c4 | a4 c3 c5    | e5 d3 c4
c2 a1 e1 b2 d2 e3 | b4 b3 d3 c4 d5
d2 b1 c2 b3 d3 | c4 b2 b4 d4 a5 e5
"""
SOLID = {
    words[0]: set(words[1:])
    for words in (cell.split() for row in TABLE.split("\n") for cell in row.split("|"))
    if words
}
DOTS = {"b3": {"c3"}, "c3": {"b3", "d3"}, "d3": {"c3"}}


def owner(piece):
    return "g" if piece.isupper() else "b"


class Mat:
    """One position."""

    def __init__(self, line):
        game, options, rows, self.side, green, blue, camps, turn, tail, self.end = line.split(" ")
        assert game == "jarmo"
        self.options = options
        self.variant = options.split(",")[0]
        self.late = "turn" if "late=turn" in options or self.variant == "jasyr" else "move"
        self.limit = int(options.partition("limit=")[2] or 300)
        self.at = {}
        for rank, row in zip("54321", rows.split("/"), strict=True):
            files = iter(FILES)
            inside = None
            for sign in row:
                if sign == "(":
                    inside = next(files) + rank
                elif sign == ")":
                    inside = None
                elif sign.isdigit():
                    for _ in range(int(sign)):
                        next(files)
                elif inside:
                    self.at[inside] = self.at.get(inside, "") + sign
                else:
                    self.at[next(files) + rank] = sign
        self.pool = {"g": int(green[0]), "b": int(blue[0])}
        self.hand = {"g": int(green[2]), "b": int(blue[2])}
        self.camps = [] if camps == "-" else camps.split("+")
        self.turn = int(turn)
        self.tail = [] if tail == "-" else tail.split(",")

    def line(self):
        rows = []
        for rank in "54321":
            row = ""
            for file in FILES:
                pieces = self.at.get(file + rank, "")
                if pieces:
                    row += pieces if len(pieces) == 1 else f"({pieces})"
                elif row and row[-1].isdigit():
                    row = row[:-1] + str(int(row[-1]) + 1)
                else:
                    row += "1"
            rows.append(row)
        beside = [f"{self.pool[side]}.{self.hand[side]}" for side in "gb"]
        camps, tail = "+".join(self.camps) or "-", ",".join(self.tail) or "-"
        return " ".join(
            ["jarmo", self.options, "/".join(rows), self.side, *beside, camps, str(self.turn), tail, self.end]
        )

    # --- looking ----------------------------------------------------------------------------------------------------

    def top(self, point):
        return self.at.get(point, " ")[-1]

    def whose(self, point):
        return owner(self.top(point)) if point in self.at else None

    def free(self, side):
        """10.7: points of the free soldiers of a side, one entry for each."""
        return [p for p in ORDER if self.whose(p) == side for piece in self.at[p] if owner(piece) == side]

    def lines_from(self, point):
        return SOLID[point] | (DOTS.get(point, set()) if self.variant == "jasyr" else set())

    def goes(self, side):
        """Every move of a side as (from, to)."""
        for p in ORDER:
            if self.whose(p) != side or p[1] == FAR[side]:
                continue
            for q in ORDER:
                if q not in self.lines_from(p) or self.whose(q) == side:
                    continue
                if self.variant == "jasyr" and (q[1] < p[1] if side == "g" else q[1] > p[1]):
                    continue
                if self.variant == "legendary" and self.whose(q) == FOE[side] and q[1] == HOME[side]:
                    continue
                yield p, q

    def empty_home(self):
        return [file + HOME[self.side] for file in FILES if file + HOME[self.side] not in self.at]

    # --- what may be done -------------------------------------------------------------------------------------------

    def actions(self):
        if self.end != "-":
            return []
        me, found = self.side, []
        for p, q in self.goes(me):
            found.append(f"{p}-{q}")
            then = deepcopy(self)
            got = then.walk(p, q)["recovered"]
            if then.hand[me] and (self.late == "move" or got):
                found += [f"{p}-{q} place {r}" for r in then.empty_home()]
            if self.camps and all(then.whose(c) == me for c in self.camps) and then.pool[me]:
                found += [f"{p}-{q} recall {r}" for r in then.empty_home()]
        could_move = bool(found)
        if self.variant == "legendary" and self.pool[me]:
            for p in ORDER:
                if self.whose(p) == me and p[1] == FAR[me] and self.top(p) in "GgDd":
                    found += [f"flip {p}", *(f"flip {p} place {r}" for r in self.empty_home())]
        if self.hand[me] and (self.late == "turn" or not could_move):
            found += [f"place {r}" for r in self.empty_home()]
        return found or ["pass"]

    def default(self):
        menu = self.actions()
        lost = f":{FOE[self.side]}"
        keep = [action for action in menu if not self.after(action).end.endswith(lost)] or menu
        takes = [a for a in keep if "-" in a and self.whose(a[3:5]) == FOE[self.side]]
        brings = [a for a in keep if "place" in a or "recall" in a]
        return (takes + brings + keep)[0]

    # --- doing it ---------------------------------------------------------------------------------------------------

    def lift(self, point):
        piece = self.at[point][-1]
        self.at[point] = self.at[point][:-1]
        if not self.at[point]:
            del self.at[point]
        return piece

    def walk(self, p, q):
        """The move alone. What happened is told as a dict."""
        me, foe = self.side, FOE[self.side]
        happened = {"captured": False, "entered": q[1] == FAR[me], "recovered": False}
        piece = self.lift(p)
        if self.whose(q) == foe:
            happened["captured"] = True
            prey = self.lift(q)
            below = self.at.get(q, "")
            if prey in "Dd":
                below += {"D": "E", "d": "e"}[prey]
            elif prey in "Gg" and self.variant == "jasyr":
                self.hand[foe] += 1
            elif prey in "AaGg" and self.variant != "jasyr":
                self.pool[foe] += 1
            if below:
                self.at[q] = below
            if piece in "Aa" and q[1] != HOME[foe]:
                piece = {"A": "G", "a": "g"}[piece]
        if happened["entered"] and piece in "GgDd" and self.variant != "legendary":
            piece = {"G": "A", "g": "a", "D": "E", "d": "e"}[piece]
            happened["recovered"] = self.recover()
        self.at[q] = self.at.get(q, "") + piece
        return happened

    def recover(self):
        if not self.pool[self.side]:
            return False
        self.pool[self.side] -= 1
        self.hand[self.side] += 1
        return True

    def after(self, action):
        then = deepcopy(self)
        then.do(action)
        return then

    def do(self, action):
        me, words = self.side, action.split()
        happened, moved = {"captured": False, "entered": False}, "-" in words[0]
        quiet = action == "pass"
        if moved:
            happened = self.walk(*words[0].split("-"))
            quiet = len(words) == 1 and not happened["captured"] and not happened["entered"]
        if words[0] == "flip":
            piece = self.lift(words[1])
            self.at[words[1]] = self.at.get(words[1], "") + {"G": "A", "g": "a", "D": "E", "d": "e"}[piece]
            self.recover()
        archer = "A" if me == "g" else "a"
        if "place" in words:
            self.at[words[-1]] = archer
            self.hand[me] -= 1
        if "recall" in words:
            self.at[words[-1]] = archer
            self.pool[me] -= 1
            self.camps = []
        self.tail = [*self.tail, action] if quiet else []
        self.side, self.turn = FOE[me], self.turn + 1
        self.end = self.verdict(me, moved, happened["entered"])

    # --- the end ----------------------------------------------------------------------------------------------------

    def points(self, side):
        inside = sum(p[1] == FAR[side] for p in self.free(side))
        return len(self.free(side)) + inside, inside

    def verdict(self, me, moved, entered):
        foe = FOE[me]
        green, blue = self.points("g"), self.points("b")
        better = "=" if green == blue else "g" if green > blue else "b"
        base = self.variant == "base"
        is_in = {side: {p[1] for p in self.free(side)} == {FAR[side]} for side in "gb"}
        if base:
            if not self.free(foe) and not self.hand[foe]:
                return f"capture:{me}"
            if is_in[me] or is_in[foe]:
                return f"camp:{better}"
        elif moved:
            if entered and is_in[me] and not self.hand[me]:
                return f"camp:{me}"
            stuck = (is_in[foe] or not self.free(foe)) and not self.hand[foe]
            guards = [p for p in self.free(foe) if p[1] == FAR[foe] and self.top(p) in "GgDd"]
            if stuck and not (self.variant == "legendary" and guards and self.pool[foe]):
                return f"capture:{me}"
        who = better if base else "="
        if self.tail[-2:] == ["pass", "pass"]:
            return f"blocked:{who}"
        if self.stood() >= 3:
            return f"repeat:{who}"
        if len(self.tail) >= 40:
            return f"quiet:{who}"
        return f"limit:{who}" if self.turn >= self.limit else "-"

    def stood(self):
        """How often this board has stood with this side to move, walking TAIL back."""
        at, count, even = dict(self.at), 1, True
        for entry in reversed(self.tail):
            even = not even
            if entry != "pass":
                p, q = entry.split("-")
                at[p] = at.get(p, "") + at.pop(q)
            count += even and at == self.at
        return count


def count(mat, depth):
    actions = mat.actions()
    if depth == 1:
        return len(actions)
    return sum(count(mat.after(action), depth - 1) for action in actions)
