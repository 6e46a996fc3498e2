"""Create a rubric file, report everything that is wrong with it, and check ratings against it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.bundle.jsonl import read_small_text, structs
from desktop_rater.bundle.limits import LIMITS
from desktop_rater.bundle.targets import prepare_task
from desktop_rater.model.errors import FormatError, RaterError
from desktop_rater.model.rating import Rating
from desktop_rater.model.strict_json import to_plain
from desktop_rater.model.task import Task
from desktop_rater.paths import resources
from desktop_rater.rubric import CheckOutcome, Rubric, RubricError, check_rating, load_rubric
from desktop_rater.rubric.lint import LintFinding, lint_rubric_text
from desktop_rater.work.bundles.make import default_id
from desktop_rater.work.output_files import NOTHING_WRITTEN
from desktop_rater.work.rubrics import rubrics

NEW_RUBRIC_SCOPES = ("target", "response", "task")
_ID = re.compile(r'^id = "[^"\n]*"', re.MULTILINE)
_VERSION = re.compile(r"^version = \d+", re.MULTILINE)
_COPIED = """\
# A copy of the built-in rubric {ref}. docs/rubrics.md names every key.
#   desktop-rater rubric lint FILE      says what is wrong with it, and where
#   desktop-rater rubric preview FILE   shows its form, and follows each change of this file
"""


def new_rubric(path: Path, *, per: str = NEW_RUBRIC_SCOPES[0], source: str | None = None) -> str:
    """Write a starting rubric to `path`; return its id, taken from the file name.

    It is a small one with questions `per` target, response or task, or a copy of the built-in `source`. Raises
    `RaterError`; existing files are never replaced.
    """
    name = default_id(path)
    if name in rubrics.builtin_ids():  # results must not be confused with those of a built-in rubric
        name = f"my-{name}"
    if source is not None:
        builtin = rubrics.builtin_rubric(source)
        text = _COPIED.format(ref=builtin.ref) + rubrics.read_rubric_bytes(rubrics.rubric_path(source)).decode()
    else:
        text = (resources() / "new_rubric" / f"{per}.toml").read_text(encoding="utf-8")
    text = _VERSION.sub("version = 1", _ID.sub(f'id = "{name}"', text, count=1), count=1)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise RaterError(f"{path.name} already exists.", NOTHING_WRITTEN, "Give the new rubric another name.") from None
    except OSError as error:
        raise RaterError(f"{path.name} can't be written.", f"{error.strerror or error}: {path}.") from None
    return name


WHOLE_FILE = "the file"
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)


class RubricLint(msgspec.Struct, frozen=True, kw_only=True):
    """Findings of a lint. `rubric`: the reference used by bundles, `None` if the rubric can't be loaded."""

    file: str
    rubric: str | None
    findings: tuple[LintFinding, ...]


def lint_rubric(ref: str, guidelines: Path | None = None) -> RubricLint:
    """Lint a rubric: a TOML file, or a built-in one by its id.

    `guidelines`: its Markdown file. Raises `RaterError` if one of the two is missing.
    """
    path = rubrics.rubric_path(ref)
    sections = _sections(ref, guidelines)
    try:
        data = rubrics.read_rubric_bytes(path)
    except RubricError as error:
        reason = " ".join(part for part in (error.title, error.message) if part)
        return RubricLint(file=path.name, rubric=None, findings=(_of_file(reason),))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        finding = _of_file(f"not UTF-8 at byte {error.start + 1}", line)
        return RubricLint(file=path.name, rubric=None, findings=(finding,))
    findings = lint_rubric_text(text, sections)
    if any(entry.level == "fault" for entry in findings):
        return RubricLint(file=path.name, rubric=None, findings=findings)
    rubric = load_rubric(text, path.name)
    owner = rubrics.builtin_name_owner(rubric)
    if owner and not rubrics.is_builtin(rubric, text):
        reason = f"a built-in rubric is called {owner!r} too, and is another one; bundles with this one are refused"
        findings = (LintFinding(level="remark", table="[id]", line=1, reason=reason), *findings)
    return RubricLint(file=path.name, rubric=rubric.ref, findings=findings)


def _of_file(reason: str, line: int = 1) -> LintFinding:
    return LintFinding(level="fault", table=WHOLE_FILE, line=line, reason=reason.rstrip("."))


def _sections(ref: str, guidelines: Path | None) -> list[str] | None:
    if guidelines is not None:
        text = read_small_text(guidelines, LIMITS.guidelines_bytes)
    else:
        text = "" if rubrics.custom_rubric_file(ref) is not None else rubrics.builtin_guidelines(ref)
        if not text:
            return None
    return _HEADING.findall(_FENCED.sub("", text.replace("\r\n", "\n")))


def check_rating_files(rubric_ref: str, tasks: Path, ratings: Path) -> Iterator[CheckOutcome]:
    """Yield an outcome per rating, in order. `rubric_ref`: a built-in id or a TOML file.

    Two `.jsonl` files are paired line by line; other files contain one object each. Raises `RaterError`.
    """
    rubric = rubrics.find_rubric(rubric_ref)
    task_side, rating_side = structs(tasks, Task), structs(ratings, Rating)
    for where, task in task_side:
        numbered_rating = next(rating_side, None)
        if numbered_rating is None:
            raise FormatError(f"{ratings.name} ends before {where} has its rating.")
        place, rating = numbered_rating
        if rating.task != task.id:
            raise FormatError(
                f"{place} rates {rating.task!r}, but {where} is {task.id!r}.",
                "Tasks and ratings must be in the same order.",
            )
        yield check_rating(rubric, with_targets(rubric, task), rating)
    extra = next(rating_side, None)
    if extra is not None:
        raise FormatError(f"{extra[0]} has no task, since {tasks.name} has fewer lines.")


def outcome_object(outcome: CheckOutcome) -> dict[str, Any]:
    """Return the JSON object that `rubric check` prints for a rating."""
    return {"decided": to_plain(outcome.decided), "problems": to_plain(outcome.problems)}


def with_targets(rubric: Rubric, task: Task) -> Task:
    """Return the task with its targets unchanged, or its sentences as targets, as after an import."""
    if task.targets is not None or not rubric.per_target:
        return task
    return prepare_task(task, per_target=True, accept_close=False, lang="").task or task
