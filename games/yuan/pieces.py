"""A clan's pieces on the map, what is left in stock, and how pieces come and go (YUAN-1.9, YUAN-2.1 to 2.6)."""

from __future__ import annotations

from typing import NamedTuple

from games.yuan.box import ARMIES, CITIES, RAMPARTS, VILLAGES

Armies = tuple[tuple[int, int], ...]  # (province, how many), by province; provinces without armies are left out


class Clan(NamedTuple):
    """One clan in play. Sets of provinces are numbers (`bits`): cities lie within lands, doubled and walled within
    cities, stone within walled."""

    id: str
    seat: str
    chao: int
    lands: int = 0
    cities: int = 0
    doubled: int = 0
    walled: int = 0  # one rampart or two
    stone: int = 0  # two ramparts
    armies: Armies = ()

    # YUAN-2.2: stock = limit minus pieces on the map.

    @property
    def village_stock(self) -> int:
        return VILLAGES - (self.lands ^ self.cities).bit_count()

    @property
    def city_stock(self) -> int:
        return CITIES - self.cities.bit_count() - self.doubled.bit_count()  # a doubled city uses 2

    @property
    def rampart_stock(self) -> int:
        return RAMPARTS - self.walled.bit_count() - self.stone.bit_count()  # an indestructible city uses 2

    @property
    def army_count(self) -> int:
        return sum([count for _, count in self.armies])

    @property
    def army_stock(self) -> int:
        return ARMIES - self.army_count

    @property
    def camps(self) -> int:
        """The provinces where armies stand."""
        camps = 0
        for province, _ in self.armies:
            camps |= 1 << province
        return camps

    def armies_at(self, province: int) -> int:
        for place, count in self.armies:
            if place == province:
                return count
        return 0


def with_armies(clan: Clan, province: int, count: int) -> Clan:
    """The clan with exactly so many armies on a province."""
    others = [camp for camp in clan.armies if camp[0] != province]
    if count:
        others.append((province, count))
        others.sort()
    return clan._replace(armies=tuple(others))


def without_armies(clan: Clan, provinces: int) -> Clan:
    """The clan with no army on any of these provinces."""
    return clan._replace(armies=tuple([camp for camp in clan.armies if not provinces >> camp[0] & 1]))


def raised(clan: Clan, province: int, wanted: int) -> tuple[Clan, int]:
    """Armies added from stock, and how many were missing."""
    count = min(wanted, clan.army_stock)  # YUAN-2.6
    if count:
        clan = with_armies(clan, province, clan.armies_at(province) + count)
    return clan, wanted - count


def bereft(clan: Clan, provinces: int) -> Clan:
    """The clan without these provinces and all its pieces there; they are back in stock at once (YUAN-2.2)."""
    if not clan.lands & provinces:
        return clan
    keep = ~provinces
    return clan._replace(
        lands=clan.lands & keep,
        cities=clan.cities & keep,
        doubled=clan.doubled & keep,
        walled=clan.walled & keep,
        stone=clan.stone & keep,
        armies=tuple([camp for camp in clan.armies if keep >> camp[0] & 1]),
    )


def settled(clan: Clan, provinces: int, target: int = 0) -> tuple[Clan, int]:
    """Villages put on these free provinces as far as the stock goes, the target first; and the set that got one."""
    stock = clan.village_stock
    placed = provinces
    if provinces.bit_count() > stock:  # YUAN-2.3: target, then alphabetical
        placed = target & provinces if stock else 0
        rest = provinces & ~target
        while rest and placed.bit_count() < stock:
            lowest = rest & -rest
            placed |= lowest
            rest ^= lowest
    return clan._replace(lands=clan.lands | placed), placed
