"""The table of the actions of the rating screen, the start page and the screens of a QA lead."""

from desktop_rater.translation import N_
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

TASK_SCREENS, RESULTS_SCREENS, UNDO_SCREENS = "rate review", "review report", "rate review scoring"
RATE_AND_START = "rate start"

RATING_ROWS: tuple[ActionRow, ...] = (
    *section(FILE, ALWAYS, RATE_AND_START)(
        action("import", N_("Actions", "Import a bundle…"), "Ctrl+O"),
        action("bundles", N_("Actions", "Bundles and revisions…"), repeats=False),
    ),
    *section(FILE, ALWAYS, RESULTS_SCREENS)(action("open_results", N_("Actions", "Open results…"), "Ctrl+O")),
    *section(FILE, ALWAYS, EVERYWHERE)(
        action("open_folder", N_("Actions", "Open a folder of results or a dataset…"), lead=True)
    ),
    *section(FILE, ALWAYS, RATE_AND_START)(
        action("sample", N_("Actions", "Open the sample of sentences"), "Ctrl+Shift+O", line_before=True),
        action("sample_pairs", N_("Actions", "Open the sample of pairs")),
        action("sample_scales", N_("Actions", "Open the sample of scales")),
        action("sample_documents", N_("Actions", "Open the sample of documents")),
        action("practice", N_("Actions", "Practise with sentences")),
        action("practice_pairs", N_("Actions", "Practise with pairs")),
        action("practice_scales", N_("Actions", "Practise with scales")),
    ),
    *section(FILE, ALWAYS, RATE_AND_START)(
        action("export", N_("Actions", "Export results…"), "Ctrl+Shift+E", line_before=True),
    ),
    *section(FILE, ALWAYS, RATE)(
        action("print_task", N_("Actions", "Print the task…"), "Ctrl+P", repeats=False),
    ),
    *section(FILE, ALWAYS, EVERYWHERE)(
        action("sync", N_("Actions", "Sync with the hub"), "F5", line_before=True, repeats=False),
        action("hub_publish", N_("Actions", "Publish a bundle to the hub…"), lead=True, repeats=False),
        action("hub", N_("Actions", "Hub…"), "Ctrl+Shift+H", repeats=False),
        action("back_up", N_("Actions", "Back up now"), line_before=True, repeats=False),
        action("restore", N_("Actions", "Restore a backup…"), repeats=False),
        action("settings", N_("Actions", "Settings…"), "Ctrl+,", line_before=True),
        action("quit", N_("Actions", "Quit"), "Ctrl+Q", line_before=True),
    ),
    *section(EDIT, ANSWERS, UNDO_SCREENS)(
        action("undo", N_("Actions", "Undo"), "Ctrl+Z"),
        action("redo", N_("Actions", "Redo"), "Ctrl+Shift+Z", "Ctrl+Y"),
    ),
    *section(EDIT, ANSWERS, RATE)(
        action("history", N_("Actions", "History of this task"), "F7", repeats=False),
        action("clear", N_("Actions", "Clear the answer"), "Backspace", line_before=True, repeats=False),
        action(
            "confirm_suggestions",
            N_("Actions", "Confirm the claim or the suggestions here"),
            "Z",
            repeats=False,
        ),
        action(
            "confirm_suggestion",
            N_("Actions", "Confirm all claims here, or the suggestion for this question"),
            "Shift+Z",
            repeats=False,
        ),
        action(
            "confirm_all_suggestions",
            N_("Actions", "Confirm every suggestion of this task"),
            "Alt+Z",
            repeats=False,
        ),
    ),
    *section(EDIT, ANSWERS, RATE)(
        action("repeat", N_("Actions", "Answer as the last target"), ".", line_before=True, repeats=False),
        action("select_next", N_("Actions", "Select the next target too"), "Alt+J"),
        action("select_previous", N_("Actions", "Select the previous target too"), "Alt+K"),
        action(
            "select_block",
            N_("Actions", "Select to the end of the table or list"),
            "Alt+Shift+J",
            repeats=False,
        ),
        action(
            "select_block_back",
            N_("Actions", "Select to the start of the table or list"),
            "Alt+Shift+K",
            repeats=False,
        ),
        action("select_hits", N_("Actions", "Select the targets with hits of the search")),
    ),
    *section(EDIT, TEXT, RATE)(
        action("copy_target", N_("Actions", "Copy the target with its rating"), line_before=True),
        action("copy_task", N_("Actions", "Copy the task as text")),
        action("write", N_("Actions", "Write the comment"), "W"),
        action("text_blocks", N_("Actions", "Text blocks for comments…"), repeats=False),
        action("draft_comment", N_("Actions", "Draft the comment"), "Shift+W", repeats=False),
        action("note", N_("Actions", "Note to the QA lead…"), "M", repeats=False),
    ),
    *section(EDIT, ALWAYS, EVERYWHERE)(action("leave", N_("Actions", "Leave the field"), "Esc", stays=True)),
    *section(TARGET, MOVING, RATE)(
        action(
            "go_on",
            N_("Actions", "Continue"),
            "Return",
            "Enter",
            "Ctrl+Return",
            "Ctrl+Enter",
            stays=True,
            repeats=False,
        )
    ),
    *section(TARGET, MOVING, TASK_SCREENS)(
        action("next_target", N_("Actions", "Next target"), "J", "Ctrl+J"),
        action("previous_target", N_("Actions", "Previous target"), "K", "Ctrl+Shift+J"),
    ),
    *section(TARGET, MOVING, RATE)(
        action("next_claim", N_("Actions", "Next claim"), "Shift+J"),
        action("previous_claim", N_("Actions", "Previous claim"), "Shift+K"),
    ),
    *section(TARGET, TEXT, RATE)(
        action("claim", N_("Actions", "Claim from the selection"), "L", repeats=False),
        action("split_claims", N_("Actions", "Split into claims"), "Shift+L", repeats=False),
        action(
            "claim_span",
            N_("Actions", "Add the selection to the claim, or type one"),
            "Ctrl+L",
            repeats=False,
        ),
        action("claim_words", N_("Actions", "Edit the claim’s words"), "F2", repeats=False),
    ),
    *section(TARGET, MOVING, RATE)(
        action("next_problem", N_("Actions", "Next problem"), "F8", line_before=True),
        action("previous_problem", N_("Actions", "Previous problem"), "Shift+F8"),
        action("next_comment", N_("Actions", "Next comment of the lead"), "Ctrl+F8"),
        action("previous_comment", N_("Actions", "Previous comment of the lead"), "Ctrl+Shift+F8"),
        action("acknowledge", N_("Actions", "Acknowledge the warning…"), "V", repeats=False),
    ),
    *section(TARGET, TEXT, RATE)(action("border", N_("Actions", "Correct the target's borders"), "B", repeats=False)),
    *section(TARGET, MOVING, RATE)(
        action(
            "finish",
            N_("Actions", "Finish the task"),
            "Ctrl+Shift+Return",
            "Ctrl+Shift+Enter",
            line_before=True,
            repeats=False,
        )
    ),
    *section(TARGET, MOVING, TASK_SCREENS)(
        action("next_task", N_("Actions", "Next task"), "Ctrl+PgDown"),
        action("previous_task", N_("Actions", "Previous task"), "Ctrl+PgUp"),
    ),
    *section(TARGET, TEXT, RATE)(action("skip", N_("Actions", "Skip the task…"), "X", repeats=False)),
    *section(EVIDENCE, PAGES, RATE)(
        action("evidence", N_("Actions", "Add evidence"), "E", repeats=False),
        action("paste_links", N_("Actions", "Add all copied links"), "Ctrl+V", repeats=False),
        action("quote", N_("Actions", "Write the quote"), "Q", repeats=False),
        action("open_link", N_("Actions", "Open the page"), "O"),
        action("next_link", N_("Actions", "Open the next unopened link"), "Shift+O"),
        action("address", N_("Actions", "Go to an address"), "Alt+D", line_before=True),
        action("reader_or_page", N_("Actions", "Switch between reader and page"), "R"),
        action(
            "live_script",
            N_("Actions", "Switch JavaScript of the page on or off"),
            "Shift+R",
            repeats=False,
        ),
        action("search_claim", N_("Actions", "Search the web for this claim"), "Alt+S", repeats=False),
        action("research", N_("Actions", "Research on this target"), "Shift+F4", repeats=False),
        action("stopwatch", N_("Actions", "Time research in my browser"), "F4", repeats=False),
        action("page_back", N_("Actions", "Previous page"), "Alt+Left"),
        action("page_forward", N_("Actions", "Next page"), "Alt+Right"),
        action("fetch_again", N_("Actions", "Fetch the page again"), "Ctrl+R"),
        action("open_outside", N_("Actions", "Open in the system browser…"), "Alt+O", repeats=False),
        action(
            "fetch_task_links",
            N_("Actions", "Fetch the links of this task"),
            line_before=True,
            repeats=False,
        ),
        action("fetch_bundle_links", N_("Actions", "Fetch all links of this bundle"), repeats=False),
        action("whole_page", N_("Actions", "Switch between whole page and main text")),
        action("find_read", N_("Actions", "Find in pages read…"), "Ctrl+Shift+F", repeats=False),
        action("supports", N_("Actions", "Mark as supporting"), "S", line_before=True),
        action("contradicts", N_("Actions", "Mark as contradicting"), "C"),
        action("does_not_decide", N_("Actions", "Mark as not deciding"), "Shift+S", repeats=False),
        action(
            "link_matches",
            N_("Actions", "The link matches the text"),
            "Shift+M",
            line_before=True,
            repeats=False,
        ),
        action("link_differs", N_("Actions", "This link differs from the text"), "Shift+V", repeats=False),
        action("link_dead", N_("Actions", "The link is dead"), "Shift+X", repeats=False),
        action("link_sign_in", N_("Actions", "The link needs a sign-in"), "Shift+G", repeats=False),
        action(
            "all_claims",
            N_("Actions", "Evidence for all claims"),
            "Alt+0",
            line_before=True,
            repeats=False,
        ),
        action("remove", N_("Actions", "Remove"), "Delete", repeats=False),
    ),
    *section(VIEW, ALWAYS, EVERYWHERE)(
        action("room_rate", N_("Actions", "Go to rating"), "Ctrl+1", lead=True),
        action("room_review", N_("Actions", "Go to the review"), "Ctrl+2", lead=True),
        action("room_report", N_("Actions", "Go to the report"), "Ctrl+3", lead=True),
    ),
    *section(VIEW, ALWAYS, TASK_SCREENS)(action("toggle_tasks", N_("Actions", "Task list"), "Ctrl+B")),
    *section(VIEW, MOVING, RATE)(action("choose_bundle", N_("Actions", "Choose a bundle"), "Alt+B")),
    *section(VIEW, MOVING, TASK_SCREENS)(action("filter", N_("Actions", "Filter tasks"), "/")),
    *section(VIEW, ALWAYS, TASK_SCREENS)(action("find", N_("Actions", "Find in the text"), "Ctrl+F")),
    *section(VIEW, MOVING, RATE)(action("guideline", N_("Actions", "Guideline at this question"), "G")),
    *section(VIEW, ALWAYS, RATE)(action("pause", N_("Actions", "Pause the clock"), "Ctrl+Shift+P", repeats=False)),
    *section(VIEW, ALWAYS, RATE)(action("toggle_prompt", N_("Actions", "Prompt"), "Alt+P")),
    *section(VIEW, MOVING, RATE)(action("tools", N_("Actions", "Tool output"), "T")),
    *section(VIEW, ALWAYS, RATE)(action("context", N_("Actions", "Context documents"), "Ctrl+D")),
    *section(VIEW, MOVING, RATE)(action("next_citation", N_("Actions", "Next citation"), "Shift+D")),
    *section(VIEW, TEXT, RATE)(
        action("markdown_source", N_("Actions", "Show Markdown source")),
        action("differences", N_("Actions", "Show differences"), "Ctrl+Shift+D", repeats=False),
        action("tool_comparison", N_("Actions", "Compare with the tool output"), repeats=False),
        action("scroll_together", N_("Actions", "Scroll in sync"), "Ctrl+Shift+L", repeats=False),
    ),
    *section(VIEW, ALWAYS, RATE)(
        action("texts_only", N_("Actions", "Texts only, side by side"), "F9", repeats=False),
        action("taller_texts", N_("Actions", "Higher texts, side by side"), "Ctrl+Shift+Down"),
        action("lower_texts", N_("Actions", "Lower texts, side by side"), "Ctrl+Shift+Up"),
    ),
    *section(VIEW, PAGES, RATE)(
        action("text_or_page", N_("Actions", "Switch between text and page"), "Ctrl+Tab"),
        action("page_window", N_("Actions", "Page in its own window"), "Ctrl+Shift+N", repeats=False),
    ),
    *section(VIEW, ALWAYS, EVERYWHERE)(
        action("next_pane", N_("Actions", "Next pane"), "F6", line_before=True),
        action("previous_pane", N_("Actions", "Previous pane"), "Shift+F6"),
        action("zoom_in", N_("Actions", "Zoom in"), "Ctrl++", "Ctrl+=", line_before=True),
        action("zoom_out", N_("Actions", "Zoom out"), "Ctrl+-"),
        action("zoom_reset", N_("Actions", "Actual size"), "Ctrl+0"),
        action("usual_panes", N_("Actions", "Reset pane widths")),
        action("full_screen", N_("Actions", "Full screen"), "F11"),
    ),
    *section(HELP, ALWAYS, EVERYWHERE)(
        action("palette", N_("Actions", "Find an action"), "Ctrl+K"),
        action("keys", N_("Actions", "Keyboard shortcuts"), "F1"),
        action("manual", N_("Actions", "Manual"), "Shift+F1", repeats=False),
    ),
    *section(HELP, ALWAYS, RATE)(action("guided_task", N_("Actions", "Guided first task"), repeats=False)),
    *section(HELP, ALWAYS, EVERYWHERE)(
        action("check_store", N_("Actions", "Check the store"), line_before=True, repeats=False),
        action("show_log", N_("Actions", "Open the log"), repeats=False),
        action("report_problem", N_("Actions", "Report a crash…"), repeats=False),
        action("about", N_("Actions", "About Desktop Rater"), line_before=True, repeats=False),
    ),
)

