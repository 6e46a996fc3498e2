"""Replay of version 2 to 3 of `span-factuality` over a lead's store of 500,000 places of 50 raters."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

from bench.child import measured
from bench.figures import Samples
from bench.workload import BUNDLE, SEED, SENTENCES, Workload, tasks
from desktop_rater.audit.digest import make_digest
from desktop_rater.format.change import Progress
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import canonical_json, read_struct, to_plain
from desktop_rater.format.targets import prepare_task
from desktop_rater.format.task import Task
from desktop_rater.operations.audit.load_audit import AuditTexts
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.plugins.authoring.replay import Replay, replayed_places
from desktop_rater.rubric import check_rating, exported_form, exported_sha256
from desktop_rater.store import received
from desktop_rater.store.open_store import open_reader, open_writer
from desktop_rater.store.received import NewReceivedRating, NewReceivedResults

_TASKS, _DRAWN, _COPIES = 1_000, 10, 5  # of ten sentences: 500,000 places of raters, each under five names
_OLD, _NEW = "span-factuality@2", "span-factuality@3"
_SEARCHED = {"common_knowledge": "no", "comment": "Searched two encyclopedias and the site of the ministry."}
_WRONG = {"accuracy": "inaccurate", "severity": "minor"}
# Answers, supporting and contradicting pages, and of how many of a hundred sentences.
_KINDS: tuple[tuple[dict[str, str], int, int, int], ...] = (
    ({"factual": "no"}, 0, 0, 15),
    ({"accuracy": "accurate"}, 1, 0, 45),
    (_WRONG, 0, 1, 10),
    ({"accuracy": "accurate", "consensus": "for", "comment": "All botanists."}, 1, 1, 4),
    ({"accuracy": "disputed", "consensus": "none"}, 1, 1, 3),
    ({**_WRONG, "consensus": "against", "comment": "All botanists."}, 1, 1, 3),
    ({"accuracy": "accurate", "common_knowledge": "right"}, 0, 0, 8),
    ({**_WRONG, "common_knowledge": "wrong"}, 0, 0, 4),
    ({**_WRONG, **_SEARCHED, "expected_to_be_found": "yes"}, 0, 0, 3),
    ({**_SEARCHED, "accuracy": "unsupported", "expected_to_be_found": "no"}, 0, 0, 5),
)


def replays(workload: Workload) -> dict[str, Samples]:
    """Measure the processor seconds from the store to the places that must be looked at again."""
    workload.folder.mkdir(parents=True, exist_ok=True)
    store = workload.folder / f"replay-{_TASKS}-{_DRAWN * _COPIES}"
    if not store.exists():
        with tempfile.TemporaryDirectory(dir=workload.folder) as folder:
            make_store(Path(folder) / "store", _TASKS, _DRAWN, _COPIES).rename(store)
    return {"seconds": Samples([measured("bench.replays:replay", str(store)).processor])}


def make_store(folder: Path, count: int, drawn: int, copies: int) -> Path:
    """Make a lead's store with results by version 2, each under several names."""
    rubric, keys = builtin_rubric(_OLD), []
    plain = [canonical_json(_with_two_claims(task)) for task in tasks(count)]
    prepared = [
        prepare_task(read_struct(json.loads(line), Task), per_target=True, accept_close=False, lang="en")
        for line in plain
    ]
    with open_writer(folder, command="bench") as store:
        texts = AuditTexts()
        digests = [texts.add(line) for line in plain]
        received.store_texts(store, texts.pending.items())
        for number in range(drawn):
            chance = random.Random(SEED + number)  # noqa: S311 - a workload, no secret
            ratings = []
            for task, digest in zip((entry.task for entry in prepared), digests, strict=True):
                assert task is not None
                rating = read_struct(rating_of(task, chance), Rating)
                outcome = check_rating(rubric, task, rating)
                form = exported_form(rating, outcome)
                ratings.append(
                    NewReceivedRating(
                        task=task.id,
                        text=digest,
                        revision=1,
                        sha256=exported_sha256(form),
                        digest=make_digest(form, outcome, ()),
                        history="[]",
                        body=canonical_json(to_plain(form)),
                    )
                )
            for copy in range(copies):
                keys.append(received.begin_results(store, _results(f"r-{number}-{copy}", count)))
                received.add_received_ratings(store, keys[-1], ratings, {})
        received.finish_results(store, keys)
    return folder


def _with_two_claims(task: dict[str, Any]) -> dict[str, Any]:
    """Return the task, of whose sentences every third makes two claims: only of those version 3 asks more."""
    (response,) = task["responses"]
    sentences = response["text"].split(". ")
    sentences[::3] = ["Dante wrote the Comedy, was born in Florence and died in Ravenna"] * len(sentences[::3])
    return task | {"responses": [response | {"text": ". ".join(sentences)}]}


def rating_of(task: Task, chance: random.Random) -> dict[str, Any]:
    """Return a complete rating by version 2, of the kinds above."""
    kinds = chance.choices(_KINDS, weights=[weight for *_, weight in _KINDS], k=SENTENCES)
    answers, evidence = {}, []
    for target, (given, supporting, contradicting, _) in zip(task.targets or (), kinds, strict=True):
        answers[target.id] = {"factual": "yes"} | given
        for stance in ["supporting"] * supporting + ["contradicting"] * contradicting:
            url = f"https://site{chance.randrange(5_000)}.example/{task.id}-{len(evidence)}"
            piece = {"id": f"e{len(evidence)}", "target": target.id, "stance": stance, "url": url}
            evidence.append({**piece, "quote": "It is as the sentence says, and has been so for long."})
    return {
        "task": task.id,
        "rater": "r",
        "rubric": _OLD,
        "status": "complete",
        "revision": 1,
        "changed": "2026-11-20T12:00:00Z",
        "answers": {"targets": answers},
        "evidence": evidence,
        "time": {"targets": dict.fromkeys(answers, 700)},
    }


def _results(rater: str, count: int) -> NewReceivedResults:
    manifest = {
        "format": "desktop-rater/results",
        "version": 1,
        "bundle": {"id": BUNDLE, "revision": 1, "sha256": "0" * 64, "language": "en"},
        "rater": rater,
        "rubric": _OLD,
        "counts": {"tasks": count, "complete": count, "skipped": 0},
        "partial": False,
        "files": {},
    }
    digest = f"{random.Random(rater).getrandbits(256):064x}"  # noqa: S311 - a name
    return NewReceivedResults(
        sha256=digest,
        bundle=BUNDLE,
        rater=rater,
        supersedes=None,
        manifest=json.dumps(manifest),
        rubric_toml=None,
        file=f"{rater}.zip",
        arrived="2026-11-20T12:00:00Z",
    )


def replay(store: str) -> dict[str, int]:
    """Replay all results of a store."""
    opened = open_reader(Path(store))
    assert opened is not None
    run = Replay(builtin_rubric(_OLD), builtin_rubric(_NEW))
    again = replayed_places(run, opened, BUNDLE, Progress())
    opened.close()
    return {"places": run.places, "judged": run.judged, "again": len(again)}
