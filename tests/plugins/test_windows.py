"""The windows of plug-ins keep the rules of those of the core."""

import re
from pathlib import Path

import pytest

import desktop_rater.plugins
from tests.ui.test_plain_text import FORBIDDEN, UNTRANSLATED

DRAWN = re.compile(r"\.drawText\(|\.drawStaticText\(|\.drawItemText\(|QLocale\(\)|strftime")
MODULES = [
    path
    for path in sorted(Path(desktop_rater.plugins.__file__).parent.rglob("*.py"))
    if b"PySide6" in path.read_bytes()
]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_their_texts_are_plain_translated_and_drawn_by_one_module(path):
    text = path.read_text("utf-8")
    assert [rule.findall(text) for rule in (FORBIDDEN, UNTRANSLATED, DRAWN)] == [[], [], []]
