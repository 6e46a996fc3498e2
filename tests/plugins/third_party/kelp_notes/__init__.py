"""A plug-in as somebody else would write it: a command, an action with a dock, and a kind of hub."""

from desktop_rater.hooks import Plugin


class KelpNotes(Plugin):
    """Adds notes on kelp."""

    actions = {"kelp": "kelp_notes.actions:ROWS"}
    commands = {"kelp": "kelp_notes.parts:kelp", "audit kelp": "kelp_notes.parts:kelp"}
    functions = {"kelp_height": "kelp_notes.parts:kelp_height"}
    hubs = {"kelp:FOREST": "kelp_notes.parts:parse_address"}
    results = {"kelp": "kelp_notes.parts:KelpReader"}
    window_parts = {"kelp": "kelp_notes.parts:KelpPart"}


plugin = KelpNotes()
