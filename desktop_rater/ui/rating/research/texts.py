"""Texts of the research record: rows, totals, and the sentences of a drafted comment."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from desktop_rater.model.rating import Rating, ResearchEntry
from desktop_rater.rubric.research import RequiredResearch, ResearchTotals, entries_at
from desktop_rater.settings import SETTINGS_BY_ID
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.address_bar import display_host
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.list_view import ListRow

translate = QCoreApplication.translate
MAX_NAMED_PAGES, MAX_TITLE = 12, 60
KIND_ICONS = {"search": "search", "page": "page", "outside": "globe"}


def minutes_text(seconds: float) -> str:
    """Return a duration as minutes and seconds: "6:12"."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def engine_text(engine: str | None) -> str:
    """Return the name of a search engine or library."""
    return dict(SETTINGS_BY_ID["search_engine"].choices).get(engine or "", engine or "")


def outcome_text(entry: ResearchEntry) -> str:
    """Return the outcome of an entry in a few words."""
    if entry.kind == "search":
        return engine_text(entry.engine)
    if entry.kind == "outside":
        return translate("Research", "reported, not measured")
    return {
        "taken": translate("Research", "evidence taken"),
        "nothing": translate("Research", "nothing taken"),
        "dead": translate("Research", "did not load"),
        "sign_in": translate("Research", "needs a sign-in"),
        "not_shown": translate("Research", "could not be shown"),
    }.get(entry.outcome or "", "")


def _title(entry: ResearchEntry) -> str:
    if entry.kind == "search":
        return formatting.quoted(entry.query or "")
    if entry.kind == "outside":
        return translate("Research", "Research in your browser")
    return entry.title or display_host(entry.url or "") or entry.url or ""


def research_row(row_id: int, entry: ResearchEntry, *, is_open: bool = False) -> ListRow:
    """Return the row of an entry."""
    host = display_host(entry.url or "") if entry.kind == "page" else ""
    outcome = translate("Research", "open now") if is_open else outcome_text(entry)
    when = datetime.fromisoformat(entry.at).astimezone() if entry.at else None
    kinds = {
        "search": translate("Research", "Search"),
        "page": translate("Research", "Page"),
        "outside": translate("Research", "Browser"),
    }
    return ListRow(
        row_id,
        _title(entry),
        end=minutes_text(entry.seconds) if entry.seconds else "",
        detail=", ".join(part for part in (host if host != _title(entry) else "", outcome) if part),
        detail_end=formatting.clock(when) if when is not None else "",
        mark="offline" if entry.outcome == "dead" else KIND_ICONS[entry.kind],
        state=kinds[entry.kind],
    )


def entry_text(entry: ResearchEntry, *, timed: bool = True) -> str:
    """Return an entry on one line: "14:02, “words”, DuckDuckGo"."""
    row = research_row(0, entry)
    parts = (row.detail_end if timed else "", row.title, row.detail, row.end)
    return ", ".join(part for part in parts if part)


def counts_text(totals: ResearchTotals) -> str:
    """Return the number of searches and pages: "3 searches, 5 pages"."""
    searches = translate("Research", "1 search") if totals.searches == 1 else translate("Research", "{n} searches")
    pages = translate("Research", "1 page") if totals.pages == 1 else translate("Research", "{n} pages")
    parts = (searches.format(n=formatting.number(totals.searches)), pages.format(n=formatting.number(totals.pages)))
    return ", ".join(parts)


def times_text(totals: ResearchTotals) -> str:
    """Return the measured and the reported time."""
    if not totals.reported:
        return translate("Research", "{time} in this program").format(time=minutes_text(totals.measured))
    template = translate("Research", "{time} in this program, {reported} in your browser")
    return template.format(time=minutes_text(totals.measured), reported=minutes_text(totals.reported))


def summary_text(totals: ResearchTotals) -> str:
    """Return one line for the review: "3 searches, 5 pages, 9:40 min of which 3:28 reported"."""
    if totals.reported:
        template = translate("Research", "{counts}, {time} min of which {reported} reported")
    else:
        template = translate("Research", "{counts}, {time} min")
    time, reported = minutes_text(totals.seconds), minutes_text(totals.reported)
    return template.format(counts=counts_text(totals), time=time, reported=reported)


