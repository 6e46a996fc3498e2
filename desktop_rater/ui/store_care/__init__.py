"""Looking after the store in the window: backups, restore, check, what to do when it is damaged or taken."""
