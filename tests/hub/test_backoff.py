"""Waiting grows, is never the same for all, and never longer than makes sense."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.format.values import format_time
from desktop_rater.http.request import (
    MAX_RETRY_AFTER,
    MAX_RETRY_WAIT,
    MAX_TRIES,
    next_try_time,
    parse_retry_after,
    retry_wait,
    seconds_until,
)

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
chances = st.floats(0, 1, exclude_max=True)


@given(st.integers(1, 1_000), chances)
def test_no_wait_is_longer_than_ten_minutes(tries, chance):
    assert 0 <= retry_wait(tries, None, chance) <= MAX_RETRY_WAIT


@given(st.integers(1, MAX_TRIES), st.floats(0.01, 0.99))
def test_each_wait_is_drawn_from_twice_the_time_of_the_one_before(tries, chance):
    assert retry_wait(tries + 1, None, chance) == pytest.approx(
        min(MAX_RETRY_WAIT, 2 * retry_wait(tries, None, chance)), rel=0.2
    )


@given(st.integers(1, 20), st.floats(allow_nan=False), chances)
def test_what_the_hub_asks_for_is_kept_up_to_a_quarter_of_an_hour(tries, asked, chance):
    waited = retry_wait(tries, asked, chance)
    assert min(max(asked, 0), MAX_RETRY_AFTER) <= waited <= max(MAX_RETRY_WAIT, MAX_RETRY_AFTER)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("120", 120),
        (" 7 ", 7),
        ("999999999999999999999", MAX_RETRY_AFTER),
        (format_datetime(NOON + timedelta(seconds=90), usegmt=True), 90),
        (format_datetime(NOON - timedelta(seconds=90), usegmt=True), 0),
        ("Fri, 20 Nov 2026 12:01:30 -0000", 90),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
        ("Fri, 99 Nov 2026 12:01:30 GMT", None),
    ],
)
def test_a_hub_says_how_long_in_seconds_or_as_a_date(said, seconds):
    assert parse_retry_after({"retry-after": said}, NOON) == seconds


@given(st.text(max_size=60))
def test_whatever_a_hub_says_there_it_is_a_time_or_nothing(said):
    found = parse_retry_after({"retry-after": said}, NOON)
    assert found is None or 0 <= found <= MAX_RETRY_AFTER


@given(st.integers(1, 8), st.none() | st.floats(0, 2_000), chances)
def test_a_kept_moment_is_never_before_what_was_meant_and_never_far(tries, asked, chance):
    left = seconds_until(format_time(next_try_time(tries, asked, NOON, chance)), NOON)
    assert retry_wait(tries, asked, chance) - 1e-6 <= left <= retry_wait(tries, asked, chance) + 1


@pytest.mark.parametrize("kept", ["", "yesterday", format_time(NOON), format_time(NOON + timedelta(days=3650))])
def test_what_is_no_time_or_beyond_every_wait_has_come(kept):
    assert seconds_until(kept, NOON) == 0
