"""What a tool gave back, and what that says of its call."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.format.strict_json import canonical_json, read_json_value
from desktop_rater.plugins.convert.formats.toolbench import read_output, value_of


def envelope(response, error=""):
    return json.dumps({"error": error, "response": response})


@pytest.mark.parametrize(
    ("text", "status", "value"),
    [
        (envelope("{'kelp': 1}"), "ok", {"kelp": 1}),
        (envelope('[{"kelp": "brown"}]'), "ok", [{"kelp": "brown"}]),
        (envelope("Kelp is brown."), "ok", "Kelp is brown."),
        (envelope({"kelp": False}), "ok", {"kelp": False}),
        (envelope("0"), "ok", 0),
        (envelope(""), "empty", ""),
        (envelope(None), "empty", None),
        (envelope("{}"), "empty", {}),
        (envelope("[]"), "no_results", []),
        (envelope("{'value': []}"), "no_results", {"value": []}),
        (envelope("{'items': [], 'next': None}"), "no_results", {"items": [], "next": None}),
        (envelope("{'error': 'no key'}"), "error", {"error": "no key"}),
        (envelope("{'errors': []}"), "no_results", {"errors": []}),
        (envelope("{'statusCode': 404}"), "error", {"statusCode": 404}),
        (envelope("{'status': 200, 'kelp': 1}"), "ok", {"status": 200, "kelp": 1}),
        (envelope("{'success': False}"), "error", {"success": False}),
        (envelope("{'message': 'Too many requests.'}"), "error", {"message": "Too many requests."}),
        (envelope("{'message': 'Kelp is brown.'}"), "ok", {"message": "Kelp is brown."}),
        (envelope("<html><title>403 Forbidden</title>"), "error", "<html><title>403 Forbidden</title>"),
        (envelope("<p>Kelp</p>"), "ok", "<p>Kelp</p>"),
        (envelope("x", "Refused"), "error", {"error": "Refused", "response": "x"}),
        ("plain words", "ok", "plain words"),
        ("", "empty", ""),
    ],
)
def test_the_status_is_what_the_output_shows(text, status, value):
    assert read_output(text) == (status, value, False)


@pytest.mark.parametrize(
    ("kept", "status", "value"),
    [
        (3, "missing", None),
        (12, "missing", None),
        (20, "missing", None),
        (27, "missing", None),
        (28, "ok", "["),
        (34, "ok", '[{"kelp'),
    ],
)
def test_an_output_that_was_cut_off_stands_as_far_as_it_goes(kept, status, value):
    whole = envelope('[{"kelp": "brown"}]')
    assert read_output(whole[: kept + whole[:kept].count("\\")]) == (status, value, True)


def test_an_error_that_was_cut_off_is_an_error():
    status, _, cut = read_output('{"error": "Unauthor')
    assert (status, cut) == ("error", True)


@pytest.mark.parametrize(
    "text", ["{1, 2}", "1e999", "9" * 5000, "[" * 60 + "]" * 60, "[" * 5000, "b'x'", "'\\ud800'", "x" * 10]
)
def test_what_the_formats_cannot_hold_stays_a_text(text):
    assert value_of(text) == text


def test_what_python_writes_comes_over_as_json():
    assert value_of("{1: (True, None)}") == {"1": [True, None]}


@given(st.text() | st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists).map(repr))
def test_whatever_a_tool_says_can_be_stored(text):
    _, value, _ = read_output(text)
    if "\0" not in text and not any("\ud800" <= sign <= "\udfff" for sign in text):
        assert read_json_value(canonical_json(value)) == value
