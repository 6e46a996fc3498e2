"""The actions of the libraries."""

from desktop_rater.translation import N_
from desktop_rater.ui.window.action_row import ALWAYS, EVIDENCE, FILE, PAGES, RATE, START, ActionRow, action, section

PRECEDENT_ROWS: tuple[ActionRow, ...] = section(EVIDENCE, PAGES, RATE)(
    action(
        "show_cases", N_("Actions", "Show decided cases like this claim"), "Alt+C", repeats=False, after="search_claim"
    ),
    action("reuse_answers", N_("Actions", "Answer as in the earlier task"), "Alt+R", repeats=False, after="show_cases"),
)
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
