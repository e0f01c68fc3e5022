"""Arriving: the routes by which messages come in. Whatever comes is stored and committed first, and read afterwards."""
