"""The evidence of a target, claim or response."""
