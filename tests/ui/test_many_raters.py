"""A lead with many raters: groups by label, the label taken by a number, raters opened by name, filters as chips."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_rater.audit.items import ITEM_FIGURES
from desktop_rater.audit.questions import LabelChoice
from desktop_rater.format.change import Progress
from desktop_rater.format.task import Target
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.review.cells import pooled_comments
from desktop_rater.ui.review.compare_page import PlaceVotes, VoteBars, VoteRow
from desktop_rater.ui.widgets import theme
from tests.audit.scaled import RUBRIC
from tests.operations.bundles import make, rating, task, write_lines
from tests.operations.rated import results_of as results_of_raters
from tests.ui.leads import results_of
from tests.ui.reviews import reviewing, told
from tests.ui.rooms import Text, part, press, press_until, type_text
from tools.simulate import SimulationOptions, simulate_results

RATERS = 12


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    made = results_of(tmp_path_factory.mktemp("many") / "in", raters=RATERS, noise=0.6, tasks=3)
    return [made.bundle, *made.files]


@pytest.fixture(scope="module")
def grades(tmp_path_factory):
    """Twelve raters of a scale."""
    folder = tmp_path_factory.mktemp("grades")
    (folder / "rubric.toml").write_text(RUBRIC, encoding="utf-8")
    tasks = [task(f"t{number}", "It is.") | {"targets": []} for number in range(1, 4)]
    bundle = make(folder / "grades.zip", tasks, rubric=str(folder / "rubric.toml"))
    given = [{"task": one["id"], "answers": {"task": {"helpful": 3}}} for one in tasks]
    lines = write_lines(folder / "base.jsonl", given)
    simulate_results(bundle, lines, folder / "in", SimulationOptions(raters=RATERS, seed=3, noise=0.6), Progress())
    return [bundle, *sorted((folder / "in").iterdir())]


@pytest.fixture
def zoom(qapp):
    """Changes the size of everything for the time of a test, in per cent."""
    yield lambda percent: theme.apply(qapp, theme.Look(zoom=percent))
    theme.apply(qapp, theme.Look())


def groups(review):
    return [column for column in review.compare.grid.comparison.columns if column.group is not None]


def votes(column):
    return int("".join(filter(str.isdigit, column.title)))


def cell_of(review, column, row):
    shown = review.compare.grid.comparison
    at = next(at for at, one in enumerate(shown.rows) if one.id == row)
    return column.cells[at]


def test_a_number_takes_the_label_of_a_group_and_ctrl_enter_decides_and_goes_on(rooms, results):
    room, review = reviewing(rooms, results)
    desk, grid, bar = review.desk, review.compare.grid, review.compare.decide
    shown = groups(review)
    assert len(shown) == len(grid.comparison.columns) > 1
    assert sum(map(votes, shown)) == RATERS
    assert [column.key for column in shown] == [str(number) for number in range(1, len(shown) + 1)]
    sizes = [votes(column) for column in shown if column.group[0] is not None]
    assert sizes == sorted(sizes, reverse=True)
    assert bar.isVisible()
    assert not review.compare.verdict.isVisible()
    assert part(room, "decide_support").text() == f"{sizes[0]} of {sum(sizes)} raters say the same"
    assert part(room, "what_decides").text()
    first = desk.name
    press("Right")
    assert grid.current_column.group == shown[1].group
    press("1", "2")
    assert bar.because.text() == ""
    press("W", Text("The page says so."), "Return")
    assert grid.hasFocus(), "Return keeps the reason and leaves the field"
    wanted = shown[1].group[0]
    press_until(rooms.qtbot, lambda: desk.name != first, "Ctrl+Return")
    subject = "final", *first, wanted.question
    rooms.qtbot.waitUntil(lambda: told(rooms, *subject, bundle="facts") is not None)
    stored = told(rooms, *subject, bundle="facts")
    assert (stored["value"], stored["comment"]) == (wanted.value, "The page says so.")
    rooms.qtbot.waitUntil(lambda: desk.item_of(first).decided)

    second = desk.name
    press_until(rooms.qtbot, lambda: desk.name != second, "Shift+X")
    assert not desk.item_of(second).decided
    press_until(rooms.qtbot, lambda: not desk.item_of(first).decided, "Ctrl+Z")


def test_raters_of_a_group_are_opened_by_name_and_the_lead_chooses_who_is_shown(rooms, results):
    room, review = reviewing(rooms, results)
    grid, palette = review.compare.grid, room.window.parts["palette"]
    rater = review.desk.item.entries[4].rater
    press("B")
    assert palette.isVisible(), "whose rating is to be sent back?"
    press("Esc", "Shift+R")
    assert len(palette.model.rows) == RATERS + 1
    type_text(rater, "Return")
    assert palette.isVisible(), "several can be chosen"
    press("Esc")
    column = grid.comparison.columns[grid.comparison.column_of(rater)]
    own_group = grid.comparison.columns[grid.comparison.column_of(rater) - 1]
    assert own_group.group[0] == review.desk.item.entry(rater).label
    assert cell_of(review, column, "label").parts, "the rater's own answers"
    grid.choose(grid.comparison.column_of(rater))
    assert review.compare.verdict.isVisible()
    assert not review.compare.decide.isVisible()
    judged = review.desk.name
    press("Return")
    assert review.desk.item_of(judged).entry(rater).verdict.kind == "accepted"
    review.navigator.go(judged)

    press("G")
    assert [one.rater for one in grid.comparison.columns] == [rater]
    review.navigator.show_raters(frozenset())
    assert len(grid.comparison.columns) == RATERS
    press("G")
    folded = groups(review)[0]
    chip = cell_of(review, folded, "raters").parts[0]
    review.compare.grid.rater_wanted.emit(chip)
    assert grid.chosen == chip.rater
    review.compare.grid.rater_wanted.emit(chip)
    assert not grid.chosen, "it is closed again"


def test_while_the_lead_answers_first_nothing_tells_of_groups_or_counts(rooms, results):
    room, review = reviewing(rooms, results)
    names = {entry.rater for entry in review.desk.item.entries}
    review.navigator.set_blind(on=True)
    compare = review.compare
    assert [column.title for column in compare.grid.comparison.columns] == [""]
    assert not compare.votes.isVisible()
    assert not compare.decide.isVisible()
    assert not any(row.tokens or row.end or row.counted for row in review.list_pane.model.rows)
    assert not part(room, "review_order").isVisible()
    spoken = " ".join(str(compare.grid.model().headerData(0, Qt.Orientation.Horizontal)))
    assert not any(name in spoken for name in names)
    for key in ("1", "G", "Right"):
        press(key)
    press("Shift+R")
    assert not room.window.parts["palette"].isVisible()
    assert not groups(review)
    press("Ctrl+Return")
    assert review.own_rating.open is not None, "the lead's own answer comes first"


def test_filters_are_added_from_a_list_and_removed_by_a_key(rooms, results):
    room, review = reviewing(rooms, results)
    pane = review.list_pane
    everything = len(pane.model.keys)
    for words in ("Entropy over 1.0", "2 labels or fewer"):
        press("E", Text(words), "Return")
    assert part(room, "review_chips").text == "Entropy over 1.0, 2 labels or fewer"
    shown = [review.desk.item_of(key) for key in pane.model.keys]
    assert 0 <= len(shown) < everything
    assert part(room, "shown_count").text() == str(len(shown))
    assert part(room, "reviewed_of").text() == f"of {everything} shown, 0 reviewed"
    press("Shift+E")
    assert part(room, "review_chips").text == "Entropy over 1.0"
    QTest.keyClick(pane.chips.chips[0], Qt.Key.Key_Delete)
    assert len(pane.model.keys) == everything
    press("E", Text("largest entropy"), "Return")
    ordered = [ITEM_FIGURES["entropy"](review.desk.item_of(key)) for key in pane.model.keys]
    assert ordered == sorted(ordered)
    assert part(room, "review_order").label == "Largest entropy first"
    assert pane.model.rows[0].end == f"{-ordered[0]:.2f}"


def test_on_a_scale_the_key_of_a_group_is_its_step_and_a_value_is_no_count(rooms, grades):
    _room, review = reviewing(rooms, grades)
    shown = groups(review)
    steps = [column.group[0].value for column in shown]
    assert steps == sorted(steps)
    assert [column.key for column in shown] == [f"{step:g}" for step in steps]
    assert shown[0].title.startswith(f"{steps[0]:g}: ")
    row = next(row for row in review.list_pane.model.rows if not row.heading)
    assert row.counted
    assert all(token.text and token.count for token in row.tokens)
    assert row.end, "the entropy that the list is ordered by"
    press("3")
    assert review.compare.grid.current_column.group[0].value == 3


@pytest.mark.parametrize(("given", "chosen"), [((1, 1, 1, 2, 3, 4, 5, 5, 5), None), ((1, 5, 2, 5, 4, 5, 5, 4, 5), 5)])
def test_votes_are_shown_whole_the_most_first_and_nothing_is_chosen_in_a_tie(rooms, given, chosen):
    (rooms.folder / "rubric.toml").write_text(RUBRIC, encoding="utf-8")
    place = task("t1", "It is.") | {"targets": []}
    ratings = {f"r{at}": [{"task": "t1", "answers": {"task": {"helpful": step}}}] for at, step in enumerate(given)}
    rubric = str(rooms.folder / "rubric.toml")
    room, review = reviewing(rooms, results_of_raters(rooms.folder / "tie", [place], ratings, rubric=rubric))
    review.compare.votes.set_low(low=True)
    rows = part(room, "vote_bars")._rows()
    assert sum(row.votes for row in rows) == len(given)
    assert [row.votes for row in rows] == sorted((row.votes for row in rows), reverse=True)
    assert {row.text for row in rows if row.votes == rows[0].votes} == ({"1", "5"} if chosen is None else {"5"})
    decide = review.compare.decide
    assert decide._value == chosen
    press("Ctrl+Return")
    if chosen is None:
        assert not review.desk.item.decided
        press("5")
        assert decide._value == 5


def test_labels_beyond_the_rows_are_counted_in_one_row(rooms):
    rows = tuple(VoteRow(f"{votes}", "", "", votes, votes / 21, None) for votes in (6, 5, 4, 3, 2, 1))
    bars = VoteBars()
    rooms.qtbot.addWidget(bars)
    bars.show_votes(PlaceVotes(rows, 1.0, "", 0.0, 0.0, "", ""))
    assert [(row.text, row.votes) for row in bars._rows()][-2:] == [("3", 3), ("2 more labels", 3)]


def test_a_model_decides_where_it_is_sure_enough_and_says_where_not(rooms, results):
    room, review = reviewing(rooms, results)
    bars, decides = part(room, "vote_bars"), part(room, "what_decides")
    assert not bars.votes.method
    review.recorder.choose_labels(LabelChoice(by="dawid-skene"))
    rooms.qtbot.waitUntil(lambda: bars.votes.method == "Dawid–Skene")
    assert decides.text().startswith("Dawid–Skene decides: ")
    review.recorder.choose_labels(LabelChoice(by="majority", threshold=0.99))
    rooms.qtbot.waitUntil(lambda: "is below the 99 % that this audit asks for" in decides.text())


def test_comments_that_hardly_differ_are_counted_once():
    pooled = pooled_comments(
        [("r1", "Found the page of the club."), ("r2", "found the page of the club"), ("r3", "A different matter")]
    )
    assert [(rater, others) for rater, _, others in pooled] == [("r1", 1), ("r3", 0)]


def test_the_count_of_marks_beside_a_line_stays_within_the_margin(qtbot):
    view = ResponseView("crowded")
    qtbot.addWidget(view)
    view.resize(900, 120)
    text = "a " * 40
    targets = [Target(id=f"s{at}", response="a", start=2 * at, end=2 * at + 1, quote=text[2 * at]) for at in range(40)]
    view.show_response(text, targets, plain=True)
    view.show()
    qtbot.waitExposed(view)
    image = view.viewport().grab().toImage()
    ground = image.pixel(0, 0)
    assert {image.pixel(x, y) for x in (0, 1) for y in range(image.height())} == {ground}
    margin = {image.pixel(x, y) for x in range(2, 50) for y in range(image.height())}
    assert len(margin) > 1, "the count is there"


def test_the_current_target_stays_in_view_with_large_text(rooms, zoom):
    sentences = [f"This is sentence {number} of a response that is longer than its excerpt." for number in range(14)]
    given = {"ann": [rating("t-1", *[{"factual": "no"}] * len(sentences))]}
    _room, review = reviewing(rooms, results_of_raters(rooms.folder / "long", [task("t-1", *sentences)], given))
    review.navigator.go(("t-1", "targets/s14"))
    rooms.qtbot.waitUntil(lambda: review.navigator.is_shown)
    zoom(200)
    rooms.qtbot.waitUntil(lambda: review.split.one_pane)
    (view,) = review.compare.excerpt.views

    def shown():
        first, last = (view.cursorRect(view._cursor(at, at)) for at in view._current_mark().span)
        return 0 <= first.top() < last.bottom() <= view.viewport().height()

    rooms.qtbot.waitUntil(shown)
