"""Convert files of a public format, or by a map, to a bundle, with the ratings in them; maps by name, and trials."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.files import replaced_file
from desktop_rater.format.archive import GOLD
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.jsonl import read_small_text, write_lines
from desktop_rater.format.make import make_bundle
from desktop_rater.format.rating import Rating
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.strict_json import MAX_DEPTH, canonical_json, read_json_object, read_struct, to_plain
from desktop_rater.format.task import Task
from desktop_rater.format.write import NOTHING_WRITTEN, refuse_same_file, refuse_unwritable
from desktop_rater.operations import rubrics
from desktop_rater.operations.bundles.make import BundleOptions, new_bundle
from desktop_rater.operations.rating.gold import GoldAnswers
from desktop_rater.paths import resources
from desktop_rater.plugins.convert import chat
from desktop_rater.plugins.convert.conversion import ConvertedRecord, OmittedRecord, fit_to_rubric, nesting_depth
from desktop_rater.plugins.convert.formats import (
    azure_records,
    azure_test_sets,
    label_studio,
    published_sets,
    toolbench,
)
from desktop_rater.plugins.convert.maps import (
    MapSource,
    RecordMap,
    apply_map,
    convert_mapped,
    propose_map,
    read_map,
    write_map,
)
from desktop_rater.plugins.convert.maps.map_source import MAPPED_FORMATS, column_converter, parse_delimiter
from desktop_rater.plugins.convert.maps.record_map import LabelUse
from desktop_rater.plugins.convert.own_reader import own_reader
from desktop_rater.plugins.convert.source import SourceRecords, line_count
from desktop_rater.rubric import Rubric, check_rating
from desktop_rater.rubric.gold import contradictions

Converter = Callable[[SourceRecords], Iterator[ConvertedRecord | OmittedRecord]]

FORMATS: dict[str, Converter] = {
    "azure-conversation": azure_test_sets.convert_conversations,
    "azure-qa": azure_test_sets.convert_questions,
    chat.CHAT: chat.convert,
    published_sets.EXPERTQA: published_sets.convert_expertqa,
    published_sets.FACTCHECK_BENCH: published_sets.convert_factcheck_bench,
    published_sets.HALUQUESTQA: published_sets.convert_haluquestqa,
    "label-studio": label_studio.convert,
    "toolbench": toolbench.convert,
}

CONVERSATIONS: dict[str, Callable[..., Iterator[ConvertedRecord | OmittedRecord]]] = {
    "azure-conversation": azure_test_sets.convert_conversations,
    chat.CHAT: chat.convert,
}
"""Formats of conversations, whose converters take the `turns` that become tasks."""

RUBRICS: dict[str, str] = {
    "azure-conversation": azure_records.RUBRIC,
    "azure-qa": azure_records.RUBRIC,
    chat.CHAT: chat.RUBRIC,
    published_sets.EXPERTQA: published_sets.SPANS,
    published_sets.FACTCHECK_BENCH: published_sets.SPANS,
    published_sets.HALUQUESTQA: published_sets.PAIRS,
    "label-studio": label_studio.RUBRIC,
    "toolbench": toolbench.RUBRIC,
}
"""Default rubric of each format."""


def in_format(source: str | Converter, text_format: str) -> Converter:
    """Return a converter whose responses have this format, `plain` or `markdown`, rather than the recognised one."""
    convert = FORMATS[source] if isinstance(source, str) else source

    def convert_in_format(records: SourceRecords) -> Iterator[ConvertedRecord | OmittedRecord]:
        for record in convert(records):
            for response in record.task["responses"] if isinstance(record, ConvertedRecord) else ():
                response["format"] = text_format
            yield record

    return convert_in_format


def reader_of(
    source: str | None,
    files: tuple[Path, ...],
    record_map: RecordMap | None = None,
    *,
    columns: str | None = None,
    delimiter: str | None = None,
    turns: chat.TurnChoice | None = None,
    dialect: str | None = None,
    text_format: str | None = None,
) -> tuple[str | Converter, str, LabelUse | None]:
    """Return what converts the files, its default rubric, and the use of labels that a map names. Raises `BundleError`.

    `turns` and `dialect` go with conversations.
    """
    reader: str | Converter
    use = None
    if record_map is not None or source is None:
        chosen_map = record_map or RecordMap(fields={})
        reader, rubric, use = map_converter(chosen_map, delimiter), chosen_map.default_rubric, chosen_map.take
    elif source in MAPPED_FORMATS:
        reader, rubric = column_converter(source, files, columns, delimiter)
    elif source in FORMATS:
        reader, rubric = source, RUBRICS[source]
    else:
        reader, rubric = own_reader(source)
    if turns is not None and source in CONVERSATIONS:
        reader = partial(CONVERSATIONS[source], turns=turns)
    if dialect is not None:
        reader = partial(chat.convert, dialect=dialect, turns=turns)
    return in_format(reader, text_format) if text_format is not None else reader, rubric, use


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

    @property
    def summary(self) -> str:
        """Return the counts that are not zero, and what came out of what went in."""
        counts = {name: count for name, count in self.counts.items() if count or self._has_input(name)}
        return ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items())

    def _has_input(self, name: str) -> int:
        return self.counts.get(f"{name.removesuffix('_out')}_in", 0)


def convert_files(
    source: str | Converter,
    files: tuple[Path, ...],
    out: Path,
    wanted: BundleOptions,
    ratings: Path | None,
    progress: Progress,
    labels: LabelUse | None = None,
    skip: int | None = None,
) -> ConvertedBundle:
    """Write a bundle, and the ratings if `ratings` is given. Raises `RaterError`; nothing is written then.

    `source`: the name of a format, or a converter. `labels`: what the ratings in the source become in the bundle.
    `skip`: how many records may be wrong, and left out; without it, all but one.
    """
    conversion = FileConversion(source, files, rubrics.find_rubric(wanted.rubric), progress, labels, skip)
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
        skip: int | None = None,
    ) -> None:
        self._records = SourceRecords(files, LIMITS)
        self._skip = skip
        if skip != 0:
            self._records.on_fault = self._leave_out_faulty
        self._records.check_cancelled = lambda: progress(0, 0)
        self._convert = FORMATS[source] if isinstance(source, str) else source
        self._rubric = rubric
        self._progress = progress
        self._files = files
        self._counts: Counter[str] = Counter(dict.fromkeys(_COUNTED, 0))
        self._unplaced: list[str] = []
        self._left_out: list[str] = []
        self.labels = SourceLabels(labels, rubric)
        self.for_rubric: str | None = None
        self.write_rating: Callable[[bytes], object] = bytes  # discards the line

    def tasks(self) -> Iterator[bytes]:
        """Yield the lines of tasks.jsonl, passing ratings to `write_rating` on the way."""
        lines = [line_count(path) for path in self._files]
        starts = dict(zip(self._files, accumulate(lines, initial=0), strict=False))
        total = sum(lines) if all(lines) else 0
        for number, record in enumerate(self._convert(self._records), 1):
            if number % _STEP == 0:
                is_known = number <= total  # not of a list in one line
                done = starts.get(self._records.path, 0) + record.line if is_known else number
                self._progress(min(done, total or done), total if is_known else 0)
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
            raise BundleError(f"{self._files[0].name} can't be converted", why, NOTHING_WRITTEN)

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
            f'{where}, "{omitted.name}": {omitted.why}'
            if omitted.name
            else f"{where}{'' if omitted.why.startswith(', ') else ': '}{omitted.why}"
        )

    def _leave_out_faulty(self, line: int, why: str) -> None:
        """Leave out a record that is wrong. Raises `BundleError` beyond the number that may be skipped."""
        self._leave_out(OmittedRecord(line=line, why=why))
        self._counts["faulty"] += 1
        if self._skip is not None and self._counts["faulty"] > self._skip:
            why = f"More than {self._skip:,} of its records are wrong. {self._left_out[-1]}."
            raise BundleError(f"{self._files[0].name} can't be converted", why, NOTHING_WRITTEN)

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
            "results_without_call": "a result has no tool call in the source; it is shown as one",
            "calls_without_result": "a tool call has no result in the source",
            "later_citations": "a citation after the chosen answer was left out",
            "later_calls": "a tool call after the chosen answer was left out",
            "small_talk_goodbyes": "an answer that is only a goodbye was left out",
            "small_talk_thanks": "an answer that is only thanks was left out",
            "small_talk_greetings": "an answer that is only a greeting was left out",
            "small_talk_questions": "an answer that only asks back was left out",
            "empty_responses": "a response is empty, and counts like any other",
            "missing_responses": "a record has no value for a response, which its task does not have",
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


SAMPLE = 20
_FOLDER = "maps"
_SUFFIX = ".toml"


def map_names() -> list[str]:
    """Return the names of the maps that the program brings."""
    return sorted(path.stem for path in (resources() / _FOLDER).glob(f"*{_SUFFIX}"))


def find_map(given: str) -> RecordMap:
    """Return the map with this name, or in this file. Raises `BundleError`."""
    names = map_names()
    path = resources() / _FOLDER / f"{given}{_SUFFIX}" if given in names else Path(given)
    if given not in names and path.suffix != _SUFFIX and not path.exists():
        names_text = ", ".join(names)
        raise BundleError(
            f"There is no map {given!r}", f"It is neither a .toml file nor one of {names_text}.", NOTHING_WRITTEN
        )
    return read_map(read_small_text(path), path.name)


def map_converter(record_map: RecordMap, delimiter: str | None = None) -> Converter:
    """Return the converter of a map. Raises `BundleError` for a delimiter that is none."""
    return partial(convert_mapped, record_map=record_map, delimiter=parse_delimiter(delimiter))


def sample_records(paths: Sequence[Path], record_map: RecordMap | None = None) -> list[dict[str, Any]]:
    """Return the first records of files, as a map without `records` has them. Raises `BundleError`."""
    source = MapSource(SourceRecords(paths, LIMITS), record_map or RecordMap(fields={}))
    return [record for _, record in islice(source, SAMPLE)]


def propose_map_for(paths: Sequence[Path]) -> RecordMap:
    """Propose a map from the first records of files. Raises `BundleError`."""
    return propose_map(sample_records(paths))


def best_reader(paths: Sequence[Path], tasks: int) -> str:
    """Return the option of `bundle convert` that makes the most tasks of the first records of files.

    Return "" if that is not more than `tasks`.
    """
    maps = {f"--map {name}": map_converter(find_map(name)) for name in map_names()}
    readers = {f"--from {chat.CHAT}": chat.convert, **maps, **{f"--from {name}": FORMATS[name] for name in FORMATS}}
    counts: dict[str, int] = {"": tasks}
    for option, convert in readers.items():
        records = SourceRecords(paths, LIMITS)
        records.on_fault = lambda _line, _why: None
        with suppress(BundleError):
            made = islice(convert(records), SAMPLE)
            counts[option] = sum(isinstance(record, ConvertedRecord) for record in made)
    return max(counts, key=lambda option: counts[option])


def try_conversion(
    source: str | Converter, files: tuple[Path, ...], rubric: str, progress: Progress, skip: int | None = None
) -> tuple[dict[str, Any], dict[str, Any] | None, ConvertedBundle]:
    """Convert files and write nothing; return the first task, its labels, and what a bundle would hold.

    Raises `RaterError` as the conversion would.
    """
    conversion = FileConversion(source, files, rubrics.find_rubric(rubric), progress, skip=skip)
    ratings: list[bytes] = []
    conversion.write_rating = ratings.append
    tasks = conversion.tasks()
    task = msgspec.json.decode(next(tasks))
    for _ in tasks:
        del ratings[1:]
    given = [msgspec.json.decode(rating) for rating in ratings[:1]]
    rating = next((rating for rating in given if rating["task"] == task["id"]), None)
    return task, rating, conversion.result()


SHOWN = 100
"""Number of records that can be looked at."""
NAMED = 200
"""Number of records left out that are named."""
_COUNT_STEP = 200


class MapCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of a map on files.

    `failed`: field → records that give no task because of it. `filled`: field → records with a value. `reasons`:
    reason → records left out; `left_out` names the first of them. `labels`: label → occurrences; `unknown_labels` those
    without an answer. `unplaced`: texts that are nowhere in their response. `unreadable`: lines that hold no record.
    """

    records: int
    tasks: int
    targets: int
    calls: int
    unplaced: int
    unreadable: int
    failed: dict[str, int]
    filled: dict[str, int]
    reasons: dict[str, int]
    left_out: tuple[str, ...]
    labels: dict[str, int]
    unknown_labels: dict[str, int]


