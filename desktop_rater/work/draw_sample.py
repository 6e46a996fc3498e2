"""Draw the places that a QA lead looks at, and write down how they were drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.audit.sampling import Draw, Sample, draw
from desktop_rater.model.limits import format_time
from desktop_rater.model.trouble import RaterError
from desktop_rater.store.reviews import Said
from desktop_rater.work.review import Reviewed, say
from desktop_rater.work.review_list import load_items, load_quotes

if TYPE_CHECKING:
    from desktop_rater.audit.filed import Audit
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.store import Store
    from desktop_rater.work.review import Lead


class Sampled(Reviewed, frozen=True, kw_only=True):
    """The sample that holds now."""

    sample: Sample


def draw_sample(store: Store, audit: Audit, wanted: Draw, lead: Lead, progress: Progress) -> Sampled:
    """Draw anew; the sample before stays in the history. The same results and seed give the same places.

    Raises `RaterError` for a draw that says too much or too little, and where there is no gold to miss.
    """
    _check(wanted)
    found = load_items(store, audit, load_quotes(store, audit, progress))
    if wanted.how == "gold-misses" and not any(one.gold for one in found):
        why = f"No gold answers of {audit.bundle} are here."
        raise RaterError("Nothing was drawn.", why, "Open the lead's copy of the bundle, which holds its gold.")
    sample = replace(draw(found, wanted), lead=lead.name, changed=format_time(lead.now()))
    done = say(store, audit.bundle, [Said(subject=("sample",), body=sample)], lead)
    return Sampled(audits=done.audits, steps=done.steps, sample=sample)


def _check(wanted: Draw) -> None:
    shared = wanted.how in {"share", "stratified"}
    if shared and wanted.share is None:
        raise RaterError("Nothing was drawn.", "How many of all is not said.", "Give a share, such as 0.1.")
    if shared and wanted.share is not None and not 0 < wanted.share <= 1:
        why = f"{wanted.share:g} is no share of all."
        raise RaterError("Nothing was drawn.", why, "A share lies above 0 and is 1 at most, such as 0.1.")
    if not shared and wanted.share is not None:
        raise RaterError("Nothing was drawn.", f"{wanted.how!r} takes no share.", "Leave the share out.")
    if (wanted.how == "stratified") is not (wanted.by is not None):
        hint = "Say by what, or draw a share." if wanted.by is None else "Draw stratified, or leave out by what."
        raise RaterError("Nothing was drawn.", "Only a stratified sample is drawn by something.", hint)
