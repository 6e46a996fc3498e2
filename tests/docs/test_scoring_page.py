"""What a lead reads about scoring is what the program does."""

from __future__ import annotations

import json

from desktop_rater.audit.defects import MEDIUM
from desktop_rater.audit.justifications import WAYS
from desktop_rater.http.plain import PlainLimits
from desktop_rater.model.kept import Kept
from desktop_rater.oracle import points_form
from desktop_rater.oracle.patience import LONGEST_ASKED_FOR, MOST_TRIES
from desktop_rater.oracle.shield import MOST_CHARACTERS
from desktop_rater.work.ask_canaries import canaries
from desktop_rater.work.keep_secrets import ENVIRONMENT
from tests.docs import pages

PAGE = pages.text("scoring-justifications.md")
SECTIONS = pages.sections(PAGE)
KIB = 1024


def test_the_ways_of_scoring_are_those_that_are_computed():
    rows = pages.table(SECTIONS["How a text gets its score"], "way", "what it is")
    assert [pages.code(way) for way, _ in rows] == list(WAYS)


def test_each_field_of_the_form_is_named_and_no_other():
    rows = pages.table(SECTIONS["By hand"], "field", "where", "meaning")
    said = set("`".join(row[0] + row[2] for row in rows).split("`"))
    shapes = [shape for shape in vars(points_form).values() if isinstance(shape, type) and issubclass(shape, Kept)]
    fields = {name for shape in shapes for name in shape.__struct_fields__} - {"unknown"}
    assert fields <= said
    assert points_form.POINTS_FORMAT in said
    assert {"agree", "disagree", "silent"} <= set(SECTIONS["By hand"].split("`"))


def test_the_bounds_are_those_of_the_program():
    said = " ".join(PAGE.split())
    assert f"At most {MOST_CHARACTERS:,} characters of a text" in said
    assert f"at most {LONGEST_ASKED_FOR / 60:g} minutes" in said
    assert f"{MOST_TRIES} times in all" in said
    assert f"`{ENVIRONMENT}`" in said
    assert f"threshold ({MEDIUM:g}, medium" in said
    assert len(canaries().injections) == 20
    assert "twenty ways" in said


def test_the_limits_of_a_call_are_those_of_the_program():
    section = pages.sections(pages.text("safety.md"))["A language model"]
    units = {"s": 1, "KiB": KIB, "MiB": KIB * KIB}
    said = {}
    for _what, name, amount in pages.table(section, "what", "name", "at most"):
        digits, _, unit = amount.partition(" ")
        said[pages.code(name)] = int(digits) * units[unit]
    assert said == PlainLimits()._asdict()


def test_the_shipped_corpus_is_plain_json_with_no_line_twice():
    injections = canaries().injections
    assert len(set(injections)) == len(injections)
    assert json.loads(json.dumps(list(injections))) == list(injections)
