"""A task that the QA lead sent back, as its rater sees it: what was said, where, and what to look at next."""
