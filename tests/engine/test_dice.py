"""Dice: even, fixed by seed, turn, label and count alone, and recomputable by anybody (G37)."""

import hashlib
import hmac
import itertools
import math
from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Dice
from engine.dice import WORD, Coins, DiceRanOut, Draw, commitment, mix
from tests.faults.figures import so_many, told

DRAWS = so_many(100_000, 1_000_000)
SEED = bytes(range(32))

labels = st.sampled_from(["deal", "loot", "die", "throw 1", "throw 2"])


LEAST = 0.001  # of the chance that fair dice come out as uneven; the seeds are fixed, so nothing flickers


def chance_of(counts, cells, total):
    """How often fair dice come out as uneven as this, or more so: chi-square, by Wilson and Hilferty."""
    expected, freedom = total / cells, cells - 1
    square = sum((counts.get(cell, 0) - expected) ** 2 / expected for cell in range(cells))
    part = 2 / (9 * freedom)
    return math.erfc(((square / freedom) ** (1 / 3) - 1 + part) / part**0.5 / 2**0.5) / 2


def even(counts, cells, total, draws, what):
    """Whether so many results are even, told with the draws they were made of."""
    assert sum(counts.values()) == total
    chance = chance_of(counts, cells, total)
    told(f"{what}: {draws} draws, p = {chance:.3f}")
    return chance > LEAST


@pytest.mark.parametrize(("cells", "square", "chance"), [(2, 6.635, 0.01), (6, 20.515, 0.001), (36, 49.802, 0.05)])
def test_the_chance_is_that_of_the_tables(cells, square, chance):
    """Printed values of chi-square: two faces that differ so much that it comes to that, all others as expected."""
    expected = 1e6
    apart = (square * expected / 2) ** 0.5
    counts = {0: expected + apart, 1: expected - apart} | dict.fromkeys(range(2, cells), expected)
    assert chance_of(counts, cells, cells * expected) == pytest.approx(chance, rel=0.15)


@pytest.mark.parametrize("n", [2, 3, 4, 6, 7, 16, 72, 100])
def test_every_face_is_equally_likely(n):
    dice = Dice(SEED, f"even {n}")
    counts = Counter(dice.pick(n, "die") for _ in range(DRAWS))
    assert set(counts) == set(range(n))
    assert even(counts, n, DRAWS, len(dice.draws), f"one of {n}")


def test_the_first_draw_of_many_turns_is_even_too():
    dice = Dice(SEED, "jade-river")
    counts = Counter(dice.at(str(turn)).pick(6, "die") for turn in range(DRAWS))
    assert even(counts, 6, DRAWS, DRAWS, "the first of each turn")


def test_neighbouring_draws_tell_nothing_of_each_other():
    dice = Dice(SEED, "pairs")
    draws = [dice.pick(6, "die") for _ in range(DRAWS)]
    counts = Counter(6 * one + two for one, two in itertools.pairwise(draws))
    assert even(counts, 36, DRAWS - 1, len(dice.draws), "neighbours")


def test_every_order_of_a_shuffle_is_equally_likely():
    orders = list(itertools.permutations("abcd"))
    dice, total = Dice(SEED, "shuffles"), DRAWS // 3
    counts = Counter(orders.index(dice.shuffle("abcd", "deal")) for _ in range(total))
    assert even(counts, 24, total, len(dice.draws), "shuffles")


def test_large_choices_do_not_favour_the_small_ones():
    """For n = 3/4 of all values a plain remainder would give the lower third half of all draws."""
    n, total = 3 << 62, 6000
    dice = Dice(SEED, "large")
    low = sum(dice.pick(n, "x") < 1 << 62 for _ in range(total))
    assert abs(low - total / 3) < 200
    biased = sum(_word(b"large", b"y", index, 0) % n < 1 << 62 for index in range(total))
    assert abs(biased - total / 2) < 200
    told(f"a third of a large choice: {low / total:.3f} of {total} draws, with a plain remainder {biased / total:.3f}")


def _word(context, label, index, attempt):
    text = b"\0".join((context, label, str(index).encode(), str(attempt).encode()))
    return int.from_bytes(hmac.new(SEED, text, hashlib.sha256).digest()[:8], "big")


@given(st.integers(1, WORD), st.integers(0, 5))
def test_a_stranger_can_recompute_each_draw(n, index):
    """The derivation, spelt out once more from its description alone."""
    dice = Dice(SEED, "jade-river").at("12")
    for _ in range(index):
        dice.pick(2, "throw")
    for attempt in itertools.count():
        value = _word(b"jade-river/12", b"throw", index, attempt)
        if value < WORD - WORD % n:
            break
    assert dice.pick(n, "throw") == value % n


