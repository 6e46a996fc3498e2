"""Exchange bundles and results with a hub."""
