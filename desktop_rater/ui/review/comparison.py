"""Build the comparison of all raters at one place. Pure except for the language."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication

from desktop_rater.audit.items import Label, ReviewEntry, ReviewItem, depth_of
from desktop_rater.audit.questions import JudgedQuestion
from desktop_rater.audit.results import AuditedTask, RaterOnTask
from desktop_rater.format.edit import Difference
from desktop_rater.format.values import TASK_PLACE
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.load import format_answer
from desktop_rater.text.untrusted import is_blank
from desktop_rater.ui.pages.browser import display_host
from desktop_rater.ui.pages.evidence_fields import STANCE_MARKS
from desktop_rater.ui.pages.page_states import unreadable_text
from desktop_rater.ui.rating.form_view import skip_reason_text
from desktop_rater.ui.rating.history_pane import difference_text, previous_answer_text
from desktop_rater.ui.rating.problem_fixes import question_subject
from desktop_rater.ui.rating.returned_comments import return_reason_text
from desktop_rater.ui.rating.task_stops import response_letter
from desktop_rater.ui.review.cells import (
    AnswerGroup,
    CellPart,
    Comparison,
    ComparisonCell,
    ComparisonColumn,
    ComparisonRow,
    GroupName,
    PooledPage,
    answer_groups,
    pooled_comments,
    pooled_pages,
)
from desktop_rater.ui.review.items import VERDICT_MARKS, LabelLooks, active_time_text, clock_text, verdict_text
from desktop_rater.ui.review.rater_view import (
    address_text,
    claims_cell,
    comments_cell,
    decision_messages,
    evidence_cell,
    links_cell,
    research_cell,
    reused_cell,
    revisions_cell,
    signature_cell,
    stance_counts,
    warnings_cell,
    written_texts,
)
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
    for rater, text, others in pooled[:MAX_COMMENTS]:
        like = translate("Review", "{rater}, and {n} like it") if others else "{rater}"
        by = like.format(rater=isolated(rater[:MAX_NAME]), n=formatting.number(others))
        parts += [CellPart(formatting.quoted(_shortened(text, MAX_COMMENT))), CellPart(by, QUIET_INK)]
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


MAX_RATER_KEYS = 9
NONE_INK = "text2"


@dataclass(frozen=True)
class ComparedItem:
    """One place of a task, with its list item. `changed`: rater → differences since the task was sent back.

    `pooled` keeps the cells of groups, to be used again at the same place of the same task.
    """

    task: AuditedTask
    item: ReviewItem
    looks: LabelLooks
    changed: dict[str, tuple[Difference, ...]]
    pooled: dict[tuple[str, GroupName, int], ComparisonCell] = field(default_factory=dict)

    @property
    def where(self) -> str:
        return self.item.where

    @cached_property
    def ratings(self) -> dict[str, RaterOnTask]:
        """The raters' whole ratings, by rater."""
        return {of.rater: of for of in self.task.raters}

    @cached_property
    def label(self) -> JudgedQuestion | None:
        """The question whose answer is the label of this place."""
        named = [entry.label.question for entry in self.item.entries if entry.label is not None]
        return self.looks.judged.get(named[0]) if named else None

    @cached_property
    def others(self) -> tuple[JudgedQuestion, ...]:
        """The other questions judged at this depth that at least one rater answered."""
        label, depth = self.label, depth_of(self.where)
        used = {label.id, label.question} if label is not None else set()
        given = {name for of in self.task.raters for name in of.received.digest.values.get(self.where, {})}
        judged = self.looks.judged.values()
        return tuple(
            judged_
            for judged_ in judged
            if judged_.per == depth and judged_.id not in used and judged_.question in given
        )


@dataclass(frozen=True)
class ComparisonView:
    """Selection of what is shown: a column for each rater, or for each group of raters with the same label.

    `raters` have a column of their own, all if it is empty; if `grouped`, only these, each beside the group.
    `unfolded` is the group that lists more of its raters.
    """

    grouped: bool = False
    raters: frozenset[str] = frozenset()
    unfolded: GroupName | None = None


