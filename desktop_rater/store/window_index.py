"""A search index in memory, of a few tasks that are next in a list."""

import sqlite3
from collections.abc import Sequence

import msgspec

from desktop_rater.store.schema import TOKENIZER
from desktop_rater.store.sqlite_tools import Database

_MAX_TASKS = 1_000  # more than these empty it
_MAX_CHARACTERS = 2_000_000  # that are added at once: 40 ms


class WindowIndex:
    """The texts of some tasks, indexed as in the store. A key's texts never change, and keys are never reused."""

    def __init__(self) -> None:
        # As the store's connection: any thread may use it, one at a time.
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._db.execute(
            "CREATE VIRTUAL TABLE texts USING fts5 ("
            f"prompt, responses, tools, content = '', columnsize = 0, tokenize = '{TOKENIZER}')"
        )
        self._keys: set[int] = set()

    def add(self, db: Database, keys: Sequence[int]) -> Sequence[int]:
        """Add the texts of tasks from the store, but not many long ones. Return the keys before the first one left out.

        `keys` are in order.
        """
        if len(self._keys.union(keys)) > _MAX_TASKS:
            self._db.execute("INSERT INTO texts (texts) VALUES ('delete-all')")
            self._keys.clear()
        missing = [key for key in keys if key not in self._keys]
        if not missing:
            return keys
        query = """
            SELECT texts.rowid, prompt, responses, tools
            FROM json_each(?) AS missing CROSS JOIN texts ON texts.rowid = missing.value
        """
        characters = 0
        self._db.execute("BEGIN")
        try:
            for key, *texts in db.execute(query, (msgspec.json.encode(missing).decode(),)):
                if characters > _MAX_CHARACTERS:
                    return [earlier for earlier in keys if earlier < key]
                self._db.execute(
                    "INSERT INTO texts (rowid, prompt, responses, tools) VALUES (?, ?, ?, ?)", (key, *texts)
                )
                self._keys.add(key)
                characters += sum(map(len, texts))
        finally:
            self._db.execute("COMMIT")
        return keys

    def matches(self, expression: str, keys: Sequence[int]) -> list[int]:
        """Return those of the added tasks whose texts match, in order."""
        query = "SELECT rowid FROM texts WHERE texts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid"
        wanted_keys = set(keys)
        rows = self._db.execute(query, (expression, keys[0], keys[-1]))
        return [key for (key,) in rows if key in wanted_keys]

    def share(self, expression: str) -> float:
        """Return the share of the added tasks whose texts match."""
        (count,) = self._db.execute("SELECT count(*) FROM texts WHERE texts MATCH ?", (expression,)).fetchone()
        return count / max(1, len(self._keys))

    def close(self) -> None:
        self._db.close()
