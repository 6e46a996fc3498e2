"""`python -m bench.recall FACTCHECK-BENCH.jsonl EXPERTQA.jsonl`: how often a claim finds a passage chosen for it.

The passages are all pieces of evidence of both data sets; a document is a piece of evidence, with the last part of its
address as its title. A claim is a query, and finds what it should if a passage that its annotators called supporting or
contradicting is among the first 1, 5, 10 or 50. Beside it: FTS5 as it comes, for the passages alone and with titles.
The table is in docs/plugins/library.md.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from desktop_rater.plugins.library.catalogue import INDEX, Library, library_folder, save_library
from desktop_rater.plugins.library.index import open_index, put_document
from desktop_rater.plugins.library.passages import LibraryDocument
from desktop_rater.plugins.library.search import search_libraries

FIRST = (1, 5, 10, 50)
_STANCES = {"completely-support", "partially-support", "refute"}
_EVIDENCE = re.compile(r"\[\d+\]\s*(\S+)\s*\n\s*\n?(.+)", re.DOTALL)
_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"\.(?:html?|php|aspx?|pdf)$")

Claim = tuple[str, set[str]]


def factcheck_bench(path: Path, passages: dict[str, str]) -> Iterator[Claim]:
    """Yield claims with the passages that support or refute them; add all passages with their addresses."""
    for line in path.read_bytes().splitlines():
        for sentence in json.loads(line)["sentences"].values():
            columns = (
                sentence.get(name, ()) for name in ("auto_evidence", "stance_claim_autoEvid", "auto_evidence_url")
            )
            for claim, texts, stances, urls in zip(sentence.get("claims", ()), *columns, strict=False):
                for text, url in zip(texts, urls, strict=True):
                    passages.setdefault(text, url)
                chosen = {text for text, stance in zip(texts, stances, strict=False) if stance in _STANCES}
                if chosen:
                    yield claim, chosen


def expertqa(path: Path, passages: dict[str, str]) -> Iterator[Claim]:
    """Yield claims with the passages cited for those that they support; add all passages with their addresses."""
    for line in path.read_bytes().split(b"\n"):
        for answer in json.loads(line)["answers"].values() if line.strip() else ():
            for claim in answer["claims"]:
                cited = [match for match in map(_EVIDENCE.fullmatch, claim["evidence"]) if match]
                for match in cited:
                    passages.setdefault(match[2], match[1])
                if cited and claim["support"] in ("Complete", "Partial"):
                    yield claim["claim_string"], {match[2] for match in cited}


def title_of(url: str) -> str:
    """Return the last part of an address as a title."""
    try:
        parts = [unquote(part) for part in urlsplit(url).path.split("/") if part]
    except ValueError:
        return ""
    return re.sub("[-_+]+", " ", _ENDING.sub("", parts[-1])) if parts else ""


def plain_search(passages: Mapping[str, tuple[str, str]], tokenizer: str) -> Callable[[str], Sequence[str]]:
    """Return a search by FTS5 alone, for any of a claim's words; `passages`: key → title and text."""
    db = sqlite3.connect(":memory:")
    db.execute(f"CREATE VIRTUAL TABLE texts USING fts5 (key UNINDEXED, title, text, tokenize = '{tokenizer}')")
    db.executemany("INSERT INTO texts VALUES (?, ?, ?)", ((key, *texts) for key, texts in passages.items()))

    def search(claim: str) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in dict.fromkeys(_WORD.findall(claim)))
        query = "SELECT key FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?"
        return [key for (key,) in db.execute(query, (words, FIRST[-1]))]

    return search


def ours(passages: dict[str, str], folder: Path) -> Callable[[str], Sequence[str]]:
    """Return a search of a library of the passages, each of which is a document."""
    library = Library(id="recall", name="recall", kind="folder", ready=True)
    save_library(folder, library)
    with open_index(library_folder(folder, library.id) / INDEX) as db:
        db.execute("BEGIN")
        for number, (text, url) in enumerate(passages.items()):
            put_document(db, LibraryDocument(str(number), url, title_of(url), text), "1")
        db.execute("COMMIT")
    texts = list(passages)

    def search(claim: str) -> list[str]:
        hits = search_libraries(folder, claim, limit=2 * FIRST[-1])
        return list(dict.fromkeys(texts[int(hit.passage.place)] for hit in hits))

    return search


def main(files: Sequence[str]) -> None:
    """Print the table."""
    passages: dict[str, str] = {}
    sets = {
        "Factcheck-Bench": list(factcheck_bench(Path(files[0]), passages)),
        "ExpertQA": list(expertqa(Path(files[1]), passages)),
    }
    print(
        f"{len(passages):,} passages; claims: {', '.join(f'{len(claims):,} {name}' for name, claims in sets.items())}\n"
    )
    titled = {text: (title_of(url), text) for text, url in passages.items()}
    columns = [f"{name}, first {first}" for name in sets for first in FIRST]
    print(f"| search | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    with tempfile.TemporaryDirectory() as folder:
        for name, search in (
            ("FTS5 as it comes", plain_search({text: ("", text) for text in passages}, "unicode61")),
            ("FTS5 as it comes, with titles", plain_search(titled, "unicode61")),
            ("FTS5 with stemming, with titles", plain_search(titled, "porter unicode61")),
            ("libraries", ours(passages, Path(folder))),
        ):
            shares = [share for claims in sets.values() for share in successes(claims, search)]
            print(f"| {name} | {' | '.join(f'{share:.3f}' for share in shares)} |", flush=True)


def successes(claims: Sequence[Claim], search: Callable[[str], Sequence[str]]) -> list[float]:
    """Return the shares of the claims that find a chosen passage among the first of each number."""
    ranks = []
    for claim, chosen in claims:
        ranks.append(next((rank for rank, text in enumerate(search(claim), 1) if text in chosen), FIRST[-1] + 1))
    return [sum(rank <= first for rank in ranks) / len(ranks) for first in FIRST]


if __name__ == "__main__":
    main(sys.argv[1:])
