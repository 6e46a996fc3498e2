"""Paths of the program's resources, such as its sample bundles, and of the user's folders."""

import os
import sys
import zlib
from importlib.util import find_spec
from pathlib import Path

from platformdirs import user_config_path, user_data_path, user_state_path

SETTINGS_NAME = "settings.json"
KEY_FOLDER = "keys"  # beside the settings: the private keys that raters keep in files
_HERE = Path(__file__).parent

SAMPLE_FILES = {
    "sample": "span-factuality-sample.zip",
    "sample_pairs": "side-by-side-sample.zip",
    "sample_scales": "response-quality-sample.zip",
    "sample_documents": "groundedness-sample.zip",
    "practice": "practice-sample.zip",
    "practice_pairs": "side-by-side-practice.zip",
    "practice_scales": "response-quality-practice.zip",
}
"""Bundles that come with the program, by the action that opens them; those for practice have gold answers."""

SAMPLE_BUNDLES = frozenset(
    {
        "sample-documents",
        "sample-factuality",
        "sample-pairs",
        "sample-pairs-practice",
        "sample-practice",
        "sample-scales",
        "sample-scales-practice",
    }
)
"""The ids of these bundles. Their results go only to a hub that distributed them."""


def resources() -> Path:
    """Return the folder of rubrics, guidelines, schemas and samples; a checkout has it beside the package."""
    installed = _HERE / "resources"
    return installed if installed.is_dir() else _HERE.parent / "resources"


def program_document(name: str) -> Path:
    """Return a document that comes with the program, such as `LICENSE` or the folder `docs`."""
    installed = resources() / name
    return installed if installed.exists() else _HERE.parent / name


def default_store() -> Path:
    """Return the user's default store folder, without creating it."""
    return user_data_path("desktop-rater", appauthor=False) / "store"


def engine_addons() -> list[Path]:
    """Return where an add-on with the browser engine may lie: beside a packaged program, and in the user's data."""
    return [*_addon_beside(), user_data_path("desktop-rater", appauthor=False) / "live-view"]


def is_full_installation() -> bool:
    """Tell if the program was installed with the browser engine. Does not import Qt."""
    spec = find_spec("PySide6")
    packages = map(Path, spec.submodule_search_locations or ()) if spec else ()
    engine = (file for package in packages for file in package.glob("QtWebEngineWidgets.*"))
    return any(engine) or any(folder.is_dir() for folder in _addon_beside())


def _addon_beside() -> list[Path]:
    return [Path(sys.executable).with_name("live-view")] if getattr(sys, "frozen", False) else []


def settings_file(store: Path) -> Path:
    """Return the settings file: in the user's configuration folder, or inside a store given explicitly."""
    if store == default_store():
        return user_config_path("desktop-rater", appauthor=False) / SETTINGS_NAME
    return store / SETTINGS_NAME


def log_file(store: Path) -> Path:
    """Return the log of the window: in the user's folder of states, or inside a store given explicitly."""
    folder = user_state_path("desktop-rater", appauthor=False) if store == default_store() else store
    return folder / "desktop-rater.log"


def updates_file(store: Path) -> Path:
    """Return the file that remembers the release indexes seen, beside the log."""
    return log_file(store).with_name("updates.json")


def window_socket(store: Path) -> Path:
    """Return the socket of the window on a store, in a folder for sockets of this user and machine."""
    # macOS allows 103 characters for the path of a socket, and its folder of states is too long for that.
    given = os.environ.get("TMPDIR" if sys.platform == "darwin" else "XDG_RUNTIME_DIR")
    folder = Path(given) if given else user_state_path("desktop-rater", appauthor=False)
    # Not a secure hash, which takes longer to load: a request also names its store.
    name = os.path.normcase(os.path.realpath(store)).encode("utf-8", "surrogateescape")
    return folder / "desktop-rater-windows" / f"{zlib.crc32(name):08x}{zlib.adler32(name):08x}.socket"


def sample_bundle_path(name: str = "sample") -> Path:
    """Return the path of a bundle that comes with the program."""
    return resources() / "samples" / SAMPLE_FILES[name]


def offered_samples() -> tuple[str, ...]:
    """Return the names of the bundles that this installation has."""
    return tuple(name for name in SAMPLE_FILES if sample_bundle_path(name).is_file())
