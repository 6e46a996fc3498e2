"""The commands of a QA lead. Each stands in a module of its own."""

from __future__ import annotations

import click

from desktop_rater.cli.lazy import Lazy

# Where each command stands, in the order of the work.
COMMANDS = {
    "rehearse": "audit_rehearse:rehearse",
    "open": "audit_open:open_",
    "status": "audit_status:status",
    "sample": "audit_sample:sample",
    "verdicts": "audit_verdicts:verdicts",
    "report": "audit_report:report",
    "return": "audit_return:return_",
    "adjudicate": "audit_adjudicate:adjudicate",
    "score": "audit_score:score",
    "key": "audit_key:key",
    "canaries": "audit_canaries:canaries",
    "judge": "audit_judge:judge",
    "defects": "audit_defects:defects",
}


@click.group(cls=Lazy, table=COMMANDS)
def audit() -> None:
    """Audit completed bundles: take results in, see who agrees, send back, decide.

    Nothing here needs a network. All of it is kept in the store, beside what the user rates.
    """
