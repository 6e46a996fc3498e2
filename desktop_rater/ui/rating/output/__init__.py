"""A task with its rating on paper and on the clipboard."""
