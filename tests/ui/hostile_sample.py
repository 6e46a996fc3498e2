"""The sample once more, with what would like to be HTML in every field that somebody else writes."""

import json
import re
import tomllib
from bisect import bisect_left
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.page import Page
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from desktop_rater.operations.self_test import sample_ratings_path
from desktop_rater.pages import warc
from desktop_rater.pages.response import WebResponse
from desktop_rater.pages.web_client import FetchedPage
from desktop_rater.paths import resources
from tools.tour.stage import Saves
from tools.tour.web import SampleWeb

SOURCES = resources() / "samples" / "span-factuality"
TURNS = "\u202e"  # everything behind it would be read backwards
PICTURE = "c.gif"  # beside the program, where Qt would look for it
WRITTEN = re.compile(r'\b(title|ask|hint|label|message) = "')


def mark(field: str) -> str:
    """What a field holds, with its name: a picture, a tag, an entity, a mnemonic, a place holder and U+202E."""
    return f"<img src='{PICTURE}'><b>{field}<u>&lt;A&B[*]{TURNS} "


@dataclass(frozen=True)
class Lures:
    """Where a text would like to be loaded from: a file and a server that are watched."""

    picture: Path
    server: str

    def mark(self, field: str) -> str:
        """As `mark`, with addresses that need no folder."""
        tags = f"<img src='{self.picture.as_uri()}'><img src='{self.server}/{PICTURE}'><a href='{self.server}/a'>x</a>"
        return mark(field) + tags + " "


def hostile_bundle(folder: Path, lures: Lures) -> Path:
    """The bundle, in a file whose name wants to be HTML too."""
    pages = folder / "hostile-pages"
    pages.mkdir()
    for answer in _answers(lures):
        raw = warc.write_snapshot(answer)
        (pages / f"{sha256(raw).hexdigest()}.warc.gz").write_bytes(raw)
    tasks = folder / "hostile-tasks.jsonl"
    tasks.write_text("".join(f"{json.dumps(_task(one, lures))}\n" for one in _lines(SOURCES / "tasks.jsonl")), "utf-8")
    guidelines = folder / "hostile-guidelines.md"
    own = (resources() / "guidelines" / "span-factuality.md").read_text("utf-8")
    guidelines.write_text(re.sub(r"^(#+ .*)$", rf"\1\n\n{lures.mark('guidelines')}", own, flags=re.MULTILINE), "utf-8")
    rubric = folder / "hostile.toml"
    rubric.write_text(_rubric(), "utf-8")
    wanted = BundleOptions(
        rubric=str(rubric),
        id="hostile",
        title=mark("bundle title"),
        language="en",
        created="2026-11-20T08:00:00Z",
        guidelines=guidelines,
        snapshots=pages,
    )
    path = folder / f"{mark('file name').strip()}.zip"
    build_bundle(path, tasks, wanted, Progress())
    return path


def hostile_ratings(folder: Path, lures: Lures) -> Path:
    """The sample's ratings with the same in what a rater wrote."""
    tasks = {plain["id"]: plain for plain in _lines(SOURCES / "tasks.jsonl")}
    ratings = _lines(sample_ratings_path())
    for rating in ratings:
        rating["rubric"] = "hostile-factuality@3"
        task = tasks[rating["task"]]
        moved = {one["id"]: partial(_moved, _starts(task, one["response"])) for one in task.get("targets", ())}
        for given in rating["answers"].get("targets", {}).values():
            if "comment" in given:
                given["comment"] = lures.mark("comment") + given["comment"]
        for target, claims in rating.get("claims", {}).items():
            for claim in claims:
                claim["text"] = lures.mark("claim") + claim["text"]
                for end in {"start", "end"} & claim.keys():
                    claim[end] = moved[target](claim[end])
        for piece in rating.get("evidence", ()):
            piece.pop("snapshot", None)
            piece.update({name: lures.mark(f"evidence {name}") for name in ("title", "quote", "note")})
    path = folder / "hostile-ratings.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in ratings), "utf-8")
    return path


def _lines(path: Path) -> list[dict]:
    # Not splitlines: a text may hold U+2028, which ends no line of JSON.
    return [json.loads(one) for one in path.read_text("utf-8").split("\n")[:-1]]


def _rubric() -> str:
    own = (resources() / "rubrics" / "span-factuality.toml").read_text("utf-8")
    own = own.replace('id = "span-factuality"', 'id = "hostile-factuality"', 1)
    return WRITTEN.sub(lambda found: found[0] + mark(f"rubric {found[1]}"), own)


