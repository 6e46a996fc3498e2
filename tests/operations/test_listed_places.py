"""The list of places that is kept in the store says at any time what a list made from nothing would say."""

import sqlite3
from contextlib import closing

import pytest
from msgspec.structs import replace

from desktop_rater.audit.adjudication import fit_label_rule
from desktop_rater.audit.questions import LabelChoice
from desktop_rater.audit.results import LeadDecision
from desktop_rater.audit.review_list import ReviewLister, review_items
from desktop_rater.audit.sampling import SampleRequest
from desktop_rater.format.change import Progress
from desktop_rater.operations.audit import listed_places, load_audit, review
from desktop_rater.operations.audit.listed_places import (
    choose_labels,
    decide_places,
    keep_listing,
    list_more,
    list_reviewed,
    load_listing,
    refresh_listing,
)
from desktop_rater.operations.audit.load_audit import load_packed_audit, load_task
from desktop_rater.operations.audit.report import draw_sample
from desktop_rater.operations.audit.review import VerdictReason, load_quotes, load_reviews
from desktop_rater.store import backups, schema
from desktop_rater.store.connection import NAME
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.sqlite_tools import Database
from tests.readers import reader_of
from tests.store.older import lay

from .audited import ANA, Raters, said
from .test_reviewing import RATINGS, TASKS, own

WHY = VerdictReason("search-too-thin", "Search the league, too.")


@pytest.fixture(scope="module")
def raters(tmp_path_factory):
    return Raters(tmp_path_factory.mktemp("raters"), TASKS)


@pytest.fixture(scope="module")
def results(raters):
    return raters.all_rate(RATINGS)


def said_of(items):
    """All that the items say, their entries unpacked."""
    return [(replace(item, entries=None), list(item.entries)) for item in items]


def made_anew(desk):
    audit, reviews = desk.audit, load_reviews(desk.store, desk.audit)
    rule = fit_label_rule(audit, reviews.labels.by, reviews.labels.threshold)
    return said_of(review_items(audit, reviews, load_quotes(desk.store, audit, Progress()), rule))


def loaded(desk):
    return load_listing(desk.store, load_packed_audit(desk.store, "b"))


def complete(desk, listing):
    while listing.stale:
        listing = list_more(desk.store, listing)
    return listing


def test_whatever_the_lead_does_the_list_says_what_a_new_one_says(desk):
    refresh_listing(desk.store, "b", Progress())
    store, listing = desk.store, loaded(desk)
    assert not listing.stale
    first = desk.about("t-1", "r-04")
    final = LeadDecision(task="t-2", where="targets/s2", question="label", value="accurate")
    majority, median = LabelChoice(threshold=0.9), LabelChoice(by="dawid-skene")
    done = [
        lambda: review.accept_ratings(store, "b", [first], VerdictReason(), ANA),
        lambda: review.send_back_rating(store, "b", desk.about("t-1", "r-17"), WHY, ANA),
        lambda: review.correct_rating(
            store, load_task(store, "b", "t-2"), desk.about("t-2", "r-22"), own("t-2", "accurate", "accurate"), WHY, ANA
        ),
        lambda: review.decide_question(store, "b", desk.audit.rubric, final, ANA),
        lambda: draw_sample(store, desk.audit, SampleRequest(how="share", share=0.4, seed=3), ANA, Progress()),
        lambda: choose_labels(store, "b", majority, ANA),
        lambda: choose_labels(store, "b", median, ANA),
        lambda: decide_places(
            store, desk.audit, [("t-1", "targets/s1"), ("t-2", "targets/s1")], fit_label_rule(desk.audit), ANA
        ),
        lambda: review.withdraw_verdict(store, "b", first, ANA),
    ]
    changes = []
    for do in done:
        changes.append(do())
        listing = complete(desk, list_reviewed(store, listing))
        assert said_of(listing.in_order) == made_anew(desk)
    for change in reversed(changes):
        review.undo_reviews(store, "b", change.steps, ANA)
        listing = complete(desk, list_reviewed(store, listing))
        assert said_of(listing.in_order) == made_anew(desk)
    keep_listing(store, listing, list(listing.places))
    assert not loaded(desk).stale
    assert said_of(loaded(desk).in_order) == made_anew(desk)


