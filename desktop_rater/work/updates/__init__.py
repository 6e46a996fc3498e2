"""Find, verify and download releases of the program; nothing is installed."""
