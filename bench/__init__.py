"""How fast the program is, beside the smallest honest program that does the same: `make bench`."""
