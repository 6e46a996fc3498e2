"""A bundle as raters get it: without its gold, which is for whoever audits, but for practice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.names import GOLD, MANIFEST
from desktop_rater.bundle.read import open_bundle
from desktop_rater.bundle.sources import Whole
from desktop_rater.bundle.trouble import named
from desktop_rater.bundle.write import TRY_AGAIN, write_zip
from desktop_rater.model.canonical import canonical
from desktop_rater.model.strict_json import read_file

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.bundle.read import OpenBundle
    from desktop_rater.bundle.sources import Source
    from desktop_rater.model.progress import Progress

_NO_TIME = "1980-01-01T00:00:00Z"  # the earliest that a zip knows, for a bundle that does not say when it was made


def holds_gold(bundle: OpenBundle) -> bool:
    """Whether it holds gold that raters shall not see."""
    return not bundle.manifest.practice and bundle.has_gold


def without_gold(path: Path, out: Path, progress: Progress) -> None:
    """Write the bundle at `path` to `out`, with all of its files to the byte but the gold.

    To a rater it is the same bundle. Equal bundles give equal bytes. Raises `BundleError`.
    """
    with open_bundle(path) as bundle, named(out, "written", TRY_AGAIN):
        sources: dict[str, Source] = {name: one for name, one in bundle.sources().items() if name != GOLD}
        plain = read_file(bundle.manifest_raw)
        files = {name: entry for name, entry in plain["files"].items() if name != GOLD}
        raw = msgspec.json.format(canonical({**plain, "files": files}), indent=2) + b"\n"
        moment = bundle.manifest.created or _NO_TIME
        write_zip(out, sources | {MANIFEST: Whole(raw)}, moment, look=lambda: progress(0, 0))
