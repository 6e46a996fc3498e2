"""What a lead reads about scoring is what the program does."""

import json
import math

from desktop_rater.format.strict_json import OpenStruct
from desktop_rater.http.client import OneShotLimits
from desktop_rater.http.request import MAX_RETRY_AFTER, MAX_TRIES
from desktop_rater.operations.credentials import MODEL_KEY_VARIABLE
from desktop_rater.plugins.scoring import manual_scoring
from desktop_rater.plugins.scoring.client import MOST_CHARACTERS
from desktop_rater.plugins.scoring.justifications import SCORE_RULES
from desktop_rater.plugins.scoring.model_oracle import load_canaries
from desktop_rater.plugins.scoring.validation_report import TABLES
from desktop_rater.plugins.statistics.defects import MEDIUM
from tests.docs import pages

PAGE = pages.text("plugins/scoring.md")
SECTIONS = pages.sections(PAGE)
KIB = 1024


def test_the_ways_of_scoring_are_those_that_are_computed():
    rows = pages.table(SECTIONS["How a text gets its score"], "way", "what it is")
    assert [pages.code(way) for way, _ in rows] == list(SCORE_RULES)


def test_the_tables_of_correlations_are_named():
    assert all(f"`{name}`" in SECTIONS["Do the scores follow a lead?"] for name in TABLES)


def test_each_field_of_the_form_is_named_and_no_other():
    rows = pages.table(SECTIONS["By hand"], "field", "where", "meaning")
    said = set("`".join(row[0] + row[2] for row in rows).split("`"))
    shapes = [
        shape for shape in vars(manual_scoring).values() if isinstance(shape, type) and issubclass(shape, OpenStruct)
    ]
    fields = {name for shape in shapes for name in shape.__struct_fields__} - {"unknown"}
    assert fields <= said
    assert manual_scoring.POINTS_FORMAT in said
    assert {"agree", "disagree", "silent"} <= set(SECTIONS["By hand"].split("`"))


def test_the_bounds_are_those_of_the_program():
    said = " ".join(PAGE.split())
    assert f"At most {MOST_CHARACTERS:,} characters of a text" in said
    assert f"at most {math.ceil(MAX_RETRY_AFTER / 60)} minutes" in said
    assert f"{MAX_TRIES} times in all" in said
    assert f"`{MODEL_KEY_VARIABLE}`" in said
    assert f"threshold ({MEDIUM:g}, medium" in said
    assert len(load_canaries()["injections"]) == 20
    assert "twenty ways" in said


def test_the_limits_of_a_call_are_those_of_the_program():
    section = pages.sections(pages.text("reliability.md"))["A language model"]
    units = {"s": 1, "KiB": KIB, "MiB": KIB * KIB}
    said = {}
    for _what, name, amount in pages.table(section, "what", "name", "at most"):
        digits, _, unit = amount.partition(" ")
        said[pages.code(name)] = int(digits) * units[unit]
    assert said == OneShotLimits()._asdict()


def test_the_shipped_corpus_is_plain_json_with_no_line_twice():
    injections = load_canaries()["injections"]
    assert len(set(injections)) == len(injections)
    assert json.loads(json.dumps(list(injections))) == list(injections)
