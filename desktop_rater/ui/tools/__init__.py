"""What the tools of a response were asked and said."""
