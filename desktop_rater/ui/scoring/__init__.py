"""Scoring of written justifications."""
