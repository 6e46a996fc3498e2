"""The pictures of the window's main screens, taken of the real window."""
