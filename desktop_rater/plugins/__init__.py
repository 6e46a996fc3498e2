"""Plug-ins that are part of the program: packages beside the core, which imports none of them."""
