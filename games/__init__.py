"""The games, one folder each. They are found through the entry-point group `pbem.games`, never by name."""
