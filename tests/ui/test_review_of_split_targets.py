"""A lead reviews a sentence that raters split into claims: its severity is shown, counted and decided."""

from tests.audit.results import Desk
from tests.audit.test_split_targets import SENTENCE, sent, split
from tests.operations.bundles import task
from tests.ui.reviews import reviewing, told
from tests.ui.rooms import part, press


def in_grid(review):
    """Row → what the comparison says of each rater."""
    shown = review.compare.grid.comparison
    return {row.id: [column.cells[n].spoken for column in shown.columns] for n, row in enumerate(shown.rows)}


def test_a_tie_about_severity_is_listed_first_and_decided_by_a_key(rooms, tmp_path):
    desk = Desk(tmp_path, [task("t-1", SENTENCE, "It is large.")])
    results = [sent(desk, f"r-{number}", split(severity)) for number, severity in enumerate(("minor", "critical"))]
    room, review = reviewing(rooms, results)
    heads = [row.title for row in review.list_pane.model.rows if row.heading]
    assert heads == ["Same label, other answers differ", "All agree"]
    assert [row.detail_end for row in review.list_pane.model.rows if not row.heading] == ["tied", ""]
    rows = in_grid(review)
    assert rows["severity"] == ["Minor", "Critical"]
    assert "Inaccurate, Critical: Lima was founded in 1636." in rows["claims"][1]
    assert part(room, "verdict_stands").text().endswith("Severity: no final answer. Press L to decide.")
    press("L")
    assert part(room, "decide_bar").isVisible()
    press("8")
    rooms.qtbot.waitUntil(lambda: not review.desk.item.tied, timeout=15_000)
    assert told(rooms, "final", "t-1", "targets/s1", "severity")["value"] == "critical"
    assert review.list_pane.model.rows[1].detail_end == "Severity differs"
    assert part(room, "verdict_stands").text() == "Final: Inaccurate · Severity: Critical"
    press("L", "L", "Backspace")
    rooms.qtbot.waitUntil(lambda: review.desk.item.tied, timeout=15_000)
    assert told(rooms, "final", "t-1", "targets/s1", "severity")["value"] is None
