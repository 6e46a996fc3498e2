"""JSON Schemas of the formats, made from the structs; `resources/schemas/` holds them as files."""

from typing import Any

import msgspec

from desktop_rater.model.hub import Assignment, HubMarker, RaterKey
from desktop_rater.model.manifests import BundleManifest, ResultsManifest
from desktop_rater.model.rating import Rating
from desktop_rater.model.rubric import RubricFile
from desktop_rater.model.signature import SignatureFile
from desktop_rater.model.task import Task

SCHEMAS: dict[str, type[msgspec.Struct]] = {
    "bundle-manifest": BundleManifest,
    "task": Task,
    "rating": Rating,
    "results-manifest": ResultsManifest,
    "rubric": RubricFile,
    "signature": SignatureFile,
    "hub": HubMarker,
    "assignment": Assignment,
    "key": RaterKey,
}


def json_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema 2020-12 of one of `SCHEMAS`. Raises `KeyError`."""
    body = _without_unknown(msgspec.json.schema(SCHEMAS[name]))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, **body}


def _without_unknown(part: Any) -> Any:
    """Remove `unknown`: unknown keys are at the top level of a file, never under this name; see `model.kept`."""
    if isinstance(part, dict):
        return {key: _without_unknown(value) for key, value in part.items() if key != "unknown"}
    return part
