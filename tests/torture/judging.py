"""Whether a store and what was written beside it are as they were said to be."""

import json
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from desktop_rater.files import file_sha256
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.strict_json import to_plain
from desktop_rater.format.values import utc_now
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.rating.open_task import decode_task
from desktop_rater.operations.rating.rater_state import load_drafts
from desktop_rater.operations.store.salvage import salvage_in_place
from desktop_rater.store import backups, bundles, ratings, tasks
from desktop_rater.store.connection import NAME
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.store import Store
from tests.store.listed import count_tasks
from tests.torture.material import LINES, TASKS

Line = tuple[Any, ...]
PAGE = 4096  # bytes of a page of a store


def lost_and_wrong(folder: Path, said: Iterable[Line]) -> tuple[list[str], list[str]]:
    """What was acknowledged and is gone, and what is not as it should be; the store is opened for it as at a start.

    `said` is what all processes that worked on it have said.
    """
    store = folder / "store"
    said = list(said)
    wrong = [f"before the next start: {one.text}" for one in _faults(store)]
    wrong += [line[1] for line in said if line[0] == "wrong"]  # what a process found of the one before
    lost: list[str] = []
    with open_writer(store, command="a judge") as opened:
        lost += [f"{line}" for line in _gone(opened, said)]
        lost += _unsaved_text(opened, said)
        wrong += _half_bundles(opened)
        wrong += ["the log is thought to be gone"] * opened.log_was_gone
    report = examine_store(store)
    wrong += [one.text for one in report.faults]
    wrong += [one.text for one in report.notes if one.check in {"leftovers", "holder"}]
    wrong += _bad_backups(store, said)
    results, out = [line for line in said if line[0] == "export"], folder / "out"
    if out.is_dir():
        wrong += _half_results(out, results)
    return lost, wrong


def lost_in_recovery(folder: Path, said: Iterable[Line], dice: Random, number: int = 0) -> tuple[list[str], list[str]]:
    """What was acknowledged and is gone, and what is wrong, in a copy of the closed store that was recovered.

    A page of it was destroyed before: `number`, counted from 1, or any.
    """
    copy = folder / "destroyed"
    shutil.copytree(folder / "store", copy)
    try:
        page = destroy_page(copy / NAME, dice, number)
        recovered = salvage_in_place(copy, now=utc_now(), progress=Progress())
        answers = [line for line in said if line[0] in {"answer", "state"}]
        with open_writer(copy, command="a judge") as opened:
            lost = [f"recovered after page {page} was destroyed: {line}" for line in _gone(opened, answers)]
        wrong = [f"recovered after page {page} was destroyed: {one.text}" for one in examine_store(copy).faults]
        named = [line for line in recovered.lost if not line.startswith("Revision ")]  # a bundle to be imported again
        return lost, wrong + named
    finally:
        shutil.rmtree(copy)


def destroy_page(file: Path, dice: Random, number: int = 0) -> int:
    """Overwrite a page, by zeros, by bytes that mean nothing, or by another page; its number, counted from 1."""
    content = bytearray(file.read_bytes())
    pages = len(content) // PAGE
    number = number or dice.randint(1, pages)
    other = dice.randrange(pages) * PAGE
    content[(number - 1) * PAGE : number * PAGE] = dice.choice(
        (bytes(PAGE), dice.randbytes(PAGE), content[other : other + PAGE])
    )
    file.write_bytes(content)
    return number


def _faults(store: Path) -> Iterator[Any]:
    """What `doctor` finds before anybody has tidied up. One of an older version waits for its first opening."""
    for one in examine_store(store).faults:
        if "from an older version" not in one.text:
            yield one


def _gone(store: Store, said: list[Line]) -> Iterator[Line]:
    """Answers and bundles that were acknowledged and are not there."""
    answers = _answers(store.db)
    anywhere = answers.union(*map(_answers_in, (store.folder / "replaced").glob(f"*/{NAME}")))
    there = {row.id: row.revision for row in bundles.list_bundles(store)}
    kept = states(store) if any(line[0] == "state" for line in said) else set()
    for line in said:
        match line:
            case ("answer", _task, words) if words not in anywhere:
                yield line
            case ("restored", words) if words not in answers:
                yield line
            case ("import", bundle, revision) if revision > there.get(bundle, 0):
                yield line
            case ("state", words) if words not in kept:
                yield line
            case _:
                pass
    yield from _heads(store)


TYPED_SECONDS = 2 + 1  # in which typed text is handed over, and in which a busy store has written it
DRAFT_FIELDS = {"note": "word_bar_field", "skip": "skip_comment"}


