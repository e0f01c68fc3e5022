"""Which positions can be open: the list of YUAN-18.2, item by item."""

from __future__ import annotations

from collections.abc import Iterable

from engine import BadPosition
from games.yuan.box import AUCTION_CHAO, SCENARIOS, SLOTS, Placed
from games.yuan.options import Options, clans_of
from games.yuan.pieces import Clan
from games.yuan.powers import power_of
from games.yuan.state import Opening, Phase, State, pending
from games.yuan.tiles import FIRST, beside

LAST_ATTEMPT = 3


def check(state: State) -> None:
    """Raise BadPosition with the first thing that is wrong."""
    phase = stage(state)
    check_end(state)
    check_stage_keys(state, phase)
    check_seats(state, phase)
    check_clans(state, phase)
    check_tiles(state, phase)
    CHECKS[phase](state)
    check_pieces(state)
    check_temples(state, phase)


def wrong(bad: object, why: str) -> None:
    if bad:
        raise BadPosition(why)


def stage(state: State) -> Phase:
    """The phase whose keys the line has: that in which the game ended, once it is over."""
    if state.phase != "over":
        return state.phase
    if state.opening is None:
        return "plan"
    setup = state.opening
    return "tiles" if setup.hands else "bids" if setup.attempt else "capital" if setup.won else "cities"


def check_end(state: State) -> None:
    """Winners stand at the end only, and are seats that have not resigned (18.2 item 8)."""
    wrong((state.phase == "over") != (state.winners is not None), "winners belong to the end, and the end has them")
    strangers = set(state.winners or ()) - set(state.remaining)
    wrong(strangers, f"a winner is a seat that has not resigned, unlike {', '.join(sorted(strangers))}")
    wrong(list(state.winners or ()) != sorted(set(state.winners or ())), "winners are listed once, ascending")


def check_stage_keys(state: State, phase: Phase) -> None:
    """Every key stands in its own phases only (18.1, 18.2 item 5)."""
    wrong((phase == "plan") != (state.turn > 0), "the turn is 0 in the set-up, and there only")
    setup = state.opening or Opening()
    wrong(setup.order and phase not in ("tiles", "cities"), "the placing order is of no use any more")
    wrong(setup.hands and phase != "tiles", "no tiles are in hand any more")
    wrong(setup.attempt and phase != "bids", "no bidding is open")
    wrong(setup.won and phase != "capital", "no winner chooses a capital")
    wrong(state.clans and phase in ("tiles", "cities"), "no seat has a clan yet")
    wrong(setup.capitals and phase == "tiles", "no capitals stand yet")


def check_seats(state: State, phase: Phase) -> None:
    """Seats are 1 to n; unless over, two are left and somebody is asked (18.2 items 1 and 3)."""
    setup = state.opening or Opening()
    named = [*state.gone, *setup.order, *setup.bidders, *(seat for seat, _ in setup.hands)]
    named += [clan.seat for clan in state.clans] + ([setup.won[0]] if setup.won else [])
    wrong(set(named) - set(state.seats), "a seat is none of this game")
    for listed in (state.gone, setup.bidders, tuple(seat for seat, _ in setup.hands)):
        wrong(list(listed) != sorted(set(listed)), "seats are listed once, ascending")
    needs_order = phase in ("tiles", "cities")
    wrong(needs_order and sorted(setup.order) != list(state.seats), "the placing order is not of all seats")
    if state.phase == "over":
        return
    wrong(len(state.remaining) < 2, "with fewer than two seats left the game is over")
    wrong(phase == "capital" and setup.won is None, "the winner of the round is missing")
    wrong(phase == "cities" and len(setup.capitals) >= len(setup.order), "all capitals stand")
    asked = pending(state)
    wrong(not asked or set(asked) & set(state.gone), "somebody that has not resigned has to decide")


