"""Search in the texts of tasks: the first ones in list order that match a text and are in a state.

The index returns the matches of a word one after the other, in list order. For a word of which only the beginning is
known it first collects the matches of all words that begin so, in the whole store. Such a search therefore begins with
the next few tasks of the list, in an index of their own (`WindowIndex`): a beginning that many tasks have fills a page
there, and for any other beginning the whole index has little to collect.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Literal

import msgspec

from desktop_rater.store import finished_runs
from desktop_rater.store.bundles import CurrentRevision
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.window_index import WindowIndex

ListState = Literal["all", "unfinished", "incomplete", "complete", "skipped", "blocked"]

_LONGEST = 200  # code points; SQLite rejects an expression of more than 256 parts
_LAST_CHARACTER = re.compile(r"(?<!\w)(\w)\W*$")
_QUOTED = re.compile(r'"([^"]*)"')
_LATIN = re.compile(r"[0-9A-Za-zÀ-ÖØ-öø-ʯ]")
_MAX_ID_MATCHES = 1_000  # a prefix shared by more tasks than this does not narrow the search
# Tasks that are searched before the whole index: at most so many, and this part of the store's tasks; so many at once.
_MAX_WINDOW, _WINDOW_PART, _AT_ONCE = 400, 100, 128

# Exactly the condition of the index `heads_blocked`.
_BLOCKED = "status = 'incomplete' AND total > 0 AND answered = total AND blocking > 0"
_OF_STATUS = {name: f"status = '{name}'" for name in ("incomplete", "complete", "skipped")} | {"blocked": _BLOCKED}


@dataclass(frozen=True)
class SearchExpression:
    """Words as FTS5 expressions: `full` is all of them. If `last` is not empty it is the last one, which is a prefix.

    `whole` are the others then, as far as they can be searched for without it.
    """

    full: str
    last: str = ""
    whole: str = ""


def search_expression(db: Database, text: str) -> SearchExpression | None:
    """Return the expression that matches all the words, the last one also as a prefix; `None` if there are none.

    A single digit or letter is a word and no prefix: nearly every task would match. Only in scripts without capitals,
    where a character may be a word, is it a prefix. Everything in `text` is a word, never an operator; words in double
    quotes stay together.
    """
    words = " ".join(sql_text(text).split())  # single blanks are what quote_fts expects
    quoted = db.quote_fts(words)
    if not quoted:  # quotation marks around nothing
        return None
    single = _LAST_CHARACTER.search(words)
    is_word = single is not None and (single[1].isdecimal() or single[1].lower() != single[1].upper())
    if is_word or words.endswith('"'):
        return SearchExpression(quoted)
    *earlier, phrase = _QUOTED.findall(quoted)
    before, _blank, last = phrase.rpartition(" ")
    # Without a letter or digit there would be no word in it, which matches nothing.
    whole = (f'"{part}"' for part in (*earlier, before) if _LATIN.search(part))
    return SearchExpression(f"{quoted}*", f'"{last}"*', " ".join(whole))


def sql_text(text: str) -> str:
    """Replace what SQLite can't take in a text: lone surrogates by a question mark, U+0000 by a blank."""
    return text[:_LONGEST].encode("utf-8", "replace").decode().replace("\0", " ")


def heads_in_state(db: Database, state: ListState) -> str:
    """Return the SQL of heads in a state; the index is forced, or SQLite scans all tasks in progress for blocked."""
    index = "heads_by_status"
    if state == "blocked" and db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'heads_blocked'").fetchone():
        index = "heads_blocked"
    return f"heads INDEXED BY {index} WHERE bundle = :bundle AND rater = :rater AND {_OF_STATUS[state]}"


