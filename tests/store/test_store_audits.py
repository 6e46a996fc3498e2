"""What a lead said and what came in is guarded by hashes, travels with backups, and is saved of a damaged store."""

import random
import shutil
import sqlite3

import pytest

from desktop_rater.audit.results import LeadRating, Verdict
from desktop_rater.format.change import Progress
from desktop_rater.format.rating import Rating
from desktop_rater.format.values import Answers
from desktop_rater.operations.audit.load_audit import load_audit, load_task
from desktop_rater.operations.store.backup import back_up, restore_backup
from desktop_rater.operations.store.salvage import salvage_to
from desktop_rater.store import backups, reviews
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import StoreDamaged, StoreError
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.reviews import NewReview
from tests.audit.results import GOOD, Desk
from tests.operations.bundles import NOON, noon
from tests.readers import reader_of

PAGE = 4096
RATING = "0" * 64


def verdict(rater="ann", kind="returned", **more):
    return Verdict(task="t-1", where="targets/s1", rater=rater, rating=RATING, kind=kind, lead="lee", **more)


def subject(one):
    return "verdict", one.task, one.where, one.rater


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """A lead's store: results of two raters, and what the lead says of them."""
    desk = Desk(tmp_path_factory.mktemp("once"))
    desk.opened(*(desk.sent(rater, t1=GOOD, t2=GOOD, t3=GOOD) for rater in ("ann", "bo")), desk.bundle)
    with open_writer(desk.store, command="test") as store:
        for comment in ("too thin", "look again"):
            one = verdict(reason="search-too-thin", comment=comment)
            reviews.append_review(store, "kelp", subject(one), "lee", one, now=NOON)
        one = verdict("bo", "accepted")
        reviews.append_review(store, "kelp", subject(one), "lee", one, now=NOON)
    return desk.store


@pytest.fixture
def audited(once, folder):
    shutil.copytree(once, folder)
    return folder


def everything(folder):
    with reader_of(folder) as store:
        audit = load_audit(store, "kelp")
        shown = [load_task(store, "kelp", task, audit) for task in audit.tasks]
        said = reviews.review_history(store, "kelp", subject(verdict()))
        return audit, [(one.raters, one.verdicts, one.guidelines) for one in shown], said


def test_the_newest_word_of_a_subject_holds_and_the_others_stay(audited):
    with reader_of(audited) as store:
        (first, second) = reviews.review_history(store, "kelp", subject(verdict()))
        assert [one.read(Verdict).comment for one in (first, second)] == ["too thin", "look again"]
        assert [one.revision for one in reviews.latest_reviews(store, "kelp", "verdict")] == [2, 1]
        assert (
            reviews.latest_reviews(store, "kelp", "verdict", "t-1", "targets/s1", "bo")[0].read(Verdict).kind
            == "accepted"
        )
        assert reviews.latest_reviews(store, "kelp", "verdict", "t-") == []
        assert reviews.latest_reviews(store, "kelp", "verd") == []


def test_a_rating_of_the_lead_comes_back_as_it_was(audited):
    rating = Rating(task="t-1", answers=Answers(targets={"s1": GOOD}), unknown={"later": [1, {"a": None}]})
    with open_writer(audited, command="test") as store:
        own = LeadRating(task="t-1", rating=rating, blind=True)
        reviews.append_review(store, "kelp", ("own", "t-1"), "lee", own, now=NOON)
        assert load_task(store, "kelp", "t-1").own == own
        reviews.append_review(store, "kelp", ("own", "t-1"), "lee", LeadRating(task="t-1", rating=None), now=NOON)
        assert load_task(store, "kelp", "t-1").own is None


def test_several_words_are_stored_all_or_none(audited):
    good = NewReview(subject=("final", "t-1"), body={"a": 1})
    with open_writer(audited, command="test") as store:
        with pytest.raises(TypeError):
            reviews.insert_reviews(
                store, "kelp", [good, NewReview(subject=("final", "t-2"), body=object())], "lee", now=NOON
            )
        assert reviews.latest_reviews(store, "kelp", "final") == []


@pytest.mark.parametrize("how", ["UPDATE reviews SET body = '{}'", "DELETE FROM reviews"])
def test_what_was_said_is_never_changed_nor_deleted(audited, how):
    with open_writer(audited, command="test") as store, pytest.raises(sqlite3.IntegrityError, match="never"):
        store.db.execute(how)


