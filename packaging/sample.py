"""Make the sample and practice bundles again from their tasks and pages: `make sample`.

The sample's ratings name the stored pages, so they are written too.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import tomllib
from pathlib import Path

import msgspec

from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from desktop_rater.pages import warc
from desktop_rater.pages.response import WebResponse

RESOURCES = Path(__file__).resolve().parents[1] / "resources"
SAMPLES = RESOURCES / "samples"
SOURCES = SAMPLES / "span-factuality"
RATINGS = SAMPLES / "span-factuality-sample.ratings.jsonl"


def _options(rubric: str, bundle: str, revision: int, title: str, gold: str = "") -> BundleOptions:
    return BundleOptions(
        rubric=rubric,
        id=bundle,
        revision=revision,
        title=title,
        language="en",
        created="2026-11-20T08:00:00Z",
        guidelines=RESOURCES / "guidelines" / f"{rubric}.md",
        gold=SAMPLES / gold / "gold.jsonl" if gold else None,
        practice=bool(gold),
    )


BUNDLE = SAMPLES / "span-factuality-sample.zip"
WANTED = _options("span-factuality", "sample-factuality", 5, "Sample: what is true here?")
SCALES, PAIRS = "response-quality", "side-by-side"
# by name: the other bundles, of the tasks in the folder without "-sample"
OTHERS = {
    "side-by-side-sample": _options(PAIRS, "sample-pairs", 3, "Pairs: which response is better?"),
    "response-quality-sample": _options(SCALES, "sample-scales", 4, "Scales: how good is the response?"),
    "groundedness-sample": _options("groundedness", "sample-documents", 1, "Documents: does it follow from them?"),
    "practice-sample": _options("span-factuality", "sample-practice", 3, "Practice: what is true here?", "practice"),
    "side-by-side-practice": _options(
        PAIRS, "sample-pairs-practice", 1, "Practice: which response is better?", "side-by-side-practice"
    ),
    "response-quality-practice": _options(
        SCALES, "sample-scales-practice", 2, "Practice: how good is the response?", "response-quality-practice"
    ),
}


def main() -> int:
    """Write the bundles and the ratings."""
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder)
        named = {answer.url: _keep(answer, pages) for answer in answers()}
        build_bundle(BUNDLE, SOURCES / "tasks.jsonl", _with(pages), Progress())
    _name_in_ratings(named)
    print(f"{BUNDLE.name}: {BUNDLE.stat().st_size:,} bytes, {len(named)} pages")
    for name, wanted in OTHERS.items():
        tasks = SAMPLES / name.removesuffix("-sample") / "tasks.jsonl"
        made = build_bundle(SAMPLES / f"{name}.zip", tasks, wanted, Progress())
        print(f"{name}.zip: {made.gold} gold answers")
    return 0


def answers() -> list[WebResponse]:
    """Return what the servers of the sample's pages would answer."""
    listed = tomllib.loads((SOURCES / "pages" / "pages.toml").read_text(encoding="utf-8"))["page"]
    return [_answer(one["url"], (SOURCES / "pages" / one["file"]).read_bytes(), one["fetched"]) for one in listed]


def _answer(url: str, body: bytes, fetched: str) -> WebResponse:
    headers = (("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(body))))
    return WebResponse(
        url=url, final_url=url, status=200, reason="OK", headers=headers, raw=body, body=body, fetched=fetched
    )


def _keep(answer: WebResponse, folder: Path) -> str:
    """Write a stored page, and return its SHA-256."""
    raw = warc.write_snapshot(answer)
    sha256 = hashlib.sha256(raw).hexdigest()
    (folder / f"{sha256}.warc.gz").write_bytes(raw)
    return sha256


def _with(pages: Path) -> BundleOptions:
    return msgspec.structs.replace(WANTED, snapshots=pages)


def _name_in_ratings(named: dict[str, str]) -> None:
    """Write the SHA-256 of stored pages into the evidence of the sample's ratings."""
    lines = [json.loads(line) for line in RATINGS.read_text(encoding="utf-8").split("\n")[:-1]]
    for rating in lines:
        for piece in rating.get("evidence", ()):
            if piece["url"] in named:
                piece["snapshot"] = named[piece["url"]]
    RATINGS.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
