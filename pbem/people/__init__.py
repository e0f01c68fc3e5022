"""People: players, the seats they take, and how they are forgotten."""
