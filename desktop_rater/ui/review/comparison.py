"""Build the comparison of all raters at one place. Pure except for the language."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication

from desktop_rater.audit.items import ReviewEntry, ReviewItem, depth_of
from desktop_rater.audit.judged_questions import JudgedQuestion
from desktop_rater.audit.results import AuditedTask, RaterOnTask
from desktop_rater.model.difference import Difference
from desktop_rater.model.rating import CONTRADICTING, SUPPORTING, Evidence
from desktop_rater.model.signature import fingerprint
from desktop_rater.model.values import TASK_PLACE
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.evaluation import BY_CLAIMS
from desktop_rater.rubric.links import task_links
from desktop_rater.rubric.model_questions import reasons_at
from desktop_rater.rubric.research import entries_at, research_totals
from desktop_rater.rubric.wording import format_answer
from desktop_rater.text.urls import find_links, page_key
from desktop_rater.ui.pages.address_bar import display_host, split_url
from desktop_rater.ui.pages.stances import STANCE_MARKS, page_with_stance, verdict_name
from desktop_rater.ui.rating import target_state
from desktop_rater.ui.rating.form_bars import skip_reason_text
from desktop_rater.ui.rating.history_texts import difference_text, previous_answer_text
from desktop_rater.ui.rating.problem_fixes import question_subject
from desktop_rater.ui.rating.research import texts
from desktop_rater.ui.rating.returned_comments import return_reason_text
from desktop_rater.ui.review.cells import CellPart, Comparison, ComparisonCell, ComparisonColumn, ComparisonRow
from desktop_rater.ui.review.label_looks import LabelLooks
from desktop_rater.ui.review.texts import VERDICT_MARKS, active_time_text, verdict_text
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import isolated

translate = QCoreApplication.translate
QUIET_INK = "text2"
MAX_PAGES, MAX_EVIDENCE, MAX_CLAIMS = 4, 12, 12


def evidence_cell(of: RaterOnTask, where: str) -> ComparisonCell:
    """Return the evidence that counts at a place, then the pages opened for this task that are no evidence."""
    pieces = _counting_evidence(of, where)
    parts = [part for piece in pieces[:MAX_EVIDENCE] for part in _evidence_parts(piece)]
    if len(pieces) > MAX_EVIDENCE:
        more = translate("Review", "{n} more").format(n=formatting.number(len(pieces) - MAX_EVIDENCE))
        parts.append(CellPart(more, QUIET_INK))
    used_pages = {page_key(piece.url) for piece in of.rating.evidence}
    used_pages |= set(map(page_key, of.rating.links_counted))
    opened = [url for url in of.rating.links_opened if page_key(url) not in used_pages]
    if not pieces:
        none = (
            translate("Review", "None. No pages opened.")
            if not of.rating.links_opened
            else translate("Review", "None.")
        )
        parts.append(CellPart(none, QUIET_INK))
    if opened:
        text = translate("Review", "Pages opened but not used as evidence: {n}")
        parts.append(CellPart(text.format(n=formatting.number(len(opened))), QUIET_INK))
        parts += (CellPart(_address(url), url=url) for url in opened[:MAX_PAGES])
        if len(opened) > MAX_PAGES:
            parts.append(
                CellPart(
                    translate("Review", "{n} more").format(n=formatting.number(len(opened) - MAX_PAGES)), QUIET_INK
                )
            )
    return ComparisonCell(tuple(parts))


def links_cell(of: RaterOnTask, where: str) -> ComparisonCell:
    """Return the links of a place that the rater judged, or only counted as opened."""
    kind, _, name = where.partition("/")
    target = of.task.target(name) if kind == "targets" else None
    if target is not None:
        pages = set(map(page_key, find_links(target.quote or "")))
    else:
        all_of_task = not any(of.outcome.asked.get(f"responses/{response.id}") for response in of.task.responses)
        links = task_links(of.task, ())
        pages = {link.page for link in links if link.response == name or (kind == "task" and all_of_task)}
    parts = [
        CellPart(f"{verdict_name(verdict)}: {_address(page)}", mark=verdict, url=page)
        for page, verdict in of.rating.link_verdicts.items()
        if page_key(page) in pages
    ]
    template = translate("Review", "Counted, not opened: {page}")
    counted = [url for url in of.rating.links_counted if page_key(url) in pages]
    parts += (CellPart(template.format(page=_address(url)), mark="counted", url=url) for url in counted)
    return ComparisonCell(tuple(parts))


def _counting_evidence(of: RaterOnTask, where: str) -> list[Evidence]:
    return [piece for piece in of.rating.evidence if f"{where}/evidence/{piece.id}" in of.outcome.kept]


def evidence_at(of: RaterOnTask, where: str) -> tuple[Evidence, ...]:
    """Return the evidence of a place in display order."""
    return tuple(_counting_evidence(of, where))


def _address(url: str) -> str:
    parts = split_url(url)
    return f"{parts.host}{parts.rest}"[:80] if parts.host else url[:80]


def _evidence_parts(piece: Evidence) -> Iterator[CellPart]:
    title = " ".join(piece.title.split())
    host = display_host(piece.url)
    text = f"{title} ({host})" if title and title != host else _address(piece.url) or translate("Review", "No address")
    yield CellPart(page_with_stance(piece, text), mark=STANCE_MARKS.get(piece.stance, "nothing"), piece=piece)
    if piece.quote.strip():
        yield CellPart(formatting.quoted(piece.quote.strip()), QUIET_INK, deep=True)
    else:
        yield CellPart(translate("Review", "No quote"), "warn", deep=True)
    opened = translate("Review", "never opened")
    if piece.opened is not None:
        time = formatting.clock(datetime.fromisoformat(piece.opened).astimezone())
        opened = translate("Review", "opened {time}").format(time=time)
    stored = translate("Review", "page stored") if piece.snapshot else translate("Review", "page not kept")
    yield CellPart(f"{opened}, {stored}", QUIET_INK, deep=True)
    if piece.note.strip():
        yield CellPart(translate("Review", "Rater’s note: {text}").format(text=piece.note.strip()), barred=True)


def research_cell(of: RaterOnTask, where: str) -> ComparisonCell:
    """Return the totals of the research record at a place, its searches, and all of its rows as the tooltip."""
    kind, _, name = where.partition("/")
    place = (name, None) if kind == "targets" else (None, name or None)
    entries = entries_at(of.rating, *place)
    if not entries:
        return ComparisonCell()
    searches = [texts.entry_text(entry, timed=False) for entry in entries if entry.kind == "search"]
    parts = [CellPart(texts.summary_text(research_totals(of.rating, *place)))]
    parts += (CellPart(text, QUIET_INK) for text in searches[:MAX_PAGES])
    if len(searches) > MAX_PAGES:
        more = translate("Review", "{n} more").format(n=formatting.number(len(searches) - MAX_PAGES))
        parts.append(CellPart(more, QUIET_INK))
    return ComparisonCell(tuple(parts), details="\n".join(map(texts.entry_text, entries)))


def stance_counts(of: RaterOnTask, where: str) -> tuple[int, int] | None:
    """Count the evidence for and against; `None` where none is asked for."""
    if where not in of.outcome.evidence:
        return None
    stances = [piece.stance for piece in _counting_evidence(of, where)]
    return stances.count(SUPPORTING), stances.count(CONTRADICTING)


def decision_messages(rubric: Rubric, of: RaterOnTask, where: str) -> tuple[str, ...]:
    """Return the messages of the rubric's rules that decided here, including those of the claims."""
    messages = {row.id: row.message for row in rubric.file.decide}
    texts: dict[str, None] = {}
    for place, decided in of.outcome.decided.items():
        if place == where or place.startswith(f"{where}/claims/"):
            for decision in decided.values():
                text = (
                    translate("Review", "The lowest-rated of its claims.")
                    if decision.by == BY_CLAIMS
                    else messages.get(decision.by)
                )
                if text:
                    texts[text] = None
    return tuple(sorted(texts, key=lambda text: text != translate("Review", "The lowest-rated of its claims.")))


