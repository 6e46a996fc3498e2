"""Targets answered alike: as the last one, or several together."""
