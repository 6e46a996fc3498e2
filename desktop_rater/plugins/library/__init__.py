"""Research without a network: libraries of documents on this computer, searched for a claim."""

from desktop_rater.hooks import Plugin


class LibraryPlugin(Plugin):
    """Adds commands, and the search of libraries in the window."""

    actions = {
        "library": "desktop_rater.plugins.library.actions:ROWS",
        "precedents": "desktop_rater.plugins.library.actions:PRECEDENT_ROWS",
    }
    commands = {
        "audit precedents": "desktop_rater.plugins.library.precedent_export:precedents",
        "library": "desktop_rater.plugins.library.commands:library",
        "library add": "desktop_rater.plugins.library.commands:add",
        "library list": "desktop_rater.plugins.library.commands:list_",
        "library update": "desktop_rater.plugins.library.commands:update",
        "library remove": "desktop_rater.plugins.library.commands:remove",
        "library search": "desktop_rater.plugins.library.commands:search",
        "library fetch": "desktop_rater.plugins.library.commands:fetch",
        "library publish": "desktop_rater.plugins.library.commands:publish",
    }
    rating_parts = {
        "library": "desktop_rater.plugins.library.window:LibraryCommands",
        "precedents": "desktop_rater.plugins.library.precedents_window:PrecedentCommands",
    }
    review_parts = {"library": "desktop_rater.plugins.library.review_cases:ReviewCases"}


plugin = LibraryPlugin()
