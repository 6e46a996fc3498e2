"""Find a rubric: a built-in one by its name, or the one that a bundle brings."""

from __future__ import annotations

from pathlib import Path

from desktop_rater.bundle.limits import LIMITS
from desktop_rater.model.strict_json import BOM
from desktop_rater.model.trouble import RaterError
from desktop_rater.paths import resources
from desktop_rater.rubric import Rubric, RubricError, load


def builtin_ids() -> list[str]:
    """The built-in rubrics, without their versions."""
    return sorted(path.stem for path in _folder().glob("*.toml"))


def builtin(ref: str) -> Rubric:
    """A built-in rubric by `id` or `id@version`. Raises `RubricError`."""
    name, _, version = ref.partition("@")
    if name not in builtin_ids():
        known = ", ".join(builtin_ids())
        raise RubricError(f"No rubric is called {name!r}.", f"Built in are: {known}.", "A bundle can bring its own.")
    rubric = load(_text(_folder() / f"{name}.toml"), f"{name}.toml")
    if version and ref != rubric.ref:
        raise RubricError(
            f"Rubric {ref!r} is not in this program.",
            f"It has {rubric.ref}.",
            "A newer Desktop Rater may have it, or the bundle can bring it along as rubric.toml.",
        )
    return rubric


def named(ref: str) -> Rubric:
    """What a user calls a rubric: the path of a TOML file, or the name of a built-in one. Raises `RubricError`."""
    path = own_file(ref)
    return builtin(ref) if path is None else load(_text(path), path.name)


def own_text(ref: str) -> str | None:
    """The TOML that a bundle must bring along for that rubric; `None` for a built-in one. Raises `RubricError`."""
    path = own_file(ref)
    return None if path is None else _text(path)


def of_bundle(ref: str, toml: str | None, source: str) -> Rubric:
    """The rubric of a bundle: its own `rubric.toml`, else the built-in one that its manifest names.

    Raises `RubricError`; `source` names the bundle in messages.
    """
    if toml is None:
        return builtin(ref)
    rubric = load(toml, f"{source}: rubric.toml")
    if ref not in (rubric.ref, rubric.file.id):
        raise RubricError(
            f"{source}: the manifest names the rubric {ref!r}, and its rubric.toml is {rubric.ref!r}.",
            hint="Nothing was loaded. Make the two agree.",
        )
    return rubric


def is_under_a_borrowed_name(rubric: Rubric) -> bool:
    """Whether it is called like a built-in rubric and is not that one, to the word."""
    return rubric.file.id in builtin_ids() and builtin(rubric.file.id).file != rubric.file


def guidelines(rubric_id: str) -> str:
    """The Markdown that explains a built-in rubric; empty where there is none."""
    path = resources() / "guidelines" / f"{rubric_id.partition('@')[0]}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def own_file(ref: str) -> Path | None:
    """The TOML file that `ref` is the path of; `None` for the name of a built-in rubric."""
    path = Path(ref)
    if ref.partition("@")[0] in builtin_ids():  # a file that happens to be named so is not meant
        return None
    return path if path.suffix == ".toml" or path.is_file() else None


def read_toml(path: Path) -> bytes:
    """The bytes of a rubric's file, without a mark of their order. Raises `RubricError`."""
    try:
        if path.stat().st_size > LIMITS.rubric_bytes:
            raise RubricError(f"{path.name} is larger than a rubric may be.", f"{LIMITS.rubric_bytes:,} bytes.")
        return path.read_bytes().removeprefix(BOM)
    except OSError as error:
        raise RubricError(f"{path.name} can't be read.", f"{error.strerror or error}: {path}.") from None


def path_of(ref: str) -> Path:
    """Where the TOML of a rubric lies: a user's file, or that of a built-in one by its id. Raises `RubricError`."""
    own = own_file(ref)
    return own if own is not None else _folder() / f"{builtin(ref).file.id}.toml"


def _text(path: Path) -> str:
    try:
        return read_toml(path).decode()
    except UnicodeDecodeError as error:
        raise RubricError(f"{path.name}: not UTF-8 at byte {error.start + 1}.") from None


def _folder() -> Path:
    folder = resources() / "rubrics"
    if not folder.is_dir():
        raise RaterError("The program's own rubrics are missing.", f"{folder} is not there.", "Install it again.")
    return folder
