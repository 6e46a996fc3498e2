"""Score justifications, by hand or by a language model."""
