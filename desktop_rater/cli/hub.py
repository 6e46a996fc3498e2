"""The commands around a team's hub."""

from __future__ import annotations

import click

from desktop_rater.cli.lazy import Lazy

COMMANDS = {
    "init": "hub_init:init",
    "probe": "hub_probe:probe",
    "sign-in": "hub_sign_in:sign_in",
    "publish": "hub_publish:publish",
    "collect": "hub_collect:collect",
}


@click.group(cls=Lazy, table=COMMANDS)
def hub() -> None:
    """Set up a team's hub, give out bundles by it, and collect results.

    A hub is folder:PATH, webdavs://host/path or s3://bucket/prefix?endpoint=https://…&region=…. Passwords never stand
    in an address: `hub sign-in` keeps them in the system's keyring, or DESKTOP_RATER_HUB_USER and
    DESKTOP_RATER_HUB_PASSWORD hold them for one run (of S3 the access key's id and the secret key).
    """
