"""What a province's walls and mountains are worth against attackers (YUAN-8.4)."""

from __future__ import annotations

from games.yuan.land import Land
from games.yuan.pieces import Clan
from games.yuan.powers import Power

NEXT_TO_STONE = 1


def indestructible(clan: Clan, province: int) -> bool:
    """Two ramparts: it cannot be captured."""
    return bool(clan.stone >> province & 1)  # YUAN-8.4


def defence(clan: Clan, power: Power, province: int, land: Land) -> int:
    """Never added together, the highest counts."""
    if clan.walled >> province & 1:
        return power.wood_defence  # YUAN-8.4: fortified 2; YUAN-16.5: Shanyin 3
    return NEXT_TO_STONE if land.neighbours[province] & clan.stone else 0  # YUAN-8.4: of the same owner


def mountain_defence(clan: Clan, power: Power, province: int, land: Land) -> int:
    """Xiangi's addition where the cell touches two mountains and an army stands (YUAN-16.4)."""
    if power.mountain_defence and land.between_mountains >> province & 1 and clan.armies_at(province):
        return power.mountain_defence
    return 0
