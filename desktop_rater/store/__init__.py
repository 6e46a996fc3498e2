"""The raters' work on disk: SQLite in a folder, one writing process, readers beside it."""
