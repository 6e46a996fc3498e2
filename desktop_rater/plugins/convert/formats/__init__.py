"""Readers of public formats."""
