"""Fetch, store and open pages."""
