"""A third-party package of games, as somebody else would publish it: it imports the engine and nothing of the host."""
