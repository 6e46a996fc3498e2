"""The start page: what is to do, what came back, and the rater's week."""
