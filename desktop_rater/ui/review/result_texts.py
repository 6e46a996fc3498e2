"""The state of a bundle's results as rows and sentences: what has arrived, and what is missing."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QCoreApplication

from desktop_rater.audit.results import (
    CopyState,
    HeldResults,
    QuarantineReason,
    ReceivedResults,
    ResultsDecision,
    ResultsSignature,
)
from desktop_rater.audit.status import AuditStatus, RaterState, TaskRatings
from desktop_rater.format.hub_names import fingerprint
from desktop_rater.operations.audit.audit_status import RaterKeyState, ReceivedOverview
from desktop_rater.operations.audit.import_results import ImportedResults, RefusedFile
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.widgets.list_view import ListRow

translate = QCoreApplication.translate
MAX_NAMES, MAX_NAME_LENGTH = 5, 80


def _count_text(count: int, singular: str, plural: str) -> str:
    """Return the text for a count; empty for none."""
    return "" if not count else singular if count == 1 else plural.format(n=formatting.number(count))


def joined_names(names: tuple[str, ...], most: int = MAX_NAMES) -> str:
    """Return a few names, and the number of the others."""
    text = ", ".join(isolated(name[:MAX_NAME_LENGTH]) for name in names[:most])
    more = len(names) - most
    return (
        translate("Results", "{names} and {n} more").format(names=text, n=formatting.number(more)) if more > 0 else text
    )


def status_summary(status: AuditStatus) -> str:
    """Return a sentence on the completeness of the results, with their counts."""
    raters = sum(bool(rater.ratings or not rater.held) for rater in status.raters)
    parts = (
        _count_text(raters, translate("Results", "1 rater"), translate("Results", "{n} raters")),
        _count_text(status.tasks, translate("Results", "1 task"), translate("Results", "{n} tasks")),
        _count_text(status.ratings, translate("Results", "1 rating"), translate("Results", "{n} ratings")),
    )
    counts = ", ".join(filter(None, parts))
    missing = _missing_text(status)
    if not missing:
        return translate("Results", "The results are complete: {counts}.").format(counts=counts)
    text = translate("Results", "The results are incomplete: {what}. So far: {counts}.")
    return text.format(counts=counts, what=missing)


def cautions_text(status: AuditStatus) -> str:
    """Return sentences on what keeps the figures from being final, besides forks and a missing copy of the bundle."""
    sentences = []
    for caution in status.cautions:
        if caution.kind == "held":
            sentences.append(waiting_text(caution.count))
        elif caution.kind == "unsigned":
            singular = translate("Results", "1 result counts by your decision, although no known key has signed it.")
            plural = translate("Results", "{n} results count by your decision, although no known key has signed them.")
            sentences.append(_count_text(caution.count, singular, plural))
        elif caution.kind == "look-alike":
            text = translate("Results", "These ids look alike: {raters}.")
            sentences.append(text.format(raters=joined_names(caution.raters)))
    return " ".join(sentences[:MAX_NAMES])


def waiting_text(count: int) -> str:
    """Return the number of results that wait for the lead as a sentence; empty for none."""
    singular = translate("Results", "1 result waits for your decision and counts for nothing.")
    plural = translate("Results", "{n} results wait for your decision and count for nothing.")
    return _count_text(count, singular, plural)


def _missing_text(status: AuditStatus) -> str:
    raters = [rater for rater in status.raters if not rater.whole]
    lacking = sum(rater.lacks for rater in status.raters)
    parts = [
        _count_text(
            len(raters),
            translate("Results", "1 rater is not complete"),
            translate("Results", "{n} raters are not complete"),
        ),
        _count_text(
            lacking, translate("Results", "1 rating is missing"), translate("Results", "{n} ratings are missing")
        ),
        _count_text(len(status.forks), translate("Results", "1 fork"), translate("Results", "{n} forks")),
        _count_text(
            len(status.short),
            translate("Results", "1 task lacks raters"),
            translate("Results", "{n} tasks lack raters"),
        ),
    ]
    return ", ".join(part for part in parts if part)


def outgoing_summary(unsent: int, out: int) -> str:
    """Return the number of verdicts not sent yet, and of tasks sent back and not returned."""
    parts = (
        _count_text(unsent, translate("Results", "1 verdict not sent"), translate("Results", "{n} verdicts not sent")),
        _count_text(
            out, translate("Results", "1 task not returned yet"), translate("Results", "{n} tasks not returned yet")
        ),
    )
    return ", ".join(part for part in parts if part)


def rater_line(rater: RaterState) -> ListRow:
    """Return the row of a rater: ratings received, and what is missing."""
    count = formatting.number(rater.ratings)
    of = translate("Results", "{n} of {due}").format(n=count, due=formatting.number(rater.due)) if rater.due else count
    details = _rater_details(rater)
    whole = rater.whole
    state = (
        translate("Results", "waits")
        if rater.held
        else translate("Results", "complete")
        if whole
        else translate("Results", "not complete")
        if rater.results
        else translate("Results", "no results")
    )
    return ListRow(
        rater.rater,
        rater.rater[:MAX_NAME_LENGTH],
        end=of,
        detail=details or state,
        mark="warns" if needs_attention(rater) else "done" if whole else "part" if rater.results else "todo",
        state=state,
    )


def _rater_details(rater: RaterState) -> str:
    lacking = (
        translate("Results", "missing: {tasks}").format(tasks=joined_names(rater.lacking)) if rater.lacking else ""
    )
    if rater.lacks and not rater.lacking:
        lacking = _count_text(
            rater.lacks, translate("Results", "1 task missing"), translate("Results", "{n} tasks missing")
        )
    nothing = translate("Results", "no results") if not rater.results else ""
    forked = (
        translate("Results", "two results differ for {tasks}").format(tasks=joined_names(rater.forked))
        if rater.forked
        else ""
    )
    stale = (
        translate("Results", "rated another version of {tasks}").format(tasks=joined_names(rater.stale))
        if rater.stale
        else ""
    )
    before = _count_text(
        len(rater.unknown_before),
        translate("Results", "follows results that are missing"),
        translate("Results", "{n} follow results that are missing"),
    )
    signed = signing_text(rater.signing) if rater.signing is not None else ""
    doubt, calm = (signed, "") if has_doubtful_signature(rater) else ("", signed)
    strange = (
        translate("Results", "rated {tasks} without being assigned").format(tasks=joined_names(rater.strange))
        if rater.strange
        else ""
    )
    earlier = _count_text(
        rater.earlier, translate("Results", "1 rating replaced"), translate("Results", "{n} ratings replaced")
    )
    skipped = _count_text(rater.skipped, translate("Results", "1 skipped"), translate("Results", "{n} skipped"))
    held = _count_text(
        rater.held,
        translate("Results", "1 result waits for your decision"),
        translate("Results", "{n} results wait for your decision"),
    )
    parts = (
        held,
        doubt,
        nothing or lacking,
        forked,
        stale,
        before,
        strange,
        skipped,
        earlier,
        calm,
        outgoing_summary(rater.unsent, len(rater.out)),
        translate("Results", "a model") if rater.model else "",
        translate("Results", "practice") if rater.practice else "",
    )
    return "; ".join(part for part in parts if part)


def has_doubtful_signature(rater: RaterState) -> bool:
    """Return whether a rater's signature needs attention."""
    return rater.signing is not None and rater.signing.needs_attention


