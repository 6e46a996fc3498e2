"""Cells of a group of raters: what its label rests on, its pages and comments together, and its raters."""

from collections import Counter
from collections.abc import Collection, Sequence

from PySide6.QtCore import QCoreApplication

from desktop_rater.audit.judged_questions import JudgedQuestion
from desktop_rater.audit.results import RaterOnTask
from desktop_rater.text.unseen_characters import is_blank
from desktop_rater.ui.pages.address_bar import display_host
from desktop_rater.ui.pages.page_states import unreadable_text
from desktop_rater.ui.pages.stances import STANCE_MARKS
from desktop_rater.ui.review.answer_groups import AnswerGroup, PooledPage, pooled_comments, pooled_pages
from desktop_rater.ui.review.cells import CellPart, ComparisonCell
from desktop_rater.ui.review.label_looks import LabelLooks
from desktop_rater.ui.review.rater_cells import address_text
from desktop_rater.ui.review.texts import clock_text
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import isolated

translate = QCoreApplication.translate
QUIET_INK = "text2"
MAX_PAGES, MAX_COMMENTS, MAX_BASES, MAX_VALUES = 3, 2, 4, 5
FOLDED, UNFOLDED = 3, 8  # raters shown of a group
MAX_QUOTE, MAX_COMMENT, MAX_NAME = 120, 280, 24


def bases_cell(bases: Sequence[tuple[str, ...]]) -> ComparisonCell:
    """Return what the label rests on, with the number of raters. `bases`: the reasons of each rater."""
    counts = Counter(basis for basis in bases if basis).most_common()
    parts = [CellPart(" ".join(basis), end=formatting.number(count)) for basis, count in counts[:MAX_BASES]]
    rest = sum(count for _basis, count in counts[MAX_BASES:])
    if rest:
        parts.append(CellPart(translate("Review", "Other reasons"), QUIET_INK, end=formatting.number(rest)))
    return ComparisonCell(tuple(parts))


def values_cell(raters: Sequence[RaterOnTask], where: str, judged: JudgedQuestion, looks: LabelLooks) -> ComparisonCell:
    """Return the answers to another question, each with the number of raters."""
    counts = Counter(judged.value(of.received.digest.values.get(where, {})) for of in raters)
    parts = []
    for value, count in counts.most_common(MAX_VALUES):
        if value is not None:
            look = looks.look(judged.id, value)
            mark, tone = (look.shape, look.tone) if look is not None else ("", "")
            parts.append(CellPart(judged.text_of(value), mark=mark, tone=tone, end=formatting.number(count)))
    return ComparisonCell(tuple(parts))


def pages_cell(raters: Sequence[RaterOnTask], where: str) -> ComparisonCell:
    """Return the pages that a group took, or only opened where it took none, each with the number of raters."""
    used, opened = pooled_pages(raters, where)
    by = formatting.number(sum(bool(of.received.digest.evidence.get(where)) for of in raters))
    if used:
        heading = translate("Review", "Pages: {n}, taken by {m} of {all}")
        of_all = formatting.number(len(raters))
        parts = [CellPart(heading.format(n=formatting.number(len(used)), m=by, all=of_all), QUIET_INK)]
    elif opened:
        heading = translate("Review", "Pages: none taken, {n} opened")
        parts = [CellPart(heading.format(n=formatting.number(len(opened))), QUIET_INK)]
    else:
        return ComparisonCell((CellPart(translate("Review", "None. No pages opened."), QUIET_INK),))
    pages = used or opened
    for page in pages[:MAX_PAGES]:
        parts += _page_parts(page)
    if len(pages) > MAX_PAGES:
        more = translate("Review", "{n} more").format(n=formatting.number(len(pages) - MAX_PAGES))
        parts.append(CellPart(more, QUIET_INK, deep=True))
    return ComparisonCell(tuple(parts))


def _page_parts(page: PooledPage) -> list[CellPart]:
    count, piece, host = formatting.number(page.raters), page.piece, display_host(page.url)
    if piece is None:
        return [CellPart(address_text(page.url), mark="counted", url=page.url, rater=page.rater, end=count)]
    title = " ".join(piece.title.split())
    text = f"{title} ({host})" if title and title != host else address_text(page.url)
    mark = STANCE_MARKS.get(piece.stance, "nothing")
    parts = [CellPart(text, mark=mark, piece=piece, rater=page.rater, end=count)]
    if not is_blank(piece.quote):
        quote = _shortened(piece.quote, MAX_QUOTE)
        parts.append(CellPart(formatting.quoted(quote), QUIET_INK, deep=True))
        if unreadable := unreadable_text(piece.quote, of_quote=True):
            parts.append(CellPart(unreadable, "warn", deep=True))
    return parts


def pooled_comments_cell(comments: Sequence[tuple[str, str]], of: int) -> ComparisonCell:
    """Return the most common comments (rater and text) of a group of so many raters."""
    if not comments:
        return ComparisonCell()
    heading = translate("Review", "By {n} of {m}")
    parts = [CellPart(heading.format(n=formatting.number(len(comments)), m=formatting.number(of)), QUIET_INK)]
    pooled = pooled_comments(comments)
    for comment in pooled[:MAX_COMMENTS]:
        like = translate("Review", "{rater}, and {n} like it") if comment.others else "{rater}"
        by = like.format(rater=isolated(comment.rater[:MAX_NAME]), n=formatting.number(comment.others))
        parts += [CellPart(formatting.quoted(_shortened(comment.text, MAX_COMMENT))), CellPart(by, QUIET_INK)]
    if len(pooled) > MAX_COMMENTS:
        more = translate("Review", "{n} more").format(n=formatting.number(len(pooled) - MAX_COMMENTS))
        parts.append(CellPart(more, QUIET_INK))
    return ComparisonCell(tuple(parts))


def raters_cell(group: AnswerGroup, opened: Collection[str], *, unfolded: bool) -> ComparisonCell:
    """Return the raters of a group with their times, some of them unless it is `unfolded`."""
    listed = group.entries[: UNFOLDED if unfolded else FOLDED]
    parts = []
    for entry in listed:
        time = clock_text(entry.seconds) if entry.seconds is not None else ""
        model = translate("Review", "a model") if entry.model else ""
        text = " ".join(filter(None, (_shortened(entry.rater, MAX_NAME), time, model)))
        parts.append(CellPart(text, chip=True, rater=entry.rater, bold=entry.rater in opened))
    if len(group.entries) > len(listed):
        more = translate("Review", "and {n} more").format(n=formatting.number(len(group.entries) - len(listed)))
        parts.append(CellPart(more, QUIET_INK, chip=True, more=True))
    return ComparisonCell(tuple(parts))


def _shortened(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
