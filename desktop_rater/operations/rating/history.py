"""Edit history of a task's rating: undo and redo across sessions, and display; and texts written lately.

It is derived from the revisions alone: an undo or redo is recognised by the action text of a revision and by the
earlier state it equals.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.format.change import REDO_ACTION, UNDO_ACTION
from desktop_rater.format.edit import Difference, differences, rater_content
from desktop_rater.format.page import PageLink
from desktop_rater.format.rating import Rating, Status
from desktop_rater.format.task import Task
from desktop_rater.operations.rating.open_task import as_displayed, decode_task, initial_rating
from desktop_rater.rubric.repeat import EarlierClaim, earlier_claims
from desktop_rater.store import bundles, ratings, tasks
from desktop_rater.store.bundles import BundleRow
from desktop_rater.store.errors import NotInStore, StoreDamaged
from desktop_rater.store.ratings import RevisionRow, RevisionWithRating, recent_ratings
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import is_blank
from desktop_rater.text.urls import page_key

MAX_REVISIONS = 500  # revisions that can be undone
RESEARCH_ACTION = "research"
PRECEDENTS_ACTION = "decided cases"
# Actions that change no answer, and so are no steps of undo across sessions.
SIDE_ACTIONS = frozenset(
    {
        "open link",
        "count link as opened",
        RESEARCH_ACTION,
        PRECEDENTS_ACTION,
        "report research",
        "correct research",
        "leave out research",
    }
)


_State = tuple[Rating, Rating]  # a rating and its content


class UndoTrail(msgspec.Struct, frozen=True):
    """Undo and redo stacks, the nearest state last, around the current state."""

    undo: tuple[Rating, ...]
    now: Rating
    redo: tuple[Rating, ...]


class RevisionEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A revision as shown in the history. `rating` is `None` if it can't be read."""

    revision: int
    changed: str
    status: Status
    done: tuple[str, ...]
    rating: Rating | None
    differences: tuple[Difference, ...]


def load_trail(store: Store, bundle_id: str, task_id: str, rater: str, last: int) -> UndoTrail:
    """Return the undo and redo stacks at revision `last`. Raises `StoreError`."""
    states = [state for state in _states(store, bundle_id, task_id, rater, last) if state[1] is not None]
    first = _beginning(store, bundle_id, task_id, rater)
    if states and states[0][0].revision > 1 and states[0][1] is not None:
        first, states = states[0][1], states[1:]
    replayed = replay_revisions(first, states)
    imported = _imported(store, bundle_id)
    undo, redo = ([_as_of_import(state, imported) for state in stack] for stack in (replayed.undo, replayed.redo))
    return UndoTrail(tuple(undo), _as_of_import(replayed.now, imported), tuple(redo))


def load_history(store: Store, bundle_id: str, task_id: str, rater: str) -> tuple[RevisionEntry, ...]:
    """Return the revisions, latest first, without those that only add time. Raises `StoreError`.

    The last entry is the original task, revision 0, unless the number of revisions is limited.
    """
    states = _states(store, bundle_id, task_id, rater, None)
    imported = _imported(store, bundle_id)
    before: Rating | None = _beginning(store, bundle_id, task_id, rater)
    entries = [RevisionEntry(revision=0, changed="", status="incomplete", done=(), rating=before, differences=())]
    if states and states[0][0].revision > 1:
        before, states, entries = states[0][1], states[1:], []
    for row, rating in states:
        if rating is not None and before is not None and rater_content(before) == rater_content(rating):
            continue
        entries.append(_entry(row, rating, before, imported))
        before = rating or before
    return tuple(reversed(entries))


def replay_revisions(first: Rating, states: Sequence[RevisionWithRating]) -> UndoTrail:
    """Rebuild the stacks from the revisions, starting with the state before the first one.

    Several steps may be saved as one revision. If it returned to a state that was never stored, the known states around
    it keep their places.
    """
    undo: list[_State] = []
    redo: list[_State] = []
    now = first, rater_content(first)
    for row, rating in states:
        if rating is None:
            continue
        state = rating, rater_content(rating)
        if state[1] != now[1]:
            actions = [action for action in row.done.split(", ") if action not in SIDE_ACTIONS]
            _step(actions, undo, redo, now, state)
        now = state
    return UndoTrail(tuple(rating for rating, _ in undo), now[0], tuple(rating for rating, _ in redo))


