"""The sentences that annotators of a public benchmark wrote down are found in the responses they rated."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from desktop_rater.text.quotes import find_similar_place, place_quote

DATA = Path(os.environ.get("DESKTOP_RATER_DATA") or Path(__file__).parents[3] / "shared" / "data")
BENCHMARK = DATA / "factcheck-bench" / "factcheck-GPT-benchmark.jsonl"

pytestmark = pytest.mark.skipif(not BENCHMARK.is_file(), reason=f"no {BENCHMARK}; DESKTOP_RATER_DATA names its folder")


@pytest.fixture(scope="module")
def quotes():
    """Pairs of a response and a sentence of it."""
    tasks = [json.loads(line) for line in BENCHMARK.read_text("utf-8").split("\n") if line]
    return [(task["response"], sentence["text"]) for task in tasks for sentence in task["sentences"].values()]


def test_all_but_one_of_the_sentences_find_their_place(quotes):
    how = Counter()
    for response, sentence in quotes:
        found = place_quote(response, None, None, sentence) or find_similar_place(response, sentence)
        how[found and found.how] += 1
    assert how == {"exact": 281, "close": 29, None: 1}


def test_a_close_place_begins_and_ends_with_the_sentences_own_words(quotes):
    for response, sentence in quotes:
        found = find_similar_place(response, sentence)
        if not found:
            continue
        window = response[found.start : found.end]
        before, after = response[: found.start], response[found.end :]
        assert not before or not (before[-1].isalnum() and window[0].isalnum()), window
        assert not after or not (window[-1].isalnum() and after[0].isalnum()), window
        assert window.split()[-1].rstrip(".,") == sentence.split()[-1].rstrip(".,")
