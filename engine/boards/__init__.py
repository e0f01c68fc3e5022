"""Geometry that two games or more share: points joined by lines, squares, hexagons."""
