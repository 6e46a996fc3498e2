"""General actions, and those of the rating screen and the start page."""

from desktop_rater.ui.widgets.translation import QT_TRANSLATE_NOOP
from desktop_rater.ui.window.action_row import (
    ALWAYS,
    ANSWERS,
    EDIT,
    EVERYWHERE,
    EVIDENCE,
    FILE,
    HELP,
    MOVING,
    PAGES,
    RATE,
    START,
    TARGET,
    TEXT,
    VIEW,
    ActionRow,
    FixedKey,
    action,
    section,
)

TASK_SCREENS, RESULTS_SCREENS, UNDO_SCREENS = "rate review", "review report systems", "rate review scoring"
RATE_AND_START = "rate start"

RATING_ROWS: tuple[ActionRow, ...] = (
    *section(FILE, ALWAYS, RATE_AND_START)(
        action("import", QT_TRANSLATE_NOOP("Actions", "Import a bundle…"), "Ctrl+O"),
        action("bundles", QT_TRANSLATE_NOOP("Actions", "Bundles and revisions…"), repeats=False),
    ),
    *section(FILE, ALWAYS, RESULTS_SCREENS)(
        action("open_results", QT_TRANSLATE_NOOP("Actions", "Open results…"), "Ctrl+O")
    ),
    *section(FILE, ALWAYS, EVERYWHERE)(
        action("open_folder", QT_TRANSLATE_NOOP("Actions", "Open a folder of results or a dataset…"), lead=True)
    ),
    *section(FILE, ALWAYS, RATE_AND_START)(
        action(
            "sample", QT_TRANSLATE_NOOP("Actions", "Open the sample of sentences"), "Ctrl+Shift+O", line_before=True
        ),
        action("sample_pairs", QT_TRANSLATE_NOOP("Actions", "Open the sample of pairs")),
        action("sample_scales", QT_TRANSLATE_NOOP("Actions", "Open the sample of scales")),
        action("practice", QT_TRANSLATE_NOOP("Actions", "Practise with sentences")),
        action("practice_pairs", QT_TRANSLATE_NOOP("Actions", "Practise with pairs")),
        action("practice_scales", QT_TRANSLATE_NOOP("Actions", "Practise with scales")),
    ),
    *section(FILE, ALWAYS, RATE_AND_START)(
        action("export", QT_TRANSLATE_NOOP("Actions", "Export results…"), "Ctrl+Shift+E", line_before=True),
    ),
    *section(FILE, ALWAYS, RATE)(
        action("print_task", QT_TRANSLATE_NOOP("Actions", "Print the task…"), "Ctrl+P", repeats=False),
    ),
    *section(FILE, ALWAYS, EVERYWHERE)(
        action("sync", QT_TRANSLATE_NOOP("Actions", "Sync with the hub"), "F5", line_before=True, repeats=False),
        action("hub_publish", QT_TRANSLATE_NOOP("Actions", "Publish a bundle to the hub…"), lead=True, repeats=False),
        action("hub", QT_TRANSLATE_NOOP("Actions", "Hub…"), "Ctrl+Shift+H", repeats=False),
        action("back_up", QT_TRANSLATE_NOOP("Actions", "Back up now"), line_before=True, repeats=False),
        action("restore", QT_TRANSLATE_NOOP("Actions", "Restore a backup…"), repeats=False),
        action("settings", QT_TRANSLATE_NOOP("Actions", "Settings…"), "Ctrl+,", line_before=True),
        action("quit", QT_TRANSLATE_NOOP("Actions", "Quit"), "Ctrl+Q", line_before=True),
    ),
    *section(EDIT, ANSWERS, UNDO_SCREENS)(
        action("undo", QT_TRANSLATE_NOOP("Actions", "Undo"), "Ctrl+Z"),
        action("redo", QT_TRANSLATE_NOOP("Actions", "Redo"), "Ctrl+Shift+Z", "Ctrl+Y"),
    ),
    *section(EDIT, ANSWERS, RATE)(
        action("history", QT_TRANSLATE_NOOP("Actions", "History of this task"), "F7", repeats=False),
        action("clear", QT_TRANSLATE_NOOP("Actions", "Clear the answer"), "Backspace", line_before=True, repeats=False),
        action(
            "confirm_suggestions",
            QT_TRANSLATE_NOOP("Actions", "Confirm the claim or the suggestions here"),
            "Z",
            repeats=False,
        ),
        action(
            "confirm_suggestion",
            QT_TRANSLATE_NOOP("Actions", "Confirm all claims here, or the suggestion for this question"),
            "Shift+Z",
            repeats=False,
        ),
        action(
            "confirm_all_suggestions",
            QT_TRANSLATE_NOOP("Actions", "Confirm every suggestion of this task"),
            "Alt+Z",
            repeats=False,
        ),
    ),
    *section(EDIT, ANSWERS, RATE)(
        action(
            "repeat", QT_TRANSLATE_NOOP("Actions", "Answer as the last target"), ".", line_before=True, repeats=False
        ),
        action("select_next", QT_TRANSLATE_NOOP("Actions", "Select the next target too"), "Alt+J"),
        action("select_previous", QT_TRANSLATE_NOOP("Actions", "Select the previous target too"), "Alt+K"),
        action(
            "select_block",
            QT_TRANSLATE_NOOP("Actions", "Select to the end of the table or list"),
            "Alt+Shift+J",
            repeats=False,
        ),
        action(
            "select_block_back",
            QT_TRANSLATE_NOOP("Actions", "Select to the start of the table or list"),
            "Alt+Shift+K",
            repeats=False,
        ),
        action("select_hits", QT_TRANSLATE_NOOP("Actions", "Select the targets with hits of the search")),
    ),
    *section(EDIT, TEXT, RATE)(
        action("copy_target", QT_TRANSLATE_NOOP("Actions", "Copy the target with its rating"), line_before=True),
        action("copy_task", QT_TRANSLATE_NOOP("Actions", "Copy the task as text")),
        action("write", QT_TRANSLATE_NOOP("Actions", "Write the comment"), "W"),
        action("text_blocks", QT_TRANSLATE_NOOP("Actions", "Text blocks for comments…"), repeats=False),
        action("draft_comment", QT_TRANSLATE_NOOP("Actions", "Draft the comment"), "Shift+W", repeats=False),
        action("note", QT_TRANSLATE_NOOP("Actions", "Note to the QA lead…"), "M", repeats=False),
    ),
    *section(EDIT, ALWAYS, EVERYWHERE)(
        action("leave", QT_TRANSLATE_NOOP("Actions", "Leave the field"), "Esc", stays=True)
    ),
    *section(TARGET, MOVING, RATE)(
        action(
            "go_on",
            QT_TRANSLATE_NOOP("Actions", "Continue"),
            "Return",
            "Enter",
            "Ctrl+Return",
            "Ctrl+Enter",
            stays=True,
            repeats=False,
        )
    ),
    *section(TARGET, MOVING, TASK_SCREENS)(
        action("next_target", QT_TRANSLATE_NOOP("Actions", "Next target"), "J", "Ctrl+J"),
        action("previous_target", QT_TRANSLATE_NOOP("Actions", "Previous target"), "K", "Ctrl+Shift+J"),
    ),
    *section(TARGET, MOVING, RATE)(
        action("next_claim", QT_TRANSLATE_NOOP("Actions", "Next claim"), "Shift+J"),
        action("previous_claim", QT_TRANSLATE_NOOP("Actions", "Previous claim"), "Shift+K"),
    ),
    *section(TARGET, TEXT, RATE)(
        action("claim", QT_TRANSLATE_NOOP("Actions", "Claim from the selection"), "L", repeats=False),
        action("split_claims", QT_TRANSLATE_NOOP("Actions", "Split into claims"), "Shift+L", repeats=False),
        action(
            "claim_span",
            QT_TRANSLATE_NOOP("Actions", "Add the selection to the claim, or type one"),
            "Ctrl+L",
            repeats=False,
        ),
        action("claim_words", QT_TRANSLATE_NOOP("Actions", "Edit the claim’s words"), "F2", repeats=False),
    ),
    *section(TARGET, MOVING, RATE)(
        action("next_problem", QT_TRANSLATE_NOOP("Actions", "Next problem"), "F8", line_before=True),
        action("previous_problem", QT_TRANSLATE_NOOP("Actions", "Previous problem"), "Shift+F8"),
        action("next_comment", QT_TRANSLATE_NOOP("Actions", "Next comment of the lead"), "Ctrl+F8"),
        action("previous_comment", QT_TRANSLATE_NOOP("Actions", "Previous comment of the lead"), "Ctrl+Shift+F8"),
        action("acknowledge", QT_TRANSLATE_NOOP("Actions", "Acknowledge the warning…"), "V", repeats=False),
    ),
    *section(TARGET, TEXT, RATE)(
        action("border", QT_TRANSLATE_NOOP("Actions", "Correct the target's borders"), "B", repeats=False)
    ),
    *section(TARGET, MOVING, RATE)(
        action(
            "finish",
            QT_TRANSLATE_NOOP("Actions", "Finish the task"),
            "Ctrl+Shift+Return",
            "Ctrl+Shift+Enter",
            line_before=True,
            repeats=False,
        )
    ),
    *section(TARGET, MOVING, TASK_SCREENS)(
        action("next_task", QT_TRANSLATE_NOOP("Actions", "Next task"), "Ctrl+PgDown"),
        action("previous_task", QT_TRANSLATE_NOOP("Actions", "Previous task"), "Ctrl+PgUp"),
    ),
    *section(TARGET, TEXT, RATE)(action("skip", QT_TRANSLATE_NOOP("Actions", "Skip the task…"), "X", repeats=False)),
    *section(EVIDENCE, PAGES, RATE)(
        action("evidence", QT_TRANSLATE_NOOP("Actions", "Add evidence"), "E", repeats=False),
        action("paste_links", QT_TRANSLATE_NOOP("Actions", "Add all copied links"), "Ctrl+V", repeats=False),
        action("quote", QT_TRANSLATE_NOOP("Actions", "Write the quote"), "Q", repeats=False),
        action("open_link", QT_TRANSLATE_NOOP("Actions", "Open the page"), "O"),
        action("next_link", QT_TRANSLATE_NOOP("Actions", "Open the next unopened link"), "Shift+O"),
        action("address", QT_TRANSLATE_NOOP("Actions", "Go to an address"), "Alt+D", line_before=True),
        action("reader_or_page", QT_TRANSLATE_NOOP("Actions", "Switch between reader and page"), "R"),
        action(
            "live_script",
            QT_TRANSLATE_NOOP("Actions", "Switch JavaScript of the page on or off"),
            "Shift+R",
            repeats=False,
        ),
        action("search_claim", QT_TRANSLATE_NOOP("Actions", "Search the web for this claim"), "Alt+S", repeats=False),
        action("research", QT_TRANSLATE_NOOP("Actions", "Research on this target"), "Shift+F4", repeats=False),
        action("stopwatch", QT_TRANSLATE_NOOP("Actions", "Time research in my browser"), "F4", repeats=False),
        action("page_back", QT_TRANSLATE_NOOP("Actions", "Previous page"), "Alt+Left"),
        action("page_forward", QT_TRANSLATE_NOOP("Actions", "Next page"), "Alt+Right"),
        action("fetch_again", QT_TRANSLATE_NOOP("Actions", "Fetch the page again"), "Ctrl+R"),
        action("open_outside", QT_TRANSLATE_NOOP("Actions", "Open in the system browser…"), "Alt+O", repeats=False),
        action(
            "fetch_task_links",
            QT_TRANSLATE_NOOP("Actions", "Fetch the links of this task"),
            line_before=True,
            repeats=False,
        ),
        action("fetch_bundle_links", QT_TRANSLATE_NOOP("Actions", "Fetch all links of this bundle"), repeats=False),
        action("whole_page", QT_TRANSLATE_NOOP("Actions", "Switch between whole page and main text")),
        action("find_read", QT_TRANSLATE_NOOP("Actions", "Find in pages read…"), "Ctrl+Shift+F", repeats=False),
        action("supports", QT_TRANSLATE_NOOP("Actions", "Mark as supporting"), "S", line_before=True),
        action("contradicts", QT_TRANSLATE_NOOP("Actions", "Mark as contradicting"), "C"),
        action("does_not_decide", QT_TRANSLATE_NOOP("Actions", "Mark as not deciding"), "Shift+S", repeats=False),
        action(
            "link_matches",
            QT_TRANSLATE_NOOP("Actions", "The link matches the text"),
            "Shift+M",
            line_before=True,
            repeats=False,
        ),
        action(
            "link_differs", QT_TRANSLATE_NOOP("Actions", "This link differs from the text"), "Shift+V", repeats=False
        ),
        action("link_dead", QT_TRANSLATE_NOOP("Actions", "The link is dead"), "Shift+X", repeats=False),
        action("link_sign_in", QT_TRANSLATE_NOOP("Actions", "The link needs a sign-in"), "Shift+G", repeats=False),
        action(
            "all_claims",
            QT_TRANSLATE_NOOP("Actions", "Evidence for all claims"),
            "Alt+0",
            line_before=True,
            repeats=False,
        ),
        action("remove", QT_TRANSLATE_NOOP("Actions", "Remove"), "Delete", repeats=False),
    ),
    *section(VIEW, ALWAYS, EVERYWHERE)(
        action("room_rate", QT_TRANSLATE_NOOP("Actions", "Go to rating"), "Ctrl+1", lead=True),
        action("room_review", QT_TRANSLATE_NOOP("Actions", "Go to the review"), "Ctrl+2", lead=True),
        action("room_report", QT_TRANSLATE_NOOP("Actions", "Go to the report"), "Ctrl+3", lead=True),
        action("room_systems", QT_TRANSLATE_NOOP("Actions", "Go to the systems"), "Ctrl+4", lead=True),
    ),
    *section(VIEW, ALWAYS, TASK_SCREENS)(action("toggle_tasks", QT_TRANSLATE_NOOP("Actions", "Task list"), "Ctrl+B")),
    *section(VIEW, MOVING, RATE)(action("choose_bundle", QT_TRANSLATE_NOOP("Actions", "Choose a bundle"), "Alt+B")),
    *section(VIEW, MOVING, TASK_SCREENS)(action("filter", QT_TRANSLATE_NOOP("Actions", "Filter tasks"), "/")),
    *section(VIEW, ALWAYS, TASK_SCREENS)(action("find", QT_TRANSLATE_NOOP("Actions", "Find in the text"), "Ctrl+F")),
    *section(VIEW, MOVING, RATE)(action("guideline", QT_TRANSLATE_NOOP("Actions", "Guideline at this question"), "G")),
    *section(VIEW, ALWAYS, RATE)(
        action("pause", QT_TRANSLATE_NOOP("Actions", "Pause the clock"), "Ctrl+Shift+P", repeats=False)
    ),
    *section(VIEW, ALWAYS, RATE)(action("toggle_prompt", QT_TRANSLATE_NOOP("Actions", "Prompt"), "Alt+P")),
    *section(VIEW, MOVING, RATE)(action("tools", QT_TRANSLATE_NOOP("Actions", "Tool output"), "T")),
    *section(VIEW, ALWAYS, RATE)(action("context", QT_TRANSLATE_NOOP("Actions", "Context documents"), "Ctrl+D")),
    *section(VIEW, MOVING, RATE)(action("next_citation", QT_TRANSLATE_NOOP("Actions", "Next citation"), "Shift+D")),
    *section(VIEW, TEXT, RATE)(
        action("markdown_source", QT_TRANSLATE_NOOP("Actions", "Show Markdown source")),
        action("differences", QT_TRANSLATE_NOOP("Actions", "Show differences"), "Ctrl+Shift+D", repeats=False),
        action("tool_comparison", QT_TRANSLATE_NOOP("Actions", "Compare with the tool output"), repeats=False),
        action("scroll_together", QT_TRANSLATE_NOOP("Actions", "Scroll in sync"), "Ctrl+Shift+L", repeats=False),
    ),
    *section(VIEW, ALWAYS, RATE)(
        action("texts_only", QT_TRANSLATE_NOOP("Actions", "Texts only, side by side"), "F9", repeats=False),
        action("taller_texts", QT_TRANSLATE_NOOP("Actions", "Higher texts, side by side"), "Ctrl+Shift+Down"),
        action("lower_texts", QT_TRANSLATE_NOOP("Actions", "Lower texts, side by side"), "Ctrl+Shift+Up"),
    ),
    *section(VIEW, PAGES, RATE)(
        action("text_or_page", QT_TRANSLATE_NOOP("Actions", "Switch between text and page"), "Ctrl+Tab"),
        action("page_window", QT_TRANSLATE_NOOP("Actions", "Page in its own window"), "Ctrl+Shift+N", repeats=False),
    ),
    *section(VIEW, ALWAYS, EVERYWHERE)(
        action("next_pane", QT_TRANSLATE_NOOP("Actions", "Next pane"), "F6", line_before=True),
        action("previous_pane", QT_TRANSLATE_NOOP("Actions", "Previous pane"), "Shift+F6"),
        action("zoom_in", QT_TRANSLATE_NOOP("Actions", "Zoom in"), "Ctrl++", "Ctrl+=", line_before=True),
        action("zoom_out", QT_TRANSLATE_NOOP("Actions", "Zoom out"), "Ctrl+-"),
        action("zoom_reset", QT_TRANSLATE_NOOP("Actions", "Actual size"), "Ctrl+0"),
        action("usual_panes", QT_TRANSLATE_NOOP("Actions", "Reset pane widths")),
        action("full_screen", QT_TRANSLATE_NOOP("Actions", "Full screen"), "F11"),
    ),
    *section(HELP, ALWAYS, EVERYWHERE)(
        action("palette", QT_TRANSLATE_NOOP("Actions", "Find an action"), "Ctrl+K"),
        action("keys", QT_TRANSLATE_NOOP("Actions", "Keyboard shortcuts"), "F1"),
        action("manual", QT_TRANSLATE_NOOP("Actions", "Manual"), "Shift+F1", repeats=False),
    ),
    *section(HELP, ALWAYS, RATE)(
        action("guided_task", QT_TRANSLATE_NOOP("Actions", "Guided first task"), repeats=False)
    ),
    *section(HELP, ALWAYS, EVERYWHERE)(
        action("check_store", QT_TRANSLATE_NOOP("Actions", "Check the store"), line_before=True, repeats=False),
        action("show_log", QT_TRANSLATE_NOOP("Actions", "Open the log"), repeats=False),
        action("report_problem", QT_TRANSLATE_NOOP("Actions", "Report a crash…"), repeats=False),
        action("about", QT_TRANSLATE_NOOP("Actions", "About Desktop Rater"), line_before=True, repeats=False),
    ),
)