@dataclass(frozen=True)
class TaskQuery:
    """Query for the tasks of a bundle that match a text and are in a state for a rater."""

    db: Database
    bundle: CurrentRevision
    rater: str
    state: ListState
    window: WindowIndex

    def positions(self, text: str, after: int, limit: int) -> list[int]:
        """Return the first positions after `after` of the tasks that match, in order."""
        expression = search_expression(self.db, text)
        if expression is None:
            return list(islice(self._in_state(after), limit))
        if expression.last:
            matches, last = self._in_window(expression, after, limit)
        else:
            matches, last = self._in_few(expression.full, after)
        if len(matches) < limit and last < self.bundle.tasks:
            matches += self._in_index(expression.full, last, limit - len(matches))
        return sorted({*matches, *self._by_id(text, after)})[:limit]

    def _window_size(self) -> int:
        (tasks,) = self.db.execute("SELECT sum(tasks) FROM bundles").fetchone()
        return min(_MAX_WINDOW, tasks // _WINDOW_PART)

    def _in_window(self, expression: SearchExpression, after: int, limit: int) -> tuple[list[int], int]:
        """Return the matches among the next few tasks, and the position up to which there are no others.

        The tasks are the next ones in the state. If most of them have the last word, they are then the next ones that
        have the whole words; otherwise to search the whole index is less than to add those.
        """
        size = self._window_size()
        matches, after = self._scan(self._in_state(after), expression.full, after, (size, limit))
        limit -= len(matches)
        is_done = limit <= 0 or after == self.bundle.tasks
        if not is_done and expression.whole and self.window.share(expression.last) * size >= 2 * limit:
            tasks = self._in_index(expression.whole, after, size)
            further, after = self._scan(tasks, expression.full, after, (size, limit))
            matches += further
        return matches, after

    def _scan(
        self, positions: Iterator[int], expression: str, after: int, most: tuple[int, int]
    ) -> tuple[list[int], int]:
        """Return the matches among some tasks, and the last searched position, or the end if there are no more.

        `most`: at most so many tasks are searched for so many matches; no more if the first ones have too few.
        """
        (size, limit), searched, matches = most, 0, []
        zero = self.bundle.task_key(0)
        while searched < size and len(matches) < limit and len(matches) * size >= limit * searched:
            batch_size = min(_AT_ONCE, size - searched)
            few = [zero + position for position in islice(positions, batch_size)]
            keys = self.window.add(self.db, few)
            if keys:
                matches += [key - zero for key in self.window.matches(expression, keys)]
                after = keys[-1] - zero
            if len(few) < batch_size and len(keys) == len(few):
                return matches, self.bundle.tasks
            if len(keys) < len(few):  # they are long
                break
            searched += len(keys)
        return matches, after

    def _in_few(self, expression: str, after: int) -> tuple[list[int], int]:
        """Return the matches of whole words among the tasks in the state, if these are few; as `_in_window`."""
        size = 0 if self.state == "all" else self._window_size()
        positions = list(islice(self._in_state(after), size + 1))
        if len(positions) > size:
            return [], after
        query = """
            SELECT texts.rowid - :zero FROM json_each(:keys) AS few CROSS JOIN texts ON texts.rowid = few.value
            WHERE texts MATCH :expression
        """
        keys = msgspec.json.encode([self.bundle.task_key(position) for position in positions]).decode()
        return list(self._select(query, keys=keys, expression=expression)), self.bundle.tasks

    def _in_index(self, expression: str, after: int, limit: int) -> Iterator[int]:
        """Return the first matches after a position, tested one after the other for the state."""
        query = f"""
            SELECT texts.rowid - :zero FROM texts
            WHERE texts MATCH :expression AND rowid BETWEEN :first AND :last AND {self._state_test("texts.rowid")}
            ORDER BY rowid LIMIT :limit
        """  # noqa: S608 - one of the conditions below
        span = {"first": self.bundle.task_key(after + 1), "last": self.bundle.task_key(self.bundle.tasks) - 1}
        return self._select(query, expression=expression, limit=limit, **span)

    def _by_id(self, text: str, after: int) -> Iterator[int]:
        """Return the positions of tasks whose id begins with a text; if these are many, only of the exact id."""
        beginning = sql_text(text).strip()
        names = {"key": self.bundle.key, "beginning": beginning, "end": f"{beginning}\U0010ffff"}
        many = "SELECT 1 FROM tasks WHERE bundle = :key AND id >= :beginning AND id < :end LIMIT 1 OFFSET :most"
        test = "id >= :beginning AND id < :end"
        if self.db.execute(many, {**names, "most": _MAX_ID_MATCHES}).fetchone():
            test = "id = :beginning"
        query = f"""
            SELECT key - :zero FROM tasks
            WHERE bundle = :key AND {test} AND tasks.key >= :first AND {self._state_test("tasks.key")}
        """  # noqa: S608 - as above
        return self._select(query, **names, first=self.bundle.task_key(after + 1))

    def _select(self, query: str, **parameters: Any) -> Iterator[int]:
        """Run a query for positions, which are read when they are requested."""
        shared = {"zero": self.bundle.task_key(0), "bundle": self.bundle.id, "rater": self.rater}
        return (position for (position,) in self.db.execute(query, {**shared, **parameters}))

    def _state_test(self, key: str) -> str:
        """Return the condition that the task with a key is in the state."""
        if self.state == "all":
            return "true"
        if self.state == "unfinished":
            return f"""
                coalesce((SELECT last FROM finished_runs
                          WHERE bundle = :bundle AND rater = :rater AND first <= {key} - :zero
                          ORDER BY first DESC LIMIT 1), -1) < {key} - :zero
            """  # noqa: S608 - names of columns
        return f"EXISTS (SELECT 1 FROM {heads_in_state(self.db, self.state)} AND position = {key} - :zero)"  # noqa: S608

    def _in_state(self, after: int) -> Iterator[int]:
        """Yield the positions of the tasks in the state after a position, in order; only requested ones are read."""
        if self.state == "all":
            return iter(range(after + 1, self.bundle.tasks))
        if self.state == "unfinished":
            open_ranges = finished_runs.open_ranges(self.db, self.bundle.id, self.rater, self.bundle.tasks, after)
            return chain.from_iterable(open_ranges)
        query = f"""
            SELECT position FROM {heads_in_state(self.db, self.state)} AND position > :after ORDER BY position
        """  # noqa: S608 - as above
        return self._select(query, after=after)