START_ROWS = (
    *section(TARGET, MOVING, START)(
        action(
            "start_go",
            N_("Actions", "Continue in the selected bundle"),
            "Return",
            "Enter",
            "Ctrl+Return",
            "Ctrl+Enter",
            stays=True,
            repeats=False,
        ),
        action("start_pick", N_("Actions", "Pick a task"), "/", repeats=False),
        action("start_returned", N_("Actions", "Open the first returned task"), "B", repeats=False),
        action("start_guideline", N_("Actions", "Read changes of the guideline"), "V", repeats=False),
    ),
    *section(FILE, MOVING, START)(
        action("start_get", N_("Actions", "Get the bundles from the hub"), "N", repeats=False),
        action("start_more", N_("Actions", "More about the selected bundle…"), "M", repeats=False),
    ),
    *section(VIEW, MOVING, START)(
        action("start_sort", N_("Actions", "Sort the bundles differently"), "S", repeats=False)
    ),
    *section(HELP, MOVING, START)(
        action("start_guide", N_("Actions", "Begin the guided first task"), "G", repeats=False)
    ),
    *section(VIEW, ALWAYS, EVERYWHERE)(action("room_start", N_("Actions", "Go to the start page"), "Alt+Home")),
)

FIXED: tuple[FixedKey, ...] = (
    FixedKey(
        ANSWERS,
        N_("Actions", "In the form or the strip: select the next or previous target too"),
        ("Shift+Down", "Shift+Up"),
    ),
    FixedKey(MOVING, N_("Actions", "Next or previous row of the list or question of the form"), ("Up", "Down")),
    FixedKey(PAGES, N_("Actions", "On a page: next or previous sentence"), ("Down", "Up")),
    FixedKey(PAGES, N_("Actions", "On a page: extend or shrink by a sentence"), ("Shift+Right", "Shift+Left")),
    FixedKey(PAGES, N_("Actions", "On a page: next or previous link (Enter opens it)"), ("Right", "Left")),
    FixedKey(PAGES, N_("Actions", "Evidence for this claim, or not"), ("Alt+1", "Alt+9")),
    FixedKey(
        PAGES,
        N_("Actions", "After not deciding: a copy, unreliable, off topic, undecided"),
        ("1", "2", "3", "4"),
    ),
    FixedKey(MOVING, N_("Actions", "Next or previous part of a pane"), ("Tab", "Shift+Tab")),
    FixedKey(MOVING, N_("Actions", "Press the button that has the focus"), ("Space",)),
)


