"""Research without a network: libraries of documents on this computer, searched for a claim."""

from desktop_rater.hooks import Plugin
from desktop_rater.translation import N_
from desktop_rater.ui.window.action_row import ALWAYS, EVIDENCE, FILE, PAGES, RATE, START, ActionRow, action, section

ROWS: tuple[ActionRow, ...] = (
    *section(EVIDENCE, PAGES, RATE)(
        action(
            "search_libraries",
            N_("Actions", "Search the libraries for this claim"),
            "Alt+L",
            repeats=False,
            after="search_claim",
        )
    ),
    *section(FILE, ALWAYS, f"{RATE} {START}")(
        action("add_library", N_("Actions", "Add a library…"), repeats=False, after="bundles"),
        action("add_library_folder", N_("Actions", "Add a folder as a library…"), repeats=False, after="add_library"),
        action("remove_library", N_("Actions", "Remove a library…"), repeats=False, after="add_library_folder"),
    ),
)


class LibraryPlugin(Plugin):
    """Adds commands, and the search of libraries in the window."""

    actions = {"library": "desktop_rater.plugins.library:ROWS"}
    commands = {
        "library": "desktop_rater.plugins.library.commands:library",
        "library add": "desktop_rater.plugins.library.commands:add",
        "library list": "desktop_rater.plugins.library.commands:list_",
        "library update": "desktop_rater.plugins.library.commands:update",
        "library remove": "desktop_rater.plugins.library.commands:remove",
        "library search": "desktop_rater.plugins.library.commands:search",
    }
    rating_parts = {"library": "desktop_rater.plugins.library.window:LibraryCommands"}


plugin = LibraryPlugin()
