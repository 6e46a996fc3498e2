"""Convert files of a public format to a bundle, and the ratings in them to a ratings file."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.bundle.archive import GOLD
from desktop_rater.bundle.errors import BundleError
from desktop_rater.bundle.jsonl import write_lines
from desktop_rater.bundle.make import make_bundle
from desktop_rater.bundle.safe_zip import LIMITS
from desktop_rater.model.change import Progress
from desktop_rater.model.rating import Rating
from desktop_rater.model.strict_json import MAX_DEPTH, canonical_json, read_json_object, read_struct, to_plain
from desktop_rater.model.task import Task
from desktop_rater.plugins.convert.conversion import ConvertedRecord, OmittedRecord, fit_to_rubric, nesting_depth
from desktop_rater.plugins.convert.maps.record_map import LabelUse
from desktop_rater.plugins.convert.public_formats import FORMATS
from desktop_rater.plugins.convert.source import SourceRecords
from desktop_rater.rubric import Rubric, check_rating
from desktop_rater.rubric.gold import contradictions
from desktop_rater.work.bundles.make import BundleOptions, new_bundle
from desktop_rater.work.output_files import NOTHING_WRITTEN, refuse_same_file, refuse_unwritable
from desktop_rater.work.rating.gold import GoldAnswers
from desktop_rater.work.rubrics import rubrics


class SourceLabels:
    """Labels of the records that are converted. `use`: what they become; None and "rating" leave the tasks alone.

    `gold`: the gold answers; `counts`: their number, and why a record has none.
    """

    def __init__(self, use: LabelUse | None, rubric: Rubric) -> None:
        self._use = use
        self._rubric = rubric
        self.gold = GoldAnswers(GOLD, strict=False, practice=False)
        self._counts: Counter[str] = Counter()

    @property
    def counts(self) -> dict[str, int]:
        gold = {"gold": len(self.gold.good), "partial_gold": self.gold.partial} if self._use == "gold" else {}
        return {**gold, **self._counts}

    def suggested(self, converted: ConvertedRecord) -> ConvertedRecord:
        """Return the record with its labels as suggestions, if they are to be that. Those in the task stay.

        Claims are suggested without their labels, which a bundle can't suggest.
        """
        rating = converted.rating
        if rating is None or self._use != "suggestion":
            return converted
        suggestions: dict[str, Any] = dict(converted.task.get("suggestions", {}))
        plain = to_plain(rating.answers)
        suggestions["task"] = {**plain["task"], **suggestions.get("task", {})}
        for part in ("responses", "targets"):
            given = suggestions.get(part, {})
            suggestions[part] = {id_: {**answers, **given.get(id_, {})} for id_, answers in plain[part].items()}
            suggestions[part] |= {id_: answers for id_, answers in given.items() if id_ not in plain[part]}
        labelled = sum(bool(claim.answers) for group in rating.claims.values() for claim in group)
        self._counts.update({"claim_labels": labelled} if labelled else {})
        claims = {id_: [to_plain(replace(claim, answers={})) for claim in rating.claims[id_]] for id_ in rating.claims}
        suggestions["claims"] = {**claims, **suggestions.get("claims", {})}
        present = {part: answers for part, answers in suggestions.items() if answers}
        task = {key: value for key, value in converted.task.items() if key != "suggestions"}
        return replace(converted, task={**task, "suggestions": present} if present else task)

    def add_gold(self, where: str, raw: bytes, rating: Rating) -> None:
        """Take the labels of a record as the gold answer of its task, if they are to be that. `raw`: its line.

        Evidence that decides otherwise than a label is left out: the source has both, and its label is what counts.
        """
        if self._use != "gold":
            return
        given = rating.answers
        claims = (claim.answers for group in rating.claims.values() for claim in group)
        if not any((given.task, *given.responses.values(), *given.targets.values(), *claims)):
            self._counts["unlabelled"] += 1
            return
        task = read_struct(read_json_object(raw), Task)
        if contradictions(check_rating(self._rubric, task, rating)):
            self._counts["gold_without_evidence"] += 1
            rating = replace(rating, evidence=())
        self.gold.add(where, rating)
        self.gold.judge(self._rubric, task)


Converter = Callable[[SourceRecords], Iterator[ConvertedRecord | OmittedRecord]]

_STEP = 20
_COUNTED = (
    *("records", "tasks", "placed", "aligned", "unplaced", "left_out"),
    *("surplus", "merged", "cut", "claims", "evidence"),
)


class ConvertedBundle(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of a conversion. `counts`: counts by name. `unplaced`: texts without a place. `notes`: repairs.

    `left_out`: records that became no task, with reasons. `without_gold`: labels that are no gold, with reasons.
    """

    counts: dict[str, int]
    unplaced: tuple[str, ...]
    left_out: tuple[str, ...]
    notes: tuple[str, ...]
    without_gold: tuple[str, ...] = ()


