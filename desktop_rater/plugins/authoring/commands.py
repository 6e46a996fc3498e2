"""Commands for rubric authors: create, lint and preview a rubric."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import click
import msgspec

from desktop_rater.cli.audit import open_results_store
from desktop_rater.cli.frame import exit_on_signals, has_no_screen, keep_secrets_from_children
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    EXIT_REFUSED,
    FILE,
    ID,
    json_option,
    limited_lines,
    pick,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import configured_settings
from desktop_rater.files import temporary_folder
from desktop_rater.format.errors import RaterError
from desktop_rater.format.jsonl import read_small_text, write_lines
from desktop_rater.format.make import BundleDraft
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.strict_json import canonical_json
from desktop_rater.format.values import format_time, utc_now
from desktop_rater.format.write import refuse_same_file
from desktop_rater.operations.audit.import_results import RefusedFile, import_results
from desktop_rater.operations.rating.settings_file import peek_settings
from desktop_rater.operations.rubrics import builtin_ids, custom_rubric_text, find_rubric
from desktop_rater.paths import settings_file
from desktop_rater.plugins.authoring.cases import CaseCheck, cases_of_gold, rubric_with_cases
from desktop_rater.plugins.authoring.lint import NEW_RUBRIC_SCOPES, RubricLint, lint_rubric, new_rubric
from desktop_rater.plugins.authoring.replay import Replay, ReplayedPlace, replayed_places, write_return_bundles
from desktop_rater.store.open_store import open_writer
from desktop_rater.text.untrusted import file_name


@click.command("new")
@click.argument("path", metavar="FILE", type=FILE)
@click.option("--per", type=click.Choice(NEW_RUBRIC_SCOPES), help="The scope of the questions; default: targets.")
@click.option("--from", "source", type=click.Choice(builtin_ids()), help="Copy a built-in rubric instead.")
@json_option
def rubric_new(path: Path, per: str | None, source: str | None, *, as_json: bool) -> int:
    """Create a small rubric with explanations in FILE.

    An existing file is never replaced.
    """
    if per is not None and source is not None:
        raise click.UsageError("--per can't be combined with --from: a built-in rubric has its own questions.")
    name = new_rubric(path, per=per or NEW_RUBRIC_SCOPES[0], source=source)
    lines = (f"{path}: the rubric {name}", f"See its form with: desktop-rater rubric preview {path}")
    print_result({"out": str(path), "id": name}, lines, as_json=as_json)
    return EXIT_OK


@click.command("lint")
@click.argument("refs", metavar="RUBRIC...", nargs=-1, required=True)
@click.option("--guidelines", type=FILE, help="Their guidelines in Markdown: each `section` must be a heading.")
@click.option("--cases", type=FILE, help="Cases, a .jsonl file, beside those of each rubric's own file.")
@json_option
def rubric_lint(refs: tuple[str, ...], guidelines: Path | None, cases: Path | None, *, as_json: bool) -> int:
    """Report everything that is wrong with each RUBRIC, a TOML file or a built-in id: table, line and reason.

    With cases, also each change of a decision, rule or condition that none of them would notice.
    Exit status: 0 nothing, 1 only remarks, 2 a fault that prevents loading it.
    """
    results = [lint_rubric(ref, guidelines, cases) for ref in refs]
    lines = (line for linted in results for line in _lint_lines(linted))
    print_result([pick(linted, "file", "rubric", "findings") for linted in results], lines, as_json=as_json)
    levels = {finding.level for linted in results for finding in linted.findings}
    return EXIT_REFUSED if "fault" in levels else EXIT_ATTENTION if levels else EXIT_OK


def _lint_lines(linted: RubricLint) -> list[str]:
    if not linted.findings:
        return [f"{linted.file}: {linted.rubric}, no findings"]
    return [
        f"{linted.file}, line {finding.line}, {finding.table}: "
        f"{'' if finding.level == 'fault' else 'remark: '}{finding.reason}"
        for finding in linted.findings
    ]


@click.command("check-cases")
@click.argument("refs", metavar="[RUBRIC]...", nargs=-1)
@click.option("--cases", "more", type=FILE, help="Further cases, a .jsonl file.")
@json_option
def rubric_check_cases(refs: tuple[str, ...], more: Path | None, *, as_json: bool) -> int:
    """Check that each RUBRIC decides its cases as they say, by default each built-in one.

    RUBRIC is a TOML file, a bundle, or a built-in id. Exit status 1 if a case fails.
    """
    printed, lines = [], []
    for ref in refs or builtin_ids():
        rubric, cases = rubric_with_cases(ref, more)
        failures = CaseCheck(rubric, cases).failures()
        failed = [
            {"case": cases[number].name, "section": cases[number].section, "reason": why}
            for number, why in failures.items()
        ]
        printed.append({"rubric": rubric.ref, "cases": len(cases), "failed": failed})
        lines += [
            f'{rubric.ref}, case "{entry["case"]}" ({entry["section"] or "no section"}): {entry["reason"]}'
            for entry in failed
        ]
        lines.append(
            f"{rubric.ref}: {len(cases) - len(failed):,} of {len(cases):,} cases pass"
            if cases
            else f"{rubric.ref}: no cases"
        )
    print_result(printed, lines, as_json=as_json)
    return EXIT_ATTENTION if any(entry["failed"] for entry in printed) else EXIT_OK


@click.command("cases")
@click.argument("bundle", type=FILE)
@click.option("--out", type=FILE, required=True, help="The .jsonl file.")
@json_option
def rubric_cases(bundle: Path, out: Path, *, as_json: bool) -> int:
    """Write the gold answers of BUNDLE as cases of its rubric, for `rubric check-cases --cases` and `bundle make`."""
    refuse_same_file(out, bundle)
    rubric, cases = cases_of_gold(bundle)
    with write_lines(out) as write:
        for case in map(msgspec.to_builtins, cases):
            write(canonical_json({name: value for name, value in case.items() if value not in (None, "", {}, ())}))
    line = f"{out}: {len(cases):,} cases of {rubric.ref}"
    print_result({"out": str(out), "rubric": rubric.ref, "cases": len(cases)}, (line,), as_json=as_json)
    return EXIT_OK


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option("--results", "paths", multiple=True, type=FILE, help="Results zips, or a folder of them; repeatable.")
@click.option("--audit", "audits", multiple=True, type=ID, help="Or the results of this bundle in the store.")
@click.option("--bundle", "out", type=FILE, help="Write the tasks to look at again, with the old answers in place.")
@click.option("--guidelines", type=FILE, help="The guidelines of NEW in Markdown, for --bundle.")
@click.option("--revision", type=click.IntRange(1), help="The revision with NEW; default: one more than that rated.")
@json_option
@click.pass_obj
def rubric_diff(
    folder: Path,
    old: str,
    new: str,
    paths: tuple[Path, ...],
    audits: tuple[str, ...],
    out: Path | None,
    guidelines: Path | None,
    revision: int | None,
    *,
    as_json: bool,
) -> int:
    """Show what the rubric NEW judges otherwise than OLD, each a TOML file or a built-in id such as span-factuality@2.

    With results: the labels decided otherwise, the answers that are missing or impossible now, and who must look again
    at which places. Exit status 1 if somebody must.
    """
    after, progress = find_rubric(new), terminal_progress("Replaying")
    replay = Replay(find_rubric(old), after)
    again: list[ReplayedPlace] = []
    written: dict[Path, int] = {}
    refused: Sequence[RefusedFile] = ()
    text = None if guidelines is None else read_small_text(guidelines, LIMITS.guidelines_bytes)
    draft = BundleDraft(
        id="", created=format_time(utc_now()), rubric=after.ref, rubric_toml=custom_rubric_text(new), guidelines=text
    )
    with ExitStack() as stack:
        stores = [(stack.enter_context(closing(open_results_store(folder, bundle))), bundle) for bundle in audits]
        if paths:
            zips = stack.enter_context(
                open_writer(Path(stack.enter_context(temporary_folder())), command="rubric diff")
            )
            imported = import_results(zips, paths, lead="", now=utc_now(), progress=progress)
            stores += [(zips, bundle) for bundle in sorted({entry.bundle for entry in imported.took})]
            refused = imported.refused
        for store, bundle in stores:
            places = replayed_places(replay, store, bundle, progress)
            again += places
            if out is not None:
                lead = configured_settings(folder).rater
                path = out if len(stores) == 1 else out.with_stem(f"{out.stem}-{file_name(bundle)}")
                written |= write_return_bundles(store, path, places, draft, lead, revision)
    printed = replay.summary(again) | {"refused": [pick(entry, "file", "title", "message") for entry in refused]}
    printed["bundles"] = {str(path): tasks for path, tasks in written.items()}
    print_result(printed, _replay_lines(printed, replay, again), as_json=as_json)
    return EXIT_ATTENTION if again else EXIT_OK


_COUNTED = {"labels": "", "missing": "not answered: ", "broken": "impossible: ", "raters": "rater "}


def _replay_lines(printed: dict[str, Any], replay: Replay, again: Sequence[ReplayedPlace]) -> Iterator[str]:
    yield f"{replay.old.ref} → {replay.new.ref}: {len(replay.changes):,} rows judge otherwise"
    yield from limited_lines(
        ["  {table} {id}: {change} § {section}".format(**row).rstrip("§ ") for row in replay.changes]
    )
    if replay.ratings:
        yield f"{replay.ratings:,} ratings of {replay.places:,} places, {replay.judged:,} touched by a change"
        yield f"{len(again):,} places to look at again"
    for kind, words in _COUNTED.items():
        yield from (f"  {words}{name}, {count:,} places" for name, count in printed[kind].items())
    places = [f"{place.rater}, {place.bundle}, task {place.task}, {place.where}: {place.text}" for place in again]
    yield from limited_lines(places)
    yield from (f"{entry['file']}: {entry['title']} {entry['message']}" for entry in printed["refused"])
    yield from (f"{path}: {tasks:,} tasks" for path, tasks in printed["bundles"].items())


@click.command("preview")
@click.argument("ref", metavar="RUBRIC")
@click.option("--tasks", type=FILE, help="Show these tasks, a .jsonl file, instead of samples.")
@click.option("--ratings", type=FILE, help="Fill in these ratings, a .jsonl file, instead of sample answers.")
@click.option("--guidelines", type=FILE, help="Its guidelines in Markdown.")
@click.pass_obj
def rubric_preview(store: Path, ref: str, tasks: Path | None, ratings: Path | None, guidelines: Path | None) -> int:
    """Open the window on the form of RUBRIC, a TOML file or a built-in id, with sample tasks and answers.

    No store is used: answers are discarded when the window is closed. Changes of the file are shown at once.
    """
    if ratings is not None and tasks is None:
        raise RaterError("--ratings requires the rated tasks.", hint="Name them with --tasks.")
    return _open_preview(store, rubric=ref, tasks=tasks, ratings=ratings, guidelines=guidelines)


def _open_preview(store: Path, **previewed: Any) -> int:
    """Open the window on a rubric until it is closed. The store only provides the settings."""
    if has_no_screen():
        raise RaterError("There is no display for the window.", hint="rubric lint works without one.")
    from desktop_rater.plugins.authoring.preview import PreviewSource, begin_preview  # noqa: PLC0415 - rubric lint needs none of it

    with temporary_folder() as folder:
        preview = PreviewSource(folder=Path(folder), **previewed)
        begin_preview(preview, now=utc_now)  # a rubric that can't be loaded is refused before a window opens
        from desktop_rater.plugins.authoring.preview_window import preview_rubric  # noqa: PLC0415 - loads Qt

        keep_secrets_from_children()
        exit_on_signals()
        return preview_rubric(preview, peek_settings(settings_file(store)), now=utc_now)
