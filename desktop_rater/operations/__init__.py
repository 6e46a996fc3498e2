"""User actions, one function each; a change to the store returns a `Change`."""
