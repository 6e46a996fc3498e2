"""The nouns: frozen structs that every floor shares. No file, no clock, no network."""