def check_clans(state: State, phase: Phase) -> None:
    """n clans of the boxes in play, and those of the option if named; each seat one clan (18.2 items 1, 4, 5)."""
    options, setup = state.options, state.opening or Opening()
    seated = tuple(clan.id for clan in state.clans)
    playing = seated if phase == "plan" else setup.clans
    wrong(playing != ordered(playing, options) or len(playing) != options.players, "the clans in play are not right")
    wrong(not set(seated) <= set(playing), "a clan that is not in play has a seat")
    wrong(options.clans and playing != options.clans, "the option names other clans")
    holders = [clan.seat for clan in state.clans]
    wrong(len(set(holders)) < len(holders), "a seat has two clans")


def ordered(clans: Iterable[str], options: Options) -> tuple[str, ...]:
    return tuple(clan for clan in clans_of(options.boxes) if clan in set(clans))


# --- tiles --------------------------------------------------------------------------------------------------------


def check_tiles(state: State, phase: Phase) -> None:
    """Scenario free: every tile once, slots and hands as they can be (18.2 item 2)."""
    if not state.options.free:
        wrong(phase == "tiles", "the tiles of an imposed scenario are given")
        return
    hands = dict(state.opening.hands) if state.opening else {}
    held = [tile for hand in hands.values() for tile in hand]
    laid = [placed.tile for placed in state.tiles]
    wrong(sorted(held + laid) != list(state.options.tiles), "a tile is missing, or there twice")
    wrong(phase == "tiles" and not held, "every tile lies already")
    if state.options.dealt:
        wrong(phase == "tiles", "dealt tiles all lie from the start")
        slots = tuple(placed.slot for placed in state.tiles)
        wrong(slots != SLOTS[len(state.tiles)], "dealt tiles lie in the slots of the data")
    else:
        check_neighbourly(state.tiles)
    wrong(any(list(hand) != sorted(hand) for hand in hands.values()), "tiles in hand are listed by id")


def check_neighbourly(tiles: tuple[Placed, ...]) -> None:
    """The first tile at 0,0 unturned, each later one beside an earlier one (YUAN-3.6)."""
    used: set[tuple[int, int]] = set()
    for placed in tiles:
        if not used:
            wrong(placed.slot != FIRST or placed.rot, "the first tile lies unturned at 0,0")
        else:
            wrong(not used & set(beside(placed.slot)), f"{placed.tile} lies beside no earlier tile")
        used.add(placed.slot)


# --- phases -------------------------------------------------------------------------------------------------------


def check_laying(state: State) -> None:
    """Hands have the size the round leaves (18.2 item 2, YUAN-3.5)."""
    setup, total = state.setup, len(state.options.tiles)
    for place, seat in enumerate(setup.order):
        n = len(setup.order)
        left = len(range(place, total, n)) - len(range(place, len(state.tiles), n))
        wrong(len(setup.hand(seat)) != left, f"seat {seat} should hold {left} tiles")


def check_placing(state: State) -> None:
    """No auction; the i-th capital is of the i-th clan in play (18.2 item 4)."""
    options, setup = state.options, state.setup
    wrong(options.auction or options.scenario not in ("free", "river_control"), "nobody places capitals here")
    wrong(sorted(setup.order) != list(state.seats), "the placing order is not of all seats")
    owners = tuple(clan for _, clan in setup.capitals)
    wrong(owners != setup.clans[: len(owners)], "the i-th capital is of the i-th clan in play")


def check_bidding(state: State) -> None:
    """At least two without a clan bid, at attempt 1 all of them (18.2 item 4)."""
    check_auction(state)
    setup = state.setup
    seated = {clan.seat for clan in state.clans}
    unseated = [seat for seat in state.seats if seat not in seated]
    wrong(not 1 <= setup.attempt <= LAST_ATTEMPT, "a round has one to three attempts")
    wrong(set(setup.bidders) & seated, "a seat that has a clan does not bid")
    wrong(len(setup.bidders) < 2, "at least two seats bid")
    wrong(setup.attempt == 1 and list(setup.bidders) != unseated, "at the first attempt all seats without a clan bid")


