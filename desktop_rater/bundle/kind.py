"""Whether a zip calls itself a bundle or results, before it is opened as the one or the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from desktop_rater.bundle.door import Door
from desktop_rater.bundle.names import BUNDLE_FILES, MANIFEST, RESULTS_FILES
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model.manifests import BUNDLE_FORMAT
from desktop_rater.model.strict_json import read_file

if TYPE_CHECKING:
    from pathlib import Path

Kind = Literal["bundle", "results"]


def kind_of(path: Path, *, otherwise: Kind = "results") -> Kind:
    """What its manifest says. What can't be read is `otherwise`: opening it as that says what is wrong."""
    try:
        with Door(path, (*BUNDLE_FILES, *RESULTS_FILES)) as door, door.trouble():
            if MANIFEST not in door:
                return otherwise
            return "bundle" if read_file(door.read(MANIFEST)).get("format") == BUNDLE_FORMAT else "results"
    except BundleError:
        return otherwise
