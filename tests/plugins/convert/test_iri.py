"""Addresses that browsers open become IRIs, which lead to the same page."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rater.plugins.convert.out.web_annotation import to_iri
from tests.examples import examples

ODD = "%5a [](){}|\\^`<>\"'#?/:@&=+~\u00e4\u05d0\u200e\u202e\ue000\ufdd0\ufffe\U0001f600\U000e0001"


@pytest.mark.parametrize(
    "url",
    [
        "https://kelp.example/",
        "HTTPS://kelp.example:8080/a%20b/c;d=e?q=1&r=/?#x/?y",
        "http://[::1]/x",
        "https://münchen.example/straße?q=😀#ü",
        "https://kelp.example?q=\ue000",
    ],
)
def test_what_is_one_stays(url):
    assert to_iri(url) == url


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://kelp.example/a[b]|c", "https://kelp.example/a%5Bb%5D%7Cc"),
        ("https://kelp.example/100%", "https://kelp.example/100%25"),
        ("https://kelp.example/%zz%4", "https://kelp.example/%25zz%254"),
        ("https://kelp.example/#a#b", "https://kelp.example/#a%23b"),
        ("https://kelp.example/\ue000?#\ue000", "https://kelp.example/%EE%80%80?#%EE%80%80"),
        ("https://kelp.example/\u202ex", "https://kelp.example/%E2%80%AEx"),
    ],
)
def test_what_can_not_stand_there_is_encoded(url, expected):
    assert to_iri(url) == expected


@settings(max_examples=examples(300), deadline=None)
@given(st.text(alphabet=ODD, max_size=20))
def test_nothing_is_encoded_twice(rest):
    once = to_iri(f"https://kelp.example/{rest}")
    assert to_iri(once) == once
