"""Turn files of a public format into a bundle, and the ratings that they hold into a file of ratings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.convert import FORMATS
from desktop_rater.bundle.convert.converted import Converted, Omitted
from desktop_rater.bundle.convert.fitting import fitted
from desktop_rater.bundle.convert.shape import depth_of
from desktop_rater.bundle.convert.source import Records
from desktop_rater.bundle.limits import LIMITS
from desktop_rater.bundle.make import make_bundle
from desktop_rater.bundle.plain_files import write_lines
from desktop_rater.bundle.put import check_place
from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.bundle.write import TRY_AGAIN
from desktop_rater.model.canonical import canonical
from desktop_rater.model.kept import to_plain
from desktop_rater.model.strict_json import MAX_DEPTH
from desktop_rater.work import rubrics
from desktop_rater.work.make_bundle import Wanted, new_bundle, refuse_same_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.rubric import Rubric

    Converter = Callable[[Records], Iterator[Converted | Omitted]]

_STEP = 20
_COUNTED = (
    *("records", "tasks", "placed", "aligned", "unplaced", "left_out"),
    *("surplus", "merged", "cut", "claims", "evidence"),
)


class ConvertedBundle(msgspec.Struct, frozen=True, kw_only=True):
    """`counts`: what was found, by name. `unplaced`: each text that found no place. `notes`: what else was mended.

    `left_out`: each record that became no task, and why.
    """

    counts: dict[str, int]
    unplaced: tuple[str, ...]
    left_out: tuple[str, ...]
    notes: tuple[str, ...]


def convert_files(
    source: str | Converter,
    files: tuple[Path, ...],
    out: Path,
    wanted: Wanted,
    ratings: Path | None,
    progress: Progress,
) -> ConvertedBundle:
    """Write a bundle, and where `ratings` is given the ratings too. Raises `RaterError`: then nothing was written.

    `source`: the name of a format, or what reads the records.
    """
    conversion = _Conversion(source, files, rubrics.named(wanted.rubric), progress)
    new = new_bundle(out, wanted, files)
    if ratings is not None:
        refuse_same_file(ratings, out, *files)
        with named(ratings, "written", TRY_AGAIN):
            check_place(ratings)
        conversion.for_rubric = new.rubric
    if ratings is None:
        make_bundle(out, new, conversion.tasks())
    else:
        with write_lines(ratings) as write:
            conversion.keep_rating = write
            make_bundle(out, new, conversion.tasks())
    return conversion.result()


class _Conversion:
    def __init__(self, source: str | Converter, files: tuple[Path, ...], rubric: Rubric, progress: Progress) -> None:
        self._records = Records(files, LIMITS)
        self._convert = FORMATS[source] if isinstance(source, str) else source
        self._rubric = rubric
        self._progress = progress
        self._first = files[0].name
        self._counts: Counter[str] = Counter(dict.fromkeys(_COUNTED, 0))
        self._unplaced: list[str] = []
        self._left_out: list[str] = []
        self.for_rubric: str | None = None
        self.keep_rating: Callable[[bytes], None] = _forget

    def tasks(self) -> Iterator[bytes]:
        """The lines of tasks.jsonl; ratings are kept on the way."""
        for number, found in enumerate(self._convert(self._records), 1):
            if number % _STEP == 0:
                self._progress(number, 0)
            if isinstance(found, Omitted):
                self._leave_out(found)
                continue
            one = fitted(found, self._rubric) if found.loose else found
            raw = canonical(one.task)
            why = _too_much(one, raw)
            if why:
                self._leave_out(Omitted(line=one.line, why=why))
                continue
            self._count(one)
            if one.rating is not None:
                self._refuse_other_rubric(one.rating.rubric)
                self._counts["claims"] += sum(map(len, one.rating.claims.values()))
                self._counts["evidence"] += len(one.rating.evidence)
                self.keep_rating(canonical(to_plain(one.rating)))
            yield raw
        if not self._counts["tasks"]:
            why = "It holds no records."
            if self._left_out:
                why = f"None of its {len(self._left_out):,} records becomes a task. {self._left_out[0]}."
            raise BundleError(f"{self._first} can't be converted", why, "Nothing was written.")

    def _count(self, one: Converted) -> None:
        self._counts["records"] += 1
        self._counts["tasks"] += 1
        self._counts["aligned"] += len(one.aligned)
        self._counts["placed"] += len(one.task.get("targets") or ()) + one.marks - len(one.aligned)
        self._counts["unplaced"] += len(one.unplaced)
        self._counts["surplus"] += one.surplus
        self._counts["merged"] += one.merged
        self._counts["cut"] += one.cut
        where = f'{self._line(one.line)}, task "{one.task["id"]}"'
        self._unplaced += [f'{where}, {one.called} "{lost.target}": {lost.why}: {lost.quote}' for lost in one.unplaced]

    def _leave_out(self, one: Omitted) -> None:
        self._counts["records"] += 1
        self._counts["left_out"] += 1
        where = self._line(one.line)
        self._left_out.append(f'{where}, "{one.name}": {one.why}' if one.name else f"{where}: {one.why}")

    def _line(self, number: int) -> str:
        return f"{self._records.path.name}, line {number}" if self._records.several else f"line {number}"

    def _refuse_other_rubric(self, ref: str) -> None:
        if self.for_rubric is not None and self.for_rubric != ref:
            title = f"The ratings of this source answer {ref}, and the bundle would ask {self.for_rubric}"
            raise BundleError(title, hint="Leave --ratings or --rubric out. Nothing was written.")

    def result(self) -> ConvertedBundle:
        counts = {**self._counts, "nulls": self._records.numbers, "replaced": self._records.characters}
        notes = {
            "nulls": "NaN, Infinity or a number beyond JSON became null",
            "replaced": "U+0000 or half a surrogate pair became U+FFFD",
            "surplus": "entries of lists had no partner in another list and were left out",
            "cut": "tool calls are cut off in the source; they stand as far as they go",
            "merged": "pieces of evidence name a page that was there already; their passages are in its note",
        }
        return ConvertedBundle(
            counts=counts,
            unplaced=tuple(self._unplaced),
            left_out=tuple(self._left_out),
            notes=tuple(f"{counts[name]:,} times: {words}." for name, words in notes.items() if counts.get(name)),
        )


def _too_much(one: Converted, raw: bytes) -> str:
    """Which limit of a bundle the task breaks, so that it can be left out and named by the line of its source."""
    if depth_of(one.task) > MAX_DEPTH:
        return f"it is nested more than {MAX_DEPTH} levels deep"
    if len(raw) > LIMITS.line_bytes:
        return f"it makes a task of {len(raw):,} bytes, and {LIMITS.line_bytes:,} is the most"
    return ""


def _forget(line: bytes, /) -> None:
    """The ratings of the source are not wanted."""
    del line
