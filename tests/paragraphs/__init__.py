"""The paragraph matrix: for each rule of a game, the code that applies it and the tests that ask about it."""
