"""Export formats of results."""
