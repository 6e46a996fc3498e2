"""Turn checked results into a format of others: one file of what one or several raters said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.put import check_place, put_in_place
from desktop_rater.bundle.results import open_results
from desktop_rater.bundle.results_out import LABEL_STUDIO, TABLES, WEB_ANNOTATION
from desktop_rater.bundle.results_out.columns import LONG, wide
from desktop_rater.bundle.results_out.label_studio import write_label_studio
from desktop_rater.bundle.results_out.rated import Rated
from desktop_rater.bundle.results_out.rows import long_rows, wide_rows
from desktop_rater.bundle.results_out.web_annotation import write_web_annotation
from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.bundle.write import TRY_AGAIN
from desktop_rater.work import rubrics
from desktop_rater.work.check_results import Checked, check_results
from desktop_rater.work.judge_results import Known, side_by_side
from desktop_rater.work.make_bundle import refuse_same_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.bundle.results_out.rows import Row
    from desktop_rater.model.progress import Progress
    from desktop_rater.rubric import Rubric

_STEP = 200
_NOTHING = "Nothing was written."


class Wished(msgspec.Struct, frozen=True, kw_only=True):
    """`wide`: a row for each thing that is rated, of the tables. `bom`: of CSV. `config`: where Label Studio's goes."""

    to: str
    wide: bool = False
    bom: bool = False
    config: Path | None = None


class ConvertedResults(msgspec.Struct, frozen=True, kw_only=True):
    """What each of the results said of itself, and how much was written. `config`: the file that came with it."""

    checked: tuple[Checked, ...]
    ratings: int
    rows: int
    config: Path | None = None


def convert_results(paths: tuple[Path, ...], out: Path, wished: Wished, progress: Progress) -> ConvertedResults:
    """Check all results, then write one file of them. Raises `RaterError`, and then nothing was written."""
    with named(out, "written", TRY_AGAIN):
        check_place(out)
    config = _config(out, wished)
    refuse_same_file(out, *paths, *([config] if config else []))
    if config is not None:
        refuse_same_file(config, *paths)
        with named(config, "written", TRY_AGAIN):
            check_place(config)
    checked = tuple(check_results(path, progress) for path in paths)
    _refuse_twice(paths, checked)
    conversion = _Conversion(paths, progress)
    with named(out, "written", TRY_AGAIN), put_in_place(out) as beside:
        if wished.to == WEB_ANNOTATION:
            conversion.to_web_annotation(beside)
        elif config is None:
            conversion.to_table(wished, beside)
        else:
            xml = conversion.to_label_studio(beside)
            with named(config, "written", TRY_AGAIN), put_in_place(config) as config_beside:
                config_beside.write_bytes(xml)
    return ConvertedResults(checked=checked, ratings=conversion.ratings, rows=conversion.rows, config=config)


def _config(out: Path, wished: Wished) -> Path | None:
    """Where the labelling configuration goes: beside the tasks where nothing is said."""
    if wished.to != LABEL_STUDIO:
        if wished.config is not None:
            raise BundleError("Only label-studio has a labelling configuration", hint="Leave --config out.")
        return None
    return wished.config or out.with_name(f"{out.stem}.config.xml")


def _refuse_twice(paths: tuple[Path, ...], checked: tuple[Checked, ...]) -> None:
    """Raise where two of the results are one rater's of one bundle: every figure would count that rater twice."""
    seen: dict[tuple[str, str], Path] = {}
    for path, one in zip(paths, checked, strict=True):
        before = seen.setdefault((one.bundle, one.rater), path)
        if before is not path:
            why = f"{before.name} holds ratings of {one.bundle} by {one.rater} already."
            raise BundleError(
                f"{path.name} can't be converted with the others", why, f"Give only the newer. {_NOTHING}"
            )


class _Conversion:
    def __init__(self, paths: tuple[Path, ...], progress: Progress) -> None:
        self._paths = paths
        self._progress = progress
        self.ratings = 0
        self.rows = 0

    def to_table(self, wished: Wished, beside: Path) -> None:
        columns = wide(self._rubrics()) if wished.wide else LONG
        TABLES[wished.to](beside, columns, self._rows(wide=wished.wide), bom=wished.bom)

    def to_web_annotation(self, beside: Path) -> None:
        write_web_annotation(beside, self._rated())

    def to_label_studio(self, beside: Path) -> bytes:
        first, *others = self._rubrics()
        for path, rubric in zip(self._paths[1:], others, strict=True):
            if rubric.file != first.file:
                why = f"{self._paths[0].name} answers {first.ref}, and {path.name} {rubric.ref}."
                hint = f"A Label Studio project has one configuration. Convert each rubric by itself. {_NOTHING}"
                raise BundleError(f"{path.name} can't be converted with the others", why, hint)
        return write_label_studio(beside, self._rated(), first)

    def _rubrics(self) -> list[Rubric]:
        found = []
        for path in self._paths:
            with open_results(path) as results:
                found.append(rubrics.of_bundle(results.manifest.rubric, results.rubric_toml, path.name))
        return found

    def _rows(self, *, wide: bool) -> Iterator[Row]:
        for rated in self._rated():
            for row in wide_rows(rated) if wide else long_rows(rated):
                self.rows += 1
                yield row

    def _rated(self) -> Iterator[Rated]:
        for path, rubric in zip(self._paths, self._rubrics(), strict=True):
            with open_results(path) as results:
                bundle = results.manifest.bundle
                known = Known()
                for line, task_line, _ in side_by_side(path, results, known):
                    self.ratings += 1
                    if self.ratings % _STEP == 0:
                        self._progress(self.ratings, 0)
                    rating = line.rating
                    task = known.places(task_line, rubric, bundle.language).of(rating)
                    yield Rated(bundle=bundle.id, revision=bundle.revision, rubric=rubric, task=task, rating=rating)
