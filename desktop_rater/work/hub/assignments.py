"""Signed assignments on a hub, and the file of raters that they are made from."""

import csv
import re
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from desktop_rater.bundle.errors import BundleError
from desktop_rater.bundle.jsonl import read_small_text
from desktop_rater.bundle.read import open_bundle
from desktop_rater.bundle.signing import SigningKey, verify_published
from desktop_rater.hub.interface import HubFile
from desktop_rater.model.hub_names import (
    ASSIGNMENT_FORMAT,
    HUB_VERSION,
    AssignedBundle,
    Assignment,
    LeadSignature,
    returned_assignment_name,
)
from desktop_rater.model.strict_json import canonical_json, sha256, to_plain
from desktop_rater.store import mailbox_files, outbox
from desktop_rater.store.inbox import Arrival, ArrivalKind, NewArrival
from desktop_rater.store.outbox import NewOutgoing, Outgoing
from desktop_rater.text.untrusted import BIDI_CONTROLS, CONTROLS, normalised_name
from desktop_rater.work.hub.context import SyncContext
from desktop_rater.work.hub.files import small_file_bytes
from desktop_rater.work.output_files import NOTHING_WRITTEN

Signer = Literal["lead", "foreign", "unsigned"]
_NO_VALUE = "0" * 128


def make_assignment(rater: str, bundle: AssignedBundle, project: str, key: SigningKey | None) -> Assignment:
    """Return the assignment of a bundle to a rater on the hub of a project, signed if there is a key."""
    assignment = Assignment(format=ASSIGNMENT_FORMAT, version=HUB_VERSION, rater=rater, bundle=bundle)
    if key is None:
        return assignment
    signature = LeadSignature(project=project, key=key.public, value=_NO_VALUE)
    value = key.sign_published(_signed_content(replace(assignment, signature=signature)))
    return replace(assignment, signature=replace(signature, value=value))


def assigned_arrival(
    listed: HubFile, assignment: Assignment, rater: str, project: str, lead_key: str, kind: ArrivalKind = "assignment"
) -> NewArrival:
    """Return the arrival that an assignment announces to a rater."""
    bundle = assignment.bundle
    return NewArrival(
        project=project,
        kind=kind,
        rater=rater,
        name=listed.name,
        file=bundle.name,
        sha256=bundle.sha256,
        size=bundle.bytes,
        bundle=bundle.id,
        revision=bundle.revision,
        title=bundle.title or bundle.id,
        tasks=bundle.tasks,
        signed=signer(assignment, project, lead_key),
    )


def signer(assignment: Assignment, project: str, lead_key: str) -> Signer:
    """Return who signed an assignment on the hub of a project; an invalid signature is nobody's."""
    signature = assignment.signature
    if (
        signature is None
        or signature.project != project
        or not verify_published(signature.key, signature.value, _signed_content(assignment))
    ):
        return "unsigned"
    return "lead" if signature.key == lead_key else "foreign"


def _signed_content(assignment: Assignment) -> bytes:
    """Return what is signed: all members of the assignment, unknown ones too, except the signature's value."""
    plain = to_plain(assignment)
    del plain["signature"]["value"]
    return canonical_json(plain)


def is_vouched_for(arrival: Arrival, lead_key: str) -> bool:
    """Return whether the lead has signed an arrival. Where no lead's key is known, nobody can be asked to."""
    return not lead_key or arrival.signed == "lead"


def queue_returned_assignments(context: SyncContext) -> None:
    """Queue a signed assignment for each returned bundle in the outbox that has none yet."""
    key = context.environment.key
    if key is None:
        return
    items = outbox.list_items(context.reader, context.project)
    made = {item.made_of for item in items if item.kind == "assignment"}
    for item in items:
        if item.kind == "returned" and _source(item, key) not in made:
            _queue_assignment(context, item, key)


def _source(item: Outgoing, key: SigningKey) -> str:
    """Return the `made_of` of the assignment of a returned bundle."""
    return f"{item.sha256} {key.public}"


def _queue_assignment(context: SyncContext, item: Outgoing, key: SigningKey) -> None:
    path = outbox.item_content(context.reader, item, context.check_cancelled)
    if path is None:
        return  # replaced by later work, so no longer stored here
    try:
        with open_bundle(path) as opened:
            manifest = opened.manifest
    except BundleError:
        return  # its upload reports it
    bundle = AssignedBundle(
        name=item.name,
        sha256=item.sha256,
        bytes=item.size,
        **{field: getattr(manifest, field) for field in ("id", "revision", "title", "tasks")},
    )
    content = small_file_bytes(make_assignment(item.rater, bundle, context.project, key))
    digest = sha256(content)
    mailbox_files.store_file(context.reader.folder, "outbox", [content])
    new = NewOutgoing(
        project=context.project,
        kind="assignment",
        rater=item.rater,
        bundle=item.bundle,
        revision=item.revision,
        name=returned_assignment_name(item.rater, digest),
        sha256=digest,
        size=len(content),
        made_of=_source(item, key),
    )
    context.record(outbox.enqueue, new)


MAX_RATERS = 1_000

_HINT = f"{NOTHING_WRITTEN} Write one rater per line."


def read_raters(path: Path) -> list[str]:
    """Return the names, in order. Blank lines are skipped. Raises `BundleError` naming the line."""
    lines: dict[str, int] = {}
    for number, line in enumerate(read_small_text(path).split("\n"), 1):
        cells = _cells(line.strip())
        written = cells[0].strip() if cells else ""
        name = normalised_name(written)
        if not any(cells):
            continue
        if not name or len(cells) > 1:
            why = (
                f"line {number}: it has {len(cells)} columns. Put a name that contains a comma or semicolon in quotes."
            )
            raise BundleError(f"{path.name} can't be used", why, _HINT)
        if not is_visible_name(written):
            raise BundleError(
                f"{path.name} can't be used", f"line {number}: the name contains control characters.", _HINT
            )
        if name in lines:
            why = f"line {number}: {name!r} is already in line {lines[name]}."
            raise BundleError(f"{path.name} can't be used", why, _HINT)
        lines[name] = number
    if not lines:
        raise BundleError(f"{path.name} can't be used", "It contains no names.", _HINT)
    if len(lines) > MAX_RATERS:
        raise BundleError(f"{path.name} can't be used", f"It names more than {MAX_RATERS:,} raters.", _HINT)
    return list(lines)


def is_visible_name(name: str) -> bool:
    """Return whether a name is free of characters that change what is around them, which is no slip."""
    return re.search(f"[{CONTROLS}{BIDI_CONTROLS}]", name) is None


def _cells(line: str) -> list[str]:
    """Return the columns of a line, so that a table with more columns is refused and not read as names."""
    delimiter = ";" if ";" in line and "," not in line else ","
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:  # cell too long
        return [line]