def claims_cell(task: AuditedTask, of: RaterOnTask, where: str) -> ComparisonCell:
    """Return the recorded claims of a target, each with its label and what else is combined of it."""
    kind, _, name = where.partition("/")
    if kind != "targets":
        return ComparisonCell()
    parts = []
    for claim in of.rating.claims.get(name, ())[:MAX_CLAIMS]:
        place = of.outcome.places.get(f"{where}/claims/{claim.id}")
        label = target_state.claim_label(task.rubric, of.outcome, place) if place is not None else None
        shape, tone = (label[1].shape, label[1].tone) if label is not None else ("todo", "")
        words = [label[1].label] if label is not None else []
        if place is not None and label is not None:
            combined = target_state.worst_labels(task.rubric, of.outcome, place, [claim])
            words += [choice.label for question, choice in combined if question.id != label[0].id]
        prefix = f"{', '.join(words)}: " if words else ""
        parts.append(CellPart(f"{prefix}{' '.join(claim.text.split())}", mark=shape or "done", tone=tone))
    return ComparisonCell(tuple(parts))


def comments_cell(of: RaterOnTask, where: str) -> ComparisonCell:
    """Return the texts written at a place, and a model's reasons; each with its question where there are several."""
    questions = of.outcome.asked.get(where, ())
    texts = [
        (answer.question, answer.value)
        for answer in questions
        if answer.question.kind == "text" and isinstance(answer.value, str) and answer.value.strip()
    ]
    reasons = reasons_at(of.rating, where) if of.model else {}
    if len(texts) == 1 and not reasons:
        return ComparisonCell((CellPart(texts[0][1]),))
    texts += [(item.question, reasons[item.question.id]) for item in questions if item.question.id in reasons]
    parts = []
    for question, text in texts:
        name = question_subject(question)
        parts += [CellPart(f"{name[:1].upper()}{name[1:]}:", QUIET_INK), CellPart(text)]
    return ComparisonCell(tuple(parts))