def build_comparison(item: ComparedItem, view: ComparisonView = ComparisonView()) -> Comparison:
    """Compare the raters of a task at one place, people before models. Rows without content are left out."""
    columns: list[ReviewEntry | AnswerGroup] = []
    if view.grouped:
        for group in answer_groups(item.item, item.label):
            columns += [group, *(entry for entry in group.entries if entry.rater in view.raters)]
    else:
        columns += (entry for entry in item.item.entries if entry.rater in view.raters or not view.raters)
    present = [column for column in columns if isinstance(column, AnswerGroup) or column.rater in item.ratings]
    lines = []
    for line in _row_builders(item, view):
        cells = [_cell(line, item, column) for column in present]
        if any(cell.parts for cell in cells) or (line.always and not view.grouped):
            lines.append((line.row, cells))
    none = ComparisonCell((CellPart(translate("Review", "None"), NONE_INK),))
    built = []
    for index, column in enumerate(present):
        cells = [line_cells[index] for _row, line_cells in lines]
        if isinstance(column, AnswerGroup):
            number = sum(isinstance(before, AnswerGroup) for before in present[: index + 1])
            built.append(_group_column(item, column, number, tuple(cells)))
        else:
            model = translate("Review", "a model") if column.model else ""
            key = str(index + 1) if index < MAX_RATER_KEYS and not view.grouped else ""
            filled = tuple(cell if cell.parts else none for cell in cells)
            built.append(ComparisonColumn(column.rater, filled, key, active_time_text(column.seconds), model))
    return Comparison(tuple(row for row, _cells in lines), tuple(built), (item.item.task, item.where))


def _cell(line: "_RowBuilder", item: ComparedItem, column: ReviewEntry | AnswerGroup) -> ComparisonCell:
    if isinstance(column, AnswerGroup):
        if line.pooled is None:
            return ComparisonCell()
        key = line.row.id, column.name, column.votes
        if key not in item.pooled or line.cell is None:
            people = (item.ratings.get(entry.rater) for entry in column.entries if not entry.model)
            item.pooled[key] = line.pooled(column, [of for of in people if of is not None])
        return item.pooled[key]
    of = item.ratings.get(column.rater)
    return line.cell(column, of) if line.cell is not None and of is not None else ComparisonCell()


def _group_column(
    item: ComparedItem, group: AnswerGroup, number: int, cells: tuple[ComparisonCell, ...]
) -> ComparisonColumn:
    mark, tone, text = group_look(group, item.looks)
    # A label without a shape may be a number itself.
    title = translate("Review", "{n} {label}")
    if not mark:
        single, several = translate("Review", "{label}: 1 rater"), translate("Review", "{label}: {n} raters")
        title = single if group.votes == 1 else several
    title = title.format(n=formatting.number(group.votes), label=text)
    seconds = group.median_seconds
    aside = translate("Review", "median {time}").format(time=clock_text(seconds)) if seconds is not None else ""
    key = group_key(item.looks, group.label, number) if group.label is not None else ""
    return ComparisonColumn("", cells, key, aside, title=title, mark=mark, tone=tone, group=group.name)


def group_look(group: AnswerGroup, looks: LabelLooks) -> tuple[str, str, str]:
    """Return the shape, the tone and the text of a group's label."""
    if group.skipped:
        return "skipped", "", translate("Review", "skipped")
    if group.label is None:
        return "nothing", "", translate("Review", "without a label")
    look = looks.look(group.label.question, group.label.value)
    return (look.shape, look.tone, looks.text(group.label)) if look else ("", "", looks.text(group.label))


def group_key(looks: LabelLooks, label: Label, number: int) -> str:
    """Return the key of a group: that of its label if the labels have digits, else the number of the group."""
    keys = looks.keys(label.question)
    if any(key.isdigit() for key in keys.values()):
        return keys.get(label.value, "")
    return str(number) if number <= MAX_RATER_KEYS else ""


def hidden_comparison(text: str, name: tuple[str, str]) -> Comparison:
    """Return a comparison that shows neither who rated a place nor how many, while the lead has not answered."""
    row = ComparisonRow("blind", translate("Review", "Answers"))
    cell = ComparisonCell((CellPart(text, NONE_INK),))
    return Comparison((row,), (ComparisonColumn(translate("Review", "Raters"), (cell,)),), name)


