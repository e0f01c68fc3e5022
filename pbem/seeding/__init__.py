"""Seeding: how the dice of a game are settled before it begins, so that its host cannot choose them alone."""
