"""Real mail servers, real mail programs, and whole games that are played by mail alone."""