def test_a_revision_can_only_follow_the_last_one(audited):
    with open_writer(audited, command="test") as store, pytest.raises(sqlite3.IntegrityError, match="follow"):
        store.db.execute("INSERT INTO reviews VALUES (NULL, 'kelp', '[\"own\",\"t-1\"]', 'lee', 2, '', '', '')")


TAMPERED = {
    "a verdict": ("reviews", "UPDATE reviews SET body = replace(body, 'look again', 'fine')", "reviews_never_change"),
    "who it is about": (
        "reviews",
        """UPDATE reviews SET subject = replace(subject, '"bo"', '"cy"')""",
        "reviews_never_change",
    ),
    "a verdict that is gone": ("reviews", "DELETE FROM reviews WHERE body LIKE '%too thin%'", "reviews_never_go"),
    "an answer": (
        "received",
        "UPDATE received_ratings SET body = CAST(replace(CAST(body AS TEXT), 'right', 'wrong') AS BLOB) WHERE key = 1",
        None,
    ),
    "a digest": ("received", "UPDATE received_ratings SET digest = x'90' WHERE key = 1", None),
    "two ratings exchanged": ("received", "UPDATE received_ratings SET task = 't-0' WHERE task = 't-3'", None),
    "a text": (
        "received",
        "UPDATE task_texts SET line = CAST(replace(CAST(line AS TEXT), 'Kelp 1', 'Moss 1') AS BLOB)",
        None,
    ),
    "whose results": ("received", "UPDATE received SET rater = 'cy' WHERE rater = 'bo'", None),
    "a rating that is gone": ("received", "DELETE FROM received_ratings WHERE key = 2", None),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_the_doctor_finds_what_was_altered(audited, damage, what):
    assert examine_store(audited).sound
    check, statement, trigger = TAMPERED[what]
    connection = sqlite3.connect(audited / "store.sqlite3")
    sql = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (trigger,)).fetchone()
    connection.close()
    drop, again = ((f"DROP TRIGGER {trigger}",), sql) if trigger else ((), ())
    damage(*drop, statement, *again)
    assert {fault.check for fault in examine_store(audited).faults} == {check}


def test_what_was_altered_is_not_shown_as_what_it_was(audited, damage):
    damage("UPDATE received_ratings SET body = CAST(replace(CAST(body AS TEXT), 'right', 'wrong') AS BLOB)")
    with reader_of(audited) as store, pytest.raises(StoreDamaged, match="was altered"):
        load_task(store, "kelp", "t-1")


def test_a_backup_holds_it_all_and_brings_it_back(audited):
    before = everything(audited)
    with open_writer(audited, command="test") as store:
        made = back_up(store, now=noon, progress=Progress())
        assert made is not None
        one = verdict("ann", "accepted")
        reviews.append_review(store, "kelp", subject(one), "lee", one, now=NOON)
        assert backups.backup_is_needed(store, made), "a word of the lead is reason enough for another backup"
    restore_backup(audited, made.path, command="restore", now=noon, progress=Progress())
    assert everything(audited) == before
    assert examine_store(audited).sound


def test_a_backup_whose_verdict_was_altered_is_refused(audited, damage):
    connection = sqlite3.connect(audited / "store.sqlite3")
    (sql,) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'reviews_never_change'").fetchone()
    connection.close()
    damage("DROP TRIGGER reviews_never_change", "UPDATE reviews SET body = replace(body, 'look', 'Look')", sql)
    with open_writer(audited, command="test") as store, pytest.raises(StoreError):
        back_up(store, now=noon, progress=Progress())


def spoil(file, *numbers, seed=1):
    content = bytearray(file.read_bytes())
    for number in numbers:
        content[(number - 1) * PAGE : number * PAGE] = random.Random(seed).randbytes(PAGE)
    file.write_bytes(content)


def saved(folder, tmp_path):
    return salvage_to(folder, tmp_path / "saved", now=noon(), progress=Progress())


@pytest.mark.parametrize("seed", range(4))
def test_of_spoilt_pages_everything_comes_from_the_backup_and_what_was_said_later_from_the_journal(
    audited, file, tmp_path, seed
):
    with open_writer(audited, command="test") as store:
        back_up(store, now=noon, progress=Progress())
        one = verdict("ann", "accepted")
        reviews.append_review(store, "kelp", subject(one), "lee", one, now=NOON)
        reviews.append_review(store, "kelp", subject(one), "mo", one, now=NOON)
    before = everything(audited)
    chance = random.Random(seed)
    spoil(file, *chance.sample(range(1, file.stat().st_size // PAGE + 1), 6), seed=seed)
    assert saved(audited, tmp_path).lost == ()
    assert everything(tmp_path / "saved") == before
