"""The hub in the window: connecting, syncing, and what arrives."""
