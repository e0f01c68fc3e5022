"""Hostile inputs: a corpus by the families of the guarantees, each with the fate it must have (G28, G30 to G35)."""
