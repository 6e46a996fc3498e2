"""Tool output as it is shown."""

from __future__ import annotations

from desktop_rater.ui.tool_view import MOST_CHARACTERS, shown_json


def test_json_is_shown_with_indents_and_capped():
    assert shown_json({"to": "Köln"}) == '{\n  "to": "Köln"\n}'
    assert shown_json("<b>as it stands</b>") == "<b>as it stands</b>"
    assert len(shown_json("x" * 500_000)) == MOST_CHARACTERS