def _unsaved_text(store: Store, said: list[Line]) -> Iterator[str]:
    """Texts of fields of which the store lacks what had been typed so long before a process was killed."""
    needed: dict[str, str] = {}
    for life in _lives(said):
        end = max((line[3] for line in life), default=0)
        needed |= {field: text for _, field, text, moment in life if moment <= end - TYPED_SECONDS}
    if not needed:
        return
    kept = {DRAFT_FIELDS[kind]: text for (_, _, kind), text in load_drafts(store, "killed").items()}
    for (body,) in store.db.execute("SELECT body FROM ratings WHERE rater = 'killed' ORDER BY revision"):
        for given in json.loads(body)["answers"]["targets"].values():
            kept |= {f"text_{question}": value for question, value in given.items()}
    for field, text in needed.items():
        if not kept.get(field, "").startswith(text):
            yield f"{field}: {len(text)} characters were typed in time, {len(kept.get(field, ''))} are there"


def _lives(said: list[Line]) -> Iterator[list[Line]]:
    """What was typed in each process."""
    life: list[Line] = []
    for line in said:
        if line[0] == "begun":
            yield life
            life = []
        elif line[0] == "typed":
            life.append(line)
    yield life


def _answers_in(file: Path) -> set[str]:
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        return _answers(connection)


def _answers(connection: sqlite3.Connection) -> set[str]:
    """The words by which the answers of all revisions are known."""
    query = "SELECT json_extract(body, '$.answers.targets.s1.comment') FROM ratings"
    return {words for (words,) in connection.execute(query)}


def _heads(store: Store) -> Iterator[Line]:
    """Ratings whose latest revision can't be opened."""
    query = "SELECT bundle, task, rater, max(revision) FROM ratings GROUP BY bundle, task, rater"
    for bundle, task, rater, revision in store.db.execute(query).fetchall():
        head = ratings.rating_head(store, bundle, task, rater)
        if head is None or head.rating.revision != revision:
            yield ("head", bundle, task, revision)


def states(store: Store) -> set[str]:
    """Every state of every rating that is kept, as the window says them."""
    found = set()
    query = "SELECT bundle, task, rater, revision FROM ratings"
    for bundle, task, rater, revision in store.db.execute(query).fetchall():
        rating = ratings.read_revision(store, bundle, task, rater, revision)
        found.add(json.dumps([task, to_plain(rating.answers), to_plain(rating.claims)], sort_keys=True))
    return found


def _half_bundles(store: Store) -> Iterator[str]:
    """Bundles that came in and are not whole."""
    for row in bundles.list_bundles(store):
        whole = LINES * row.revision if row.id.startswith("b") else row.tasks
        there = [decode_task(one).id for one in tasks.stream_tasks(store, row.id)]
        found = count_tasks(store, row.id, "r-17", text="sentence") if row.id.startswith("b") else whole
        later = tasks.count_unindexed(store, row.id)
        if not len(there) == row.tasks == whole == found + later:
            yield f"the bundle {row.id} has {len(there)} of {whole} tasks, {found} are found, and {later} are to be"


def _bad_backups(store: Path, said: list[Line]) -> Iterator[str]:
    """Backups that are not whole, and the last one that was acknowledged where it lacks what came before it."""
    there = {one.path.name: one for one in backups.list_backups(store, check_cancelled=lambda: None)}
    yield from (f"the backup {name} is bad" for name, one in there.items() if not one.good)
    lives = sum(line[0] == "begun" for line in said)  # each may have ended before it could remove the oldest
    if len(there) > backups.BACKUPS_KEPT + lives:
        yield f"there are {len(there)} backups"
    made = [number for number, line in enumerate(said) if line[0] == "backup"]
    if made:
        name = said[made[-1]][1]
        if name not in there:
            yield f"the backup {name} is gone"
            return
        missing = {line[2] for line in said[: made[-1]] if line[0] == "answer"} - _answers_in(there[name].path)
        yield from (f"the backup {name} lacks the answer {words}" for words in missing)


def _half_results(out: Path, acknowledged: list[Line]) -> Iterator[str]:
    """Results that are not whole, or older than those that were acknowledged."""
    path = out / "results.zip"
    strange = [file.name for file in out.iterdir() if file.suffix != ".zip" and not file.name.startswith(".")]
    if strange:
        yield f"beside the results: {strange}"
    if not path.exists():
        if acknowledged:
            yield "the results are gone"
        return
    try:
        checked = check_results(path, Progress())
    except RaterError as error:
        yield f"the results are half: {error}"
        return
    if checked.complete > TASKS or checked.broken:
        yield f"the results say something else: {checked}"
    digests = [line[1] for line in acknowledged]
    if file_sha256(path) in digests[:-1] and digests[-1] not in digests[:-1]:
        yield "older results stand in the place of newer ones"
