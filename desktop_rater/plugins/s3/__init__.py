"""Hubs in an object store with the interface of S3."""

from desktop_rater.hooks import Plugin


class S3Plugin(Plugin):
    """Adds a kind of hub."""

    hubs = {"s3://bucket/prefix": "desktop_rater.plugins.s3.address:parse_s3_address"}


plugin = S3Plugin()