def _step(actions: list[str], undo: list[_State], redo: list[_State], now: _State, state: _State) -> None:
    """Update the stacks for a change from `now` to `state`.

    Several steps back and forth may be one revision. Of equal states it went to the farthest that they can reach in
    all; that may be nearer than they say, because not every state was stored.
    """
    back = actions.count(UNDO_ACTION) - actions.count(REDO_ACTION)
    directions = [(UNDO_ACTION, undo, redo, back), (REDO_ACTION, redo, undo, -back)]
    directions.sort(key=lambda direction: direction[3] < 0)
    if not actions or not set(actions) <= {UNDO_ACTION, REDO_ACTION}:
        directions = []
    for action, source, target, steps in directions:
        equal = [index for index in reversed(range(len(source))) if source[index][1] == state[1]]
        if action in actions and equal:
            reachable = [index for index in equal if len(source) - index <= steps]
            index = reachable[-1] if reachable else equal[0]
            target += [now, *reversed(source[index + 1 :])]
            del source[index:]
            return
    for action, source, target, _steps in directions:
        if action in actions and source:
            target.append(now)
            return
    undo.append(now)
    redo.clear()


def _states(store: Store, bundle_id: str, task_id: str, rater: str, last: int | None) -> list[RevisionWithRating]:
    """Return the latest revisions as displayed, including the one before the first that counts."""
    states = ratings.read_revisions(store, bundle_id, task_id, rater, last=last, most=MAX_REVISIONS + 1)
    bundle, task = _current(store, bundle_id, task_id)
    if bundle is None or task is None or task.display_order is None:
        return states
    return [(row, rating and as_displayed(bundle, task, rating)[1]) for row, rating in states]


def _beginning(store: Store, bundle_id: str, task_id: str, rater: str) -> Rating:
    bundle, task = _current(store, bundle_id, task_id)
    if bundle is None or task is None:
        return Rating(task=task_id, rater=rater)
    _, rating = as_displayed(bundle, task, initial_rating(task, bundle.rubric))
    return replace(rating, rater=rater, rubric=bundle.rubric)


def _current(store: Store, bundle_id: str, task_id: str) -> tuple[BundleRow | None, Task | None]:
    bundle = bundles.find_bundle(store, bundle_id)
    try:
        return bundle, decode_task(tasks.get_task(store, bundle_id, task_id)) if bundle is not None else None
    except NotInStore:
        return bundle, None


def _imported(store: Store, bundle_id: str) -> str:
    bundle = bundles.find_bundle(store, bundle_id)
    return bundle.imported if bundle is not None else ""


def _as_of_import(rating: Rating, imported: str) -> Rating:
    """Mark a state as incomplete if it was completed before the last import of the bundle."""
    stale = rating.status == "complete" and (rating.changed or "") < imported
    return replace(rating, status="incomplete") if stale else rating


def _entry(row: RevisionRow, rating: Rating | None, before: Rating | None, imported: str) -> RevisionEntry:
    return RevisionEntry(
        revision=row.revision,
        changed=row.changed,
        status=row.status,
        done=tuple(dict.fromkeys(row.done.split(", "))),
        rating=_as_of_import(rating, imported) if rating is not None else None,
        differences=differences(before, rating) if rating is not None and before is not None else (),
    )


MAX_EARLIER_TASKS = 200


def earlier_work(store: Store, rater: str, rubric: str) -> dict[tuple[str, str], tuple[EarlierClaim, ...]]:
    """Return the claims that a rater answered by a rubric, of any version, by bundle and task, the latest task first.

    Of all tasks, only the latest ones are read. One that is damaged is left out.
    """
    work: dict[tuple[str, str], tuple[EarlierClaim, ...]] = {}
    for bundle, name in ratings.latest_tasks(store, rater, MAX_EARLIER_TASKS):
        with suppress(NotInStore, StoreDamaged):
            head = ratings.rating_head(store, bundle, name, rater)
            if head is not None and head.rating.rubric.partition("@")[0] == rubric:
                task = decode_task(tasks.get_task(store, bundle, name))
                work[bundle, name] = tuple(earlier_claims(bundle, task, head.rating))
    return work


