"""Options: typed or text, checked one by one and together, and refused in words that name the choices."""

import dataclasses
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BadOption, OptionSet, choice, flag, games, load, text, whole


@dataclass(frozen=True)
class Options(OptionSet):
    players: int = whole(4, 2, 8, help="how many seats")
    variant: str = choice("classic", "mountain", help="which board")
    heroes: bool = flag(help="with heroes")
    first: str = choice("1", "2", "random", default="random")
    offset: int = whole(0, -5, 5)
    clans: object = text("", values="clan,clan,...")

    def check(self) -> None:
        if self.heroes and self.variant == "mountain":
            raise BadOption("heroes", self.heroes, "they do not climb", "no_climbing")
        if isinstance(self.clans, str):
            object.__setattr__(self, "clans", tuple(self.clans.split(",")) if self.clans else ())


good = st.fixed_dictionaries({
    "players": st.integers(2, 8),
    "variant": st.sampled_from(["classic", "mountain"]),
    "first": st.sampled_from(["1", "2", "random"]),
    "offset": st.integers(-5, 5),
    "clans": st.lists(st.sampled_from(["mu", "suhey", "weyu"]), unique=True).map(",".join),
})  # fmt: skip
blanks = st.sampled_from(["", " ", "  ", "\t"])


@given(good, blanks, blanks)
def test_typed_values_and_text_say_the_same(choices, before, after):
    typed = Options(**choices)
    written = {name: f"{before}{str(value).upper()}{after}" for name, value in choices.items() if name != "clans"}
    assert Options(**written, clans=choices["clans"]) == typed
    assert hash(Options(**choices)) == hash(typed)


@given(good, st.booleans())
def test_what_is_kept_makes_the_same_options_again(choices, heroes):
    made = Options(**{**choices, "variant": "classic"}, heroes=heroes)
    kept = made.to_json()
    assert list(kept) == ["players", "variant", "heroes", "first", "offset", "clans"]
    assert type(kept["clans"]) is list
    assert Options(**{**kept, "clans": ",".join(kept["clans"])}) == made


def test_defaults_are_written_out():
    assert Options().to_json() == {
        "players": 4, "variant": "classic", "heroes": False, "first": "random", "offset": 0, "clans": [],
    }  # fmt: skip
    assert {name: default for name, (default, _) in Options.specs().items()}["first"] == "random"


@pytest.mark.parametrize("word", ["true", "YES", " on ", "1", True])
def test_yes_in_any_form(word):
    assert Options(heroes=word).heroes is True


@pytest.mark.parametrize("word", ["false", "No", "OFF", "0", False])
def test_no_in_any_form(word):
    assert Options(heroes=word).heroes is False


@pytest.mark.parametrize(("name", "value", "reason"), [
    ("players", "1", "choose a whole number from 2 to 8"),
    ("players", "9", "choose a whole number from 2 to 8"),
    ("players", "4.0", "choose a whole number from 2 to 8"),
    ("players", "", "choose a whole number from 2 to 8"),
    ("players", "1e0", "choose a whole number from 2 to 8"),
    ("players", "²", "choose a whole number from 2 to 8"),
    ("players", "9" * 5000, "choose a whole number from 2 to 8"),
    ("players", True, "choose a whole number from 2 to 8"),
    ("players", None, "choose a whole number from 2 to 8"),
    ("offset", "--3", "choose a whole number from -5 to 5"),
    ("variant", "Valley", "choose one of classic, mountain"),
    ("heroes", "maybe", "choose true or false"),
])  # fmt: skip
def test_a_bad_value_is_refused_with_what_could_be_chosen(name, value, reason):
    with pytest.raises(BadOption) as bad:
        Options(**{name: value})
    assert (bad.value.option, bad.value.value, bad.value.reason) == (name, value, reason)
    assert str(bad.value) == f"{name}: {value} is not possible: {reason}."


@given(st.sampled_from(["players", "variant", "heroes", "first", "offset"]), st.text() | st.integers() | st.none())
def test_anything_is_taken_or_refused_in_one_sentence(name, value):
    taken = (*range(-5, 9), True, False, "classic", "mountain", "1", "2", "random")
    said = made_or_refused(name, value)
    assert said in taken or (said.startswith(f"{name}: ") and said.endswith("."))


def made_or_refused(name, value):
    """The value that was taken, or the sentence."""
    try:
        return getattr(Options(**{name: value}), name)
    except BadOption as bad:
        return str(bad)


def test_an_unknown_option_names_the_nearest_one_and_all_others():
    with pytest.raises(BadOption) as bad:
        Options(player="3")
    known = "players, variant, heroes, first, offset, clans"
    reason = f"there is no such option; did you mean players? The options are: {known}"
    assert str(bad.value) == f"player: 3 is not possible: {reason}."
    with pytest.raises(BadOption, match="there is no such option; the options are: players, "):
        Options(zzz="3")


def test_choices_that_do_not_go_together():
    with pytest.raises(BadOption, match="heroes: True is not possible: they do not climb") as bad:
        Options(heroes=True, variant="mountain")
    assert bad.value.code == "no_climbing"


def test_options_are_values():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Options().players = 3


@pytest.mark.parametrize("game", games())
def test_options_of_every_game_describe_themselves(game):
    for name, (_, spec) in load(game).Options.specs().items():
        assert name.isidentifier()
        assert spec.values
        assert spec.help, name


@pytest.mark.parametrize("bounds", [(1, 9, 3), (0, 1, 9), (10, 1, 9)])
def test_a_default_outside_its_bounds_is_a_slip_of_the_author(bounds: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="does not lie between"):
        whole(*bounds)
