"""Oracles for scoring texts: a language model, the QA lead by hand, or a recording. None of them gives a number."""