@dataclass(frozen=True)
class _RowBuilder:
    row: ComparisonRow
    cell: Callable[[ReviewEntry, RaterOnTask], ComparisonCell] | None
    always: bool = False
    pooled: Callable[[AnswerGroup, Sequence[RaterOnTask]], ComparisonCell] | None = None


def _row_builders(item: ComparedItem, view: ComparisonView) -> Iterator[_RowBuilder]:
    where, task = item.where, item.task
    differ = len({entry.label.value for entry in item.item.entries if entry.label is not None and not entry.model})
    note = translate("Review", "{n} labels").format(n=formatting.number(differ)) if differ > 1 else ""
    head = translate("Review", "Label")
    if item.label is not None and not item.label.closing:
        head = item.looks.title(item.label.id)
    yield _RowBuilder(ComparisonRow("label", head, note), lambda entry, of: _label_cell(item, entry, of), always=True)
    yield _RowBuilder(ComparisonRow("gold", translate("Review", "Gold")), lambda entry, _of: _gold_cell(item, entry))
    for judged in (judged for judged in item.others if judged.decisive):  # judgements that do not lead to the label
        yield _RowBuilder(
            ComparisonRow(judged.id, item.looks.title(judged.id), _difference_note(item, judged)),
            _answer_cell(item, judged),
            pooled=lambda _group, raters, judged=judged: values_cell(raters, where, judged, item.looks),
        )
    yield _RowBuilder(
        ComparisonRow("rests", translate("Review", "Based on")),
        lambda _entry, of: _basis_cell(item, of),
        pooled=lambda _group, raters: bases_cell([_bases(item, of) for of in raters]),
    )
    yield _RowBuilder(
        ComparisonRow("claims", translate("Review", "Claims")), lambda _entry, of: claims_cell(task, of, where)
    )
    if _takes_evidence(item):
        evidence = ComparisonRow("evidence", translate("Review", "Evidence"))
        yield _RowBuilder(
            evidence,
            lambda _entry, of: evidence_cell(of, where),
            True,
            pooled=lambda _group, raters: pages_cell(raters, where),
        )
    links = ComparisonRow("links", translate("Review", "Links"))
    yield _RowBuilder(links, lambda _entry, of: links_cell(of, where))
    reused = ComparisonRow("reused", translate("Review", "Answers taken over"))
    yield _RowBuilder(reused, lambda _entry, of: reused_cell(of, where))
    research = ComparisonRow("research", translate("Review", "Research"))
    yield _RowBuilder(research, lambda _entry, of: research_cell(of, where))
    comment = ComparisonRow("comment", translate("Review", "Comment"))
    yield _RowBuilder(
        comment,
        lambda _entry, of: comments_cell(of, where),
        True,
        lambda _group, raters: pooled_comments_cell(
            [(of.rater, text) for of in raters for _question, text in written_texts(of, where)], len(raters)
        ),
    )
    yield _RowBuilder(
        ComparisonRow("raters", translate("Review", "Raters")),
        None,
        pooled=lambda group, _raters: raters_cell(group, view.raters, unfolded=group.name == view.unfolded),
    )
    yield from _record_rows(item)


def _record_rows(item: ComparedItem) -> Iterator[_RowBuilder]:
    """Yield what a rater alone has: notes, warnings, changes, revisions, signature and verdict."""
    where, task = item.where, item.task
    if any(of.rating.display_order for of in task.raters):
        shown_first = ComparisonRow("shown_first", translate("Review", "Shown first"))
        yield _RowBuilder(shown_first, lambda _entry, of: _text_cell(_shown_first(of)))
    yield _RowBuilder(
        ComparisonRow("note", translate("Review", "Note to the lead")), lambda _entry, of: _text_cell(of.rating.note)
    )
    warnings = ComparisonRow("warnings", translate("Review", "Warnings"))
    yield _RowBuilder(warnings, lambda _entry, of: warnings_cell(of, where), always=True)
    changed = ComparisonRow("changed", translate("Review", "Changes since return"))
    yield _RowBuilder(changed, lambda entry, of: _changed_cell(item, entry, of))
    yield _RowBuilder(
        ComparisonRow("revisions", translate("Review", "Revisions")), lambda _entry, of: revisions_cell(of), True
    )
    if any(of.signing is not None and of.signing.kind != "unsigned" for of in task.raters):
        signed = ComparisonRow("signature", translate("Review", "Signed"))
        yield _RowBuilder(signed, lambda _entry, of: signature_cell(of))
    yield _RowBuilder(
        ComparisonRow("verdict", translate("Review", "Verdict")), lambda entry, _of: verdict_cell(entry), True
    )


