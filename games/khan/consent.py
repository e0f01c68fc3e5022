"""Consent: a proposal, the answers to it, and what comes of them (KHAN-10, KHAN-17.2)."""

from __future__ import annotations

from games.khan.actions import conquer
from games.khan.conquest import sharers, touched
from games.khan.material import SEATS, SHAPES
from games.khan.orders import Instruct
from games.khan.state import AGREE, ALWAYS, CONSENT, NEVER, REFUSE, Needed, Proposal, Standing, State, names
from games.khan.telling import Telling, changed, seat_names

GIVEN, STANDING, SILENT = "given", "standing", "default"
FROM_STANDING = {ALWAYS: AGREE, NEVER: REFUSE}


def propose(telling: Telling, shape: int, mask: int) -> None:
    """KHAN-10.1: the whole placement is announced. Its point closes again at once if nobody has to be asked."""
    state = telling.state
    asker, needed = state.seat, touched(state, state.seat, mask)
    telling.tell(
        "proposal",
        "KHAN-10.1",
        seat=SEATS[asker],
        shape=SHAPES[shape].id,
        cells=names(mask),
        sharers=seat_names(sharers(state, mask)),
        need=seat_names(needed),
    )
    never = tuple(seat for seat in needed if state.standing[seat].for_asker(asker) == NEVER)
    if never:  # KHAN-10.2: refused by those seats, nobody is asked, nothing is written of the others
        for seat in never:
            _tell_answer(telling, seat, REFUSE, STANDING)
        return _refused(telling, never)
    need = tuple(Needed(seat, _answer_at_once(state, seat, asker)) for seat in needed)
    telling.change(proposal=Proposal(shape, mask, need, state.point), point=CONSENT)


def _answer_at_once(state: State, seat: int, asker: int) -> str:
    if seat in state.gone:
        return REFUSE  # KHAN-17.7, KHAN-18.5
    return FROM_STANDING.get(state.standing[seat].for_asker(asker), "")  # KHAN-10.2


def answer(telling: Telling, seat: int, word: str) -> None:
    """One seat's answer; nothing is told until all have answered (KHAN-20)."""
    proposal = telling.state.proposal
    assert proposal is not None
    need = tuple(Needed(seat, word) if each.seat == seat else each for each in proposal.need)
    telling.change(proposal=proposal._replace(need=need))


def close(telling: Telling) -> None:
    """KHAN-10.2: all have answered; told together, in seat order whatever the order of the answers."""
    state, proposal = telling.state, telling.state.proposal
    assert proposal is not None
    for seat, word in proposal.need:
        _tell_answer(telling, seat, word, _how(state, seat, word))
    telling.change(proposal=None, point=proposal.back)
    by = tuple(seat for seat, word in proposal.need if word == REFUSE)
    if by:
        _refused(telling, by)
    else:
        conquer(telling, proposal.shape, proposal.mask)  # KHAN-10.3, KHAN-10.5: this placement and no other


def _how(state: State, seat: int, word: str) -> str:
    """For the seat itself: whether it was asked, its standing answer spoke, or it has left."""
    if seat in state.gone:
        return SILENT
    return STANDING if FROM_STANDING.get(state.standing[seat].for_asker(state.seat)) == word else GIVEN


def _tell_answer(telling: Telling, seat: int, word: str, how: str) -> None:
    telling.tell("consent", "KHAN-10.2", {SEATS[seat]: {"how": how}}, seat=SEATS[seat], answer=word)


def _refused(telling: Telling, by: tuple[int, ...]) -> None:
    """KHAN-10.4: no action is used; for the rest of the turn these seats cannot be asked again."""
    state = telling.state
    telling.change(refused=tuple(sorted({*state.refused, *by})))
    telling.tell("refused", "KHAN-10.4", seat=SEATS[state.seat], by=seat_names(by))


def instruct(telling: Telling, seat: int, order: Instruct) -> None:
    """KHAN-17.2: new standing instructions. KHAN-10.6: they answer the question open now if they apply to its asker."""
    state = telling.state
    consent, to, special = state.standing[seat]
    for about, word, single in order.instructions:
        if about == "special":
            special = word
        elif single:
            to = changed(to, SEATS.index(single), "" if word == "default" else word)
        else:
            consent = word
    mine = Standing(consent, to, special)
    telling.change(standing=changed(state.standing, seat, mine))
    word = FROM_STANDING.get(mine.for_asker(state.seat), "")
    if seat in state.unanswered() and word and _speaks_now(order, mine, SEATS[state.seat]):
        answer(telling, seat, word)


def _speaks_now(order: Instruct, mine: Standing, asker: str) -> bool:
    """KHAN-10.6: whether what was just sent is what applies to the asking seat."""
    sent = {each.seat: each.answer for each in order.instructions if each.about == "consent"}
    single = bool(mine.to[SEATS.index(asker)])
    return asker in sent if single else "" in sent or sent.get(asker) == "default"