def convert_files(
    source: str | Converter,
    files: tuple[Path, ...],
    out: Path,
    wanted: BundleOptions,
    ratings: Path | None,
    progress: Progress,
    labels: LabelUse | None = None,
) -> ConvertedBundle:
    """Write a bundle, and the ratings if `ratings` is given. Raises `RaterError`; nothing is written then.

    `source`: the name of a format, or a converter. `labels`: what the ratings in the source become in the bundle.
    """
    conversion = FileConversion(source, files, rubrics.find_rubric(wanted.rubric), progress, labels)
    new = new_bundle(out, wanted, files)
    if ratings is not None:
        refuse_same_file(ratings, out, *files)
        refuse_unwritable(ratings)
    if ratings is not None or labels in ("suggestion", "gold"):
        conversion.for_rubric = new.rubric
    gold = conversion.labels.gold.lines()
    if ratings is None:
        make_bundle(out, new, conversion.tasks(), gold=gold)
    else:
        with write_lines(ratings) as write:
            conversion.write_rating = write
            make_bundle(out, new, conversion.tasks(), gold=gold)
    return conversion.result()


class FileConversion:
    """Conversion of files to the lines of tasks, with its counts and labels."""

    def __init__(
        self,
        source: str | Converter,
        files: tuple[Path, ...],
        rubric: Rubric,
        progress: Progress,
        labels: LabelUse | None = None,
    ) -> None:
        self._records = SourceRecords(files, LIMITS)
        self._records.check_cancelled = lambda: progress(0, 0)
        self._convert = FORMATS[source] if isinstance(source, str) else source
        self._rubric = rubric
        self._progress = progress
        self._first = files[0].name
        self._counts: Counter[str] = Counter(dict.fromkeys(_COUNTED, 0))
        self._unplaced: list[str] = []
        self._left_out: list[str] = []
        self.labels = SourceLabels(labels, rubric)
        self.for_rubric: str | None = None
        self.write_rating: Callable[[bytes], object] = bytes  # discards the line

    def tasks(self) -> Iterator[bytes]:
        """Yield the lines of tasks.jsonl, passing ratings to `write_rating` on the way."""
        for number, record in enumerate(self._convert(self._records), 1):
            if number % _STEP == 0:
                self._progress(number, 0)
            if isinstance(record, OmittedRecord):
                self._leave_out(record)
                continue
            converted = self.labels.suggested(fit_to_rubric(record, self._rubric) if record.loose else record)
            raw = canonical_json(converted.task)
            why = _broken_limit(converted, raw)
            if why:
                counts = {name: count for name, count in converted.counts.items() if name != "tool_calls_out"}
                self._leave_out(OmittedRecord(line=converted.line, why=why, counts=counts))
                continue
            self._count(converted)
            if converted.rating is not None:
                self._add_rating(converted, converted.rating, raw)
            for other in converted.others:
                self._counts["other_ratings"] += 1
                self.write_rating(canonical_json(to_plain(other)))
            yield raw
        if not self._counts["tasks"]:
            why = "It contains no records."
            if self._left_out:
                why = f"None of its {len(self._left_out):,} records could be converted to a task. {self._left_out[0]}."
            raise BundleError(f"{self._first} can't be converted", why, NOTHING_WRITTEN)

    def _add_rating(self, converted: ConvertedRecord, rating: Rating, raw: bytes) -> None:
        if self.for_rubric is not None and self.for_rubric != rating.rubric:
            title = (
                f"The ratings of this source use the rubric {rating.rubric}, but the bundle would use {self.for_rubric}"
            )
            raise BundleError(title, hint=f"Leave --ratings, --labels or --rubric out. {NOTHING_WRITTEN}")
        self._counts["claims"] += sum(map(len, rating.claims.values()))
        self._counts["evidence"] += len(rating.evidence)
        self.write_rating(canonical_json(to_plain(rating)))
        self.labels.add_gold(self._line(converted.line), raw, rating)

    def _count(self, converted: ConvertedRecord) -> None:
        self._counts["records"] += 1
        self._counts["tasks"] += 1
        self._counts["aligned"] += len(converted.aligned)
        self._counts["placed"] += len(converted.task.get("targets") or ()) + converted.marks - len(converted.aligned)
        self._counts["unplaced"] += len(converted.unplaced)
        self._counts["surplus"] += converted.surplus
        self._counts["merged"] += converted.merged
        self._counts["cut"] += converted.cut
        self._counts.update(converted.counts)
        where = f'{self._line(converted.line)}, task "{converted.task["id"]}"'
        self._unplaced += [
            f'{where}, {converted.called} "{lost.target}": {lost.why}: {lost.quote}' for lost in converted.unplaced
        ]

    def _leave_out(self, omitted: OmittedRecord) -> None:
        self._counts["records"] += 1
        self._counts["left_out"] += 1
        self._counts.update(omitted.counts)
        where = self._line(omitted.line)
        self._left_out.append(
            f'{where}, "{omitted.name}": {omitted.why}' if omitted.name else f"{where}: {omitted.why}"
        )

    def _line(self, number: int) -> str:
        return f"{self._records.path.name}, line {number}" if self._records.several else f"line {number}"

    def result(self) -> ConvertedBundle:
        repairs = {"nulls": self._records.numbers, "replaced": self._records.characters}
        counts = {**self._counts, **repairs, **self.labels.counts}
        notes = {
            "nulls": "NaN, Infinity or a number beyond JSON became null",
            "replaced": "U+0000 or half a surrogate pair became U+FFFD",
            "surplus": "entries of lists had no partner in another list and were left out",
            "reasoning": "reasoning of the model was left out",
            "later_calls": "a tool call after the chosen answer was left out",
            "small_talk_goodbyes": "an answer that is only a goodbye was left out",
            "small_talk_thanks": "an answer that is only thanks was left out",
            "small_talk_greetings": "an answer that is only a greeting was left out",
            "small_talk_questions": "an answer that only asks back was left out",
            "unknown_labels": "a label has no answer in the map",
            "claim_labels": "a claim is suggested without its label",
            "unlabelled": "a record has no label that answers a question, so it has no gold",
            "gold_without_evidence": "evidence decides otherwise than a label, and is not in its gold answer",
            "other_ratings": "a further person rated a task; only the first can be gold or a suggestion",
            "placeholders": "an image, a sound or a file has a placeholder",
            "cut": "tool calls are truncated in the source and were kept as far as they go",
            "merged": (
                "pieces of evidence refer to a page that was already listed; their passages were added to its note"
            ),
        }
        return ConvertedBundle(
            counts=counts,
            unplaced=tuple(self._unplaced),
            left_out=tuple(self._left_out),
            notes=tuple(f"{counts[name]:,} times: {note}." for name, note in notes.items() if counts.get(name)),
            without_gold=tuple(self.labels.gold.faults()),
        )


def _broken_limit(converted: ConvertedRecord, raw: bytes) -> str:
    """Return the bundle limit that the task breaks, or "", so that it can be left out and named by its source line."""
    if nesting_depth(converted.task) > MAX_DEPTH:
        return f"it is nested more than {MAX_DEPTH} levels deep"
    if len(raw) > LIMITS.line_bytes:
        return f"its task has {len(raw):,} bytes; the maximum is {LIMITS.line_bytes:,}"
    return ""
