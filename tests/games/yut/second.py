"""A second, slow program for Yut, written from the rules document alone and in another style.

It knows no nodes and no tables: a horse carries the list of spaces still before it, which tells its heading, its
shortcut and its steps to go. A game is a plain dictionary, changed in place, read from a position line and written as
one. It throws by a list of sticks and takes the first ones.
"""

import itertools
import re

RIM = [f"r{k}" for k in range(1, 21)]
ORDER = [*RIM, "a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "o"]
HALF_TURN = {f"r{k}": f"r{(k + 9) % 20 + 1}" for k in range(1, 21)}
HALF_TURN |= {"a1": "c1", "a2": "c2", "c1": "a1", "c2": "a2", "b1": "d1", "b2": "d2", "d1": "b1", "d2": "b2"}
HALF_TURN |= {"o": "o", "home": "home"}

HOMEWARD = ["a2", "a1", "r20", "home"]
SHORTCUTS = {  # for post A: what lies before a horse that turns off
    "r5": ["b1", "b2", "o", "d2", "d1", *RIM[14:], "home"],
    "r10": ["c1", "c2", "o", *HOMEWARD],
    "r15": ["d1", "d2", "o", *HOMEWARD],
}


def turn_path(path, post):
    return path if post == "A" else [HALF_TURN[space] for space in path]


def as_for_a(space, post):
    return space if post == "A" else HALF_TURN[space]


def fresh(post):
    return turn_path([*RIM, "home"], post)


def shortcut(game, side, horse):
    """The spaces of the shortcut that a move starting here may take, or None."""
    post = game["posts"][side]
    at, ahead = as_for_a(horse["at"], post), turn_path(horse["path"], post)
    if at == "r5" and game["favourite"] and not horse["five"]:
        return None
    if at == "o" and ahead[0] == "d2":
        return turn_path(HOMEWARD, post)
    return turn_path(SHORTCUTS[at], post) if at in SHORTCUTS else None


# --- the line ---------------------------------------------------------------------------------------------------------


def node_path(node, post):
    """The spaces before a horse on a node of the line."""
    space = node.rstrip("*")
    if post == "C":  # turn names to those of post A
        space = {"od": "ob", "b1i": "d1i", "b2i": "d2i"}.get(space) or HALF_TURN[space]
    if space in RIM:
        path = [*RIM[RIM.index(space) + 1 :], "home"]
    elif space == "ob":
        path = SHORTCUTS["r5"][3:]
    elif space == "o":
        path = HOMEWARD
    else:
        way = {"a": SHORTCUTS["r10"], "b": SHORTCUTS["r5"], "c": SHORTCUTS["r10"], "d": SHORTCUTS["r5"]}[space[0]]
        way = SHORTCUTS["r15"] if space.endswith("i") else way
        path = way[way.index(space[:2]) + 1 :]
    return turn_path(path, post)


def node_name(horse, post):
    at, ahead = as_for_a(horse["at"], post), turn_path(horse["path"], post)
    if horse["five"]:
        return horse["at"] + "*"
    if at == "o" and ahead[0] == "d2":
        return "ob" if post == "A" else "od"
    return horse["at"] + ("i" if at in ("d1", "d2") and "o" in ahead else "")


def parse(line):
    _, options, seat, throws, again, sides, wild, hurdles, turns, end = line.split(" ")
    favourite = options.endswith("f")
    posts = ["A", "C"] if favourite else ["A"] * 3
    game = {
        "players": int(options[0]),
        "favourite": favourite,
        "posts": posts,
        "seat": int(seat),
        "phase": "hurdle" if throws == "hurdle" else "over" if throws == "-" else "move",
        "throws": [int(value) for value in throws.split(",")] if throws[0].isdigit() else [],
        "again": int(again),
        "sides": [],
        "wild": None if wild == "-" else wild.split("/")[0],
        "start": None if wild == "-" else wild.split("/")[1],
        "circles": 0 if wild == "-" else int(wild.split("/")[2]),
        "hurdles": [] if hurdles == "-" else hurdles.split("+"),
        "turns": int(turns),
        "end": end,
    }
    for number, text in enumerate(sides.split(";")):
        waiting, home, track = text.split("/")
        horses = []
        for group in track.split(",") if track != "-" else []:
            node, _, count = group.partition("x")
            space = re.match("[a-z][0-9]*", node)[0]
            space = "o" if node in ("ob", "od") else space
            for _ in range(int(count or 1)):
                path = node_path(node, posts[number])
                horses.append({"at": space, "path": list(path), "five": node.endswith("*")})
        game["sides"].append({"waiting": int(waiting), "home": int(home), "track": horses})
    return game


def write(game):
    def side_text(number, side):
        piles = []
        for space in ORDER:
            here = [horse for horse in side["track"] if horse["at"] == space]
            if here:
                name = node_name(here[0], game["posts"][number])
                piles.append(name + (f"x{len(here)}" if len(here) > 1 else ""))
        return f"{side['waiting']}/{side['home']}/{','.join(piles) or '-'}"

    throws = ",".join(str(value) for value in sorted(game["throws"], reverse=True))
    fields = [
        "yut",
        f"{game['players']}{'f' if game['favourite'] else ''}",
        str(game["seat"]),
        "hurdle" if game["phase"] == "hurdle" else throws or "-",
        str(game["again"]),
        ";".join(side_text(*pair) for pair in enumerate(game["sides"])),
        f"{game['wild']}/{game['start']}/{game['circles']}" if game["wild"] else "-",
        "+".join(sorted(game["hurdles"], key=ORDER.index)) or "-",
        str(game["turns"]),
        game["end"],
    ]
    return " ".join(fields)


# --- moves ------------------------------------------------------------------------------------------------------------


def acting(game):
    return (game["seat"] - 1) % len(game["sides"])


def travel(game, side, path, throw):
    """Where a horse ends that has this path before it: the path then left, the spaces it stopped on in turn."""
    lead = max(rival["home"] for rival in game["sides"]) - game["sides"][side]["home"]
    stops, count = [], throw
    while True:
        path = path[count - 1 :] if count < len(path) else ["home"]
        stops.append(path[0])
        if path[0] not in game["hurdles"]:
            return path[1:], stops
        path, count = path[1:], 1 + lead


def options(game):
    """All uses of the throws, legal or not: text, throw, who moves (None: a new horse), path after, stops."""
    side = acting(game)
    mine = game["sides"][side]
    found = []
    for throw in sorted(set(game["throws"]), reverse=True):
        if mine["waiting"]:
            found.append((f"{throw} new", throw, None, *travel(game, side, fresh(game["posts"][side]), throw)))
        for space in ORDER:
            horse = next((horse for horse in mine["track"] if horse["at"] == space), None)
            if horse is None:
                continue
            found.append((f"{throw} {space}", throw, space, *travel(game, side, horse["path"], throw)))
            if (turn_off := shortcut(game, side, horse)) is not None:
                found.append((f"{throw} {space} short", throw, space, *travel(game, side, turn_off, throw)))
    return found


def complaint(game, option):
    """Why a use is not legal."""
    _, _, space, _, stops = option
    side, end = acting(game), stops[-1]
    if end == game["wild"] and end is not None:
        return "wild-horse"
    mine = game["sides"][side]["track"]
    moved = 1 if space is None else sum(horse["at"] == space for horse in mine)
    if game["favourite"] and end != "home" and moved + sum(horse["at"] == end for horse in mine) > 2:
        return "pile-full"
    return None


def legal(game):
    if game["phase"] == "hurdle":
        return [f"hurdle {space}" for space in ORDER if space not in (*game["hurdles"], game["start"])]
    return [option[0] for option in options(game) if not complaint(game, option)]


def default(game):
    if game["phase"] == "hurdle":
        return next(f"hurdle {space}" for space in ("r8", "r18") if space not in game["hurdles"])
    side = acting(game)
    best, choice = None, None
    for option in options(game):
        if complaint(game, option):
            continue
        text, _, space, path, stops = option
        group = [horse for horse in game["sides"][side]["track"] if horse["at"] == space]
        prey = sum(
            horse["at"] == stops[-1]
            for number, rival in enumerate(game["sides"])
            for horse in rival["track"]
            if number != side
        )
        value = (
            (len(group) or 1) if stops[-1] == "home" else 0,
            prey,
            (len(group[0]["path"]) if group else 21) - len(path),
        )
        if best is None or value > best:
            best, choice = value, text
    return choice


def do(game, text, sticks):
    """Carry a legal action out; `sticks` is used up from its front."""
    if game["phase"] == "hurdle":
        game["hurdles"].append(text.split()[1])
        if len(game["hurdles"]) == 1:
            game["seat"] = (game["seat"] - 2) % game["players"] + 1
            return
        game["phase"] = "move"
        game["seat"] = (game["seat"] + 1) % game["players"] + 1
        game["throws"] = throw_all(game, sticks)
        pass_on(game, sticks)
        return
    _, throw, space, path, stops = next(option for option in options(game) if option[0] == text)
    side = acting(game)
    mine, end = game["sides"][side], stops[-1]
    game["throws"].remove(throw)
    movers = [horse for horse in mine["track"] if horse["at"] == space] or [{}]
    mine["track"] = [horse for horse in mine["track"] if horse["at"] != space]
    mine["waiting"] -= space is None
    if end == "home":
        mine["home"] += len(movers)
    else:
        first = "r5" if game["posts"][side] == "A" else "r15"
        five = game["favourite"] and space is None and throw == 5 and end == first and len(stops) == 1
        movers += [horse for horse in mine["track"] if horse["at"] == end]
        mine["track"] = [horse for horse in mine["track"] if horse["at"] != end]
        mine["track"] += [{"at": end, "path": list(path), "five": five} for _ in movers]
        if sum(send_back(rival, end) for rival in game["sides"] if rival is not mine) and game["again"] < 2:
            game["again"] += 1
            game["throws"] += throw_all(game, sticks)
    if not mine["waiting"] and not mine["track"]:
        finish(game, "finish")
        return
    pass_on(game, sticks)


def send_back(side, space):
    gone = sum(horse["at"] == space for horse in side["track"])
    side["track"] = [horse for horse in side["track"] if horse["at"] != space]
    side["waiting"] += gone
    return gone


def throw_all(game, sticks):
    values = []
    while True:
        flats = sum(sticks[:4])
        del sticks[:4]
        values.append(flats or 5)
        if values[-1] < 4 or game["again"] == 2:
            return values
        game["again"] += 1


def pass_on(game, sticks):
    """End turns until somebody can do something."""
    while not legal(game):
        game["turns"] += 1
        if game["wild"]:
            while True:
                game["wild"] = RIM[RIM.index(game["wild"]) - 1]
                if game["wild"] not in game["hurdles"]:
                    break
            for side in game["sides"]:
                send_back(side, game["wild"])
            game["circles"] += game["wild"] == game["start"]
            if game["circles"] == 2:
                finish(game, "wild")
                return
        game["seat"] = game["seat"] % game["players"] + 1
        game["again"] = 0
        game["throws"] = throw_all(game, sticks)


def finish(game, reason):
    standing = [
        (
            side["home"],
            len(side["track"]),
            [-left for left in sorted((len(h["path"]) for h in side["track"]), reverse=True)],
        )
        for side in game["sides"]
    ]
    numbers = sorted(range(len(standing)), key=lambda number: (standing[number], -number), reverse=True)
    text = str(numbers[0] + 1)
    for better, worse in itertools.pairwise(numbers):
        text += ("=" if standing[better] == standing[worse] else ">") + str(worse + 1)
    game |= {"phase": "over", "throws": [], "again": 0, "end": f"{reason}:{text}"}


# --- refusals ---------------------------------------------------------------------------------------------------------


def judge(game, seat, throw, name, short, landing):
    """The canonical text of a move written in parts, or the code of its refusal."""
    if game["phase"] == "over":
        return "over"
    if seat != game["seat"]:
        return "not-your-turn"
    if game["phase"] == "hurdle":
        return "hurdles-first"
    side = acting(game)
    if throw not in game["throws"]:
        return "no-such-throw"
    if name == "new":
        if not game["sides"][side]["waiting"]:
            return "none-waiting"
    elif name not in ORDER:
        return "no-such-space"
    elif not any(horse["at"] == name for horse in game["sides"][side]["track"]):
        return "no-horse"
    ways = {option[0]: option for option in options(game) if option[0].split()[:2] == [str(throw), name]}
    bare, turned = f"{throw} {name}", f"{throw} {name} short"
    if short and turned not in ways:
        if game["favourite"] and name == ("r5" if game["posts"][side] == "A" else "r15"):
            return "not-exact-five"
        if name != "o":
            return "no-shortcut"
    chosen = [turned] if short and turned in ways else [bare] if short or not landing else list(ways)
    if landing:
        if landing != "home" and landing not in ORDER:
            return "no-such-space"
        chosen = [text for text in chosen if ways[text][4][-1] == landing]
        if not chosen:
            return "wrong-landing"
        if len(chosen) == 2:
            return "two-ways"
    return complaint(game, ways[chosen[0]]) or chosen[0]
