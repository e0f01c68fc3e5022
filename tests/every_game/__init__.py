"""The questions every game must answer, asked of every game the registry finds."""