def _starts(task: dict, response: str) -> list[int]:
    return sorted({one["start"] for one in task.get("targets", ()) if one["response"] == response})


def _moved(starts: list[int], at: int) -> int:
    return at + len(mark("response")) * bisect_left(starts, at)


def _task(plain: dict, lures: Lures) -> dict:
    plain["prompt"]["text"] = lures.mark("prompt") + plain["prompt"]["text"]
    for response in plain["responses"]:
        starts, text = _starts(plain, response["id"]), response["text"]
        edges = [0, *starts, len(text)]
        pieces = [text[start:end] for start, end in pairwise(edges)]
        if "targets" in plain:  # else its sentences become them, and the sample's ratings know which
            response["text"] = (
                mark("response").join(pieces) + f"\n\n![alone]({lures.picture}) [no page]({lures.picture.as_uri()})\n"
            )
        response["tools"] = [_tool(tool, lures) for tool in response.get("tools", ())]
    for response in plain["responses"]:
        starts = _starts(plain, response["id"])
        for target in [one for one in plain.get("targets", ()) if one["response"] == response["id"]]:
            for name in ("quote", "prefix", "suffix"):
                target.pop(name, None)
            target.update({end: _moved(starts, target[end]) for end in ("start", "end")})
    plain["history"] = [{"role": mark("role"), "text": lures.mark("history")}]
    words = {name: lures.mark(f"context {name}") for name in ("title", "text", "url")}
    plain["context"] = [{"id": f"{mark('context id')}{number}", **words} for number in range(2)]
    plain["reference"] = lures.mark("reference")
    plain["meta"] = {mark("meta key"): lures.mark("meta")}
    return plain


def _tool(tool: dict, lures: Lures) -> dict:
    given = {mark("tool input key"): mark("tool input"), "of the sample": tool.get("input")}
    answered = {mark("tool output key"): mark("tool output"), "of the sample": tool.get("output")}
    return {**tool, "name": mark("tool name"), "input": given, "output": answered}


def _answers(lures: Lures) -> list[WebResponse]:
    listed = tomllib.loads((SOURCES / "pages" / "pages.toml").read_text("utf-8"))["page"]
    return [
        _answer(one["url"], (SOURCES / "pages" / one["file"]).read_text("utf-8"), one["fetched"], lures)
        for one in listed
    ]


def _answer(url: str, html: str, fetched: str, lures: Lures) -> WebResponse:
    def said(field: str) -> str:
        return escape(lures.mark(f"page {field}"))

    head = f'<title>{said("title")}</title><meta property="og:title" content="{said("title")}">'
    head += f'<meta property="og:site_name" content="{said("site")}"><meta name="author" content="{said("author")}">'
    html = re.sub(r'<title>.*</title>|<meta (property="og:.*"|name="author").*>', "", html)
    html = re.sub(r"<head>", lambda found: found[0] + head, html)
    html = re.sub(r"<h1>", lambda found: found[0] + said("title"), html)
    link = f'<a href="https://a.example/?q={escape(mark("page link"))}&amp;b=1">{escape(mark("page link words"))}</a>'
    for more in (said("text"), link, f"<img src='{lures.picture}' alt='{said('picture')}'>"):
        # Behind a sentence each: what is links and pictures only is not the text of a page.
        html = re.sub(r"\. (?=\w[^.<>]*\.</p>)", lambda _found, more=more: f". {more}. ", html, count=1)
    body = html.encode()
    headers = (("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(body))))
    return WebResponse(
        url=url, final_url=url, status=200, reason="OK", headers=headers, raw=body, body=body, fetched=fetched
    )


class HostileWeb(SampleWeb):
    """A server that answers with tags where there is no page."""

    def open(self, url: str, progress: Progress) -> FetchedPage:
        fetched = super().open(url, progress)
        if fetched.page.shows:
            return fetched
        leads = f"https://example.com/?q={mark('final address')}"
        return FetchedPage(page=Page(url=url, final_url=leads, state="unreachable", why=mark("why there is no page")))


class HostileSaves(Saves):
    """A disk whose trouble has tags in its words."""

    def __call__(self, *given: Any, **named: Any) -> Change:
        try:
            return super().__call__(*given, **named)
        except RaterError as error:
            raise RaterError(mark("error"), mark("error message"), mark("error hint")) from error
