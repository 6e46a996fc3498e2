"""Find, check and preview rubrics."""
