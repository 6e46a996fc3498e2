"""Stores in the window: backups, restoring, checks and updates."""