def test_the_list_of_many_tasks_takes_as_many_steps_for_each_as_that_of_few(desk, monkeypatch):
    """The bundle is not read again for a task, items are stored before others are made, and no digest is held."""
    read, stored = [], []
    monkeypatch.setattr(listed_places, "_STORED_AT_ONCE", 1)
    monkeypatch.setattr(
        load_audit, "copy_states", lambda *args, plain=load_audit.copy_states: read.append(args) or plain(*args)
    )

    def keep(store, listing, tasks, **last):
        held = [rating for rating in listing.audit.ratings.values() if not callable(rating.summary)]
        stored.append((len(listing.places), len(held)))
        return keep_listing(store, listing, tasks, **last)

    monkeypatch.setattr(listed_places, "keep_listing", keep)
    listing = loaded(desk)
    before = len(read)
    while listing.stale:
        listing = list_more(desk.store, listing, seconds=0)
    assert len(read) == before
    refresh_listing(desk.store, "b", Progress())
    assert stored == [(1, 0)] * len(TASKS)
    assert said_of(loaded(desk).in_order) == said_of(listing.in_order)


def test_a_verdict_lists_its_place_alone(desk, monkeypatch):
    refresh_listing(desk.store, "b", Progress())
    before = loaded(desk)
    review.accept_ratings(desk.store, "b", [desk.about("t-2", "r-04")], VerdictReason(), ANA)
    made = []
    monkeypatch.setattr(
        ReviewLister, "_item", lambda *args, plain=ReviewLister._item: made.append(args[1]) or plain(*args)
    )
    after = list_reviewed(desk.store, before)
    assert made == ["targets/s1"]
    assert after.places["t-1"] is before.places["t-1"]
    assert [old is new for old, new in zip(before.places["t-2"], after.places["t-2"], strict=True)] == [False, True]
    assert not list_reviewed(desk.store, after).stale
    assert len(made) == 1


def test_verdicts_given_by_another_program_are_listed_at_the_next_start(desk):
    refresh_listing(desk.store, "b", Progress())
    review.send_back_rating(desk.store, "b", desk.about("t-1", "r-17"), WHY, ANA)
    listing = loaded(desk)
    assert listing.stale == ("t-1",)
    assert said_of(complete(desk, listing).in_order) == made_anew(desk)


def test_newer_results_of_a_rater_list_the_tasks_again_that_they_change(desk, raters):
    refresh_listing(desk.store, "b", Progress())
    desk.opens(raters.rates("r-17", [said("t-1", "accurate"), RATINGS["r-17"][1]]))
    listing = loaded(desk)
    assert listing.stale == ("t-1",)
    assert said_of(complete(desk, listing).in_order) == made_anew(desk)


@pytest.mark.parametrize("statement", ["UPDATE listed_places SET body = x'90'", "DELETE FROM listed_places"])
def test_a_list_that_was_damaged_or_is_gone_is_made_again(desk, statement):
    refresh_listing(desk.store, "b", Progress())
    desk.store.db.execute(statement)
    assert set(loaded(desk).stale) == {"t-1", "t-2"}
    assert examine_store(desk.folder / "lead").sound
    assert said_of(complete(desk, loaded(desk)).in_order) == made_anew(desk)


def test_a_store_of_version_10_is_listed_as_it_is_and_keeps_its_list_once_it_is_up_to_date(tmp_path):
    folder = lay(tmp_path / "old" / NAME, 9)
    with closing(sqlite3.connect(folder / NAME, isolation_level=None, factory=Database)) as db:
        schema.migrate_tables(db, target=10)
    with reader_of(folder) as reader:
        listing = load_listing(reader, load_packed_audit(reader, "b"))
        assert listing.stale
        seen = said_of(list_more(reader, listing).in_order)
    with open_writer(folder, command="test") as store:
        refresh_listing(store, "b", Progress())
        listing = load_listing(store, load_packed_audit(store, "b"))
        assert not listing.stale
        assert said_of(listing.in_order) == seen
    assert 10 in [made.version for made in backups.list_backups(folder, check_cancelled=lambda: None)]
    assert schema.schema_version() == 13