def test_a_draw_that_would_favour_small_results_is_drawn_again_from_the_next_number():
    n, attempts = 3 << 62, Counter()
    dice = Dice(SEED, "again")
    for index in range(200):
        words = (_word(b"again", b"x", index, attempt) for attempt in itertools.count())
        attempt, value = next((attempt, value) for attempt, value in enumerate(words) if value < n)
        assert dice.pick(n, "x") == value
        attempts[attempt] += 1
    assert attempts[0] > attempts[1] > attempts[2] > 0


def test_the_first_number_that_is_too_high_is_drawn_again():
    """Where n goes once into all numbers, n itself is the first one over; it is not taken for a 0."""
    high = (Dice(SEED, f"turn {turn}") for turn in itertools.count())
    dice, n = next((dice, n) for dice in high if (n := dice.pick(WORD, "x")) > WORD // 2)
    again = Dice(SEED, dice._context)
    assert again.pick(n, "x") == next(
        word for attempt in range(1, 50) if (word := _word(dice._context.encode(), b"x", 0, attempt)) < n
    )


def test_these_draws_stay_what_they_are():
    """Known for good: a change of the derivation would change every game that is being played."""
    dice = Dice(SEED, "jade-river").at("12")
    assert [dice.pick(6, "die") for _ in range(8)] == KNOWN_DICE
    assert "".join(dice.shuffle("abcdefgh", "deal")) == KNOWN_SHUFFLE
    assert commitment(SEED, "jade-river") == KNOWN_COMMITMENT
    assert mix(SEED, {"red": "salt", "blue": ""}).hex() == KNOWN_MIX


KNOWN_DICE = [1, 3, 5, 1, 2, 5, 5, 1]
KNOWN_SHUFFLE = "gebchdfa"
KNOWN_COMMITMENT = "e7cabf89e246b43034ca4758f0d8e9743cafcb736ab6031383053f4ce31d7a4d"
KNOWN_MIX = "884d398f1d7927a5cb72dd7d38df34cc2715a5b6b5eab1bb2fb1a9ae2f267577"


@given(st.lists(labels, max_size=12), st.randoms(use_true_random=False), st.binary(min_size=1, max_size=32))
def test_a_draw_does_not_depend_on_what_else_is_drawn(asked, luck, seed):
    """Each label has its own sequence, in whatever order the labels come: orders cannot shift anybody's luck."""
    mixed = list(asked)
    luck.shuffle(mixed)
    assert _by_label(seed, asked) == _by_label(seed, mixed)


def _by_label(seed, asked):
    dice, drawn = Dice(seed, "game/3"), defaultdict(list)
    for why in asked:
        drawn[why].append(dice.pick(1000, why))
    return drawn


@given(st.lists(st.tuples(labels, st.integers(1, 50)), max_size=12))
def test_fresh_dice_draw_the_same_again_and_keep_a_list(asked):
    runs = []
    for _ in range(2):
        dice = Dice(SEED, "again")
        values = [dice.pick(n, why) for why, n in asked]
        assert dice.draws == [Draw(why, n, value) for (why, n), value in zip(asked, values, strict=True)]
        runs.append(dice.draws)
    assert runs[0] == runs[1]


@given(st.lists(labels, min_size=5, max_size=5), st.integers(1, 99))
def test_turns_games_and_seeds_have_luck_of_their_own(asked, turn):
    dice = [Dice(SEED, "a").at(str(turn)), Dice(SEED, "a").at(str(turn + 1)), Dice(SEED, "b").at(str(turn))]
    dice.append(Dice(SEED + b"x", "a").at(str(turn)))
    assert len({tuple(one.pick(WORD, why) for why in asked) for one in dice}) == 4


def test_at_joins_contexts_and_starts_afresh():
    dice = Dice(SEED, "a")
    dice.pick(6, "die")
    assert (
        dice.at("1").pick(WORD, "x") == Dice(SEED, "a/1").pick(WORD, "x") == Dice(SEED).at("a").at("1").pick(WORD, "x")
    )
    assert dice.at("1").draws == []


@given(st.lists(st.integers(), max_size=30))
def test_a_shuffle_loses_nothing_and_draws_from_the_last_down(items):
    dice = Dice(SEED, "shuffle")
    shuffled = dice.shuffle(items, "deal")
    assert Counter(shuffled) == Counter(items)
    assert [draw.n for draw in dice.draws] == list(range(len(items), 1, -1))
    by_hand = list(items)
    for i, draw in zip(range(len(items) - 1, 0, -1), dice.draws, strict=True):
        by_hand[i], by_hand[draw.value] = by_hand[draw.value], by_hand[i]
    assert shuffled == tuple(by_hand)


def test_a_choice_of_one_is_no_draw():
    dice = Dice.script([])
    assert dice.choice(["only"], "x") == "only"
    assert dice.shuffle(["only"], "x") == ("only",)
    assert dice.shuffle([], "x") == ()
    assert dice.draws == []
    assert Dice.script([2]).choice("abc", "x") == "c"


@pytest.mark.parametrize("n", [0, -1])
def test_nothing_cannot_be_picked_from(n):
    with pytest.raises(ValueError, match="cannot pick one of"):
        Dice(SEED).pick(n, "x")


def test_more_than_a_draw_can_tell_apart():
    assert 0 <= Dice(SEED).pick(WORD, "x") < WORD
    with pytest.raises(ValueError, match="more than a draw can tell apart"):
        Dice(SEED).pick(WORD + 1, "x")


def test_a_script_gives_its_results_in_order_and_no_others():
    dice = Dice.script([3, (6, 5), 0])
    assert [dice.pick(6, "a"), dice.pick(6, "b"), dice.pick(2, "a")] == [3, 5, 0]
    assert dice.draws == [Draw("a", 6, 3), Draw("b", 6, 5), Draw("a", 2, 0)]
    with pytest.raises(DiceRanOut, match="nothing left"):
        dice.pick(6, "a")


@pytest.mark.parametrize("result", [6, -1, (4, 3)])
def test_a_script_that_does_not_fit_is_found(result):
    with pytest.raises(DiceRanOut, match="does not fit"):
        Dice.script([result]).pick(6, "x")


@given(st.binary(max_size=70), st.text(max_size=8), st.integers(1, 9), st.integers(0, 5))
def test_a_toss_is_a_pick_for_each_of_its_labels(seed, context, many, tosses):
    """In the same order, under the same labels: a game that comes to toss its coins draws what it drew before."""
    labels = [f"coin {number}" for number in range(many)]
    coins, tossed, picked = Coins(*labels), Dice(seed, context), Dice(seed, context)
    for _ in range(tosses):
        tossed.pick(6, "die")
        picked.pick(6, "die")
        number = tossed.toss(coins)
        assert f"{number:0{many}b}" == "".join(str(picked.pick(2, label)) for label in labels)
    assert tossed.draws == picked.draws


def test_a_label_has_as_many_tosses_as_are_asked_for():
    coins, dice = Coins("heads", "tails"), Dice(SEED, "long")
    for index in range(130):
        words = [_word(b"long", label, index, 0) for label in (b"heads", b"tails")]
        assert dice.toss(coins) == 2 * (words[0] % 2) + words[1] % 2


def test_every_fall_of_the_coins_is_equally_likely():
    coins, dice, total = Coins("a", "b", "c", "d"), Dice(SEED, "even"), DRAWS // 4
    counts = Counter(dice.toss(coins) for _ in range(total))
    assert even(counts, 16, total, len(dice.draws), "sticks")


def test_different_coins_do_not_count_for_each_other():
    dice, one, other = Dice(SEED, "game"), Coins("a", "b"), Coins("c", "d")
    dice.toss(one)
    assert dice.toss(other) == Dice(SEED, "game").toss(other)


def test_a_script_is_asked_for_each_coin():
    dice = Dice.script([(2, 1), (2, 0), 1, (3, 1)])
    assert dice.toss(Coins("a", "b", "c")) == 0b101
    assert dice.draws == [Draw("a", 2, 1), Draw("b", 2, 0), Draw("c", 2, 1)]
    with pytest.raises(DiceRanOut, match="does not fit"):
        dice.toss(Coins("d"))


def test_a_coin_is_not_drawn_without_the_others():
    """Or the same result would come twice, once under each count."""
    dice = Dice(SEED)
    dice.toss(Coins("a", "b"))
    with pytest.raises(ValueError, match="b belongs to coins"):
        dice.pick(6, "b")
    with pytest.raises(ValueError, match="b was drawn without its coins"):
        dice.toss(Coins("b", "c"))
    dice.pick(6, "e")
    with pytest.raises(ValueError, match="e was drawn without its coins"):
        dice.toss(Coins("d", "e"))


names = st.text(max_size=6)


@given(st.dictionaries(names, names, max_size=4), st.dictionaries(names, names, max_size=4))
def test_every_nonce_counts_and_its_seat_too(one, other):
    assert (mix(SEED, one) == mix(SEED, other)) == (one == other)
    assert mix(SEED, one) == mix(SEED, dict(reversed(one.items())))
    assert len(mix(SEED, one)) == 32
    assert mix(SEED, one) != SEED


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_a_commitment_fits_one_seed_and_one_game(one, other):
    assert (commitment(one, "a") == commitment(other, "a")) == (one == other)
    assert commitment(one, "a") != commitment(one, "b")


@pytest.mark.parametrize("length", [0, 1, 32, 63, 64, 65, 200])
def test_draws_are_hmac_for_keys_of_any_length(length):
    key = bytes(range(length))
    dice = Dice(key, "game").at("7")
    expected = hmac.digest(key, b"game/7\0die\x000\x000", "sha256")
    assert dice.pick(6, "die") == int.from_bytes(expected[:8], "big") % 6