def _takes_evidence(item: ComparedItem) -> bool:
    return any(item.where in of.outcome.evidence for of in item.task.raters) or any(
        of.received.digest.evidence.get(item.where) for of in item.task.raters
    )


def _difference_note(item: ComparedItem, judged: JudgedQuestion) -> str:
    people = [of for of in item.task.raters if not of.model]
    given = {judged.value(of.received.digest.values.get(item.where, {})) for of in people} - {None}
    return translate("Review", "{n} values").format(n=formatting.number(len(given))) if len(given) > 1 else ""


def _shown_first(of: RaterOnTask) -> str:
    """Return which response the rater saw first: one in the reverse order had the letter of the other."""
    letters = [response_letter(response.id) for response in of.task.responses]
    if of.rating.display_order is None or len(letters) == 1:
        return translate("Review", "Response {name}").format(name=letters[0])
    text = translate("Review", "Response {name}, seen as {letter}")
    return text.format(name=letters[1], letter=letters[0])


def _text_cell(text: str) -> ComparisonCell:
    return ComparisonCell((CellPart(text),)) if text.strip() else ComparisonCell()


def _label_cell(item: ComparedItem, entry: ReviewEntry, of: RaterOnTask) -> ComparisonCell:
    if entry.skipped or of.rating.skipped is not None:
        skipped = of.rating.skipped
        reason = skip_reason_text(skipped.reason) if skipped is not None else ""
        text = translate("Review", "Skipped: {why}").format(why=reason) if reason else translate("Review", "Skipped")
        parts = [CellPart(text, bold=True, small=False, mark="skipped")]
        if skipped is not None and skipped.comment:
            parts.append(CellPart(skipped.comment, NONE_INK, deep=True))
        return ComparisonCell(tuple(parts))
    if entry.label is None:
        return ComparisonCell((CellPart(translate("Review", "No label"), NONE_INK, small=False),))
    look = item.looks.look(entry.label.question, entry.label.value)
    mark, tone = (look.shape, look.tone) if look is not None else ("", "")
    parts = [CellPart(item.looks.text(entry.label), bold=True, small=False, mark=mark, tone=tone)]
    for judged in item.others:
        value = None if judged.decisive else judged.value(of.received.digest.values.get(item.where, {}))
        if value is not None and _follows_label(item, judged):
            question = item.task.rubric.questions[judged.question].question
            text = f"{question_subject(question)} {judged.text_of(value).lower()}"
            parts.append(CellPart(text, NONE_INK, deep=bool(mark)))
    return ComparisonCell(tuple(parts))


def _follows_label(item: ComparedItem, judged: JudgedQuestion) -> bool:
    """Return whether a question is asked because of the label (a severity, for example)."""
    relevant = item.task.rubric.questions[judged.question].question.relevant
    return item.label is not None and item.label.question in relevant


def _gold_cell(item: ComparedItem, entry: ReviewEntry) -> ComparisonCell:
    gold = item.item.gold
    if not gold or entry.label is None:
        return ComparisonCell()
    if entry.label in gold:
        return ComparisonCell((CellPart(translate("Review", "Same"), mark="done"),))
    labels = ", ".join(item.looks.text(label) for label in gold)
    text = translate("Review", "Differs: gold is {label}").format(label=labels)
    return ComparisonCell((CellPart(text, mark="failed"),))


