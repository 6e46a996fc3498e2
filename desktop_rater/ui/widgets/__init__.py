"""General-purpose widgets: the bottom of `ui`, which imports no other part of it."""
