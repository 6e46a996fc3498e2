"""Pages of the web: fetched behind a guard, read in a process of their own, kept as they came."""
