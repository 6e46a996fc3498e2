"""The links of a task: which there are, and which of them are to be opened."""

from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric.evaluation import RatingEvaluation
from desktop_rater.rubric.links import link_verdicts, response_pages, task_links, tool_pages

CARD = ("http://googleusercontent.com/card",)


def a_task(*responses: tuple[str, object]) -> Task:
    """A task of those responses: a text, and what a tool answered."""
    plain = [
        {"id": name, "text": text, "tools": [{"name": "search", "status": "ok", "output": output}]}
        for name, (text, output) in zip("abc", responses, strict=False)
    ]
    return read_struct({"id": "t", "prompt": {"text": "?"}, "responses": plain}, Task)


def test_the_links_of_the_text_come_before_those_of_the_tools():
    task = a_task(("See https://a.example/x and https://b.example.", {"hits": [{"url": "https://c.example/y"}]}))
    found = task_links(task, ())
    assert [(link.url, link.source) for link in found] == [
        ("https://a.example/x", "response"),
        ("https://b.example", "response"),
        ("https://c.example/y", "tool"),
    ]
    assert all(link.counts for link in found)


def test_another_spelling_of_a_page_is_the_same_as_the_first():
    task = a_task(("https://a.example/x https://b.example https://A.example/x/#top", ["https://a.example/x/"]))
    found = task_links(task, ())
    assert [link.same_as for link in found] == [None, None, 0, 0]
    assert [link.counts for link in found] == [True, True, False, False]


def test_what_stands_twice_in_the_same_text_is_one_link():
    task = a_task(("https://a.example/x, again https://a.example/x", None))
    assert len(task_links(task, ())) == 1


def test_both_responses_of_a_comparison_have_their_links():
    found = task_links(a_task(("https://a.example", None), ("https://a.example https://b.example", None)), ())
    assert [(link.response, link.same_as) for link in found] == [("a", None), ("b", 0), ("b", None)]


def test_a_placeholder_is_not_to_be_opened_and_stands_for_no_page():
    task = a_task(("http://Googleusercontent.com/card/1 http://googleusercontent.com/card/1#x", None))
    found = task_links(task, CARD)
    assert [link.placeholder for link in found] == [True, True]
    assert [link.same_as for link in found] == [None, None]
    assert not any(link.counts for link in found)


def test_a_link_that_leads_nowhere_is_listed_and_not_to_be_opened():
    (link,) = task_links(a_task(("https://a.example:99999/x", None)), ())
    assert not link.valid
    assert not link.counts


def test_verdicts_and_opened_links_of_earlier_versions_are_those_of_the_same_pages():
    rubric = builtin_rubric("side-by-side")
    task = a_task(("See https://a.example/wiki/长城。", None), ("See https://b.example:443/%7Ex.", None))
    earlier = {
        "task": "t",
        "links_opened": ["https://a.example/wiki/%e9%95%bf%E5%9F%8E", "https://b.example/~x"],
        "link_verdicts": {"https://a.example:443/wiki/长城": "matches", "https://b.example:443/%7Ex": "dead"},
    }
    rating = read_struct(earlier, Rating)

    evaluation = RatingEvaluation(rubric, task, rating)

    assert link_verdicts(rating) == {
        "https://a.example/wiki/%E9%95%BF%E5%9F%8E": "matches",
        "https://b.example/~x": "dead",
    }
    assert [evaluation.value(response, "links_unopened") for response in evaluation.responses] == [0, 0]
    assert [evaluation.value(response, "links_differing") for response in evaluation.responses] == [0, 1]


LINKS = st.sampled_from(
    [
        "https://a.example/x",
        "https://A.example/x/",
        "http://b.example",
        "https://...",
        "http://googleusercontent.com/card",
    ]
)


@given(st.lists(LINKS, max_size=6), st.lists(LINKS, max_size=6), st.lists(LINKS, max_size=6))
def test_what_is_to_be_opened_is_what_the_rules_ask_for(text, tools, other):
    task = a_task((" ".join(text), tools), (" ".join(other), None))
    found = task_links(task, CARD)
    wanted = {page for one in task.responses for page in (*response_pages(one, CARD), *tool_pages(one, CARD))}
    to_open = [link.page for link in found if link.counts]
    assert set(to_open) == wanted
    assert len(to_open) == len(wanted), "each page once"
    for link in found:
        if link.same_as is not None:
            assert found[link.same_as].page == link.page
            assert found[link.same_as].counts
