"""Who says what a text says: a language model, the QA lead by hand, or a recording. None of them gives a number."""
