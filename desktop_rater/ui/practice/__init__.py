"""Practice: what the rater sees of the gold answer, once a task is finished."""