def needs_attention(rater: RaterState) -> bool:
    """Return whether a rater's signature is doubtful, or results of the rater wait for the lead."""
    return bool(rater.held) or has_doubtful_signature(rater)


def doubtful_signatures_text(status: AuditStatus) -> str:
    """Return a sentence with the number of raters whose signatures need attention."""
    count = sum(map(has_doubtful_signature, status.raters))
    singular = translate("Results", "The signature of 1 rater needs attention.")
    return _count_text(count, singular, translate("Results", "The signatures of {n} raters need attention."))


def signing_text(signing: ResultsSignature) -> str:
    """Return the state of a rater's signature; empty where none is expected."""
    key = fingerprint(signing.key)
    return {
        "own": translate("Results", "signed, {key}"),
        "keyless": translate("Results", "signed, {key}; no key of this rater is known"),
        "strange": translate("Results", "signed with a key that this rater has not published, {key}"),
        "dropped": translate("Results", "unsigned, although this rater signs results"),
        "altered": translate("Results", "altered since it was signed"),
    }.get(signing.kind, "").format(key=key)


def task_line(task: TaskRatings) -> ListRow:
    """Return the row of a task with fewer ratings than most."""
    who = translate("Results", "missing: {raters}").format(raters=joined_names(task.lacking)) if task.lacking else ""
    return ListRow(
        task.task,
        task.task[:MAX_NAME_LENGTH],
        end=_count_text(task.ratings, translate("Results", "1 rating"), translate("Results", "{n} ratings")),
        detail=who
        or (
            translate("Results", "not rated yet")
            if not task.ratings
            else translate("Results", "fewer ratings than other tasks")
        ),
        mark="part" if task.ratings else "todo",
    )


