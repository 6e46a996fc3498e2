"""What a user wants done: one module an intent. A change to the store returns a `Change`."""
