"""The tour takes a picture of each main screen."""

from __future__ import annotations

from PySide6.QtGui import QImage

from desktop_rater import app
from tests.work.bundles import noon


def test_the_tour_is_taken(qapp, tmp_path):
    pictures = app.take_tour(tmp_path, tmp_path / "out", now=noon)
    assert [path.stem[3:] for path in pictures] == [
        "first-run",
        "new-task",
        "rating-a-target",
        "problems-open",
        "tool-output",
        "right-to-left-and-skipping",
        "export-refused",
        "finished-task",
        "exported",
    ]
    sizes = {(QImage(str(path)).width(), QImage(str(path)).height()) for path in pictures}
    assert sizes == {(1440, 900)}


def test_the_window_is_tried(qapp, tmp_path):
    step = app.try_window(tmp_path, now=noon)
    assert step.passed
    assert "Sample" in step.detail
