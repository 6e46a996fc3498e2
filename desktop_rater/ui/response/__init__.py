"""A response with its targets, marks and links."""
