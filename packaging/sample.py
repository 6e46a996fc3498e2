"""Make the sample bundle again from its tasks and its pages: `make sample`.

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

from desktop_rater.model.change import Progress
from desktop_rater.web import warc
from desktop_rater.web.response import WebResponse
from desktop_rater.work.bundles.make import BundleOptions, build_bundle

RESOURCES = Path(__file__).resolve().parents[1] / "resources"
SAMPLES = RESOURCES / "samples"
SOURCES = SAMPLES / "span-factuality"
RATINGS = SAMPLES / "span-factuality-sample.ratings.jsonl"
BUNDLE = SAMPLES / "span-factuality-sample.zip"
WANTED = BundleOptions(
    rubric="span-factuality",
    id="sample-factuality",
    revision=3,
    title="Sample: what is true here?",
    language="en",
    created="2026-11-20T08:00:00Z",
    guidelines=RESOURCES / "guidelines" / "span-factuality.md",
)


PRACTICE = SAMPLES / "practice-sample.zip"
PRACTICE_WANTED = BundleOptions(
    rubric="span-factuality",
    id="sample-practice",
    revision=2,
    title="Practice: what is true here?",
    language="en",
    created="2026-11-20T08:00:00Z",
    guidelines=RESOURCES / "guidelines" / "span-factuality.md",
    gold=SAMPLES / "practice" / "gold.jsonl",
    practice=True,
)
SCALES = SAMPLES / "response-quality-sample.zip"
SCALES_WANTED = BundleOptions(
    rubric="response-quality",
    id="sample-scales",
    revision=2,
    title="Scales: how good is the response?",
    language="en",
    created="2026-11-20T08:00:00Z",
    guidelines=RESOURCES / "guidelines" / "response-quality.md",
)
PAIRS = SAMPLES / "side-by-side-sample.zip"
PAIRS_WANTED = BundleOptions(
    rubric="side-by-side",
    id="sample-pairs",
    revision=2,
    title="Pairs: which response is better?",
    language="en",
    created="2026-11-20T08:00:00Z",
    guidelines=RESOURCES / "guidelines" / "side-by-side.md",
)


def main() -> int:
    """Write the bundle and the ratings."""
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder)
        named = {answer.url: _keep(answer, pages) for answer in answers()}
        build_bundle(BUNDLE, SOURCES / "tasks.jsonl", _with(pages), Progress())
    _name_in_ratings(named)
    made = build_bundle(PRACTICE, SAMPLES / "practice" / "tasks.jsonl", PRACTICE_WANTED, Progress())
    print(f"{PRACTICE.name}: {made.gold} gold answers")
    build_bundle(SCALES, SAMPLES / "response-quality" / "tasks.jsonl", SCALES_WANTED, Progress())
    build_bundle(PAIRS, SAMPLES / "side-by-side" / "tasks.jsonl", PAIRS_WANTED, Progress())
    print(f"{BUNDLE.name}: {BUNDLE.stat().st_size:,} bytes, {len(named)} pages")
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
