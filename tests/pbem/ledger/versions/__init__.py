"""Ledgers of every version there ever was, as the program of that time left them, and how the next one is made."""
