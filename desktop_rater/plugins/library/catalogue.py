"""The libraries of a store: a folder each, with a description and an index of passages."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from desktop_rater.files import replaced_file
from desktop_rater.format.errors import RaterError
from desktop_rater.format.manifests import library_id  # noqa: F401 - the other modules take it from here
from desktop_rater.format.strict_json import prepared_type

FOLDER, DESCRIPTION, INDEX = "libraries", "library.json", "index.sqlite3"
LibraryKind = Literal["folder", "archive", "pages", "zim", "dump", "precedents"]


class Library(msgspec.Struct, frozen=True, kw_only=True):
    """A library. `date`: the day of its content, as YYYY-MM-DD; `origin`: where it was published; `sources`: its files.

    `keys`: fields of the lines of a dump, where they are not those of `sources.DUMP_KEYS`. `skipped`: documents that
    can't be read. `lang`: the language of most documents. `ready`: all is indexed, or its files bring an index of their
    own; what is indexed can be searched before. `unsigned`: from a hub, without the lead's signature.
    """

    id: str
    name: str
    kind: LibraryKind
    date: str = ""
    licence: str = ""
    origin: str = ""
    sources: tuple[str, ...] = ()
    keys: dict[str, str] = {}
    documents: int = 0
    passages: int = 0
    skipped: int = 0
    lang: str = ""
    ready: bool = False
    unsigned: bool = False


def library_folder(store: Path, library: str) -> Path:
    """Return the folder of a library by its id."""
    return store / FOLDER / library


def list_libraries(store: Path) -> list[Library]:
    """Return the libraries of a store by name."""
    files = sorted((store / FOLDER).glob(f"*/{DESCRIPTION}"))
    return sorted(map(_described, files), key=lambda library: library.name.casefold())


def chosen_libraries(store: Path, names: Sequence[str] = ()) -> list[Library]:
    """Return the libraries of these names or ids; all without names. Raises `RaterError` for an unknown name."""
    known = list_libraries(store)
    by_name = {key: library for library in known for key in (library.id, library.name)}
    for name in names:
        if name not in by_name:
            have = ", ".join(library.name for library in known) or "none"
            raise RaterError(f"There is no library {name!r}.", f"This store has: {have}.", "`library add` adds one.")
    return [by_name[name] for name in dict.fromkeys(names)] if names else known


def precedent_libraries(store: Path) -> list[Library]:
    """Return the libraries of precedents that can be searched."""
    return [library for library in list_libraries(store) if library.kind == "precedents" and library.ready]


def save_library(store: Path, library: Library) -> None:
    """Write the description of a library."""
    folder = library_folder(store, library.id)
    folder.mkdir(parents=True, exist_ok=True)
    with replaced_file(folder / DESCRIPTION) as path:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(library)))


def delete_library(store: Path, library: Library) -> None:
    """Delete a library with its index; the files that it was made of stay."""
    shutil.rmtree(library_folder(store, library.id))


def _described(file: Path) -> Library:
    try:
        return msgspec.json.decode(file.read_bytes(), type=prepared_type(Library))
    except (OSError, msgspec.DecodeError) as error:
        raise RaterError("The description of a library can't be read.", f"{file}: {error}") from error
