"""A plug-in as somebody else would write it: a command, an action, a screen, a reader of logs, and a kind of hub."""

from desktop_rater.hooks import Plugin


class KelpNotes(Plugin):
    """Adds notes on kelp."""

    actions = {"kelp": "kelp_notes.actions:ROWS"}
    commands = {"kelp": "kelp_notes.parts:kelp", "audit kelp": "kelp_notes.parts:kelp"}
    functions = {"kelp_height": "kelp_notes.parts:kelp_height"}
    hubs = {"kelp:FOREST": "kelp_notes.parts:parse_address"}
    readers = {"kelp-log": "kelp_notes.parts:records"}
    results = {"kelp": "kelp_notes.parts:KelpReader"}
    screens = {"kelp": "kelp_notes.actions:SCREEN"}
    window_parts = {"kelp": "kelp_notes.parts:KelpPart"}


plugin = KelpNotes()
