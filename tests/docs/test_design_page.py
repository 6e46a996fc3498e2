"""The page on the design says what the code does."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from desktop_rater.ui.hub import dialog, lead
from desktop_rater.ui.widgets import shapes
from desktop_rater.ui.widgets.theme_tokens import DARK, LIGHT, SPACES, TYPE
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


def bare(color):
    return color.removeprefix("#")


def test_the_tokens():
    names = [field.name for field in fields(LIGHT) if isinstance(getattr(LIGHT, field.name), str)]
    shown = [(name, light, dark) for name, light, dark, _use in rows("token")]
    assert shown == [(name, bare(getattr(LIGHT, name)), bare(getattr(DARK, name))) for name in names]


def test_the_labels():
    expected = []
    for name, light in LIGHT.tones.items():
        dark = DARK.tones[name]
        line = light.line if light.line == "none" else f"{light.line} {light.width}"
        inks = [f"{bare(one.ink)}, {bare(one.tint)}" for one in (light, dark)]
        expected.append((name, *inks, light.shape, line))
    assert rows("tone") == expected


def test_the_states():
    assert rows("state") == [(state, shape, ink) for state, (shape, ink) in shapes.STATES.items()]


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
