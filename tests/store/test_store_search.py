"""The filter field takes whatever a rater types."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rater.store import tasks
from tests.store.listed import count_tasks

ODD = [
    '"', '""', '"""', "a AND", "AND", "NOT", "c++", "NEAR(", "NEAR(a b, 2)", "*", "a*", "-x", "O'Brien", "prompt:x",
    "col:x", "{prompt} : x", "^a", "a ^b", "(", ")", "a OR (b", "a + b", "\\", ";", "--", "%", "_", "\0", "a\0b",
    '"a\nb"', '"a" b"c', "\ud800", "😀", "\u2028", "a" * 5000, "a " * 5000, '"' * 301, "' OR 1=1 --",
]  # fmt: skip


@pytest.fixture
def searched(store, made):
    made.imported(
        store,
        [
            made.task("t-0", prompt="Who wrote Don Quixote?", response="Cervantes, in 1605."),
            made.task("t-1", prompt="Ist Café gesund?", response="Über C++ und O'Brien weiß ich nichts."),
            made.task("t-2", prompt="Flights to LAX", response="None", tools="google_flights no_results"),
        ],
    )
    return store


def found(store, text):
    return [row.id for row in tasks.list_tasks(store, "november", "r-17", text=text, limit=50)]


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("quixote", ["t-0"]),
        ("QUIX", ["t-0"]),
        ("cervantes quix", ["t-0"]),
        ("quix cervantes", []),
        ('"don quixote"', ["t-0"]),
        ('"quixote don"', []),
        ("cafe", ["t-1"]),
        ("CAFÉ", ["t-1"]),
        ("uber", ["t-1"]),
        ("ü", []),
        ("c++", ["t-1"]),
        ("quixote c", []),
        ("quixote ce", ["t-0"]),
        ("o'brien", ["t-1"]),
        ("no_results", ["t-2"]),
        ("   ", ["t-0", "t-1", "t-2"]),
        ("not", []),
        ("'; DROP TABLE tasks", []),
    ],
)
def test_words_are_found_in_prompt_response_and_tools(searched, text, hits):
    assert found(searched, text) == hits


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_nothing_that_is_typed_is_an_error(searched, text):
    assert found(searched, text) in ([], ["t-0", "t-1", "t-2"], ["t-1"], ["t-0", "t-1"])
    assert count_tasks(searched, "november", "r-17", text=text) == len(found(searched, text))


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(alphabet=st.sampled_from("\"*^()-+:{}, aAbNORDET'\\\0\n\t") | st.characters()))
def test_nothing_at_all_is_an_error(searched, text):
    tasks.list_tasks(searched, "november", "r-17", text=text, limit=5)


@pytest.mark.parametrize("text", ['"', "++", "* - (", "'", "…"])
def test_punctuation_alone_finds_all_or_nothing(searched, text):
    assert found(searched, text) in ([], ["t-0", "t-1", "t-2"])


def test_a_task_is_found_by_its_id_or_how_that_begins(searched, made):
    made.imported(
        searched,
        [made.task(f"fb-{n:04}", prompt="fb-0007 is named here" if n == 3 else "x") for n in range(12)],
        "other",
    )

    def called(text, **how):
        return [row.id for row in tasks.list_tasks(searched, "other", "r-17", text=text, limit=50, **how)]

    assert called("fb-0007") == ["fb-0003", "fb-0007"]
    assert called("fb-001") == ["fb-0010", "fb-0011"]
    assert called("fb-00")[:4] == ["fb-0000", "fb-0001", "fb-0002", "fb-0003"]
    assert called("fb-00", after=9) == ["fb-0010", "fb-0011"]
    assert called(" fb-0007 ", state="complete") == []
    assert found(searched, "fb-0007") == [], "another bundle's"
    assert count_tasks(searched, "other", "r-17", text="fb-001") == 2
