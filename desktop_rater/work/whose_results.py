"""Whether results lie where they belong on a hub: who may write into a rater's folder may not speak for another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.bundle.results import open_results
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.hub_names import segment

if TYPE_CHECKING:
    from pathlib import Path


def refuse_misplaced(name: str, path: Path) -> None:
    """Raise `HubTrouble` "other" where the results at `path` say that they are of another rater or bundle than `name`.

    What can't be opened says nothing: it is named where results are checked.
    """
    try:
        with open_results(path) as results:
            rater, bundle = results.manifest.rater, results.manifest.bundle.id
    except BundleError:
        return
    _, of_rater, of_bundle, _ = name.split("/")
    if (segment(rater), segment(bundle)) != (of_rater, of_bundle):
        raise HubTrouble(
            "other",
            "They lie in the folder of another rater or bundle.",
            f"They call themselves results of {rater[:100]!r} for {bundle[:100]!r}.",
            "Ask who may write there. Nothing was taken of them.",
        )
