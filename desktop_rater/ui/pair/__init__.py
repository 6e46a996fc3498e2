"""The room in which two responses stand side by side."""