def _answer_cell(item: ComparedItem, judged: JudgedQuestion) -> Callable[[ReviewEntry, RaterOnTask], ComparisonCell]:
    def cell(_entry: ReviewEntry, of: RaterOnTask) -> ComparisonCell:
        value = judged.value(of.received.digest.values.get(item.where, {}))
        if value is None:
            return ComparisonCell()
        look = item.looks.look(judged.id, value)
        question = item.task.rubric.questions[judged.question].question
        text = judged.text_of(value)
        if question.kind == "choices":
            given = of.received.digest.values.get(item.where, {}).get(judged.question)
            text = format_answer(question, given)
        mark, tone = (look.shape, look.tone) if look is not None else ("", "")
        return ComparisonCell((CellPart(text, mark=mark, tone=tone),))

    return cell


def _basis_cell(item: ComparedItem, of: RaterOnTask) -> ComparisonCell:
    """Return the decision behind the label in the rubric's words, and the facts that led to it."""
    parts = [CellPart(text) for text in decision_messages(item.task.rubric, of, item.where)]
    counts = stance_counts(of, item.where)
    if counts is not None and any(counts):
        text = translate("Review", "{n} for, {m} against")
        parts.append(CellPart(text.format(n=formatting.number(counts[0]), m=formatting.number(counts[1])), NONE_INK))
    return ComparisonCell((*parts, *(CellPart(text, NONE_INK) for text in _facts(item, of))))


def _facts(item: ComparedItem, of: RaterOnTask) -> Iterator[str]:
    values = of.received.digest.values.get(item.where, {})
    for judged in item.others:
        value = None if judged.decisive or _follows_label(item, judged) else judged.value(values)
        if value is not None and (judged.id not in item.looks.closing or item.looks.closes(judged.id, value)):
            yield f"{item.looks.title(judged.id)}: {judged.text_of(value)}"


def _bases(item: ComparedItem, of: RaterOnTask) -> tuple[str, ...]:
    return decision_messages(item.task.rubric, of, item.where) or tuple(_facts(item, of))


def _changed_cell(item: ComparedItem, entry: ReviewEntry, of: RaterOnTask) -> ComparisonCell:
    if entry.rater not in item.changed:
        return ComparisonCell()
    changes = [change for change in item.changed[entry.rater] if _is_at(change, item.where)]
    if not changes:
        return ComparisonCell((CellPart(translate("Review", "Nothing here"), NONE_INK),))
    texts = dict.fromkeys(_difference(change, of, item.task.rubric) for change in changes)
    return ComparisonCell(tuple(CellPart(text, mark="part") for text in texts))


def _difference(difference: Difference, of: RaterOnTask, rubric: Rubric) -> str:
    """Describe a change and its previous value, without the target's name, which is shown above."""
    here = (
        replace(difference, place=TASK_PLACE) if difference.question and difference.place.claim is None else difference
    )
    text, before = difference_text(here, of.task, rubric), previous_answer_text(difference, rubric)
    return translate("Review", "{words}, before: {before}").format(words=text, before=before) if before else text


def _is_at(difference: Difference, where: str) -> bool:
    kind, _, name = where.partition("/")
    place = difference.place
    if kind == "targets":
        return place.target == name
    if kind == "responses":
        return place.response == name and place.target is None
    return place.response is None and place.target is None


def verdict_cell(entry: ReviewEntry) -> ComparisonCell:
    """Return the lead's verdict with its reason."""
    verdict = entry.verdict
    if verdict is None or verdict.kind == "none":
        return ComparisonCell((CellPart(translate("Review", "Not yet"), NONE_INK, small=False),))
    mark = VERDICT_MARKS.get(verdict.kind, "")
    parts = [CellPart(verdict_text(verdict.kind), bold=not entry.outdated, small=False, mark=mark)]
    if entry.outdated:
        parts.append(CellPart(translate("Review", "For an earlier rating"), "warn", deep=True))
    if verdict.reason:
        parts.append(CellPart(return_reason_text(verdict.reason), NONE_INK, deep=True))
    if verdict.comment:
        parts.append(CellPart(formatting.quoted(verdict.comment), NONE_INK, deep=True))
    return ComparisonCell(tuple(parts))