def warnings_cell(of: RaterOnTask, where: str) -> ComparisonCell:
    """Return the warnings at a place at submission, and the rater's acknowledgements."""
    acknowledgements = {
        (acknowledgement.rule, acknowledgement.where): acknowledgement for acknowledgement in of.rating.acknowledged
    }
    parts = []
    for problem in of.outcome.problems:
        if problem.level != "warn" or (problem.where != where and not problem.where.startswith(f"{where}/")):
            continue
        acknowledged = acknowledgements.get((problem.rule, problem.where))
        parts.append(CellPart(problem.message or problem.rule, "warn", mark="warns"))
        if acknowledged is not None:
            text = (
                translate("Review", "acknowledged: {text}")
                if acknowledged.comment
                else translate("Review", "acknowledged")
            )
            parts.append(CellPart(text.format(text=formatting.quoted(acknowledged.comment)), QUIET_INK, deep=True))
    return ComparisonCell(tuple(parts))


def signature_cell(of: RaterOnTask) -> ComparisonCell:
    """Return the state of the signature on the results that contained this rating."""
    signing = of.signing
    if signing is None:
        return ComparisonCell()
    key = fingerprint(signing.key)
    text = {
        "own": translate("Review", "{rater}, {key}").format(rater=isolated(of.rater[:60]), key=key),
        "keyless": translate("Review", "{key}. No key of this rater is known.").format(key=key),
        "strange": translate("Review", "Signed with a key that this rater has not published: {key}").format(key=key),
        "unsigned": translate("Review", "Unsigned"),
        "dropped": translate("Review", "Unsigned, although this rater signs results"),
        "altered": translate("Review", "Altered since it was signed"),
    }[signing.kind]
    return ComparisonCell(
        (CellPart(text, "warn", mark="warns") if signing.needs_attention else CellPart(text, QUIET_INK),)
    )


def revisions_cell(of: RaterOnTask) -> ComparisonCell:
    """Return how often the task was changed, and over what time."""
    count = len(of.history) or of.received.digest.revisions
    text = formatting.number(count)
    times = [revision.changed for revision in of.history]
    if len(times) > 1:
        first, last = (datetime.fromisoformat(moment).astimezone() for moment in (min(times), max(times)))
        end = formatting.clock(last) if first.date() == last.date() else formatting.day_and_clock(last)
        span = translate("Review", "{n}, {first} to {last}")
        text = span.format(n=text, first=formatting.day_and_clock(first), last=end)
    parts = [CellPart(text)]
    if of.earlier:
        again = translate("Review", "Earlier ratings of this task: {n}").format(n=formatting.number(len(of.earlier)))
        parts.append(CellPart(again, QUIET_INK))
    if of.forked:
        parts.append(CellPart(translate("Review", "This rater has another, conflicting rating"), "warn", mark="warns"))
    return ComparisonCell(tuple(parts))


MAX_RATER_KEYS = 9
NONE_INK = "text2"


@dataclass(frozen=True)
class ComparedItem:
    """One place of a task, with its list item. `changed`: rater → differences since the task was sent back."""

    task: AuditedTask
    item: ReviewItem
    looks: LabelLooks
    changed: dict[str, tuple[Difference, ...]]

    @property
    def where(self) -> str:
        return self.item.where

    @property
    def label(self) -> JudgedQuestion | None:
        """The question whose answer is the label of this place."""
        named = [entry.label.question for entry in self.item.entries if entry.label is not None]
        return self.looks.judged.get(named[0]) if named else None

    @property
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


