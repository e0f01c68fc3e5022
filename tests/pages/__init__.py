"""Pages in a real browser, and what they may tell."""