def check_choosing(state: State) -> None:
    """The winner of the round has no clan yet, and at most what it began with (18.2 item 4)."""
    check_auction(state)
    winner, left = state.setup.won or ("", 0)
    wrong(state.clan_of(winner) is not None, "the winner of the round has a clan already")
    wrong(left > AUCTION_CHAO, f"at most {AUCTION_CHAO} chao are left")


def check_auction(state: State) -> None:
    """Clans have a seat or a capital that is left; those seated hold their capital only (18.2 item 4)."""
    setup = state.setup
    wrong(not state.options.auction, "there is no auction in this game")
    wrong(len(setup.capitals) < 2, "with one capital left there is nothing to bid for")
    owners = [clan for _, clan in setup.capitals]
    seated = [clan.id for clan in state.clans]
    expected = [clan for clan in setup.clans if clan not in seated]
    wrong(owners != expected, "each clan in play is seated or has a capital that is left, in canonical order")
    for clan in state.clans:
        lone = clan.lands.bit_count() == 1 and clan.lands == clan.cities
        wrong(not lone or clan.doubled or clan.walled or clan.armies, f"{clan.id} holds its capital only")
        wrong(clan.chao > AUCTION_CHAO, f"{clan.id} has more chao than the auction began with")
    check_imposed(state)


def check_imposed(state: State) -> None:
    """Imposed capitals are those of the data."""
    options, setup = state.options, state.setup
    capitals = () if options.free else SCENARIOS[options.scenario].capitals
    if not capitals:
        return
    imposed = dict(zip(setup.clans, capitals, strict=True))
    there = {clan: name for name, clan in setup.capitals}
    there |= {clan.id: state.land.named(clan.lands)[0] for clan in state.clans}
    wrong(there != imposed, "imposed capitals are those of the data")


def check_planning(state: State) -> None:
    """18.2 item 5: all clans have a seat, which `check_clans` has seen to."""
    wrong(len(state.clans) != state.options.players, "every clan has a seat")


CHECKS = {
    "tiles": check_laying,
    "cities": check_placing,
    "bids": check_bidding,
    "capital": check_choosing,
    "plan": check_planning,
}


# --- pieces -------------------------------------------------------------------------------------------------------


def check_pieces(state: State) -> None:
    """Provinces exist and are held once, no stock is negative, no province exceeds its cap (18.2 item 6)."""
    names = [name for name, _ in (state.opening or Opening()).capitals]
    wrong(set(names) - set(state.land.number), "a capital is no province of this map")
    held = sum(clan.lands.bit_count() for clan in state.clans) + len(names)
    union = state.owned | state.land.numbered(names)
    wrong(union.bit_count() != held, "a province is held twice")
    for clan in state.clans:
        wrong(short(clan), f"{clan.id} has more pieces on the map than there are")
        cap = power_of(clan.id, state.options.powers).army_cap
        wrong(any(count > cap for _, count in clan.armies), f"{clan.id} has more than {cap} armies on a province")


def short(clan: Clan) -> bool:
    """Whether more pieces stand on the map than the clan has (YUAN-2.1)."""
    return min(clan.village_stock, clan.city_stock, clan.rampart_stock, clan.army_stock) < 0


def check_temples(state: State, phase: Phase) -> None:
    """None while tiles are laid; exactly the hills in the set-up; later at least the hills (18.2 item 7)."""
    hills = state.land.hills
    if phase == "tiles":
        wrong(state.temples, "no temples stand before the map is complete")
    elif phase != "plan":
        wrong(state.temples != hills, "in the set-up the temples stand on the hills")
    else:
        wrong(hills & ~state.temples, "the temple of a hills province is missing")
        wrong(state.temple_stock < 0, f"there are {state.temple_limit} temples")