def build_comparison(item: ComparedItem) -> Comparison:
    """Compare all raters of a task at one place, people before models. Rows without content are left out."""
    raters = [(entry, item.task.of(entry.rater)) for entry in item.item.entries]
    present = [(entry, of) for entry, of in raters if of is not None]
    lines = [(line, [line.cell(entry, of) for entry, of in present]) for line in _row_builders(item)]
    rows = [(line.row, cells) for line, cells in lines if line.always or any(cell.parts for cell in cells)]
    none = ComparisonCell((CellPart(translate("Review", "None"), NONE_INK),))
    columns = []
    for index, (entry, _of) in enumerate(present):
        column = tuple(cells[index] if cells[index].parts else none for _row, cells in rows)
        model = translate("Review", "a model") if entry.model else ""
        key = str(index + 1) if index < MAX_RATER_KEYS else ""
        columns.append(ComparisonColumn(entry.rater, column, key, active_time_text(entry.seconds), model))
    return Comparison(tuple(row for row, _cells in rows), tuple(columns), (item.item.task, item.where))


def hidden_comparison(text: str, name: tuple[str, str]) -> Comparison:
    """Return a comparison that shows neither who rated a place nor how many, while the lead has not answered."""
    row = ComparisonRow("blind", translate("Review", "Answers"))
    cell = ComparisonCell((CellPart(text, NONE_INK),))
    return Comparison((row,), (ComparisonColumn(translate("Review", "Raters"), (cell,)),), name)


@dataclass(frozen=True)
class _RowBuilder:
    row: ComparisonRow
    cell: Callable[[ReviewEntry, RaterOnTask], ComparisonCell]
    always: bool = False


def _row_builders(item: ComparedItem) -> Iterator[_RowBuilder]:
    where, task = item.where, item.task
    differ = len({entry.label.value for entry in item.item.entries if entry.label is not None and not entry.model})
    note = translate("Review", "{n} differ").format(n=formatting.number(differ)) if differ > 1 else ""
    head = translate("Review", "Label")
    if item.label is not None and not item.label.closing:
        head = item.looks.title(item.label.id)
    yield _RowBuilder(ComparisonRow("label", head, note), lambda entry, of: _label_cell(item, entry, of), always=True)
    yield _RowBuilder(ComparisonRow("gold", translate("Review", "Gold")), lambda entry, _of: _gold_cell(item, entry))
    for judged in (judged for judged in item.others if judged.decisive):  # judgements that do not lead to the label
        yield _RowBuilder(
            ComparisonRow(judged.id, item.looks.title(judged.id), _difference_note(item, judged)),
            _answer_cell(item, judged),
        )
    yield _RowBuilder(ComparisonRow("rests", translate("Review", "Based on")), lambda _entry, of: _basis_cell(item, of))
    yield _RowBuilder(
        ComparisonRow("claims", translate("Review", "Claims")), lambda _entry, of: claims_cell(task, of, where)
    )
    if _takes_evidence(item):
        evidence = ComparisonRow("evidence", translate("Review", "Evidence"))
        yield _RowBuilder(evidence, lambda _entry, of: evidence_cell(of, where), always=True)
    links = ComparisonRow("links", translate("Review", "Links"))
    yield _RowBuilder(links, lambda _entry, of: links_cell(of, where))
    research = ComparisonRow("research", translate("Review", "Research"))
    yield _RowBuilder(research, lambda _entry, of: research_cell(of, where))
    comment = ComparisonRow("comment", translate("Review", "Comment"))
    yield _RowBuilder(comment, lambda _entry, of: comments_cell(of, where), always=True)
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
    return translate("Review", "{n} differ").format(n=formatting.number(len(given))) if len(given) > 1 else ""


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
    messages = decision_messages(item.task.rubric, of, item.where)
    parts = [CellPart(text) for text in messages]
    counts = stance_counts(of, item.where)
    if counts is not None and any(counts):
        text = translate("Review", "{n} for, {m} against")
        parts.append(CellPart(text.format(n=formatting.number(counts[0]), m=formatting.number(counts[1])), NONE_INK))
    values = of.received.digest.values.get(item.where, {})
    for judged in item.others:
        value = None if judged.decisive or _follows_label(item, judged) else judged.value(values)
        if value is not None and (judged.id not in item.looks.closing or item.looks.closes(judged.id, value)):
            parts.append(CellPart(f"{item.looks.title(judged.id)}: {judged.text_of(value)}", NONE_INK))
    return ComparisonCell(tuple(parts))


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
