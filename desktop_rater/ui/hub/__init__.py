"""The team's hub in the window: what goes, what comes, and how one connects to it."""
