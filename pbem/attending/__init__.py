"""Attending: who has answered, for whom the others wait, and who said he would be away."""
