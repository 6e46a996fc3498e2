"""Instructions for a model that is asked one question alone: built-in ones, or those of a lead's TOML file."""

from pathlib import Path

import msgspec

from desktop_rater.bundle.jsonl import read_small_text
from desktop_rater.model.errors import RaterError
from desktop_rater.model.strict_json import prepared_type
from desktop_rater.paths import resources
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.load import RubricTomlError, parse_toml


class MetricPrompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Instructions for one question; `source` says where they are from."""

    prompt: str
    source: str = ""


def builtin_metric_prompts(rubric: Rubric) -> dict[str, str]:
    """Return the built-in instructions for questions of a rubric, by its id; empty if there are none."""
    path = resources() / "prompts" / "metrics" / f"{rubric.file.id}.toml"
    return read_metric_prompts(path) if path.is_file() else {}


def read_metric_prompts(path: Path) -> dict[str, str]:
    """Return question id → instructions, from a TOML file with a table for each question. Raises `RaterError`."""
    try:
        tables = parse_toml(read_small_text(path)).items()
        return {name: msgspec.convert(table, prepared_type(MetricPrompt)).prompt.strip() for name, table in tables}
    except (RubricTomlError, msgspec.ValidationError) as error:
        hint = "It has a table for each question, [groundedness], with `prompt` and, if you like, `source`."
        raise RaterError(f"{path.name} holds no prompts", f"{str(error).rstrip('.')}.", hint) from None
