"""What a clan reaches, and which of its armies go with an attack (YUAN-1.6, 10.2, 16.3, 16.4)."""

from __future__ import annotations

from games.yuan.land import Land
from games.yuan.pieces import Clan
from games.yuan.powers import Power


def reach(land: Land, power: Power) -> tuple[int, ...]:
    """For each province the set in reach of it, for a clan of that power; it works both ways."""
    return land.near_reach if power.short_sails else land.reach  # YUAN-16.4 (a)


def origins(clan: Clan, power: Power, target: int, land: Land) -> int:
    """All own provinces with at least one army that have the target in reach (YUAN-10.2)."""
    return clan.camps & reach(land, power)[target]


def crossers(clan: Clan, power: Power, target: int, land: Land) -> int:
    """Weyu's provinces with armies that do not have the target in reach, but may cross to it (YUAN-16.3)."""
    if not power.crosses:
        return 0
    cut_off = clan.camps & ~reach(land, power)[target]
    return cut_off & land.crossings[target] if cut_off else 0
