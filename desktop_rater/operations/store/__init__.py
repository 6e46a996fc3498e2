"""Back up, restore, check and recover stores."""
