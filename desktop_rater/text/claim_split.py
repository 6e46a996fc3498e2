"""Split a sentence into claims by rule: clauses, predicates that share a subject, enumerations, a time and an agent.

Each claim is one or several spans of the text; its words are these spans. Nothing is added, so a pronoun stays a
pronoun. The rules know English function words; a sentence that they do not fit is not split.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from desktop_rater.text.spans import trim_span

Span = tuple[int, int]

MAX_SENTENCE_LENGTH = 2_000  # characters
MAX_CLAIMS = 9
MAX_SUBJECT_WORDS, MAX_ITEM_WORDS = 8, 8

_WORD = re.compile(r"[^\W_]+(?:['\u2019.\-][^\W_]+)*")
_QUOTED = re.compile(
    r"\u201c[^\u201d]*\u201d|\u2018[^\u2019]*(?:\u2019(?=\w)[^\u2019]*)*\u2019|«[^»]*»|\"[^\"]*\"|(?<!\w)'[^']*(?:'(?=\w)[^']*)*'|\([^()]*\)|\[[^\[\]]*\]"
)
_CONNECTIVE = re.compile(
    r"(?:however|moreover|furthermore|in addition|additionally|nevertheless|therefore|thus|finally|in fact|indeed)"
    r",\s+|so\s+",
    re.IGNORECASE,
)
_JOINT = re.compile(r"(?P<comma>,?)\s+(?:and|but|while|whereas)\s+|\s*;\s*(?:(?:and|but)\s+)?", re.IGNORECASE)
_AND = re.compile(r",?\s+and\s+", re.IGNORECASE)
_RELATIVE = re.compile(r",\s+(?:which|who)\s+", re.IGNORECASE)

# A passive with a time and an agent, in either order: "was built in 1352 by monks".
_TIME, _AGENT = r"\s+in\s+(?:\w+\s+)?\d{3,4}", r"\s+by\s+(?!\d|\w+ing\b)[^,;:]+?"
_TIME_AND_AGENT = re.compile(
    r"\b(?:is|are|was|were)\s+(?:\w+ly\s+)?(?P<verb>\w+(?:ed|en|wn)|built|made|held|led|won|sold|found|sent|sung|shot|told)"
    rf"(?:(?P<time>{_TIME})(?P<agent>{_AGENT})|(?P<by>{_AGENT})(?P<at>{_TIME}))\Z"
)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PRONOUNS = _set("he she it they we i you this these there")
_DETERMINERS = _set("his her its their our my your the a an some many most several")
_COPULAS = _set("is are was were")
_BE = _COPULAS | _set("has have had")
_VERBS = _BE | _set(
    "will would can could may might must did does became becomes began begins belongs borders came comes"
    " consists contains died drew fell flows fought found gave goes got grew held includes knew led left lies"
    " lost made makes met ran remains rose sang sent sold spent stood taught took went won wrote"
)
# Verbs that do not continue a passive: "was born in Rome and moved to Paris".
_ACTIVE = _VERBS | _set("emigrated graduated joined lived moved played retired returned served studied worked")
_ADVERBS = _set("soon later then also first still once never always often already eventually now")
_RELATIVES = _set("that which who whom whose where when because")
_PREPOSITIONS = _set("in of for with on at by from to about as including into against like through via")
# Words whose scope reaches over an "and".
_REACHING = _set(
    "if unless whether neither either nor or said says claimed claims believed believes argued argues thought thinks"
    " suggested suggests stated states reported although because"
)
_PAIRED = _set("both between")


@lru_cache(maxsize=64)
def split_claims(text: str, start: int, end: int) -> tuple[tuple[Span, ...], ...]:
    """Return the spans of each claim of a sentence, in code points; empty unless there are at least two claims."""
    start, end = trim_span(text, max(0, start), max(0, min(end, len(text))))
    if not 0 < end - start <= MAX_SENTENCE_LENGTH or text[end - 1] == "?":
        return ()
    claims = tuple(dict.fromkeys(_Sentence(text, start, end).claims()))
    worded = all(sum(len(_WORD.findall(text[first:last])) for first, last in claim) >= 2 for claim in claims)
    return claims if 2 <= len(claims) <= MAX_CLAIMS and worded else ()


class _Sentence:
    """A sentence in which quotations and brackets are hidden from the rules. Offsets are those of the whole text."""

    def __init__(self, text: str, start: int, end: int) -> None:
        while end > start and text[end - 1] in ".! ":
            end -= 1
        # A quotation becomes a name of the same length, and the text before the sentence becomes blank.
        self._text = " " * start + _QUOTED.sub(lambda quoted: "Q" * len(quoted[0]), text[start:end])
        first = _CONNECTIVE.match(self._text, start)
        self._start, self._end = first.end() if first else start, end

    def claims(self) -> Iterator[tuple[Span, ...]]:
        for clause in self._clauses():
            for subject, body in self._predicates(*clause):
                for spans in self._enumerated(*body):
                    yield self._joined((*subject, *spans))

    def _words(self, start: int, end: int) -> list[re.Match[str]]:
        return list(_WORD.finditer(self._text, start, end))

    def _has(self, words: frozenset[str], start: int, end: int) -> bool:
        return any(word[0].lower() in words for word in self._words(start, end))

    def _joined(self, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        """Return trimmed spans; those with nothing but blanks between them become one."""
        joined: list[Span] = []
        for span in spans:
            start, end = trim_span(self._text, *span)
            if start == end:
                continue
            if joined and not self._text[joined[-1][1] : start].strip() and joined[-1][1] <= start:
                start = joined.pop()[0]
            joined.append((start, end))
        return tuple(joined)

    def _verb(self, start: int, end: int) -> re.Match[str] | None:
        """Return the first finite verb of a part that begins with its subject."""
        for before, word in pairwise(self._words(start, end)[: MAX_SUBJECT_WORDS + 2]):
            if word[0] in _VERBS or (word[0].endswith("ed") and before[0].lower() not in _DETERMINERS):
                return word
        return None

    # -- clauses

    def _clauses(self) -> Iterator[Span]:
        start, end = self._start, self._end
        for joint in _JOINT.finditer(self._text, start, end):
            if ";" in joint[0]:
                parts = (start, joint.start()), (joint.end(), end)
                follows = ":" not in self._text[start:end] and all(len(self._words(*part)) > 2 for part in parts)
            else:
                follows = self._ends_clause(start, joint.start()) and not self._has(_REACHING, start, end)
                follows = follows and self._begins_clause(joint, end)
            if follows:
                yield start, joint.start()
                start = joint.end()
        yield start, end

    def _ends_clause(self, start: int, end: int) -> bool:
        """Return whether a clause ends here, and not the first half of a subject or a subordinate clause."""
        begin = max(start, self._text.rfind(",", start, end) + 1)
        words = [word[0].lower() for word in self._words(begin, end)]
        subordinate = not words or words[0] in _RELATIVES or words[-1] in _PRONOUNS
        return not subordinate and self._verb(start, end) is not None

    def _begins_clause(self, joint: re.Match[str], end: int) -> bool:
        """Return whether a subject and its verb follow, and not another item of an enumeration."""
        verb = self._verb(joint.end(), end)
        if verb is None or "," in self._text[joint.end() : verb.start()]:
            return False
        subject = [word[0] for word in self._words(joint.end(), verb.start())]
        if not _RELATIVES.isdisjoint(word.lower() for word in subject):
            return False
        first = subject[0].lower()
        if first in _PRONOUNS:
            return True
        exception = joint[0].strip() == "but"  # as in "nobody but Pip"
        is_subject = first in _DETERMINERS or (subject[0][0].isupper() and not exception)
        return is_subject and (verb[0] in _VERBS or (bool(joint["comma"]) and len(subject) > 1))

    # -- predicates

    def _predicates(self, start: int, end: int) -> Iterator[tuple[tuple[Span, ...], Span]]:
        """Yield the predicates of a clause: the subject, where it has to be repeated, and the rest."""
        verb = self._verb(start, end)
        if verb is None or self._has(_REACHING, start, end):
            yield (), (start, end)
            return
        relative = self._relative(start, end)
        if relative:
            yield from relative
            return
        repeated: tuple[Span, ...] = ()
        for joint in _AND.finditer(self._text, verb.end(), end):
            if self._continues(verb, joint, end):
                yield repeated, (start, joint.start())
                repeated, start = repeated or (self._subject(start, verb),), joint.end()
        yield repeated, (start, end)

    def _subject(self, start: int, verb: re.Match[str]) -> Span:
        """Return the words before the verb, without an introduction that ends at a comma, and without adverbs."""
        start = max(start, self._text.rfind(",", start, verb.start()) + 1)
        words = self._words(start, verb.start())
        while len(words) > 1 and words[-1][0].lower() in _ADVERBS:
            words.pop()
        return (words[0].start(), words[-1].end()) if words else (start, start)

    def _continues(self, verb: re.Match[str], joint: re.Match[str], end: int) -> bool:
        """Return whether another verb of the same subject follows, in the same voice."""
        before = self._words(verb.start(), joint.start())
        following = [word[0] for word in self._words(joint.end(), end)]
        while following and following[0].lower() in _ADVERBS:
            following.pop(0)
        if len(following) < 2:
            return False
        participle = next((word[0] for word in before[1:] if word[0].lower() not in _ADVERBS), "")
        passive = verb[0] in _BE and participle.endswith(("ed", "en", "born", "built", "made", "held", "known"))
        adjectives = before[-1][0].endswith("ed")
        return following[0] in (_ACTIVE if passive else _VERBS) or (
            following[0].endswith("ed") and following[0].islower() and not passive and not adjectives
        )

    def _relative(self, start: int, end: int) -> tuple[tuple[tuple[Span, ...], Span], ...]:
        """Return both predicates of a subject that is followed by ", which … ,": that of the clause comes first."""
        match = _RELATIVE.search(self._text, start, end)
        closing = self._text.find(", ", match.end(), end) if match else -1
        if match is not None and closing < 0:
            return self._relative_at_end(start, match, end)
        if match is None or self._verb(start, match.start()) is not None:
            return ()
        following = self._words(closing, end)
        if not following or not (following[0][0] in _VERBS or following[0][0].endswith("ed")):
            return ()
        subject = (start, match.start())
        return ((subject,), (closing + 1, end)), ((subject,), (match.end(), closing))

    def _relative_at_end(
        self, start: int, relative: re.Match[str], end: int
    ) -> tuple[tuple[tuple[Span, ...], Span], ...]:
        """Return the clause and the relative clause of its complement, as in "It is the Thames, which flows east"."""
        words = self._words(start, relative.start())
        copula = max((index for index, word in enumerate(words) if word[0] in _COPULAS), default=len(words))
        named, following = words[copula + 1 :], self._words(relative.end(), end)
        if not named or not following or following[0][0].lower() in _PRONOUNS | _DETERMINERS | _PREPOSITIONS:
            return ()
        is_name = named[0][0].lower() in _DETERMINERS or named[0][0][0].isupper()
        if not is_name or any(word[0].lower() in _PREPOSITIONS - {"of"} for word in named):
            return ()
        return ((), (start, relative.start())), (((named[0].start(), named[-1].end()),), (relative.end(), end))

    # -- enumerations

    def _enumerated(self, start: int, end: int) -> Iterator[tuple[Span, ...]]:
        """Yield a part once for each item of the enumeration at its end, or for its time and agent; else unchanged."""
        items = self._items(start, end)
        both = _TIME_AND_AGENT.search(self._text, start, end) if not items else None
        if both is not None and not self._has(_REACHING, start, end):
            second = "agent" if both["agent"] else "at"
            yield ((start, both.start(second)),)
            yield (start, both.end("verb")), both.span(second)
            return
        yield ((start, items[0][1] if items else end),)
        for item in items[1:]:
            yield (start, items[0][0]), item

    def _items(self, start: int, end: int) -> tuple[Span, ...]:
        verb = next((word for word in self._words(start, end) if word[0] in _VERBS or word[0].endswith("ed")), None)
        joints = list(_AND.finditer(self._text, verb.end(), end)) if verb is not None else []
        if verb is None or len(joints) != 1 or self._has(_REACHING | _PAIRED, start, end):
            return ()
        left, last = self._parts(verb.end(), joints[0].start()), (joints[0].end(), end)
        words = self._words(*left[0])
        opening = self._opening(last)
        starts = [0, *(index + 1 for index, word in enumerate(words) if word[0].lower() in _PREPOSITIONS)]
        starts = [index for index in starts if index < len(words) and self._opening(words[index].span()) == opening]
        if not starts:
            return ()
        items = ((words[starts[-1]].start(), left[0][1]), *left[1:], last)
        return items if all(self._is_item(item, alone=len(items) == 2) for item in items) else ()

    def _opening(self, item: Span) -> str:
        """Return the article or determiner with which an item begins; items of one enumeration begin alike."""
        first = next((word[0].lower() for word in self._words(*item)), "")
        return "the" if first in _DETERMINERS - {"a", "an"} else "a" if first in {"a", "an"} else ""

    def _parts(self, start: int, end: int) -> list[Span]:
        """Return the parts between commas."""
        parts = []
        while (comma := self._text.find(", ", start, end)) >= 0:
            parts.append((start, comma))
            start = comma + 1
        return [*parts, (start, end)]

    def _is_item(self, item: Span, *, alone: bool) -> bool:
        """Return whether a part can be an item; two that stand `alone` are often one name, as in "salt and pepper"."""
        words = [word[0] for word in self._words(*item)]
        if not (2 if alone else 1) <= len(words) <= MAX_ITEM_WORDS or ", " in self._text[item[0] : item[1]]:
            return False
        barred = any(word in _VERBS or word.lower() in _RELATIVES | _PRONOUNS for word in words)
        return not barred and words[0].lower() not in _PREPOSITIONS
