"""Rows and sentences on received results and keys: what counts, what waits for the lead, and what was decided."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QCoreApplication

from desktop_rater.audit.results import CopyState, HeldResults, QuarantineReason, ReceivedResults, ResultsDecision
from desktop_rater.model.signature import fingerprint
from desktop_rater.ui.review.result_texts import MAX_NAME_LENGTH, joined_names
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.widgets.list_view import ListRow
from desktop_rater.work.audit.audit_status import RaterKeyState, ReceivedOverview

translate = QCoreApplication.translate
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
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"
