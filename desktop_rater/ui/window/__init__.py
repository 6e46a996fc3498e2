"""The main window: its screens, actions, keys, dialogs and background jobs."""
