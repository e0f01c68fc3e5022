"""The rooms and their doors: what may import what, and what must stand nowhere."""
