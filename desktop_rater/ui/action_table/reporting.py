"""What can be done in the report room, and nowhere else."""

from __future__ import annotations

from desktop_rater.ui.action_table.row import ALWAYS, FILE, MOVING, QT_TRANSLATE_NOOP, TARGET, VIEW, Row

ROOM = "report"
ROWS: tuple[Row, ...] = (
    Row(
        "report_tables",
        FILE,
        ALWAYS,
        QT_TRANSLATE_NOOP("Actions", "Save the figures as CSV…"),
        ("Ctrl+Shift+E",),
        repeats=False,
        room=ROOM,
    ),
    Row(
        "report_page",
        FILE,
        ALWAYS,
        QT_TRANSLATE_NOOP("Actions", "Save the report as a page…"),
        ("Ctrl+S",),
        repeats=False,
        room=ROOM,
    ),
    Row(
        "report_enter",
        TARGET,
        MOVING,
        QT_TRANSLATE_NOOP("Actions", "Go into it, at last to the review"),
        ("Return", "Enter"),
        repeats=False,
        room=ROOM,
    ),
    Row(
        "report_as_table", VIEW, MOVING, QT_TRANSLATE_NOOP("Actions", "Show as table"), ("T",), repeats=False, room=ROOM
    ),
    Row("report_raters", VIEW, MOVING, QT_TRANSLATE_NOOP("Actions", "Choose raters"), ("/",), repeats=False, room=ROOM),
    Row(
        "report_score",
        TARGET,
        MOVING,
        QT_TRANSLATE_NOOP("Actions", "Score justifications…"),
        ("S",),
        repeats=False,
        room=ROOM,
    ),
)
