"""Texts of a task beside its responses: the prompt, the conversation before it, and the search in all of them."""
