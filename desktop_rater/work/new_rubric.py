"""Begin a rubric: a file that loads, to be changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop_rater.model.trouble import RaterError
from desktop_rater.paths import resources
from desktop_rater.work import rubrics
from desktop_rater.work.make_bundle import default_id

if TYPE_CHECKING:
    from pathlib import Path

SCOPES = ("target", "response", "task")
_ID = re.compile(r'^id = "[^"\n]*"', re.MULTILINE)
_VERSION = re.compile(r"^version = \d+", re.MULTILINE)
_COPIED = """\
# A copy of the built-in rubric {ref}. docs/rubrics.md names every key.
#   desktop-rater rubric lint FILE      says what is wrong with it, and where
#   desktop-rater rubric preview FILE   shows its form, and follows each change of this file
"""


def new_rubric(path: Path, *, per: str = SCOPES[0], source: str | None = None) -> str:
    """Write a starting rubric to `path`, and give its id, which comes from the file's name.

    It is a small one whose questions are asked `per` target, response or task; or a copy of the built-in one that
    `source` names. Raises `RaterError`: nothing that is there already is replaced.
    """
    name = _own_id(path)
    if source is not None:
        builtin = rubrics.builtin(source)
        text = _COPIED.format(ref=builtin.ref) + rubrics.read_toml(rubrics.path_of(source)).decode()
    else:
        text = (resources() / "new_rubric" / f"{per}.toml").read_text(encoding="utf-8")
    text = _VERSION.sub("version = 1", _ID.sub(f'id = "{name}"', text, count=1), count=1)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise RaterError(
            f"{path.name} is there already.", "Nothing was written.", "Give the new rubric another name."
        ) from None
    except OSError as error:
        raise RaterError(f"{path.name} can't be written.", f"{error.strerror or error}: {path}.") from None
    return name


def _own_id(path: Path) -> str:
    """The id from the file's name; never one of a built-in rubric, whose results would seem to be by that one."""
    name = default_id(path)
    return f"my-{name}" if name in rubrics.builtin_ids() else name
