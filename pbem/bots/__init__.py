"""Bots: seats whose player is a program."""
