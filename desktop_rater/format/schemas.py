"""JSON Schemas of the formats, made from the structs; `resources/schemas/` holds them as files."""

import inspect
from typing import Any

import msgspec

from desktop_rater.format.hub_names import Assignment, HubMarker, RaterKey, SignatureFile
from desktop_rater.format.manifests import FORMAT_VERSION, BundleManifest, ResultsManifest
from desktop_rater.format.rating import Rating
from desktop_rater.format.rubric import RubricFile
from desktop_rater.format.task import Task

_URN = "urn:desktop-rater:schema"

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
    """Return the JSON Schema 2020-12 of one of `SCHEMAS`, named by a URN with the format version. Raises `KeyError`."""
    body = _cleaned(msgspec.json.schema(SCHEMAS[name]))
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"{_URN}:{name}:{FORMAT_VERSION}"}
    return {**head, "title": name, **body}


def _cleaned(part: Any) -> Any:
    """Remove `unknown` and the indentation of descriptions.

    Unknown keys are at the top level of a file, never under this name. Descriptions are docstrings,
    from which Python removes the indentation since version 3.13.
    """
    if isinstance(part, dict):
        cleaned = {key: _cleaned(value) for key, value in part.items() if key != "unknown"}
        if isinstance(text := cleaned.get("description"), str):
            cleaned["description"] = inspect.cleandoc(text)
        return cleaned
    return part
