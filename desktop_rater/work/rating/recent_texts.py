"""Comments and pages that a rater has used before, to be offered while typing."""

import re
from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from desktop_rater.model.rating import Rating
from desktop_rater.store.ratings import recent_ratings
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import is_blank
from desktop_rater.text.urls import page_key

MAX_RATINGS, MAX_TEXTS = 50, 300
LEAST_INSIDE = 4  # characters that may begin any word of a comment, instead of the comment
LEAST_UNSPACED = 2  # the same where there are no blanks between words
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class UsedPage(Struct, frozen=True):
    """A page that was evidence."""

    url: str
    title: str = ""


class RecentTexts(Struct, frozen=True):
    """Earlier comments, pages and reasons without repetitions, the most recent first."""

    comments: tuple[str, ...] = ()
    pages: tuple[UsedPage, ...] = ()
    reasons: tuple[str, ...] = ()  # why warnings were acknowledged


def recent_texts(store: Store, bundle: str, rater: str, questions: Collection[str]) -> RecentTexts:
    """Return what a rater has written in answers to these questions of a bundle, and the pages taken as evidence."""
    return texts_of_ratings(recent_ratings(store, bundle, rater, MAX_RATINGS), questions)


def texts_of_ratings(ratings: Iterable[Rating], questions: Collection[str]) -> RecentTexts:
    """Return the answers to these questions and the pages in ratings, which are the most recent first."""
    comments: dict[str, None] = {}
    pages: dict[str, UsedPage] = {}
    reasons: dict[str, None] = {}
    for rating in ratings:
        comments.update((text.strip(), None) for text in _comments(rating, questions) if not is_blank(text))
        reasons.update((entry.comment, None) for entry in reversed(rating.acknowledged) if not is_blank(entry.comment))
        for piece in reversed(rating.evidence):
            key = page_key(piece.url)
            if key is not None:
                pages.setdefault(key, UsedPage(piece.url, piece.title))
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
    blank = "" if UNSPACED.match(wanted) else " "
    if len(wanted) < (LEAST_INSIDE if blank else LEAST_UNSPACED):
        return first
    return [*first, *(comment for comment, text in folded if not text.startswith(wanted) and blank + wanted in text)]


def matching_pages(pages: Iterable[UsedPage], typed: str) -> list[UsedPage]:
    """Return the pages whose address or title contains what is typed."""
    wanted = typed.strip().casefold()
    return [page for page in pages if page.url != typed.strip() and wanted in f"{page.url} {page.title}".casefold()]
