"""Import, make, inspect and convert bundles."""
