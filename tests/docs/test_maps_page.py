"""The page of maps names every field, setting and ready map, and its example converts."""

import json
from typing import Any

import msgspec

from desktop_rater.plugins.convert.maps import RecordMap, apply_map, matches, read_map
from desktop_rater.plugins.convert.maps.record_map import FIELDS_TEXT
from desktop_rater.plugins.convert.run import map_names
from tests.docs import pages

PAGE = pages.text("plugins/maps.md")
SECTIONS = pages.sections(PAGE)


def names(section, heading):
    return {name.strip("` ") for row in pages.table(SECTIONS[section], heading) for name in row[0].split(", ")}


def test_the_example_gives_the_task_that_the_page_promises():
    fences = dict(pages.fences(PAGE))
    mapped: Any = apply_map(read_map(fences["toml map"]), json.loads(fences["json record"]))
    assert mapped.task["prompt"]["text"] == "How long did the siege of Candia last?"
    assert [target["quote"] for target in mapped.task["targets"]] == ["It lasted 21 years.", "Venice won."]
    assert mapped.rating.answers.targets["s2"] == {"factual": "yes", "accuracy": "inaccurate"}
    assert mapped.task["meta"]["model"] == "heron-2"


def test_every_field_has_a_row():
    fields = set(FIELDS_TEXT.replace(" and ", ", ").split(", "))
    assert names("Fields", "field") == fields | {"response", "context", "tools"}


def test_every_setting_has_a_row_with_its_default():
    rows = {pages.code(row[0]): row[2].strip("`") for row in pages.table(SECTIONS["Settings"], "key")}
    assert set(rows) == set(RecordMap.__struct_fields__) - {"fields", "labels", "joins"}
    defaults = {field.name: field.default for field in msgspec.structs.fields(RecordMap)}
    assert all(rows[key] == json.dumps(defaults[key]).strip('"') for key in ("skip", "rest", "unit", "take", "shuffle"))


def test_every_ready_map_has_a_row():
    assert names("Ready maps", "map") == set(map_names())


def test_the_paths_of_the_page_can_be_read():
    for row in pages.table(SECTIONS["Paths"], "path"):
        for path in row[0].replace("\\|", "|").split(", "):
            matches({}, path.strip("` "))
