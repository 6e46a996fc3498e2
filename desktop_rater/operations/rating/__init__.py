"""Open, rate and export tasks."""
