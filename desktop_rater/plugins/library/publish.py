"""Libraries on a hub: files in parts named by content, and a description that names them, signed by the lead.

The parts are pieces of all files in the order of their names, one after the other. Parts that are there are not sent
again, and those that arrived are not fetched again.
"""

import re
import shutil
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from desktop_rater.files import file_sha256, remove_folder, temporary_folder
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError, bundle_errors
from desktop_rater.format.hub_names import LeadSignature, fingerprint, hash_in_name, hub_path_segment
from desktop_rater.format.manifests import FileEntry, library_id
from desktop_rater.format.signing import SigningKey
from desktop_rater.format.strict_json import OpenStruct, sha256
from desktop_rater.format.values import Id, Sha256
from desktop_rater.hub.errors import incomplete_file_error
from desktop_rater.hub.interface import Hub
from desktop_rater.operations.hub.connect import read_marker
from desktop_rater.operations.hub.receive import sign_as_lead, signer
from desktop_rater.operations.hub.transfer import decode_small_file, small_file_bytes
from desktop_rater.plugins.library.catalogue import Library, LibraryKind, library_folder, list_libraries
from desktop_rater.text.untrusted import RESERVED_NAME

HUB_LIBRARIES = "libraries"  # folder on a hub
PUBLISHED_FORMAT = "desktop-rater/library"
FILES, _INCOMING = "files", "incoming-{}"  # in the folder of a library that was fetched
_PART = 16 * 2**20
_HEAD = (
    b"desktop-rater/part\n"  # of each part: one that began as a web page would be taken for one of a network's sign-in
)
_MOST_DESCRIPTION = 16 * 2**20
_MOST_FILES = 20_000
_PIECE = 256 * 1024
_NOT_IN_A_NAME = re.compile(r'[\x00-\x1f\x7f-\x9f\\:*?"<>|]')
_LONGEST_PART = 200  # of a path


