"""Research record of the open task: searches, pages read, and time reported from the rater's own browser."""
