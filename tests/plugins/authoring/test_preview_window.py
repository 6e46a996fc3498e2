"""Whoever writes a rubric sees its form at once, sees each change, and is told of a slip where it happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from desktop_rater import app
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.paths import resources
from desktop_rater.plugins.authoring.preview import PREVIEW_RATER, PreviewSource, begin_preview
from desktop_rater.plugins.authoring.preview_window import HIDDEN_ACTIONS, PREVIEW_BANNER, RubricPreview, build_preview
from desktop_rater.rubric import load
from desktop_rater.settings import Settings
from desktop_rater.ui.widgets import shapes, theme_tokens
from tests.operations.bundles import noon, rating, task, write_lines
from tests.ui.window_parts import WindowParts

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

TEMPLATE = resources() / "new_rubric" / "target.toml"
MORE = """
[[questions]]
id = "clear"
per = "target"
ask = "Is it clear?"
kind = "choice"
choices = [{ id = "yes", label = "Yes", key = "1" }, { id = "no", label = "No", key = "2" }]
required = true
"""


@dataclass
class Previews:
    qtbot: QtBot
    folder: Path
    open_now: list[app.Application]

    @property
    def file(self) -> Path:
        return self.folder / "mine.toml"

    def open(
        self, text: str | None = None, ref: str | None = None, **more: Path
    ) -> tuple[app.Application, RubricPreview]:
        """A preview of what stands in the file, shown, with a task open."""
        if ref is None:
            self.file.write_text(text or TEMPLATE.read_text("utf-8"), encoding="utf-8")
        folder = self.folder / "temporary"
        folder.mkdir()
        previewed = PreviewSource(rubric=ref or str(self.file), folder=folder, **more)
        begin_preview(previewed, now=noon)
        room = build_preview(previewed, SettingsFile(settings=Settings(rater=PREVIEW_RATER)), now=noon)
        self.open_now.append(room)
        room.window.resize(1280, 720)
        room.window.show()
        self.qtbot.waitUntil(lambda: room.session.task is not None)
        preview = room.window.findChild(RubricPreview)
        assert preview is not None
        return room, preview

    def change(self, preview: RubricPreview, old: str, new: str) -> None:
        """Save the file with other words, and wait until the form shows it."""
        text = self.file.read_text("utf-8")
        assert old in text
        with self.qtbot.waitSignal(preview.renewed, timeout=10_000):
            self.file.write_text(text.replace(old, new), encoding="utf-8")

    def shows(self, room: app.Application, question: str) -> None:
        """Wait until a question stands in the form."""
        session = room.session
        self.qtbot.waitUntil(
            lambda: session.task is not None and question in {one.question.id for one in session.form_questions}
        )


@pytest.fixture
def previews(qtbot, tmp_path):
    opener = Previews(qtbot, tmp_path, [])
    yield opener
    for room in opener.open_now:
        room.window.close()
        qtbot.waitUntil(lambda room=room: not room.window.isVisible())
        room.close()


def test_the_window_says_that_it_is_a_preview_and_begins_where_the_form_is_longest(previews):
    room, _ = previews.open()
    assert WindowParts(room).header.standing.text() == "Preview"
    assert "mine.toml" in room.window.banners.text(PREVIEW_BANNER)
    shown = [one.question.id for one in room.session.form_questions]
    assert {"checkable", "verdict", "harm", "comment"} <= set(shown)
    assert room.session.rating.answers.targets[room.session.stop.target]["verdict"] == "wrong"
    # What would seem to keep something is not offered.
    assert [name for name in HIDDEN_ACTIONS if room.commands.actions[name].isEnabled()] == []
    assert not room.window.acceptDrops()


def test_a_built_in_rubric_can_be_looked_at_too(previews):
    room, _ = previews.open(ref="side-by-side")
    assert room.session.rubric.file.id == "side-by-side"
    assert "side-by-side" in room.window.banners.text(PREVIEW_BANNER)


def test_a_question_that_is_added_to_the_file_is_asked_at_once(previews):
    room, preview = previews.open()
    previews.change(preview, "# A rule breaks", f"{MORE}\n# A rule breaks")
    previews.shows(room, "clear")
    assert "shows the current" in room.window.banners.text(PREVIEW_BANNER)


def test_an_editor_that_puts_a_new_file_in_the_place_of_the_old_one_is_followed(previews, qtbot):
    room, preview = previews.open()
    sound = previews.file.read_text("utf-8")
    for ask in ("Is it so?", "Is it true?"):
        beside = previews.folder / ".mine.part"
        beside.write_text(sound.replace("Is it right?", ask), encoding="utf-8")
        with qtbot.waitSignal(preview.renewed, timeout=10_000):
            beside.replace(previews.file)
    session = room.session
    qtbot.waitUntil(
        lambda: session.task is not None and session.rubric.questions["verdict"].question.ask == "Is it true?"
    )


def test_a_slip_is_named_with_its_line_and_the_form_stays_as_it_was(previews, qtbot):
    room, preview = previews.open()
    sound = previews.file.read_text("utf-8")
    with qtbot.waitSignal(preview.refused, timeout=10_000):
        previews.file.write_text(sound.replace('checkable = "yes"', 'checkable = "yess"'), encoding="utf-8")
    said = room.window.banners.text(PREVIEW_BANNER)
    assert "mine.toml, line " in said
    assert "'yess'" in said
    assert room.window.banners.banner(PREVIEW_BANNER).kind == "block"
    assert "harm" in {one.question.id for one in room.session.form_questions}
    with qtbot.waitSignal(preview.renewed, timeout=10_000):
        previews.file.write_text(sound + MORE, encoding="utf-8")
    assert room.window.banners.banner(PREVIEW_BANNER).kind == "info"
    previews.shows(room, "clear")


def test_what_was_answered_by_hand_stays_when_the_file_changes(previews):
    room, preview = previews.open()
    target = room.session.stop.target
    room.session.answer("comment", "Mine, by hand.")
    previews.change(preview, "# A rule breaks", f"{MORE}\n# A rule breaks")
    previews.shows(room, "clear")
    assert room.session.rating.answers.targets[target]["comment"] == "Mine, by hand."
    assert room.session.stop.target == target


def test_tasks_and_ratings_of_ones_own_are_shown(previews, tmp_path):
    tasks, ratings = tmp_path / "tasks.jsonl", tmp_path / "ratings.jsonl"
    write_lines(tasks, [task("t-1"), task("t-2")])
    write_lines(ratings, [rating("t-1", {"checkable": "no"})])
    room, _ = previews.open(tasks=tasks, ratings=ratings)
    assert room.session.task.id in {"t-1", "t-2"}
    assert room.window.task_list.model.rowCount() == 2


def test_lint_knows_each_look_that_the_window_draws():
    assert set(theme_tokens.TONE_LOOKS) == load.CHOICE_TONES
    assert set(shapes.LABEL_SHAPES) <= load.CHOICE_SHAPES
    assert load.CHOICE_SHAPES - set(shapes.LABEL_SHAPES) <= set(shapes.SHAPES) | set(shapes.STATES)
