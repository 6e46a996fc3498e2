"""The preview beside the task: a page to read, passages to take from it, and the links that are still to be opened."""
