"""The two zips, bundle and results, read as if a stranger had sent them and written so that they can be trusted."""
