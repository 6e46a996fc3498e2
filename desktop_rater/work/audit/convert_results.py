"""Convert checked results of one or several raters to one file in another format."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from desktop_rater.bundle.errors import BundleError, bundle_errors
from desktop_rater.bundle.results import open_results
from desktop_rater.bundle.results_out import LABEL_STUDIO, TABLES, WEB_ANNOTATION
from desktop_rater.bundle.results_out.label_studio import write_label_studio
from desktop_rater.bundle.results_out.tables import LONG_COLUMNS, RatedTask, Row, long_rows, wide_columns, wide_rows
from desktop_rater.bundle.results_out.web_annotation import write_web_annotation
from desktop_rater.bundle.write import HINT_UNCHANGED
from desktop_rater.files import replaced_file
from desktop_rater.model.change import Progress
from desktop_rater.rubric import Rubric
from desktop_rater.work.audit.check_results import CheckedResults, ResultsCache, aligned_lines, check_results
from desktop_rater.work.output_files import NOTHING_WRITTEN, refuse_same_file, refuse_unwritable
from desktop_rater.work.rubrics import rubrics

_STEP = 200


class ResultsConversionOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a conversion. `wide`: one table row per rated item. `config`: path of Label Studio's configuration."""

    to: str
    wide: bool = False
    bom: bool = False
    config: Path | None = None


class ConvertedResults(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of a conversion. `checked`: the check of each results zip. `config`: the additional file written."""

    checked: tuple[CheckedResults, ...]
    ratings: int
    rows: int
    config: Path | None = None


def convert_results(
    paths: tuple[Path, ...], out: Path, options: ResultsConversionOptions, progress: Progress
) -> ConvertedResults:
    """Check all results, then write them to one file. Raises `RaterError`; nothing is written then."""
    refuse_unwritable(out)
    config = _config(out, options)
    refuse_same_file(out, *paths, *([config] if config else []))
    if config is not None:
        refuse_same_file(config, *paths)
        refuse_unwritable(config)
    checked = tuple(check_results(path, progress) for path in paths)
    _refuse_twice(paths, checked)
    conversion = _Conversion(paths, progress)
    with bundle_errors(out, "written", HINT_UNCHANGED), replaced_file(out) as part_path:
        if options.to == WEB_ANNOTATION:
            write_web_annotation(part_path, conversion.rated())
        elif config is None:
            conversion.to_table(options, part_path)
        else:
            xml = conversion.to_label_studio(part_path)
            with bundle_errors(config, "written", HINT_UNCHANGED), replaced_file(config) as config_part_path:
                config_part_path.write_bytes(xml)
    return ConvertedResults(checked=checked, ratings=conversion.ratings, rows=conversion.rows, config=config)


def _config(out: Path, options: ResultsConversionOptions) -> Path | None:
    """Return the path of the labelling configuration, by default next to the tasks."""
    if options.to != LABEL_STUDIO:
        if options.config is not None:
            raise BundleError("Only label-studio has a labelling configuration", hint="Leave --config out.")
        return None
    return options.config or out.with_name(f"{out.stem}.config.xml")


def _refuse_twice(paths: tuple[Path, ...], checked: tuple[CheckedResults, ...]) -> None:
    """Raise if one rater's results of a bundle occur twice, since every figure would count that rater twice."""
    seen: dict[tuple[str, str], Path] = {}
    for path, results in zip(paths, checked, strict=True):
        before = seen.setdefault((results.bundle, results.rater), path)
        if before is not path:
            why = f"{before.name} holds ratings of {results.bundle} by {results.rater} already."
            raise BundleError(
                f"{path.name} can't be converted with the others", why, f"Give only the newer. {NOTHING_WRITTEN}"
            )


class _Conversion:
    def __init__(self, paths: tuple[Path, ...], progress: Progress) -> None:
        self._paths = paths
        self._progress = progress
        self.ratings = 0
        self.rows = 0

    def to_table(self, options: ResultsConversionOptions, part_path: Path) -> None:
        columns = wide_columns(self._rubrics()) if options.wide else LONG_COLUMNS
        TABLES[options.to](part_path, columns, self._rows(wide=options.wide), bom=options.bom)

    def to_label_studio(self, part_path: Path) -> bytes:
        first, *others = self._rubrics()
        for path, rubric in zip(self._paths[1:], others, strict=True):
            if rubric.file != first.file:
                why = f"{self._paths[0].name} answers {first.ref}, and {path.name} {rubric.ref}."
                hint = f"A Label Studio project has one configuration. Convert each rubric by itself. {NOTHING_WRITTEN}"
                raise BundleError(f"{path.name} can't be converted with the others", why, hint)
        return write_label_studio(part_path, self.rated(), first)

    def _rubrics(self) -> list[Rubric]:
        loaded = []
        for path in self._paths:
            with open_results(path) as results:
                loaded.append(rubrics.bundle_rubric_of(results.manifest.rubric, results.rubric_toml, path.name))
        return loaded

    def _rows(self, *, wide: bool) -> Iterator[Row]:
        for rated in self.rated():
            for row in wide_rows(rated) if wide else long_rows(rated):
                self.rows += 1
                yield row

    def rated(self) -> Iterator[RatedTask]:
        for path, rubric in zip(self._paths, self._rubrics(), strict=True):
            with open_results(path) as results:
                bundle = results.manifest.bundle
                cache = ResultsCache()
                for line, task_line, _ in aligned_lines(path, results, cache):
                    self.ratings += 1
                    if self.ratings % _STEP == 0:
                        self._progress(self.ratings, 0)
                    rating = line.rating
                    task = cache.places(task_line, rubric, bundle.language).of(rating)
                    yield RatedTask(bundle=bundle.id, revision=bundle.revision, rubric=rubric, task=task, rating=rating)
