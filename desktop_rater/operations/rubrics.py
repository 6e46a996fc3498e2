"""Look up rubrics: built-in ones by name, or a bundle's own; and check their files."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.format.errors import FormatError, RaterError
from desktop_rater.format.jsonl import structs
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import BOM, sha256, to_plain
from desktop_rater.format.task import Task
from desktop_rater.paths import resources
from desktop_rater.rubric import CheckOutcome, Rubric, RubricError, check_rating, load_rubric
from desktop_rater.text.untrusted import look_alike_key


def builtin_ids() -> list[str]:
    """Return the ids of the built-in rubrics, without versions."""
    return sorted(path.stem for path in _folder().glob("*.toml"))


def builtin_rubric(ref: str) -> Rubric:
    """Return a built-in rubric by `id` or `id@version`. Raises `RubricError`."""
    name, _, version = ref.partition("@")
    if name not in builtin_ids():
        names = ", ".join(builtin_ids())
        raise RubricError(
            f"There is no rubric {name!r}.", f"Built-in rubrics: {names}.", "A bundle can include its own rubric."
        )
    path = _builtin_path(ref)
    rubric = load_rubric(_text(path), path.name, is_trusted=True)
    if version and ref != rubric.ref:
        is_earlier = version.isdecimal() and int(version) < rubric.file.version
        raise RubricError(
            f"This program does not include the rubric {ref!r}.",
            f"It includes {rubric.ref}.",
            "Make the bundle again with this version, or include the earlier one in it as rubric.toml."
            if is_earlier
            else "A newer version of Desktop Rater may include it, or the bundle can include it as rubric.toml.",
        )
    return rubric


def _builtin_path(ref: str) -> Path:
    """Return the file of a built-in rubric: of an earlier version if the program includes that, else of the current."""
    name, _, version = ref.partition("@")
    earlier = _folder() / "earlier" / f"{name}@{version}.toml"
    return earlier if version.isdecimal() and earlier.is_file() else _folder() / f"{name}.toml"


def find_rubric(ref: str) -> Rubric:
    """Return the rubric a user names: by the path of a TOML file, or a built-in name. Raises `RubricError`."""
    path = custom_rubric_file(ref)
    return builtin_rubric(ref) if path is None else load_rubric(_text(path), path.name)


def custom_rubric_text(ref: str) -> str | None:
    """Return the TOML a bundle must include for the rubric; `None` for a built-in one. Raises `RubricError`."""
    path = custom_rubric_file(ref)
    return None if path is None else _text(path)


def bundle_rubric_of(ref: str, toml: str | None, source: str) -> Rubric:
    """Return a bundle's rubric: its own `rubric.toml`, or the built-in one its manifest names.

    Raises `RubricError`; `source` names the bundle in messages.
    """
    if toml is None:
        return builtin_rubric(ref)
    rubric = load_rubric(toml, f"{source}: rubric.toml")
    if ref not in (rubric.ref, rubric.file.id):
        raise RubricError(
            f"{source}: the manifest names the rubric {ref!r}, but its rubric.toml is {rubric.ref!r}.",
            hint="Nothing was loaded. Correct one of the two.",
        )
    return rubric


def incoming_rubric(ref: str, toml: str | None, source: str) -> Rubric:
    """Return the rubric of a bundle or of results that come from elsewhere, as `bundle_rubric_of` does.

    Raises `RubricError` also if it has the name of a built-in rubric, or a name that looks like one, and other content.
    """
    rubric = bundle_rubric_of(ref, toml, source)
    owner = builtin_name_owner(rubric)
    if toml is not None and owner and not is_builtin(rubric, toml):
        raise RubricError(
            f"{source} includes a rubric of its own under the name of a built-in one.",
            f"It is called {rubric.ref!r}, and its content is not that of the built-in rubric {owner!r}.",
            "Give the rubric an id of its own, and make the bundle again.",
        )
    return rubric


def builtin_name_owner(rubric: Rubric) -> str:
    """Return the built-in id that a rubric's id is equal to or looks like; empty if there is none."""
    key = look_alike_key(rubric.file.id)
    return next((name for name in builtin_ids() if look_alike_key(name) == key), "")


def is_builtin(rubric: Rubric, toml: str) -> bool:
    """Return whether a rubric of a file has the content of a built-in one, or of an earlier version.

    Cases change no judgement, and are not compared.
    """
    if rubric.file.id not in builtin_ids():
        return False
    earlier: dict[str, str] = msgspec.json.decode(_text(_folder() / "earlier.json"))
    included = load_rubric(_text(_builtin_path(rubric.ref))).file
    return earlier.get(rubric.ref) == sha256(toml.encode()) or included == replace(rubric.file, cases=())


