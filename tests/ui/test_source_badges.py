"""A rater sees of each question and problem whether it is the guideline's or this project's own."""

from __future__ import annotations

from desktop_rater.cli.root import main
from desktop_rater.ui.rating.problem_fixes import ProblemRow
from desktop_rater.ui.widgets.source_badge import SourceBadge
from tests.operations.bundles import task, write_lines
from tests.ui.rooms import press

RUBRIC = """
id = "soil"
title = "Soil"
[[questions]]
id = "right"
per = "target"
ask = "Is it right?"
kind = "choice"
choices = [{ id = "yes", label = "Yes", key = "y", source = "guideline" },
           { id = "no", label = "No", key = "n", source = "guideline" }]
required = true
source = "guideline"
guideline = "Page 3, step 1"
[[questions]]
id = "harm"
per = "target"
ask = "How much harm?"
kind = "choice"
choices = [{ id = "little", label = "Little", key = "1" }, { id = "much", label = "Much", key = "2" }]
source = "guideline"
[[questions]]
id = "sure"
per = "target"
ask = "Are you sure?"
kind = "choice"
choices = [{ id = "yes", label = "Yes", key = "5", source = "guideline" }, { id = "half", label = "Half", key = "6" }]
source = "guideline"
guideline = "Page 5"
[[questions]]
id = "comment"
per = "target"
ask = "Comment"
kind = "text"
[[rules]]
id = "wrong-needs-comment"
level = "block"
per = "target"
when = { right = "no" }
require = { comment = { filled = true } }
message = "Say what is wrong."
source = "guideline"
guideline = "Page 4"
[[rules]]
id = "much-harm"
level = "warn"
per = "target"
when = { harm = "much" }
message = "Look at it again."
"""
OWN = "This project’s rule: The guideline does not state this; this project decided it."


def badge_names(widget):
    return [badge.accessibleName() for badge in widget.findChildren(SourceBadge) if badge.isVisible()]


def opened(rooms, folder):
    rubric, tasks, out = folder / "soil.toml", folder / "tasks.jsonl", folder / "bundle.zip"
    rubric.write_text(RUBRIC, "utf-8")
    write_lines(tasks, [task("t1", "Garlic is planted in autumn.", "It came with the railways.")])
    assert main(["bundle", "make", "--rubric", str(rubric), "--out", str(out), str(tasks)]) == 0
    return rooms.with_bundle(out)


def test_questions_say_whose_they_are_and_choices_of_the_projects_own_are_not_called_the_guidelines(rooms, tmp_path):
    form = opened(rooms, tmp_path).window.form_pane.form
    names = {question: badge_names(form.row(question)) for question in ("right", "harm", "sure", "comment")}
    assert names == {
        "right": ["Guideline: Page 3, step 1"],
        "harm": ["This project’s rule: This project’s own: Little, Much"],
        "sure": ["Guideline: Page 5. This project’s own: Half"],
        "comment": [],
    }


def test_each_problem_has_one_badge(rooms, tmp_path):
    room = opened(rooms, tmp_path)
    press("N", "2")
    rows = room.window.form_pane.problems.list.row_widgets()
    assert [(row.label.text(), badge_names(row)) for row in rows if isinstance(row, ProblemRow)] == [
        ("Say what is wrong.", ["Guideline: Page 4"]),
        ("Look at it again.", [OWN]),
    ]


def test_a_badge_gives_way_to_the_words_of_its_question(rooms, tmp_path, qtbot):
    room = opened(rooms, tmp_path)
    row = room.window.form_pane.form.row("right")
    badge = row.findChild(SourceBadge)
    assert badge.width() > 0
    room.window.resize(700, 700)
    qtbot.waitUntil(lambda: badge.width() == 0)
