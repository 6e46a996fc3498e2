"""Searching a long list: the same tasks as by asking each one, and as little work at any letter."""

import random

import pytest

from desktop_rater.store import ratings, tasks, window_index

TASKS, LONG = 3_000, 8_000
WORDS = [
    "rain",
    "rainbow",
    "railway",
    "river",
    "the",
    "then",
    "Ärger",
    "arg",
    "übung",
    "да",
    "дача",
    "о",
    "日本語",
    "x1",
]
STATES = ("all", "unfinished", "incomplete", "complete", "skipped", "blocked")


def texts(chance):
    """What is typed: beginnings of words, whole ones, several, phrases, in any case."""
    words = [word[: chance.randrange(1, len(word) + 1)] for word in chance.choices(WORDS, k=chance.randrange(1, 4))]
    text = " ".join([*chance.choices(WORDS, k=chance.randrange(2)), *words])
    return chance.choice([text, text.upper(), f'"{text}"', f'"{text}', f"{text} ++", f"++ {text}"])


@pytest.fixture
def searched(store, made):
    """Common and rare words; in each state some tasks, and few that are blocked."""
    chance = random.Random(5)
    weights = [40, 5, 1, 1, 300, 20, 3, 1, 90, 30, 1, 60, 10, 1]
    rows = [made.task(f"t-{n:04}", " ".join(chance.choices(WORDS, weights, k=4)), tools=chance.choice(WORDS))
            for n in range(TASKS)]  # fmt: skip
    made.imported(store, rows)
    changes = [
        made.change(f"t-{n:04}", status, blocking=n % 50 == 1, answered=5, total=5)
        for n in range(TASKS)
        if (status := chance.choice(["complete", "skipped", "incomplete", ""]))
    ]
    ratings.append_changes(store, "november", changes)
    return store


@pytest.mark.parametrize(("part", "characters"), [(100, 10**6), (10, 10**6), (10, 1_000), (TASKS + 1, 10**6)])
def test_a_search_finds_what_asking_each_task_would_find(searched, monkeypatch, part, characters):
    """However many tasks are searched before the whole index, and however long they are."""
    monkeypatch.setattr(tasks, "_WINDOW_PART", part)
    monkeypatch.setattr(window_index, "_MAX_CHARACTERS", characters)
    chance, db = random.Random(part), searched.db
    in_state = {state: [row.position for row in listed(searched, state=state, limit=TASKS)] for state in STATES}
    assert all(in_state.values())
    for _ in range(150):
        text, state = texts(chance), chance.choice(STATES)
        after, limit = chance.choice([-1, chance.randrange(TASKS)]), chance.choice([1, 20, 100, TASKS])
        expression = tasks.search_expression(text)
        assert expression is not None
        query = "SELECT position FROM texts JOIN tasks ON key = texts.rowid WHERE texts MATCH ?"
        matching = {position for (position,) in db.execute(query, (expression.full,))}
        expected = [position for position in in_state[state] if position > after and position in matching][:limit]
        found = [row.position for row in listed(searched, text=text, state=state, after=after, limit=limit)]
        assert found == expected, (text, state, after, limit)


def listed(store, **how):
    return tasks.list_tasks(store, "november", "r-17", **how)


@pytest.fixture
def long_texts(store, made):
    """Many tasks that share one word and the beginning of another; each ninth has a rare one, each second is done."""
    rows = [
        made.task(f"t-{n:05}", f"{'rambutan' if n % 9 == 0 else 'lemon'} quix{n % 100:02}", "the") for n in range(LONG)
    ]
    made.imported(store, rows)
    ratings.append_changes(store, "november", (made.change(f"t-{n:05}", "complete") for n in range(0, LONG, 2)))
    return store


def statements(store, **how):
    """The statements of a search, and how many hundred steps SQLite's machine takes for them."""
    asked, steps = [], []
    store.db.set_trace_callback(asked.append)
    store.db.set_progress_handler(lambda: steps.append(1), 100)
    listed(store, **how)
    store.db.set_trace_callback(None)
    store.db.set_progress_handler(None, 0)
    return asked, len(steps)


def test_what_many_tasks_begin_with_is_found_without_the_whole_index(long_texts):
    for text in ("qu", "qui", "quix", "the qui", "rambutan qu"):
        asked, steps = statements(long_texts, text=text, limit=20)
        assert [query for query in asked if "texts MATCH" in query and "qu" in query] == [], text
        assert steps < 100, text
    assert len([query for query in statements(long_texts, text="ramb", limit=50)[0] if "texts MATCH" in query]) == 1


def test_the_second_letter_reads_no_task_again(long_texts):
    read = "prompt, responses, tools"
    first, second = (statements(long_texts, text=text, state="unfinished", limit=20)[0] for text in ("qu", "qui"))
    assert [len([query for query in asked if read in query]) for asked in (first, second)] == [1, 0]


def test_a_page_costs_as_much_in_each_state(long_texts):
    """Whatever a rater has done, and whether the word is rare or in each task."""
    for text in ("rambutan", "rambut", "the", "quix07"):
        costs = {state: statements(long_texts, text=text, state=state, limit=50)[1] for state in STATES}
        assert max(costs.values()) < 150, (text, costs)
