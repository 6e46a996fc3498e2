"""The order of passages from several libraries: BM25 with the frequencies of words in all of them.

A passage counts more, up to twice, the more of the query one of its sentences has, by the weights of the words.
"""

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import cache
from math import log
from pathlib import Path
from typing import Any

from desktop_rater.format.errors import RaterError
from desktop_rater.plugins.library.index import TOKENIZERS, IndexedPassage, Matches
from desktop_rater.plugins.library.passages import TokenTable, count_words

_SATURATION, _BY_LENGTH, _USUAL_LENGTH = 1.2, 0.75, 100  # k1 and b of BM25, and the words of a passage
_LEAST_WEIGHT = 1e-6  # of a term that most passages have, as in FTS5
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])|\n+")
_MOST_SENTENCES = 1_000  # of a passage
# Query, passages and their scores by words → new scores; a higher one is better.
Reranker = Callable[[str, Sequence[str], Sequence[float]], Sequence[float]]
MODEL, _TOKENIZER = "model.onnx", "tokenizer.json"
_MOST_TOKENS = 512
_MOST_CLASSES = 8  # of a model that scores pairs; a vector has more numbers


def _term_places(
    table: TokenTable, texts: Iterable[tuple[int, str]], terms: Sequence[str] = ()
) -> dict[str, list[int]]:
    """Return the terms of numbered texts as in an index, or some, each with the numbers of the texts of its places."""
    places = defaultdict[str, list[int]](list)
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute(f"CREATE VIRTUAL TABLE texts USING fts5 (text, content = '', tokenize = '{TOKENIZERS[table]}')")
        db.execute("CREATE VIRTUAL TABLE terms USING fts5vocab (texts, 'instance')")
        db.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", texts)
        wanted = f"WHERE term IN ({', '.join('?' * len(terms))})" if terms else ""
        for term, number in db.execute(f"SELECT term, doc FROM terms {wanted} ORDER BY doc, offset", terms):  # noqa: S608
            places[term].append(number)
    return places


def query_terms(table: TokenTable, words: Sequence[str]) -> dict[str, str]:
    """Return the terms under which a table has the words of a query; term → what to search for it."""
    places = _term_places(table, enumerate(words))
    return {term: words[numbers[0]] if table == "words" else term for term, numbers in places.items()}


def rank_passages(table: TokenTable, matches: Sequence[Matches]) -> list[list[IndexedPassage]]:
    """Return the passages of each library with their scores, which can be compared; in no order.

    `matches` have the same terms. Their frequencies are those of all these libraries together.
    """
    size = sum(match.size for match in matches)
    frequencies = sum((Counter(match.frequencies) for match in matches), Counter[str]())
    weights = {
        term: max(_LEAST_WEIGHT, log(max(0.5, size - frequencies[term] + 0.5) / (frequencies[term] + 0.5)))
        for term in dict.fromkeys(term for match in matches for term in match.frequencies)
    }
    passages = [passage for match in matches for passage in match.passages]
    counts, shares = _occurrences(table, passages, weights)
    scored = iter(
        passage._replace(
            score=_bm25(count_words(f"{passage.title} {passage.heading} {passage.text}"), count, weights) * (1 + share)
        )
        for passage, count, share in zip(passages, counts, shares, strict=True)
    )
    return [[next(scored) for _ in match.passages] for match in matches]


def _occurrences(
    table: TokenTable, passages: Sequence[IndexedPassage], weights: dict[str, float]
) -> tuple[list[Counter[str]], list[float]]:
    """Return for each passage how often it has each term, and the share of the weights in one of its sentences."""
    texts = []
    for number, passage in enumerate(passages):
        first = number * _MOST_SENTENCES  # the title and the heading
        sentences = _SENTENCE.split(passage.text, _MOST_SENTENCES - 2)
        texts += enumerate((f"{passage.title}\n{passage.heading}", *sentences), first)
    counts = [Counter[str]() for _ in passages]
    in_sentence = defaultdict[int, float](float)
    for term, places in _term_places(table, texts, list(weights)).items():
        for place in places:
            counts[place // _MOST_SENTENCES][term] += 1
        for place in dict.fromkeys(places):
            in_sentence[place] += weights[term]
    shares, total = [0.0] * len(passages), sum(weights.values())
    for place, weight in in_sentence.items():
        number, sentence = divmod(place, _MOST_SENTENCES)
        if sentence:
            shares[number] = max(shares[number], weight / total)
    return counts, shares


def _bm25(length: int, count: Counter[str], weights: dict[str, float]) -> float:
    damping = _SATURATION * (1 - _BY_LENGTH + _BY_LENGTH * length / _USUAL_LENGTH)
    return sum(weights[term] * number * (_SATURATION + 1) / (number + damping) for term, number in count.items())


@cache
def load_reranker(folder: Path) -> Reranker:
    """Return the scores of a model in ONNX with the tokenizer beside it. Raises `RaterError` if it can't be used.

    Its first output tells what it is: scores of pairs of texts, of which the last class counts, or vectors of texts or
    of tokens. The cosine of two vectors multiplies the score by words, which knows names and numbers better.
    """
    try:
        import numpy as np  # noqa: PLC0415 - these are large, and the others an extra
        from onnxruntime import InferenceSession  # noqa: PLC0415 # ty: ignore[import-not-found]
        from tokenizers import Tokenizer  # noqa: PLC0415 # ty: ignore[import-not-found]
    except ImportError as error:
        hint = "Install the extra `meaning` of the program, or remove the folder."
        raise RaterError(f"The model in {folder} can't be used.", f"{error.name} is not installed.", hint) from error
    try:
        tokenizer = Tokenizer.from_file(str(folder / _TOKENIZER))
        session = InferenceSession(str(folder / MODEL), providers=["CPUExecutionProvider"])
    except Exception as error:  # both libraries raise exceptions of their own without a common base
        raise RaterError(f"The model in {folder} can't be used.", str(error)) from error
    tokenizer.enable_truncation(min(_MOST_TOKENS, (tokenizer.truncation or {}).get("max_length", _MOST_TOKENS)))
    tokenizer.enable_padding()
    inputs = {value.name for value in session.get_inputs()}

    def run(texts: Sequence[Any]) -> Any:
        """Return a row for each text or pair of texts: its scores, or its vector, the mean of those of its tokens."""
        encoded = tokenizer.encode_batch(texts)
        columns = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        arrays = {
            name: np.array([getattr(text, values) for text in encoded], dtype=np.int64)
            for name, values in columns.items()
        }
        (output, *_) = session.run(None, {name: arrays[name] for name in inputs & arrays.keys()})
        mask = arrays["attention_mask"][:, :, None]
        return (output * mask).sum(1) / mask.sum(1) if output.ndim > 2 else np.reshape(output, (len(texts), -1))

    embeds = run([MODEL]).shape[1] > _MOST_CLASSES

    def score(query: str, passages: Sequence[str], scores: Sequence[float]) -> list[float]:
        if not embeds:
            return [float(row[-1]) for row in run([(query, passage) for passage in passages])]
        vectors = run([query, *passages])
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return [float(cosine) * score for cosine, score in zip(vectors[1:] @ vectors[0], scores, strict=True)]

    return score