REVIEW, REPORT = "review", "report"

REVIEW_ROWS: tuple[ActionRow, ...] = (
    *section(TARGET, ANSWERS, REVIEW)(
        action(
            "review_accept",
            N_("Actions", "Accept the rating"),
            "Return",
            "Enter",
            stays=True,
            repeats=False,
        ),
        action(
            "review_accept_all",
            N_("Actions", "Accept every rating of this target"),
            "Shift+Return",
            "Shift+Enter",
            repeats=False,
        ),
        action("review_correct", N_("Actions", "Correct the rating…"), "M", repeats=False),
        action("review_send_back", N_("Actions", "Send the rating back…"), "B", repeats=False),
        action(
            "review_confirm",
            N_("Actions", "Submit the verdict"),
            "Ctrl+Return",
            "Ctrl+Enter",
            stays=True,
            repeats=False,
        ),
        action("review_decide", N_("Actions", "Decide on the final label…"), "L", repeats=False),
        action(
            "review_leave_open",
            N_("Actions", "Leave the final label open and go on"),
            "Shift+X",
            repeats=False,
        ),
        action("review_because", N_("Actions", "Write why it is decided so"), "W", repeats=False),
        action(
            "review_labels",
            N_("Actions", "Choose how final labels are decided…"),
            "Shift+L",
            repeats=False,
        ),
    ),
    *section(TARGET, ANSWERS, REVIEW)(
        action(
            "results_admit",
            N_("Actions", "Let the chosen results or key count…"),
            "C",
            line_before=True,
            repeats=False,
        ),
        action(
            "results_admit_rater",
            N_("Actions", "Let all results of the chosen rater count…"),
            "Shift+C",
            repeats=False,
        ),
        action("results_take_out", N_("Actions", "Take the chosen results or key out…"), "T", repeats=False),
    ),
    *section(EDIT, ANSWERS, REVIEW)(
        action(
            "review_take_back",
            N_("Actions", "Withdraw the verdict or decision"),
            "Backspace",
            repeats=False,
        )
    ),
    *section(FILE, ALWAYS, REVIEW)(
        action("review_return", N_("Actions", "Return tasks to the raters…"), "Ctrl+Shift+B", repeats=False),
        action("review_final", N_("Actions", "Save the final labels…"), "Ctrl+S", repeats=False),
        action("review_assignment", N_("Actions", "Assignment table…"), repeats=False),
    ),
    *section(TARGET, MOVING, REVIEW)(
        action("review_next_open", N_("Actions", "Next unreviewed target"), "Shift+J", line_before=True),
        action("review_next_rater", N_("Actions", "Next rater"), "Alt+Right"),
        action("review_previous_rater", N_("Actions", "Previous rater"), "Alt+Left"),
    ),
    *section(EVIDENCE, PAGES, REVIEW)(
        action("review_page", N_("Actions", "Open the next stored page of this rater"), "O", repeats=False),
        action(
            "review_page_again",
            N_("Actions", "Fetch this page again and compare"),
            "Shift+O",
            repeats=False,
        ),
    ),
    *section(VIEW, PAGES, REVIEW)(
        action("review_as_rated", N_("Actions", "Show the page as the rater saw it"), "V", repeats=False)
    ),
    *section(VIEW, MOVING, REVIEW)(
        action("review_results", N_("Actions", "Check for missing results"), "R", repeats=False),
        action("review_filters", N_("Actions", "Filter the list…"), "E", repeats=False),
        action("review_filter_drop", N_("Actions", "Remove the last filter"), "Shift+E"),
        action("review_sample", N_("Actions", "Draw a sample…"), "S", repeats=False),
        action("review_groups", N_("Actions", "Group the raters by their label"), "G", repeats=False),
        action("review_raters", N_("Actions", "Choose the raters to show…"), "Shift+R", repeats=False),
    ),
    *section(VIEW, ANSWERS, REVIEW)(
        action("review_blind", N_("Actions", "Answer first, then see the raters"), repeats=False)
    ),
)

REPORT_ROWS: tuple[ActionRow, ...] = (
    *section(FILE, ALWAYS, REPORT)(
        action("report_tables", N_("Actions", "Save the figures as CSV…"), "Ctrl+Shift+E", repeats=False),
        action("report_page", N_("Actions", "Save the report as HTML…"), "Ctrl+S", repeats=False),
    ),
    *section(TARGET, MOVING, REPORT)(
        action("report_enter", N_("Actions", "Open details"), "Return", "Enter", repeats=False)
    ),
    *section(VIEW, MOVING, REPORT)(
        action("report_as_table", N_("Actions", "Show as a table"), "T", repeats=False),
    ),
    *section(VIEW, MOVING, REPORT)(
        action("report_raters", N_("Actions", "Choose raters"), "/", repeats=False),
        action("report_agreement", N_("Actions", "Show the agreement"), "G", repeats=False),
    ),
)