MAX_RATINGS, MAX_TEXTS = 50, 300
LEAST_INSIDE = 4  # characters that may begin any word of a comment, instead of the comment
LEAST_UNSPACED = 2  # the same where there are no blanks between words
UNSPACED = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"


class RecentTexts(Struct, frozen=True):
    """Earlier comments, pages and reasons without repetitions, the most recent first."""

    comments: tuple[str, ...] = ()
    pages: tuple[PageLink, ...] = ()
    reasons: tuple[str, ...] = ()  # why warnings were acknowledged


def recent_texts(store: Store, bundle: str, rater: str, questions: Collection[str]) -> RecentTexts:
    """Return what a rater has written in answers to these questions of a bundle, and the pages taken as evidence."""
    return texts_of_ratings(recent_ratings(store, bundle, rater, MAX_RATINGS), questions)


def texts_of_ratings(ratings: Iterable[Rating], questions: Collection[str]) -> RecentTexts:
    """Return the answers to these questions and the pages in ratings, which are the most recent first."""
    comments: dict[str, None] = {}
    pages: dict[str, PageLink] = {}
    reasons: dict[str, None] = {}
    for rating in ratings:
        comments.update((text.strip(), None) for text in _comments(rating, questions) if not is_blank(text))
        reasons.update((entry.comment, None) for entry in reversed(rating.acknowledged) if not is_blank(entry.comment))
        for piece in reversed(rating.evidence):
            key = page_key(piece.url)
            if key is not None:
                pages.setdefault(key, PageLink(text=piece.title, url=piece.url))
    return RecentTexts(tuple(comments)[:MAX_TEXTS], tuple(pages.values())[:MAX_TEXTS], tuple(reasons)[:MAX_TEXTS])


def _comments(rating: Rating, questions: Collection[str]) -> Iterator[str]:
    claims = (claim.answers for claims in rating.claims.values() for claim in claims)
    answers = (*claims, *rating.answers.targets.values(), *rating.answers.responses.values(), rating.answers.task)
    for given in answers:
        yield from (value for name, value in given.items() if name in questions and isinstance(value, str))


def merged(latest: RecentTexts, earlier: RecentTexts) -> RecentTexts:
    """Return both without repetitions, the latest first."""
    pages = {page.url: page for page in (*earlier.pages, *latest.pages)}
    urls = dict.fromkeys(page.url for page in (*latest.pages, *earlier.pages))
    comments = dict.fromkeys((*latest.comments, *earlier.comments))
    reasons = dict.fromkeys((*latest.reasons, *earlier.reasons))
    return RecentTexts(
        tuple(comments)[:MAX_TEXTS], tuple(pages[url] for url in urls)[:MAX_TEXTS], tuple(reasons)[:MAX_TEXTS]
    )


def matching_comments(comments: Iterable[str], typed: str) -> list[str]:
    """Return the comments that continue what is typed, then those in which a word begins with it."""
    wanted = typed.strip().casefold()
    folded = [(comment, comment.casefold()) for comment in comments if comment.strip() != typed.strip()]
    first = [comment for comment, text in folded if text.startswith(wanted)]
    blank = "" if re.match(UNSPACED, wanted) else " "
    if len(wanted) < (LEAST_INSIDE if blank else LEAST_UNSPACED):
        return first
    return [*first, *(comment for comment, text in folded if not text.startswith(wanted) and blank + wanted in text)]


def matching_pages(pages: Iterable[PageLink], typed: str) -> list[PageLink]:
    """Return the pages whose address or title contains what is typed."""
    wanted = typed.strip().casefold()
    return [page for page in pages if page.url != typed.strip() and wanted in f"{page.url} {page.text}".casefold()]