def refused_line(index: int, refused: RefusedFile) -> ListRow:
    """Return the row of a rejected file, with the reason."""
    title = "" if refused.title.startswith(refused.file) and refused.message else f"{refused.title.rstrip('.')}."
    why = " ".join(filter(None, (title, refused.message, refused.hint)))
    return ListRow(
        f"{index}", refused.file[:MAX_NAME_LENGTH], detail=why, mark="blocked", state=translate("Results", "refused")
    )


def import_summary(opened: ImportedResults) -> str:
    """Return a sentence on what an import brought."""
    fresh = [file for file in opened.took if not file.known]
    present = len(opened.took) - len(fresh) + sum(file.known for file in opened.copies)
    copies = len(opened.copies) - sum(file.known for file in opened.copies)
    keys = sum(not file.known for file in opened.keys)
    parts = [
        _count_text(len(fresh), translate("Results", "1 new result"), translate("Results", "{n} new results")),
        _count_text(copies, translate("Results", "1 bundle imported"), translate("Results", "{n} bundles imported")),
        _count_text(keys, translate("Results", "1 new public key"), translate("Results", "{n} new public keys")),
        _count_text(
            present, translate("Results", "1 file already present"), translate("Results", "{n} files already present")
        ),
        _count_text(
            len(opened.refused), translate("Results", "1 file refused"), translate("Results", "{n} files refused")
        ),
    ]
    text = ", ".join(part for part in parts if part)
    text = f"{formatting.capitalized(text)}." if text else translate("Results", "No new results.")
    if not opened.passed_over:
        return text
    passed_over = translate("Results", "Neither results nor bundles: {names}.")
    return f"{text} {passed_over.format(names=joined_names(opened.passed_over))}"


MAX_TASKS, MAX_REASON_LENGTH = 40, 2_000
RESULTS, KEY, COPY = "results", "key", "copy"  # kinds of rows
WAITS = "warns"  # the mark of a row that waits for the lead
RowId = tuple[str, ...]  # kind, then the SHA-256 of results, rater and key, or the revision of a copy


def decision_rows(overview: ReceivedOverview) -> list[ListRow]:
    """Return a row for each results zip and key: what waits for the lead, then what was decided, then the rest."""
    held = {entry.results.sha256: entry for entry in overview.status.held}
    counting = [entry for entry in overview.status.received if entry.sha256 not in held]
    by_word = [entry for entry in counting if rater_decision(overview, entry) is not None]
    earlier = {entry.supersedes for entry in counting if not entry.rework}
    groups = (
        (
            translate("Results", "Waiting for your decision"),
            [
                *(_key_row(state) for state in overview.keys if state.kind == "waits"),
                *(_held_row(entry) for entry in held.values() if entry.held),
            ],
        ),
        (
            translate("Results", "Decided by a lead"),
            [
                *(_held_row(entry) for entry in held.values() if not entry.held),
                *(_results_row(entry, decision_text(overview.raters[entry.rater], whole=True)) for entry in by_word),
            ],
        ),
        (
            translate("Results", "Counting"),
            [
                _results_row(entry, translate("Results", "followed by later results") * (entry.sha256 in earlier))
                for entry in counting
                if entry not in by_word
            ],
        ),
        (
            translate("Results", "Keys of the raters"),
            [_key_row(state) for state in overview.keys if state.kind != "waits"],
        ),
        (translate("Results", "Your copies of the bundle"), [_copy_row(state) for state in reversed(overview.copies)]),
    )
    return [row for title, rows in groups for row in _group(title, rows)]


