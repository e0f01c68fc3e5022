"""The steps of a turn, one file each, in the order of the booklet."""
