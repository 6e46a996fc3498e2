"""The one place that knows httpx: clients without cookies, without the environment, with nothing secret in the log."""
