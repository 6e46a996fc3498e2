"""The key that signs what leaves the window, and what is said where there is none."""
