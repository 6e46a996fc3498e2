"""The page on the design says what the code does."""

import re
from pathlib import Path

from desktop_rater.ui.hub import dialog, lead
from desktop_rater.ui.widgets import shapes
from desktop_rater.ui.widgets.theme_tokens import LIGHT, SPACES, TYPE
from desktop_rater.ui.window import window_place

PAGE = (Path(__file__).parents[2] / "docs" / "design.md").read_text("utf-8")


def rows(first):
    """The rows of the table whose first column is called that."""
    lines = PAGE.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(f"| {first} |"))
    found = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        found.append(tuple(cell.strip() for cell in line.strip("|").split("|")))
    return found


def test_the_tokens():
    names = [name for name in LIGHT.__struct_fields__ if isinstance(getattr(LIGHT, name), str)]
    assert [name for name, _use in rows("token")] == names


def test_the_labels():
    expected = []
    for name, light in LIGHT.tones.items():
        line = light.line if light.line == "none" else f"{light.line} {light.width}"
        expected.append((name, light.shape, line))
    assert rows("tone") == expected


def test_the_shapes():
    (sentence,) = (part for part in PAGE.split("\n\n") if part.startswith("The shapes are"))
    assert re.findall("`([a-z-]+)`", sentence) == sorted(shapes.SHAPES)


def test_the_type():
    assert rows("type") == [(name, str(size), str(line)) for name, (size, line) in TYPE.items()]
    assert f"Spaces: {', '.join(map(str, SPACES))}." in PAGE


def test_the_folds():
    said = [int(cells[0].split()[0]) for cells in rows("smaller than")]
    assert said == [
        window_place.TASKS_FOLD,
        window_place.FORM_NARROWS,
        window_place.ONE_PANE,
        window_place.LOW_WINDOW,
        window_place.NO_STRIP,
    ]
    assert f"{window_place.MIN_WINDOW_SIZE[0]} by {window_place.MIN_WINDOW_SIZE[1]}" in PAGE
    sizes = dict(rows("part of the window"))
    assert sizes["tasks"] == f"{window_place.TASKS} wide, folded {window_place.RAIL}"
    assert sizes["dialog of the hub"].startswith(f"{dialog.WIDTH} wide")
    assert sizes["dialog of the hub"].endswith(f" {lead.WIDTH}")
    assert sizes["form"] == f"{window_place.FORM} wide, in a narrow window {window_place.NARROW_FORM}"
