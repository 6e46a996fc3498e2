"""The window in which a file of any shape becomes tasks: its records, a map of their values, and the task."""
