"""Maps from records of any shape to tasks, as data.

- `read_map(text, name) -> RecordMap` and `write_map(record_map) -> str`: the TOML of a map.
- `RecordMap`: `fields` (field of a task → path), `labels`, `joins` and settings.
- `propose_map(sample) -> RecordMap`: a map proposed from the first records; `texts_without_field`: their other texts.
- `apply_map(record_map, record) -> MappedTask`: the task of a record as plain JSON, `None` with a reason if there is
  none, the outcome of each field (`FieldOutcome`), texts that have no place, labels by number.
- `MapSource(records, record_map)`: iterates over the records of files as (line, record), with joined files; a table,
  JSON lines, a list, an object that holds a list. `left_out` has what it skipped.
- `convert_mapped(records, record_map)`: the converter of `bundle convert`.
- `parse_path(text)`: checks a path. `matches(record, path)`: the values at a path, with their indexes.

Nothing here knows Qt, and nothing but `MapSource` reads files.
"""

from desktop_rater.plugins.convert.maps.map_source import MapSource, convert_mapped
from desktop_rater.plugins.convert.maps.mapped_task import FieldOutcome, MappedTask, apply_map
from desktop_rater.plugins.convert.maps.propose import propose_map, texts_without_field
from desktop_rater.plugins.convert.maps.record_map import (
    FileJoin,
    LabelMap,
    PathMatch,
    RecordMap,
    matches,
    parse_path,
    read_map,
    write_map,
)

__all__ = [
    "FieldOutcome",
    "FileJoin",
    "LabelMap",
    "MapSource",
    "MappedTask",
    "PathMatch",
    "RecordMap",
    "apply_map",
    "convert_mapped",
    "matches",
    "parse_path",
    "propose_map",
    "read_map",
    "texts_without_field",
    "write_map",
]
