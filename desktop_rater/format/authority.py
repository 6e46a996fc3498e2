"""Authority: who may introduce what into an audit, and what becomes of everything else.

Anybody may lay any file in a folder that others collect from. So a thing counts by its source, not by its content.
"""

from collections.abc import Mapping
from typing import Literal

Subject = Literal["copy", "gold", "key", "model results", "results"]
# `published`: the lead published it from this computer. `named`: the lead named the file. `signed`: of a key, with an
# earlier valid key of its rater. `first`: a rater's only key so far.
# `assigned`, `unassigned`: results of a rater whom a signed assignment of the bundle names, or names not. `found`: in
# a folder, on a hub or in an inbox.
Source = Literal["published", "named", "signed", "first", "assigned", "unassigned", "found"]
Standing = Literal["counts", "waits", "refused"]

AUTHORITY: Mapping[Subject, Mapping[Source, Standing]] = {
    "copy": {"published": "counts", "named": "counts", "found": "refused"},
    "gold": {"published": "counts", "named": "counts", "found": "refused"},
    "key": {"named": "counts", "signed": "counts", "first": "counts", "found": "waits"},
    "model results": {"named": "counts", "found": "waits"},
    "results": {"assigned": "counts", "unassigned": "waits"},
}


def counts(subject: Subject, source: Source) -> bool:
    """Tell if something from that source counts without a further word of the lead."""
    return AUTHORITY[subject][source] == "counts"
