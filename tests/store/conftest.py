"""A store in a folder of its own, and what is put into it."""

import hashlib
import sqlite3

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.rating import Rating, SkipReason
from desktop_rater.format.values import Answers
from desktop_rater.operations.store.backup import back_up
from desktop_rater.store import bundles, ratings, snapshots
from desktop_rater.store.bundles import NewBundle, TaskRow
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.ratings import NewRevision
from tests.store.going_back import PAGE, SHA
from tests.store.killed_at import noon

MOMENT = "2026-11-20T09:12:00Z"


class Made:
    """Makes what a bundle and a rater bring."""

    @staticmethod
    def bundle(bundle_id="november", revision=1):
        return NewBundle(
            id=bundle_id,
            revision=revision,
            title="Long answers, November",
            language="en",
            created="2026-11-20T08:00:00Z",
            rubric="span-factuality@3",
            rubric_toml=None,
            guidelines="Be fair.",
            manifest="{}",
            tasks_sha256="0" * 64,
            identity=f"{bundle_id} {revision}",
            imported=MOMENT,
        )

    @staticmethod
    def task(task_id="t-0", prompt="Who wrote Don Quixote?", response="Cervantes, in 1605.", tools=""):
        return TaskRow(
            id=task_id,
            title=prompt[:200],
            line=f'{{"id": "{task_id}", "prompt": {{"text": "{prompt}"}}}}'.encode(),
            targets=None,
            texts=(prompt, response, tools),
        )

    @classmethod
    def tasks(cls, count, **texts):
        return [cls.task(f"t-{number:05}", **texts) for number in range(count)]

    @classmethod
    def imported(cls, store, tasks, bundle_id="november", revision=1):
        key = bundles.begin_bundle_import(store, cls.bundle(bundle_id, revision))
        bundles.add_tasks(store, key, tasks)
        bundles.finish_bundle_import(store, key)
        return key

    @staticmethod
    def change(task_id="t-00000", status="incomplete", rater="r-17", comment="fine", **counts):
        rating = Rating(
            task=task_id,
            rater=rater,
            rubric="span-factuality@3",
            status=status,
            skipped=SkipReason(reason="other") if status == "skipped" else None,
            answers=Answers(targets={"s1": {"factual": "yes", "comment": comment}}),
        )
        leaving = hashlib.sha256(comment.encode()).hexdigest()
        return NewRevision(rating=rating, changed=MOMENT, done="answer", leaving_sha256=leaving, **counts)

    @classmethod
    def rated(cls, store, *task_ids, status="complete", rater="r-17", bundle_id="november"):
        for task_id in task_ids:
            ratings.append_revision(store, bundle_id, cls.change(task_id, status, rater))


@pytest.fixture
def new_stores_are_copies():
    """Here every store is created as the program creates it."""


@pytest.fixture
def made():
    return Made


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "store"


@pytest.fixture
def file(folder):
    return folder / "store.sqlite3"


@pytest.fixture
def store(folder):
    with open_writer(folder, command="the window") as opened:
        yield opened


@pytest.fixture
def damage(file):
    """Change a closed store's file behind the program's back, as no program of ours would."""

    def run(*statements):
        connection = sqlite3.connect(file)
        connection.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    return run


@pytest.fixture
def backup(folder, made):
    """Of a store with 4 revisions, that has 7 now."""
    with open_writer(folder, command="the window") as store:
        made.imported(store, made.tasks(5))
        made.rated(store, "t-00000", "t-00001", "t-00002", "t-00003")
        snapshots.store_snapshot(folder, SHA, [PAGE])
        kept = back_up(store, now=noon, progress=Progress())
        made.rated(store, "t-00000", "t-00004", "t-00004")
    assert kept is not None
    return kept.path


@pytest.fixture
def ready(store, made):
    made.imported(store, made.tasks(3))
    return store
