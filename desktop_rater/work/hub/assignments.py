"""Signed assignments: the lead's word for a bundle that is published on a hub, or returned by it."""

from typing import Literal

from msgspec.structs import replace

from desktop_rater.bundle.errors import BundleError
from desktop_rater.bundle.read import open_bundle
from desktop_rater.bundle.signing import SigningKey, verify_published
from desktop_rater.model.hub import ASSIGNMENT_FORMAT, HUB_VERSION, AssignedBundle, Assignment, LeadSignature
from desktop_rater.model.hub_names import returned_assignment_name
from desktop_rater.model.strict_json import canonical_json, sha256, to_plain
from desktop_rater.store import mailbox_files, outbox
from desktop_rater.store.inbox import Arrival
from desktop_rater.store.outbox import NewOutgoing, Outgoing
from desktop_rater.work.hub.context import SyncContext
from desktop_rater.work.hub.files import small_file_bytes

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
