"""Newer versions of the program: a signed list of releases, and their download. Nothing is installed."""

from desktop_rater.hooks import Plugin


class UpdatesPlugin(Plugin):
    """Adds commands, and a banner for a newer version."""

    commands = {
        "update": "desktop_rater.plugins.updates.commands:update",
        "hub release": "desktop_rater.plugins.updates.commands:share_release",
    }
    window_parts = {"updates": "desktop_rater.plugins.updates.update_notice:UpdateNotice"}


plugin = UpdatesPlugin()