def rubric_sha256(rubric: Rubric, toml: str | None) -> str:
    """Return the SHA-256 of a rubric's TOML file: `toml`, or that of the built-in one."""
    return sha256((_text(_builtin_path(rubric.ref)) if toml is None else toml).encode())


def builtin_guidelines(rubric_id: str) -> str:
    """Return the guidelines (Markdown) of a built-in rubric; empty if there are none.

    A rubric named after another, such as "side-by-side-3" after "side-by-side", shares its guidelines.
    """
    name = rubric_id.partition("@")[0]
    names = [name, name.rpartition("-")[0]] if name in builtin_ids() else [name]
    paths = [resources() / "guidelines" / f"{stem}.md" for stem in names]
    return next((path.read_text(encoding="utf-8") for path in paths if path.is_file()), "")


def custom_rubric_file(ref: str) -> Path | None:
    """Return the TOML file that `ref` is the path of; `None` for a built-in name."""
    path = Path(ref)
    if ref.partition("@")[0] in builtin_ids():  # a built-in name takes precedence over a file
        return None
    return path if path.suffix == ".toml" or path.is_file() else None


def read_rubric_bytes(path: Path) -> bytes:
    """Return the bytes of a rubric file, without a byte-order mark. Raises `RubricError`."""
    from desktop_rater.format.safe_zip import LIMITS  # noqa: PLC0415 - only when it is used

    try:
        if path.stat().st_size > LIMITS.rubric_bytes:
            raise RubricError(
                f"{path.name} is too large for a rubric.", f"The maximum is {LIMITS.rubric_bytes:,} bytes."
            )
        return path.read_bytes().removeprefix(BOM)
    except OSError as error:
        raise RubricError(f"{path.name} can't be read.", f"{error.strerror or error}: {path}.") from None


def rubric_path(ref: str) -> Path:
    """Return the path of a rubric's TOML: a user's file, or a built-in one by its id. Raises `RubricError`."""
    own = custom_rubric_file(ref)
    return own if own is not None else _builtin_path(builtin_rubric(ref).ref)


def _text(path: Path) -> str:
    try:
        return read_rubric_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise RubricError(f"{path.name}: not UTF-8 at byte {error.start + 1}.") from None


def _folder() -> Path:
    folder = resources() / "rubrics"
    if not folder.is_dir():
        raise RaterError(
            "The program's own rubrics are missing.", f"{folder} does not exist.", "Reinstall the program."
        )
    return folder


_MOST_NAMED = 20  # tasks in a message


def check_rating_files(rubric_ref: str, tasks: Path, ratings: Path) -> Iterator[CheckOutcome]:
    """Yield an outcome per rating, in order. `rubric_ref`: a built-in id or a TOML file.

    A task and its ratings have the same id; of several tasks with one id, each has one rating, in their order. `.jsonl`
    files hold one object per line, other files one. Raises `RaterError`, for tasks without a rating after all outcomes.
    """
    rubric = find_rubric(rubric_ref)
    by_id: dict[str, list[Task]] = {}
    for _, task in structs(tasks, Task):
        by_id.setdefault(task.id, []).append(task)
    rated: Counter[str] = Counter()
    for where, rating in structs(ratings, Rating):
        same = by_id.get(rating.task, [])
        number = 0 if len(same) == 1 else rated[rating.task]
        if number >= len(same):
            other = "other task" if same else "task"
            raise FormatError(f"{where} rates {rating.task!r}, of which {tasks.name} has no {other}.")
        rated[rating.task] += 1
        yield check_rating(rubric, with_targets(rubric, same[number]), rating)
    unrated = [name for name, same in by_id.items() if rated[name] < len(same)]
    if unrated:
        more = f" and {len(unrated) - _MOST_NAMED:,} more" if len(unrated) > _MOST_NAMED else ""
        raise FormatError(f"{ratings.name} has no rating of {', '.join(unrated[:_MOST_NAMED])}{more}.")


def outcome_object(outcome: CheckOutcome) -> dict[str, Any]:
    """Return the JSON object that `rubric check` prints for a rating."""
    return {"decided": to_plain(outcome.decided), "problems": to_plain(outcome.problems)}


def with_targets(rubric: Rubric, task: Task) -> Task:
    """Return the task with its targets unchanged, or its sentences as targets, as after an import."""
    if task.targets is not None or not rubric.per_target:
        return task
    from desktop_rater.format.targets import prepare_task  # noqa: PLC0415 - tasks of a bundle have their targets

    return prepare_task(task, per_target=True, accept_close=False, lang="").task or task
