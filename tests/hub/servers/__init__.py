"""Real servers on free ports of loopback, each with its own folder, its own configuration and its own log."""
