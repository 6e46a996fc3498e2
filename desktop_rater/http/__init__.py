"""The one place that knows httpx and its parts: nothing from the environment, nothing secret in the log."""
