"""Scoring justifications by hand: points, texts, and what each text says of each point."""
