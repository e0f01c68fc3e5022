"""The set-up: draws, tiles, capitals, colours, up to the first turn (YUAN-3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine import Dice, Event, Seat, Turned
from games.yuan import auction
from games.yuan.box import BOXES, CLANS, SCENARIOS, SLOTS, START_CHAO, Placed
from games.yuan.course import told
from games.yuan.moves import LayTile, SetCity
from games.yuan.options import ONE_BOX, Options, canonical, clans_of
from games.yuan.pieces import Clan
from games.yuan.state import Opening, State
from games.yuan.tiles import lay, open_slots
from games.yuan.turn import turn_started

SIXTHS = 6


def setup(options: Options, dice: Dice) -> Turned:
    """The draws of YUAN-3.4 in their order, as far as nobody has to be asked."""
    clans, story = draw_clans(options, dice)
    order, ordered = draw_order(options, dice)
    opening = Opening(order=order, clans=clans)
    nothing = lay((), options.rivers)
    state = State(options=options, phase="tiles", land=nothing, opening=opening, wheel=options.wheel)
    state, laid = first_tiles(state, dice)
    story += ordered + laid
    if not state.setup.hands:
        state, finished = finish_map(state, dice)
        story += finished
    return Turned(state, tuple(story))


# --- draws --------------------------------------------------------------------------------------------------------


def draw_clans(options: Options, dice: Dice) -> tuple[tuple[str, ...], list[Event]]:
    """Draw (a): the clans in play, listed in canonical order (YUAN-3.3)."""
    if options.clans:
        return options.clans, []
    if options.players <= ONE_BOX:
        sure: tuple[str, ...] = ()
        others = clans_of(options.boxes)
    else:  # all four of base_box and the remainder from the other box
        sure = clans_of((options.base_box,))
        others = clans_of(tuple(box for box in BOXES if box != options.base_box))
    wanted = options.players - len(sure)
    if wanted == len(others):
        return canonical(sure + others), []  # YUAN-3.4 (a): nothing to draw with 4 or 8 players
    clans = canonical(sure + sample(others, wanted, dice, "clans"))
    return clans, [told("clans_drawn", "YUAN-3.3", clans=list(clans))]


def draw_order(options: Options, dice: Dice) -> tuple[tuple[Seat, ...], list[Event]]:
    """Draw (b): the placing order, unless there is an auction and no tiles are placed by players (YUAN-3.4)."""
    placing = options.free and not options.dealt
    if options.auction and not placing:
        return (), []
    order = dice.shuffle(options.seats, "placing order")
    return order, [told("seats_ordered", "YUAN-3.4", seats=list(order))]


def sample(items: tuple[str, ...], count: int, dice: Dice, why: str) -> tuple[str, ...]:
    """Shuffle all, then the first so many (YUAN-3.16)."""
    return dice.shuffle(items, why)[:count]


# --- tiles --------------------------------------------------------------------------------------------------------


def first_tiles(state: State, dice: Dice) -> tuple[State, list[Event]]:
    """The tiles of an imposed map, dealt tiles, or the hands (YUAN-3.5, 3.7)."""
    options = state.options
    if not options.free:
        return with_tiles(state, SCENARIOS[options.scenario].tiles), []
    shuffled = dice.shuffle(options.tiles, "tiles")  # draw (c)
    if not options.dealt:
        return deal_hands(state, shuffled)
    slots = SLOTS[len(shuffled)]
    turns = [dice.choice(range(SIXTHS), "rotation") for _ in slots]  # draw (d)
    tiles = tuple(Placed(tile, slot, rot) for tile, slot, rot in zip(shuffled, slots, turns, strict=True))
    return with_tiles(state, tiles), [tell_tile(None, placed, False, "YUAN-3.7") for placed in tiles]


def deal_hands(state: State, tiles: tuple[str, ...]) -> tuple[State, list[Event]]:
    """Tile number i goes to the seat at place i mod n of the placing order (YUAN-3.5)."""
    order = state.setup.order
    held = {seat: tuple(sorted(tiles[place :: len(order)])) for place, seat in enumerate(order)}
    hands = tuple(sorted(held.items()))
    story = [told("tiles_dealt", "YUAN-3.5", hands={seat: list(hand) for seat, hand in hands})]
    return with_opening(state, hands=hands), story


def with_tiles(state: State, tiles: tuple[Placed, ...]) -> State:
    return replace(state, tiles=tiles, land=lay(tiles, state.options.rivers))


def with_opening(state: State, **changes: object) -> State:
    return replace(state, opening=replace(state.setup, **changes))  # type: ignore[arg-type]


def tell_tile(seat: Seat | None, placed: Placed, defaulted: bool, rule: str) -> Event:
    slot = list(placed.slot)
    return told("tile_placed", rule, seat=seat, tile=placed.tile, slot=slot, rot=placed.rot, defaulted=defaulted)


def default_tile(state: State, seat: Seat) -> LayTile:
    """The first legal action in the order tile id, a, b, rotation (YUAN-3.6)."""
    slots = open_slots([placed.slot for placed in state.tiles])
    return LayTile(state.setup.hand(seat)[0], slots[0], 0, silent=True)


def lay_tile(state: State, seat: Seat, move: LayTile, dice: Dice) -> tuple[State, list[Event]]:
    """One tile from a hand to the map; after the last one the map is finished (YUAN-3.6)."""
    placed = Placed(move.tile, move.slot, move.rot)
    hands = dict(state.setup.hands)
    hands[seat] = tuple(tile for tile in hands[seat] if tile != move.tile)
    left = tuple((holder, hand) for holder, hand in hands.items() if hand)
    state = with_opening(with_tiles(state, (*state.tiles, placed)), hands=left)
    story = [tell_tile(seat, placed, move.silent, "YUAN-3.6")]
    if not left:
        state, finished = finish_map(state, dice)
        story += finished
    return state, story


# --- capitals -----------------------------------------------------------------------------------------------------


def finish_map(state: State, dice: Dice) -> tuple[State, list[Event]]:
    """Temples on the hills (YUAN-3.8), then the capitals by auction, by the data, or by the players."""
    land, options = state.land, state.options
    state = replace(state, temples=land.hills)
    story = [told("temples_set", "YUAN-3.8", provinces=land.named(land.hills))]
    imposed = () if options.free else SCENARIOS[options.scenario].capitals
    if imposed:  # YUAN-3.10: the i-th capital of the data belongs to the i-th clan in play
        state, told_of = with_capitals(state, imposed, "YUAN-3.10")
    elif options.auction:  # draw (e), YUAN-3.12
        drawn = sample(land.names, options.players, dice, "capitals")
        state, told_of = with_capitals(state, drawn, "YUAN-3.12")
    else:
        return replace(state, phase="cities"), story  # YUAN-3.9
    story += told_of
    if options.auction:
        return auction.open_round(with_opening(state, order=())), story
    state, started = draw_colours(state, dice)
    return state, story + started


def with_capitals(state: State, names: tuple[str, ...], rule: str) -> tuple[State, list[Event]]:
    capitals = tuple(zip(names, state.setup.clans, strict=True))
    story = [told("city_set", rule, seat=None, clan=clan, province=name) for name, clan in capitals]
    return with_opening(state, capitals=capitals), story


def default_city(state: State) -> SetCity:
    """The first province without a city, alphabetical (YUAN-3.9)."""
    taken = {name for name, _ in state.setup.capitals}
    return SetCity(next(name for name in state.land.names if name not in taken))


def set_city(state: State, seat: Seat, move: SetCity, dice: Dice) -> tuple[State, list[Event]]:
    """The i-th seat puts the city of the i-th clan in play (YUAN-3.9); then the colours are drawn (YUAN-3.10)."""
    setup = state.setup
    clan = setup.clans[len(setup.capitals)]
    state = with_opening(state, capitals=(*setup.capitals, (move.province, clan)))
    story = [told("city_set", "YUAN-3.9", seat=seat, clan=clan, province=move.province)]
    if len(state.setup.capitals) == len(setup.clans):
        state, started = draw_colours(state, dice)
        story += started
    return state, story


def draw_colours(state: State, dice: Dice) -> tuple[State, list[Event]]:
    """Draw (f): the i-th seat of the placing order gets the i-th clan of the shuffled list (YUAN-3.10)."""
    setup, options = state.setup, state.options
    dealt = dict(zip(setup.order, dice.shuffle(setup.clans, "colours"), strict=True))
    seat_of = {clan: seat for seat, clan in dealt.items()}
    purse = start_chao(options, setup.clans)
    clans = tuple(
        Clan(clan, seat_of[clan], purse[clan], lands=capital, cities=capital)
        for name, clan in setup.capitals
        for capital in [1 << state.land.number[name]]
    )
    story = [told("colours_drawn", "YUAN-3.10", clans=dealt), told("chao_set", "YUAN-3.11", chao=purse)]
    return first_turn(replace(state, clans=clans), story)


def start_chao(options: Options, clans: tuple[str, ...]) -> Mapping[str, int]:
    """4 each; with powers adjusted (YUAN-3.11)."""
    return {clan: START_CHAO + (CLANS[clan].chao_adjust if options.powers else 0) for clan in clans}


def first_turn(state: State, story: list[Event]) -> tuple[State, list[Event]]:
    """Every clan has one single city on its capital; turn 1 begins (YUAN-3.15)."""
    state = replace(state, phase="plan", turn=1, opening=None)
    return state, [*story, turn_started(state)]


def after_auction(state: State) -> tuple[State, list[Event]]:
    """Everyone keeps what is left of its 6 (YUAN-3.12)."""
    purse = {clan.id: clan.chao for clan in state.clans}
    return first_turn(state, [told("chao_set", "YUAN-3.12", chao=purse)])
