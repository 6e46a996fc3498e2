"""A rater sees of each question and problem whether it is the guideline's or this project's own."""

from desktop_rater.cli.root import main
from desktop_rater.ui.rating.problem_fixes import ProblemRow
from desktop_rater.ui.widgets.labels import SourceBadge
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
DOCUMENT = """document = { name = "Rating guideline for gardens and orchards", edition = "2.1" }
[[questions]]"""
OWN = "This project’s rule: The guideline does not state this; this project decided it."
OWN_CHOICES = "This project’s rule: This project’s own: Little, Much"


def badge_names(widget):
    return [badge.accessibleName() for badge in widget.findChildren(SourceBadge) if badge.isVisible()]


def opened(rooms, folder, rubric_text=RUBRIC, guidelines=""):
    rubric, tasks, out = folder / "soil.toml", folder / "tasks.jsonl", folder / "bundle.zip"
    rubric.write_text(rubric_text, "utf-8")
    write_lines(tasks, [task("t1", "Garlic is planted in autumn.", "It came with the railways.")])
    options = []
    if guidelines:
        (folder / "guide.md").write_text(guidelines, "utf-8")
        options = ["--guidelines", str(folder / "guide.md")]
    assert main(["bundle", "make", "--rubric", str(rubric), "--out", str(out), *options, str(tasks)]) == 0
    return rooms.with_bundle(out)


def test_a_badge_names_the_document_with_its_edition(rooms, tmp_path):
    room = opened(rooms, tmp_path, RUBRIC.replace("[[questions]]", DOCUMENT, 1))
    form = room.window.form_pane.form
    badge = form.row("right").findChild(SourceBadge)
    whole = "Rating guideline for gardens and orchards, edition 2.1: Page 3, step 1"
    assert (badge.text(), badge.accessibleName()) == ("Rating guideline for ga…", whole)
    assert whole in badge.toolTip().replace("\xa0", " ")
    press("N")
    (row,) = (row for row in room.window.form_pane.problems.list.row_widgets() if isinstance(row, ProblemRow))
    assert badge_names(row) == ["Rating guideline for gardens and orchards, edition 2.1: Page 4"]
    assert badge_names(form.row("harm")) == [OWN_CHOICES]


def test_badges_follow_the_headings_of_the_bundle_s_own_guidelines(rooms, tmp_path, capsys):
    guidelines = "# Soil\n\nPage 3,  step *1*\n---\n\n```\n# Page 4\n```\n"
    room = opened(rooms, tmp_path, RUBRIC.replace("ask =", 'section = "Harm"\nask =', 1), guidelines)
    errors = capsys.readouterr().err
    assert errors.strip().endswith('"Page 5", "Page 4", "Harm"')
    form = room.window.form_pane.form
    assert badge_names(form.row("right")) == ["Guideline: Page 3, step 1"]
    assert badge_names(form.row("sure")) == [OWN]
    assert form.row("right").question.section == ""  # no link to a section that is not there
    press("N")
    (row,) = (row for row in room.window.form_pane.problems.list.row_widgets() if isinstance(row, ProblemRow))
    assert badge_names(row) == [OWN]


def test_a_built_in_rubric_with_other_guidelines_names_no_document(rooms, tmp_path):
    (tmp_path / "guide.md").write_text("# Facts\n", "utf-8")
    tasks, out = tmp_path / "tasks.jsonl", tmp_path / "bundle.zip"
    write_lines(tasks, [task("t1", "Garlic is planted in autumn.")])
    assert main(["bundle", "make", "--guidelines", str(tmp_path / "guide.md"), "--out", str(out), str(tasks)]) == 0
    form = rooms.with_bundle(out).window.form_pane.form
    press("Y")
    assert form.row("factual").findChild(SourceBadge).accessibleName() == "Guideline: Facts"
    assert form.row("accuracy").findChild(SourceBadge).accessibleName() == OWN


def test_questions_say_whose_they_are_and_choices_of_the_projects_own_are_not_called_the_guidelines(rooms, tmp_path):
    form = opened(rooms, tmp_path).window.form_pane.form
    names = {question: badge_names(form.row(question)) for question in ("right", "harm", "sure", "comment")}
    assert names == {
        "right": ["Guideline: Page 3, step 1"],
        "harm": [OWN_CHOICES],
        "sure": ["Guideline: Page 5. This project’s own: Half"],
        "comment": [OWN],
    }


def test_each_problem_has_one_badge(rooms, tmp_path):
    room = opened(rooms, tmp_path)
    press("N", "2")
    rows = room.window.form_pane.problems.list.row_widgets()
    assert [(row.label.text(), badge_names(row)) for row in rows if isinstance(row, ProblemRow)] == [
        ("Say what is wrong.", ["Guideline: Page 4"]),
        ("Look at it again.", [OWN]),
    ]


def test_a_badge_goes_beneath_where_there_is_no_room_beside_the_words(rooms, tmp_path, qtbot):
    room = opened(rooms, tmp_path)
    badge = room.window.form_pane.form.row("right").findChild(SourceBadge)
    wide = badge.geometry()
    room.window.resize(700, 700)
    qtbot.waitUntil(lambda: badge.x() == 0, timeout=5_000)
    assert (badge.size(), badge.y() > wide.y()) == (wide.size(), True)
