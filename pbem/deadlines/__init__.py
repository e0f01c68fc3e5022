"""Deadlines: when they fall due on somebody's wall clock, and how they are told ahead."""
