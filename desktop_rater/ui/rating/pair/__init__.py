"""Two responses side by side."""
