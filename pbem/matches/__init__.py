"""Matches: several games of the same players, one after another."""
