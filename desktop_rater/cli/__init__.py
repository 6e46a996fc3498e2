"""The commands. They read words, call `work`, and print; nothing is decided here."""