START_ROWS = (
    *section(TARGET, MOVING, START)(
        action(
            "start_go",
            QT_TRANSLATE_NOOP("Actions", "Continue in the selected bundle"),
            "Return",
            "Enter",
            "Ctrl+Return",
            "Ctrl+Enter",
            stays=True,
            repeats=False,
        ),
        action("start_pick", QT_TRANSLATE_NOOP("Actions", "Pick a task"), "/", repeats=False),
        action("start_returned", QT_TRANSLATE_NOOP("Actions", "Open the first returned task"), "B", repeats=False),
        action("start_guideline", QT_TRANSLATE_NOOP("Actions", "Read changes of the guideline"), "V", repeats=False),
    ),
    *section(FILE, MOVING, START)(
        action("start_get", QT_TRANSLATE_NOOP("Actions", "Get the bundles from the hub"), "N", repeats=False),
        action("start_more", QT_TRANSLATE_NOOP("Actions", "More about the selected bundle…"), "M", repeats=False),
    ),
    *section(VIEW, MOVING, START)(
        action("start_sort", QT_TRANSLATE_NOOP("Actions", "Sort the bundles differently"), "S", repeats=False)
    ),
    *section(HELP, MOVING, START)(
        action("start_guide", QT_TRANSLATE_NOOP("Actions", "Begin the guided first task"), "G", repeats=False)
    ),
    *section(VIEW, ALWAYS, EVERYWHERE)(
        action("room_start", QT_TRANSLATE_NOOP("Actions", "Go to the start page"), "Alt+Home")
    ),
)

