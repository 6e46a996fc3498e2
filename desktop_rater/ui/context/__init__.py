"""The documents that a response rests on, and the passages that it cites."""
