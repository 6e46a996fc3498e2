"""Keys: the table, other layouts, the sheet and the editor."""