FIXED: tuple[FixedKey, ...] = (
    FixedKey(
        ANSWERS,
        QT_TRANSLATE_NOOP("Actions", "In the form or the strip: select the next or previous target too"),
        ("Shift+Down", "Shift+Up"),
    ),
    FixedKey(
        MOVING, QT_TRANSLATE_NOOP("Actions", "Next or previous row of the list or question of the form"), ("Up", "Down")
    ),
    FixedKey(PAGES, QT_TRANSLATE_NOOP("Actions", "On a page: next or previous sentence"), ("Down", "Up")),
    FixedKey(
        PAGES, QT_TRANSLATE_NOOP("Actions", "On a page: extend or shrink by a sentence"), ("Shift+Right", "Shift+Left")
    ),
    FixedKey(
        PAGES, QT_TRANSLATE_NOOP("Actions", "On a page: next or previous link (Enter opens it)"), ("Right", "Left")
    ),
    FixedKey(PAGES, QT_TRANSLATE_NOOP("Actions", "Evidence for this claim, or not"), ("Alt+1", "Alt+9")),
    FixedKey(
        PAGES,
        QT_TRANSLATE_NOOP("Actions", "After not deciding: a copy, unreliable, off topic, undecided"),
        ("1", "2", "3", "4"),
    ),
    FixedKey(MOVING, QT_TRANSLATE_NOOP("Actions", "Next or previous part of a pane"), ("Tab", "Shift+Tab")),
    FixedKey(MOVING, QT_TRANSLATE_NOOP("Actions", "Press the button that has the focus"), ("Space",)),
)
