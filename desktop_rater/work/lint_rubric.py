"""Say of a rubric's file whatever is wrong with it, before any rater sees it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.limits import LIMITS
from desktop_rater.bundle.plain_files import text_of
from desktop_rater.rubric import RubricError, load
from desktop_rater.rubric.lint import Finding, lint
from desktop_rater.work import rubrics

if TYPE_CHECKING:
    from pathlib import Path

THE_FILE = "the file"
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)


class Linted(msgspec.Struct, frozen=True, kw_only=True):
    """What was found. `rubric` is how bundles name it; `None` where it would not be loaded."""

    file: str
    rubric: str | None
    findings: tuple[Finding, ...]


def lint_rubric(ref: str, guidelines: Path | None = None) -> Linted:
    """Everything that is to be said of a rubric: a TOML file, or a built-in one by its id.

    `guidelines` are the Markdown that goes with it. Raises `RaterError` where one of the two is not there.
    """
    path = rubrics.path_of(ref)
    sections = _sections(ref, guidelines)
    try:
        data = rubrics.read_toml(path)
    except RubricError as error:
        reason = " ".join(part for part in (error.title, error.message) if part)
        return Linted(file=path.name, rubric=None, findings=(_of_file(reason),))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        finding = _of_file(f"not UTF-8 at byte {error.start + 1}", line)
        return Linted(file=path.name, rubric=None, findings=(finding,))
    findings = lint(text, sections)
    if any(one.level == "fault" for one in findings):
        return Linted(file=path.name, rubric=None, findings=findings)
    rubric = load(text, path.name)
    if rubrics.is_under_a_borrowed_name(rubric):
        reason = f"a built-in rubric is called {rubric.file.id!r} too, and is another one"
        findings = (Finding(level="remark", table="[id]", line=1, reason=reason), *findings)
    return Linted(file=path.name, rubric=rubric.ref, findings=findings)


def _of_file(reason: str, line: int = 1) -> Finding:
    return Finding(level="fault", table=THE_FILE, line=line, reason=reason.rstrip("."))


def _sections(ref: str, guidelines: Path | None) -> list[str] | None:
    if guidelines is None:
        text = "" if rubrics.own_file(ref) is not None else rubrics.guidelines(ref)
        return _headings(text) if text else None
    return _headings(text_of(guidelines, LIMITS.guidelines_bytes))


def _headings(markdown: str) -> list[str]:
    return _HEADING.findall(_FENCED.sub("", markdown.replace("\r\n", "\n")))
