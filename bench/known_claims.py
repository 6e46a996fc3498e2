"""`python -m bench.known_claims CLAIMS.tsv TWEETS.tsv… PAIRS.qrels…`: how often a tweet finds the claim it repeats.

The files are those of CheckThat! 2020, task 2: fact-checked claims with the titles of their articles, tweets, and which
claim each tweet repeats. The claims become a library of precedents; the tweet is the query. Beside it: FTS5 for any of
the words. The last table is of the least similarity of a case: of the pairs of a tweet and its claim, how many are
found (recall), and of all cases that are shown, how many are the claim (precision). The tables are in
docs/plugins/library.md.
"""

import csv
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from bench.recall import FIRST, Claim, plain_search, successes
from desktop_rater.format.strict_json import canonical_json, to_plain
from desktop_rater.plugins.library.catalogue import INDEX, Library, library_folder, save_library
from desktop_rater.plugins.library.index import open_index, put_document
from desktop_rater.plugins.library.passages import LibraryDocument
from desktop_rater.plugins.library.precedents import LEAST_SIMILARITY, DecidedClaim
from desktop_rater.plugins.library.search import find_cases, search_libraries

RUBRIC = "known@1"
_LEAST = (0.2, 0.25, LEAST_SIMILARITY, 0.35, 0.4)
Known = dict[str, tuple[str, str]]  # id → claim, title


def main(files: Sequence[str]) -> None:
    """Print the tables."""
    claims = {number: (claim, title) for number, claim, title in map(tuple, _rows(files[0]))}
    tweets = {number: text for name in files[1:] if name.endswith(".tsv") for number, text in map(tuple, _rows(name))}
    pairs: defaultdict[str, set[str]] = defaultdict(set)
    for name in (name for name in files if name.endswith(".qrels")):
        for number, _, claim, relevant in (line.split() for line in Path(name).read_text("utf-8").splitlines()):
            pairs[number] |= {claim} if relevant == "1" else set()
    queries: list[Claim] = [(tweets[number], chosen) for number, chosen in pairs.items() if chosen]
    print(f"{len(claims):,} claims, {len(queries):,} tweets\n")
    print(f"| search | {' | '.join(map(str, FIRST))} |\n|---|{'---|' * len(FIRST)}")
    untitled = {number: ("", claim) for number, (claim, _) in claims.items()}
    titled = {number: (title, claim) for number, (claim, title) in claims.items()}
    with tempfile.TemporaryDirectory() as folder:
        library = _library(claims, Path(folder))

        def ours(text: str) -> list[str]:
            hits = search_libraries(Path(folder), text, [library.id], limit=FIRST[-1])
            return [hit.passage.url for hit in hits]

        for name, search in (
            ("FTS5 as it comes", plain_search(untitled, "unicode61")),
            ("FTS5 as it comes, with titles", plain_search(titled, "unicode61")),
            ("precedents", ours),
        ):
            print(f"| {name} | {' | '.join(f'{share:.3f}' for share in successes(queries, search))} |", flush=True)
        cases = [
            (text, chosen, find_cases(Path(folder), text, [library], RUBRIC, least=_LEAST[0]))
            for text, chosen in queries
        ]
    print("\n| similarity | recall | precision |\n|---|---|---|")
    for least in _LEAST:
        shown = [
            (case.claim.task in chosen) for _, chosen, found in cases for case in found if case.similarity >= least
        ]
        total = sum(len(chosen) for _, chosen in queries)
        print(f"| {least} | {sum(shown) / total:.3f} | {sum(shown) / len(shown):.3f} |")


def _rows(name: str) -> list[list[str]]:
    """Return the rows of a table without its head."""
    with Path(name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t"))[1:]


def _library(claims: Known, store: Path) -> Library:
    """Return the claims as a library of precedents in a store."""
    file = store / "known.precedents.jsonl"
    library = Library(
        id="known", name="known", kind="precedents", sources=(str(file),), documents=len(claims), lang="en", ready=True
    )
    save_library(store, library)
    with file.open("wb") as lines, open_index(library_folder(store, library.id) / INDEX) as db:
        db.execute("BEGIN")
        for number, (claim, title) in claims.items():
            place = f"{file}#{lines.tell()}"
            decided = DecidedClaim(
                text=claim,
                bundle="known",
                task=number,
                where="targets/s1",
                rubric=RUBRIC,
                question="label",
                value="checked",
                label="Checked",
                by="lead",
                title=title,
            )
            lines.write(canonical_json(to_plain(decided)) + b"\n")
            put_document(db, LibraryDocument(place, number, title, claim), "1")
        db.execute("COMMIT")
    return library


if __name__ == "__main__":
    main(sys.argv[1:])
