"""Maps as players see them: legible, told apart by everybody, and never wrong."""