def required_text(totals: ResearchTotals, required: RequiredResearch | None) -> str:
    """Return the research time, and the one that a rule of the rubric asks for."""
    if required is None:
        return translate("Research", "{time} min").format(time=minutes_text(totals.seconds))
    labels = translate("Research", " or ").join(required.labels)
    least = minutes_text(required.seconds)
    if not labels:
        return translate("Research", "{time} of {least} min").format(time=minutes_text(totals.seconds), least=least)
    template = translate("Research", "{time} of {least} min before {label}")
    return template.format(time=minutes_text(totals.seconds), least=least, label=labels)


def draft_sentences(rating: Rating, target: str | None, response: str | None) -> dict[str, str]:
    """Return the sentences that sum up the research on a target or response, by what they are about."""
    entries = entries_at(rating, target, response)
    place = (target, None) if target is not None else (None, response)
    found = any((piece.target, piece.response) == place for piece in rating.evidence)
    sentences = dict(_search_sentences(entries, found=found))
    templates = {
        "taken": (
            translate("Research", "Evidence on 1 page: {pages}."),
            translate("Research", "Evidence on {n} pages: {pages}."),
        ),
        "nothing": (
            translate("Research", "Looked at 1 page without result: {pages}."),
            translate("Research", "Looked at {n} pages without result: {pages}."),
        ),
        "sign_in": (
            translate("Research", "1 page needs a sign-in: {pages}."),
            translate("Research", "{n} pages need a sign-in: {pages}."),
        ),
        "dead": (
            translate("Research", "1 page did not load: {pages}."),
            translate("Research", "{n} pages did not load: {pages}."),
        ),
        "not_shown": (
            translate("Research", "1 page could not be shown: {pages}."),
            translate("Research", "{n} pages could not be shown: {pages}."),
        ),
    }
    for outcome, (single, several) in templates.items():
        pages = {page_key(entry.url or ""): _page_name(entry) for entry in entries if entry.outcome == outcome}
        if pages:
            names = list(dict.fromkeys(pages.values()))
            if len(names) > MAX_NAMED_PAGES:
                more = translate("Research", "{n} more").format(n=len(names) - MAX_NAMED_PAGES)
                names = [*names[:MAX_NAMED_PAGES], more]
            template = single if len(pages) == 1 else several
            sentences[outcome] = template.format(n=formatting.number(len(pages)), pages=", ".join(names))
    reported = sum(entry.seconds or 0 for entry in entries if entry.kind == "outside")
    if reported:
        template = translate("Research", "Searched for {time} min in my own browser.")
        sentences["outside"] = template.format(time=minutes_text(reported))
    return sentences


def _search_sentences(entries: Iterable[ResearchEntry], *, found: bool) -> Iterable[tuple[str, str]]:
    """Yield a sentence for each group of engines that were asked the same words."""
    words: dict[str, dict[str, None]] = {}
    for entry in entries:
        if entry.kind == "search":
            words.setdefault(engine_text(entry.engine), {})[formatting.quoted(entry.query or "")] = None
    engines: dict[tuple[str, ...], list[str]] = {}
    for engine, queries in words.items():
        engines.setdefault(tuple(queries), []).append(engine)
    plain = translate("Research", "Searched {engines} for {words}.")
    nothing = translate("Research", "Searched {engines} for {words}: nothing found.")
    for queries, names in engines.items():
        joined = formatting.listing(queries)
        text = (plain if found else nothing).format(engines=formatting.listing(names), words=joined)
        yield f"search {names[0]}", text


def _page_name(entry: ResearchEntry) -> str:
    host, title = display_host(entry.url or "") or (entry.url or ""), " ".join((entry.title or "").split())
    return f"{title} ({host})" if title and title != host and len(title) <= MAX_TITLE else host


def drafted_text(text: str, before: Mapping[str, str], sentences: Mapping[str, str]) -> str:
    """Return a comment with the sentences in place of those drafted `before`.

    A drafted sentence that was edited or deleted stays as it is; new sentences follow the last drafted one.
    """
    end = len(text.rstrip())
    for name, old in before.items():
        start = text.find(old)
        if start >= 0:
            new = sentences.get(name, "")
            text = text[:start] + new + text[start + len(old) :]
            end = start + len(new)
    added = " ".join(sentence for name, sentence in sentences.items() if name not in before)
    head, tail = text[:end], text[end:]
    if added and head.strip():
        added = f" {added}"
    return f"{head}{added}{tail}".strip()