def short_name(name: str) -> str:
    """Return a foreign name on one line, cut where it is too long."""
    return isolated(name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…")


def _group(title: str, rows: Sequence[ListRow]) -> Iterator[ListRow]:
    if rows:
        yield ListRow(title, title, end=formatting.number(len(rows)), heading=True)
        yield from rows


def rater_decision(overview: ReceivedOverview, results: ReceivedResults) -> ResultsDecision | None:
    """Return the decision on a rater by which results count, although no key of the rater is known."""
    signs = any(state.rater == results.rater for state in overview.keys)
    return None if results.model or signs else overview.raters.get(results.rater)


def _held_row(entry: HeldResults) -> ListRow:
    reasons = "; ".join(short_reason(reason) for reason in entry.reasons)
    if entry.held or entry.decision is None:
        return _results_row(entry.results, reasons, mark=WAITS, state=translate("Results", "waits"))
    mark = "done" if entry.admitted else "failed"
    return _results_row(entry.results, decision_text(entry.decision), mark=mark)


def _results_row(results: ReceivedResults, detail: str, *, mark: str = "done", state: str = "") -> ListRow:
    tasks = translate("Results", "1 task") if results.tasks == 1 else translate("Results", "{n} tasks")
    end = translate("Results", "revision {n}, {tasks}").format(
        n=formatting.number(results.revision), tasks=tasks.format(n=formatting.number(results.tasks))
    )
    file = short_name(results.file)
    parts = (detail, file) if detail else (file,)
    title = results.rater[:MAX_NAME_LENGTH]
    return ListRow((RESULTS, results.sha256), title, end=end, detail=" · ".join(parts), mark=mark, state=state)


def _key_row(state: RaterKeyState) -> ListRow:
    waits = state.kind == "waits"
    title = translate("Results", "Another key of {rater}") if waits else translate("Results", "Key of {rater}")
    mark = WAITS if waits else "done" if state.kind == "introduced" else "failed"
    return ListRow(
        (KEY, state.rater, state.key),
        title.format(rater=short_name(state.rater)),
        end=fingerprint(state.key),
        detail=key_state_text(state),
        mark=mark,
    )


def _copy_row(state: CopyState) -> ListRow:
    tasks = formatting.number(len(state.copy.tasks))
    return ListRow(
        (COPY, str(state.copy.revision)),
        translate("Results", "Revision {n}").format(n=formatting.number(state.copy.revision)),
        end=translate("Results", "{n} tasks").format(n=tasks),
        detail=copy_text(state),
        mark="done" if state.decision is None else "failed",
    )


def copy_sentence(state: CopyState) -> str:
    """Return everything known about a copy, and what it is for."""
    use = translate("Results", "Results are compared with the highest revision that is not put away.")
    return f"{_sentence(copy_text(state))}\n{use}"


def copy_text(state: CopyState) -> str:
    """Return who brought a copy in, or who put it away, and why."""
    if state.decision is None:
        text = translate("Results", "brought in by {lead} on {day}")
        return text.format(lead=short_name(state.lead), day=formatting.day_text(state.arrived))
    text = translate("Results", "put away by {lead} on {day}: {reason}")
    return _decided(text, state.decision)


def key_state_text(state: RaterKeyState) -> str:
    """Return the last decision on a key."""
    reason = isolated(state.reason[:MAX_REASON_LENGTH])
    if state.introducer:
        text = translate("Results", "signed for by {key}, which was called back on {day}; waits for your decision")
        return text.format(key=fingerprint(state.introducer), day=formatting.day_text(state.decided))
    if state.kind == "waits":
        day = formatting.day_text(state.seen)
        return translate("Results", "first seen on {day}; what it signs waits for your decision").format(day=day)
    if not state.by:
        return translate("Results", "introduced when it was first seen")
    text = (
        translate("Results", "introduced by {lead} on {day}: {reason}")
        if state.kind == "introduced"
        else translate("Results", "called back by {lead} on {day}: {reason}")
    )
    return text.format(lead=short_name(state.by), day=formatting.day_text(state.decided), reason=reason)


def decision_text(decision: ResultsDecision, *, whole: bool = False) -> str:
    """Return who decided so, when, and why. `whole`: the decision is on all results of the rater."""
    if whole:
        text = translate("Results", "all results of this rater admitted by {lead} on {day}: {reason}")
    elif decision.kind == "admitted":
        text = translate("Results", "admitted by {lead} on {day}: {reason}")
    else:
        text = translate("Results", "taken out by {lead} on {day}: {reason}")
    return _decided(text, decision)


def _decided(text: str, decision: ResultsDecision) -> str:
    lead, reason = short_name(decision.lead), isolated(decision.reason[:MAX_REASON_LENGTH])
    return text.format(lead=lead, day=formatting.day_text(decision.changed), reason=reason)


def short_reason(reason: QuarantineReason) -> str:
    """Return in a few words what is against results."""
    text = {
        "revision": translate("Results", "later revision than yours"),
        "rubric": translate("Results", "another rubric"),
        "tasks": translate("Results", "unknown tasks: {tasks}"),
        "text": translate("Results", "another text of {tasks}"),
        "altered": translate("Results", "altered after signing"),
        "unsigned": translate("Results", "not signed"),
        "other-key": translate("Results", "signed with another key"),
        "no-key": translate("Results", "no key of this rater is known"),
        "not-assigned": translate("Results", "not assigned to this rater"),
        "model": translate("Results", "of a model, and not opened by you"),
    }[reason.kind]
    return text.format(tasks=joined_names(reason.tasks))


def whole_reason(reason: QuarantineReason, results: ReceivedResults, key: str) -> str:
    """Return what is against results as a sentence. `key`: the public key that signed them, if any."""
    text = {
        "revision": translate("Results", "They claim revision {revision} of the bundle, which is later than yours."),
        "rubric": translate("Results", "They were rated with another rubric than that of your copy."),
        "tasks": translate("Results", "Your copy of the bundle does not have these tasks: {tasks}."),
        "text": translate("Results", "The text of these tasks differs from your copy: {tasks}."),
        "altered": translate("Results", "Their signature is not of these results: they were altered after signing."),
        "unsigned": translate("Results", "They are not signed, although a key of this rater is known."),
        "other-key": translate("Results", "They are signed with {key}, which is not a valid key of this rater."),
        "no-key": translate("Results", "No key of this rater is known, while other raters of the bundle sign."),
        "not-assigned": translate("Results", "The signed assignments of the bundle do not name this rater."),
        "model": translate("Results", "They name a model as their rater, and anybody can make such results."),
    }[reason.kind]
    tasks = joined_names(reason.tasks, most=MAX_TASKS)
    return text.format(revision=formatting.number(results.revision), tasks=tasks, key=fingerprint(key))


def results_text(overview: ReceivedOverview, results: ReceivedResults) -> str:
    """Return everything known about received results: what is against them, the decision, and where they came from."""
    entry = next((entry for entry in overview.status.held if entry.results.sha256 == results.sha256), None)
    keys = {signing.results: signing.key for rater in overview.status.raters for signing in rater.signings}
    lines = []
    if entry is not None:
        reasons = [whole_reason(reason, results, keys.get(results.sha256, "")) for reason in entry.reasons]
        lines.append(" ".join(reasons))
        if entry.decision is not None:
            lines.append(_sentence(decision_text(entry.decision)))
        elif any(reason.kind == "rubric" for reason in entry.reasons):
            lines.append(translate("Results", "They can’t be admitted: open the bundle with that rubric instead."))
        elif any(reason.kind in {"text", "tasks"} for reason in entry.reasons):
            lines.append(translate("Results", "Even if admitted, they count only where the text is that of your copy."))
    else:
        decision = rater_decision(overview, results)
        unknown = translate("Results", "Without the bundle itself, these results can’t be compared with anything.")
        lines.append(translate("Results", "Nothing is against these results.") if overview.status.known else unknown)
        if decision is not None:
            lines.append(_sentence(decision_text(decision, whole=True)))
    if any(caution.kind == "look-alike" and results.rater in caution.raters for caution in overview.status.cautions):
        lines.append(_look_alike_text(results.rater))
    source = translate("Results", "File {file}, bundle {bundle}, SHA-256 {sha256}")
    lines.append(
        source.format(
            file=short_name(results.file),
            bundle=short_name(results.of),
            sha256=results.sha256[:12],
        )
    )
    return "\n".join(filter(None, lines))


def _look_alike_text(rater: str) -> str:
    characters = [f"{character} (U+{ord(character):04X})" for character in dict.fromkeys(rater[:MAX_NAME_LENGTH])]
    foreign = ", ".join(text for text in characters if not text.isascii())
    text = translate("Results", "The id of another rater looks like this one.")
    has = translate("Results", "This one has the characters {characters}.").format(characters=isolated(foreign))
    return f"{text} {has}" if foreign else text


def key_text(state: RaterKeyState) -> str:
    """Return everything known about a key of a rater."""
    text = translate("Results", "The key {key}: {state}").format(
        key=fingerprint(state.key), state=key_state_text(state)
    )
    lines = [_sentence(text)]
    if state.kind == "waits":
        lines.append(
            translate("Results", "Ask the rater by another way than the hub whether the key begins like this.")
        )
    return "\n".join(lines)


def _sentence(text: str) -> str:
    return f"{formatting.capitalized(text)}{'' if text.endswith(('.', '?', '!')) else '.'}"