class PublishedLibrary(OpenStruct, frozen=True, kw_only=True):
    """Description of a library on a hub. `files`: path → size and hash.

    `parts`: the hash of each piece of `part_bytes` of all files, with its first line.
    """

    format: Literal["desktop-rater/library"]
    version: Annotated[int, Meta(ge=1)]
    name: Id
    kind: LibraryKind
    date: str = ""
    licence: str = ""
    origin: str = ""
    keys: dict[str, str] = {}
    part_bytes: Annotated[int, Meta(ge=1, le=64 * 2**20)]
    parts: tuple[Sha256, ...]
    files: Annotated[dict[str, FileEntry], Meta(min_length=1, max_length=_MOST_FILES)]
    signature: LeadSignature | None = None

    def __post_init__(self) -> None:
        for name in self.files:
            if not _is_safe_path(name):
                raise ValueError(f"`files` names a file that can't be stored: {name[:200]!r}")
        if len({name.casefold() for name in self.files}) < len(self.files):
            raise ValueError("`files` has two names that are the same on some systems")
        if len(self.parts) != -(-self.total // self.part_bytes):
            raise ValueError("`parts` does not match the sizes of `files`")

    @property
    def total(self) -> int:
        """Return the size of all files."""
        return sum(entry.bytes for entry in self.files.values())


def publish_library(hub: Hub, library: Library, key: SigningKey | None, progress: Progress) -> dict[str, Any]:
    """Send the files of a library to a hub, the description last; return what a bundle says to want it.

    The description is signed if there is a key. Raises `RaterError`, `Cancelled`. A repeated call goes on where the
    last one stopped.
    """
    marker = read_marker(hub, progress)  # an address without a hub gets no files
    files = _files_of(library)
    with bundle_errors(library.name, "published", "Nothing was published."):
        entries = {name: FileEntry(sha256=file_sha256(path), bytes=path.stat().st_size) for name, path in files.items()}
        parts = tuple(map(sha256, _pieces(files, progress)))
    described = PublishedLibrary(
        format=PUBLISHED_FORMAT,
        version=1,
        name=library.name,
        kind=library.kind,
        date=library.date,
        licence=library.licence,
        origin=library.origin,
        keys=library.keys,
        part_bytes=_PART,
        parts=parts,
        files=entries,
    )
    folder = _hub_folder(library.id)
    content = small_file_bytes(sign_as_lead(described, marker.project, key) if key is not None else described)
    with temporary_folder() as place, bundle_errors(library.name, "published", "Publish it again."):
        path = Path(place) / "part"
        for number, (part, piece) in enumerate(zip_longest(parts, _pieces(files, Progress()))):
            if part is None or piece is None or sha256(piece) != part:
                raise RaterError(f"{library.name} was changed while being published.", hint="Publish it again.")
            progress(number * _PART, described.total)
            if not hub.exists(f"{folder}/{part}.part", progress):
                path.write_bytes(piece)
                hub.put_new(f"{folder}/{part}.part", path, part, Progress(lambda _done, _total: progress(0, 0)))
        path.write_bytes(content)
        numbers = _descriptions(hub, library.id, progress)
        digest = sha256(content)
        if all(hash_in_name(name) != digest for name in numbers.values()):
            hub.put_new(f"{folder}/{max(numbers, default=0) + 1}-{digest}.json", path, digest, progress)
    wanted = {"name": library.name, "date": library.date or None, "origin": library.origin, "sha256": digest}
    return {key: value for key, value in wanted.items() if value}


def fetch_library(
    store: Path, hub: Hub, name: str, digest: str, lead_keys: Mapping[str, str], progress: Progress
) -> Library:
    """Fetch a library from a hub: with that SHA-256 of its description, or its newest; it is not indexed yet.

    `lead_keys`: project → trusted key of its lead; of others it is the key that the hub names. Raises `RaterError`,
    `Cancelled`. A repeated call goes on where the last one stopped.
    """
    marker = read_marker(hub, progress)
    wanted = library_id(name)
    if any(library.id == wanted for library in list_libraries(store)):
        raise RaterError(f"There is a library {name!r} already.", hint="`library remove` removes it.")
    numbers = _descriptions(hub, wanted, progress)
    names = [file for _, file in sorted(numbers.items()) if digest in ("", hash_in_name(file))]
    if not names:
        raise RaterError(f"{hub.address} has no such library {name!r}.", hint="`library publish` puts one there.")
    content = bytearray()
    hub.get(names[-1], content.extend, progress, most=_MOST_DESCRIPTION)
    described = decode_small_file(bytes(content), PublishedLibrary, names[-1])
    if library_id(described.name) != wanted:
        raise RaterError(f"{names[-1]} on the hub is the description of another library.", described.name)
    is_signed = _is_signed(described, marker.project, lead_keys.get(marker.project) or marker.lead_key or "")
    folder = library_folder(store, wanted)
    incoming = folder / _INCOMING.format(sha256(bytes(content))[:16])
    with bundle_errors(described.name, "fetched", "Free some space, then fetch it again: it continues."):
        incoming.mkdir(parents=True, exist_ok=True)
        _receive(hub, described, incoming, progress)
        _check_files(described, incoming, progress)
        shutil.rmtree(folder / FILES, ignore_errors=True)
        incoming.rename(folder / FILES)
    files = [folder / FILES] if described.kind == "folder" else [folder / FILES / file for file in described.files]
    return Library(
        id=wanted,
        name=described.name,
        kind=described.kind,
        date=described.date,
        licence=described.licence,
        origin=described.origin,
        keys=described.keys,
        sources=tuple(str(path.resolve()) for path in files),
        unsigned=not is_signed,
    )


def _is_signed(described: PublishedLibrary, project: str, lead_key: str) -> bool:
    """Return whether the lead has signed a description. Raises `RaterError` if it was changed, or signed by others."""
    signature = described.signature
    signed = signer(described, signature, project, lead_key)
    if signature is not None and signed == "unsigned":
        hint = "Ask the lead to publish it again."
        raise RaterError(f"The description of {described.name} was changed after it was signed.", hint=hint)
    if signature is not None and signed == "foreign" and lead_key:
        raise RaterError(
            f"{described.name} is signed with another key than the lead's.",
            f"Its key is {fingerprint(signature.key)}, that of the lead {fingerprint(lead_key)}.",
            "If the lead has a new key, trust it with `hub lead-key`.",
        )
    return signed == "lead"


def _receive(hub: Hub, described: PublishedLibrary, incoming: Path, progress: Progress) -> None:
    """Write the parts that are missing, in order."""
    arrived = _arrived(described, incoming)
    if shutil.disk_usage(incoming).free < described.total - arrived:
        raise RaterError(f"There is no room for {described.name}.", f"It needs {described.total // 2**20:,} MB.")
    for number in range(arrived // described.part_bytes, len(described.parts)):
        start, part = number * described.part_bytes, described.parts[number]
        name = f"{_hub_folder(library_id(described.name))}/{part}.part"
        piece = bytearray()
        ours = Progress(lambda done, _total, start=start: progress(start + done, described.total))
        hub.get(name, piece.extend, ours, most=len(_HEAD) + described.part_bytes)
        if sha256(bytes(piece)) != part:
            raise incomplete_file_error(name)
        _write(described, incoming, start, memoryview(piece)[len(_HEAD) :])


def _arrived(described: PublishedLibrary, incoming: Path) -> int:
    """Return the number of bytes that are there, of all files one after the other."""
    total = 0
    for name, entry in sorted(described.files.items()):
        path = incoming / name
        size = path.stat().st_size if path.is_file() else 0
        total += min(size, entry.bytes)
        if size < entry.bytes:
            break
    return total


def _write(described: PublishedLibrary, incoming: Path, start: int, piece: memoryview) -> None:
    """Write a piece of all files, one after the other, that begins at `start`."""
    before = 0
    for name, entry in sorted(described.files.items()):
        first, last = max(start, before), min(start + len(piece), before + entry.bytes)
        if first < last:
            path = incoming / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("r+b" if path.exists() else "wb") as file:
                file.seek(first - before)
                file.write(piece[first - start : last - start])
        before += entry.bytes


def _check_files(described: PublishedLibrary, incoming: Path, progress: Progress) -> None:
    for name, entry in described.files.items():
        path = incoming / name
        if not entry.bytes:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        if path.stat().st_size != entry.bytes or file_sha256(path, lambda: progress(0, 0)) != entry.sha256:
            remove_folder(incoming)
            raise RaterError(f"{name} of {described.name} did not arrive whole.", hint="Fetch the library again.")


def _files_of(library: Library) -> dict[str, Path]:
    """Return the files of a library by the paths under which they are published. Raises `RaterError`."""
    paths = [Path(source) for source in library.sources]
    files = {}
    for source in paths:
        base = source if source.is_dir() and len(paths) == 1 else source.parent
        for path in sorted(source.rglob("*")) if source.is_dir() else [source]:
            if path.is_file():
                files[path.relative_to(base).as_posix()] = path
    odd = [name for name in files if not _is_safe_path(name)]
    if odd or not files or len(files) > _MOST_FILES:
        names = f"Rename {', '.join(odd[:5])}" if odd else f"It has {len(files):,} files; 1 to {_MOST_FILES:,} can be"
        raise RaterError(f"{library.name} can't be published.", f"{names}.")
    return files


def _pieces(files: Mapping[str, Path], progress: Progress) -> Iterator[bytes]:
    """Yield the content of all files, in the order of their names, as parts."""
    held = bytearray()
    for _, path in sorted(files.items()):
        with path.open("rb") as file:
            while data := file.read(_PIECE):
                progress(0, 0)
                held += data
                while len(held) >= _PART:
                    yield _HEAD + held[:_PART]
                    del held[:_PART]
    if held:
        yield _HEAD + held


def _descriptions(hub: Hub, library: str, progress: Progress) -> dict[int, str]:
    """Return the names of a library's descriptions on a hub, by their numbers."""
    names = [file.name for file in hub.list(_hub_folder(library), progress)]
    numbered = ((name.rpartition("/")[2].partition("-")[0], name) for name in names if name.endswith(".json"))
    return {int(number): name for number, name in numbered if number.isascii() and number.isdigit()}


def _hub_folder(library: str) -> str:
    return f"{HUB_LIBRARIES}/{hub_path_segment(library)}"


def _is_safe_path(path: str) -> bool:
    """Return whether a path leads to a file inside a folder on every system."""
    return _NOT_IN_A_NAME.search(path) is None and all(
        part not in ("", ".", "..")
        and len(part.encode()) <= _LONGEST_PART
        and not part.endswith((".", " "))
        and not RESERVED_NAME.fullmatch(part)
        for part in path.split("/")
    )
