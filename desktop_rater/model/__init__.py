"""Frozen structs shared by all layers. No files, no clock, no network."""