def read_map_sample(
    paths: Sequence[Path], record_map: RecordMap | None = None
) -> tuple[RecordMap, tuple[dict[str, Any], ...]]:
    """Return the map, a proposed one if none is given, and the first records of files. Raises `BundleError`."""
    chosen = propose_map_for(paths) if record_map is None else record_map
    return chosen, tuple(record for _, record in islice(_source(paths, chosen), SHOWN))


def count_mapped(paths: Sequence[Path], record_map: RecordMap, progress: Progress) -> MapCounts:
    """Apply a map to all records of files. Raises `BundleError` or `Cancelled`."""
    counts = {name: Counter[str]() for name in ("failed", "filled", "reasons", "labels", "unknown_labels", "sums")}
    sums, left_out, ids = counts.pop("sums"), list[str](), set[str]()
    source = _source(paths, record_map)
    for number, (line, record) in enumerate(source, 1):
        if number % _COUNT_STEP == 0:
            progress(number, 0)
        mapped = apply_map(record_map, record, id_=f"\0{number}")
        counts["filled"].update(outcome.field for outcome in mapped.outcomes if outcome.values)
        failed, why = mapped.failed, mapped.why.removeprefix(", ")
        if mapped.task is not None and mapped.task["id"] in ids:
            failed, why = "id", "its id is used already"
        if failed or mapped.task is None:
            counts["failed"][failed] += 1
            counts["reasons"][why] += 1
            left_out.append(f"line {line}: {why}")
            continue
        ids.add(mapped.task["id"])
        targets = len(mapped.task.get("targets", ()))
        claims = mapped.task.get("suggestions", {}).get("claims")
        counts["filled"].update(field for field, given in (("targets", targets), ("claims", claims)) if given)
        sums.update(tasks=1, targets=targets, calls=mapped.calls, unplaced=len(mapped.unplaced))
        counts["labels"].update(mapped.labels)
        counts["unknown_labels"].update(mapped.unknown_labels)
    if source.left_out:
        counts["reasons"]["it can't be read"] = len(source.left_out)
        left_out += [f"line {omitted.line}: {omitted.why}" for omitted in source.left_out]
    return MapCounts(
        records=sums["tasks"] + len(left_out),
        tasks=sums["tasks"],
        targets=sums["targets"],
        calls=sums["calls"],
        unplaced=sums["unplaced"],
        unreadable=len(source.left_out),
        **{name: dict(counter.most_common()) for name, counter in counts.items()},
        left_out=tuple(left_out[:NAMED]),
    )


def make_mapped_bundle(paths: Sequence[Path], record_map: RecordMap, out: Path, progress: Progress) -> ConvertedBundle:
    """Write the bundle of all records that give a task. Raises `RaterError`; nothing is written then.

    Labels taken as ratings are written to a file beside it, with the suffix `.ratings.jsonl`.
    """
    converter = map_converter(msgspec.structs.replace(record_map, skip=True))
    labels = record_map.take if record_map.labels else None
    ratings = out.with_suffix(".ratings.jsonl") if labels == "rating" else None
    options = BundleOptions(rubric=record_map.default_rubric)
    return convert_files(converter, tuple(paths), out, options, ratings, progress, labels)


def save_map(record_map: RecordMap, path: Path) -> None:
    """Write a map to a file. Raises `OSError`."""
    with replaced_file(path) as partial:
        partial.write_text(write_map(record_map), encoding="utf-8")


def _source(paths: Sequence[Path], record_map: RecordMap) -> MapSource:
    return MapSource(SourceRecords(paths, LIMITS), msgspec.structs.replace(record_map, skip=True))
