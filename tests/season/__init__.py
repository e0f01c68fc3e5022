"""A simulated season: many games, many nights, players of every temper, faults, outages; one seed repeats it all."""
