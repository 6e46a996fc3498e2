"""The state of a bundle's results as rows and sentences: what has arrived, and what is missing."""

from PySide6.QtCore import QCoreApplication

from desktop_rater.audit.results import ResultsSignature
from desktop_rater.audit.status import AuditStatus, RaterState, TaskRatings
from desktop_rater.model.signature import fingerprint
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.widgets.list_view import ListRow
from desktop_rater.work.audit.import_results import ImportedResults, RefusedFile

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
    text = f"{text[:1].upper()}{text[1:]}." if text else translate("Results", "No new results.")
    if not opened.passed_over:
        return text
    passed_over = translate("Results", "Neither results nor bundles: {names}.")
    return f"{text} {passed_over.format(names=joined_names(opened.passed_over))}"
