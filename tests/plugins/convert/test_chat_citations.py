"""The sources that a model cites are documents of the task, with the places of the response that cite them."""

import json
from typing import Any

import pytest

from desktop_rater.format.citations import cited_passage, citing_words, find_citations
from desktop_rater.format.strict_json import canonical_json, read_json_object, read_struct
from desktop_rater.format.task import Task
from desktop_rater.plugins.convert.maps import apply_map, read_map
from desktop_rater.rubric.links import task_links
from tests.plugins.convert.chats import ASKED, chat, converted_chats
from tests.plugins.convert.converting import lines

A, B = "https://a.example/1", "https://b.example/"
TEXT = "Ça va 🙂: kelp is brown. It grows."
KELP, GROWS = "kelp is brown", "It grows."
START, END = TEXT.index(KELP), TEXT.index(KELP) + len(KELP)
ALGA = "Kelp is a brown alga. It is big."
DOCUMENT = {"type": "document", "title": "Algae", "source": {"type": "text", "data": ALGA}}
FOUND_B = {"url": B, "title": "B"}
FOUND = {"type": "search_result", "source": A, "title": "Found", "content": [{"type": "text", "text": "Brown kelp."}]}


def said(*blocks: Any, asked: Any = ASKED, **fields: Any) -> dict[str, Any]:
    return {"messages": [asked, {"role": "assistant", "content": list(blocks), **fields}]}


def cited(text: str, **citation: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, "citations": [citation]}


def of_bytes(text: str) -> int:
    return len(TEXT[: TEXT.index(text)].encode())


def gemini(**candidate: Any) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": TEXT}]}
    return {"contents": [{"parts": [{"text": "?"}]}], "candidates": [{"content": content, **candidate}]}


WEB = {"type": "web_search_result_location", "url": A, "title": "A", "cited_text": "Kelp: brown."}
SUPPORTS = [
    {"segment": {"startIndex": of_bytes(KELP), "endIndex": of_bytes(KELP) + 13, "text": KELP, "partIndex": 1},
     "groundingChunkIndices": [0]},
    {"segment": {"startIndex": 1, "endIndex": 3, "text": GROWS}, "groundingChunkIndices": [1, 0]},
]  # fmt: skip
CHUNKS = [{"web": {"uri": A, "title": "A"}}, {"retrievedContext": {"uri": B, "text": "It grew."}}]
GROUNDING = {"groundingChunks": CHUNKS, "groundingSupports": SUPPORTS}  # fmt: skip
SNAKE = {"grounding_chunks": CHUNKS, "grounding_supports": [
    {"segment": {"end_index": of_bytes(KELP) + 13, "start_index": of_bytes(KELP), "text": KELP},
     "grounding_chunk_indices": [0]}]}  # fmt: skip
URL = {"type": "url_citation", "start_index": START, "end_index": END, "url": A, "title": "A"}
UTF_16 = {**URL, "start_index": 6, "end_index": 6 + len(f"([A]({A}))")}
INPUT = {"object": "response", "input": "?"}


def output(text: str, *annotations: Any) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": list(annotations)}
    return {**INPUT, "output": [{"type": "message", "role": "assistant", "content": [part]}]}


COHERE = {"start": START, "end": END, "text": KELP, "type": "TEXT_CONTENT", "content_index": 1, "sources": [
    {"type": "document", "id": "d1", "document": {"id": "d1", "title": "A", "text": "Kelp: brown.", "url": A}},
    {"type": "tool", "id": "look:0", "tool_output": {"content": "It grew."}}]}  # fmt: skip
INLINE = {"format": "txt", "source": {"text": "x"}}
BEDROCK = {"citationsContent": {"content": [{"text": "kelp is brown"}], "citations": [
    {"title": "A", "location": {"web": {"url": A, "domain": "a.example"}}, "sourceContent": [{"text": "Kelp: brown."}]},
    {"title": "Algae", "location": {"documentChar": {"documentIndex": 0, "start": 5, "end": 9}}}]}}  # fmt: skip
CASES: dict[str, tuple[Any, list[tuple[str, str, str, list[str]]], int]] = {
    "anthropic, a page": (said({"type": "text", "text": "So "}, cited(KELP, **WEB), {"type": "text", "text": "."}),
        [("A", A, "Kelp: brown.", [KELP])], 1),
    "anthropic, characters of a document": (said(
            cited(f" {KELP} ", type="char_location", document_index=0, start_char_index=0, cited_text=ALGA[:15]),
            cited(GROWS, type="page_location", document_index=1, document_title="PDF", cited_text="It grew."),
            asked={"role": "user", "content": [DOCUMENT, {"type": "text", "text": "?"}]}),
        [("Algae", "", ALGA, [KELP]), ("PDF", "", "It grew.", [GROWS])], 2),
    "anthropic, search results of the application": (said(
            cited(KELP, type="search_result_location", source=A, search_result_index=0, cited_text="Brown"),
            asked={"role": "user", "content": [FOUND, {"type": "text", "text": "?"}]}),
        [("Found", A, "Brown kelp.", [KELP])], 1),
    "responses": (output(TEXT, URL, {**URL, "url": f"{A}#b"}), [("A", A, "", [KELP])], 2),
    "responses, offsets in UTF-16": (output(f"Go 🙂 ([A]({A})).", UTF_16), [("A", A, "", [f"([A]({A}))"])], 1),
    "responses, a file": (
        output(TEXT, {"type": "file_citation", "file_id": "f1", "filename": "kelp.pdf", "index": END + 1}),
        [("kelp.pdf", "", "", ["Ça va 🙂: kelp is brown."])], 1),
    "responses without offsets": (output(TEXT, {"type": "url_citation", "url": A}), [("", A, "", [])], 1),
    "chat": (said(TEXT, annotations=[{"type": "url_citation", "url_citation": {**URL, "type": None}}]),
        [("A", A, "", [KELP])], 1),
    "openrouter": (
        said(TEXT, annotations=[{"type": "url_citation", "url_citation": {**URL, "content": "Kelp: brown."}}]),
        [("A", A, "Kelp: brown.", [KELP])], 1),
    "gemini": (gemini(groundingMetadata=GROUNDING), [("A", A, "", [KELP, GROWS]), ("", B, "It grew.", [GROWS])], 3),
    "gemini, as its library writes it": (gemini(grounding_metadata=SNAKE),
        [("A", A, "", [KELP]), ("", B, "It grew.", [])], 2),
    "gemini, a recitation": (gemini(citationMetadata={"citations": [{"startIndex": 0, "endIndex": 11, "uri": A}]}),
        [("", A, "", ["Ça va 🙂"])], 1),
    "bedrock": ({"messages": [{"role": "user", "content": [{"text": "?"}, {"document": {"name": "Algae", **INLINE}}]}],
            "output": {"message": {"role": "assistant", "content": [{"text": "So "}, BEDROCK]}}},
        [("Algae", "", "x", [KELP]), ("A", A, "Kelp: brown.", [KELP])], 2),
    "vercel": ({"messages": [ASKED, {"role": "assistant", "parts": [
            {"type": "text", "text": TEXT}, {"type": "source-url", "sourceId": "s1", "url": A, "title": "A"},
            {"type": "source-document", "sourceId": "s2", "title": "Algae", "mediaType": "application/pdf"}]}]},
        [("A", A, "", []), ("Algae", "", "", [])], 2),
    "cohere": (
        {"messages": [ASKED], "finish_reason": "COMPLETE", "message": {"role": "assistant", "citations": [COHERE],
         "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": TEXT}]}},
        [("A", A, "Kelp: brown.", [KELP]), ("", "", "It grew.", [KELP])], 2),
    "mistral": (
        said({"type": "text", "text": TEXT}, {"type": "tool_reference", "tool": "web_search", "title": "A", "url": A},
             {"type": "text", "text": " Big."}, {"type": "reference", "reference_ids": [7]}),
        [("A", A, "", [GROWS]), ("reference 7", "", "", ["Big."])], 2),
    "perplexity": ({**said("Kelp is brown[2][1]. It grows [2]."), "citations": [A, B], "search_results": [FOUND_B]},
        [("", A, "", ["[1]"]), ("B", B, "", ["[2]", "[2]"])], 3)}  # fmt: skip


def sources(task: dict[str, Any]) -> list[tuple[str, str, str, list[str]]]:
    documents = task.get("context", ())
    for place in [place for document in documents for place in document.get("cited", ())]:
        assert task["responses"][0]["text"][place["start"] : place["end"]] == place["quote"]
    return [
        (
            *(document.get(key, "") for key in ("title", "url", "text")),
            [at["quote"] for at in document.get("cited", ())],
        )
        for document in documents
    ]


@pytest.mark.parametrize("name", CASES)
def test_each_source_is_a_document_with_the_places_that_cite_it(tmp_path, name):
    record, expected, count = CASES[name]
    made = chat(tmp_path, record)
    assert sources(made.task) == expected
    assert (made.counts["citations_in"], made.counts["citations_out"]) == (count, count)
    assert made.unplaced == ()


def test_a_map_loses_no_source_and_no_part(tmp_path):
    hologram = {"type": "hologram"}
    record = said({"type": "text", "text": "So "}, cited(KELP, **WEB), hologram)
    mapped: Any = apply_map(read_map('format = "desktop-rater/map"\nversion = 1\nmessages = "messages"\n'), record)
    direct = chat(tmp_path, record)
    assert mapped.task["context"] == direct.task["context"]
    assert mapped.task["responses"] == direct.task["responses"]
    assert mapped.counts == {name: direct.counts[name] for name in mapped.counts}
    assert mapped.counts["citations_in"] == mapped.counts["citations_out"] == 1
    assert [part.quote for part in mapped.unplaced] == ["hologram"]


@pytest.mark.parametrize(("turn", "expected"), [("each", [[KELP], [GROWS]]), ("all", [[KELP, GROWS]]), (1, [[KELP]])])
def test_each_answer_cites_its_own_places(tmp_path, turn, expected):
    messages = [*said(cited(KELP, **WEB))["messages"], *said(cited(GROWS, **WEB))["messages"]]
    made, _ = converted_chats(lines(tmp_path / "t.jsonl", {"messages": messages}), turn=turn)
    assert [sources(record.task)[0][3] for record in made] == expected
    assert sum(record.counts["citations_out"] + record.counts.get("later_citations", 0) for record in made) == 2


def test_the_window_marks_what_the_log_cites_and_lists_its_pages(tmp_path):
    asked = {"role": "user", "content": [DOCUMENT, {"type": "text", "text": "?"}]}
    places = [{"type": "char_location", "document_index": 0, "cited_text": "It is big."}, WEB]
    block = {"type": "text", "text": KELP, "citations": places}
    made = chat(
        tmp_path, said({"type": "text", "text": "So "}, block, {"type": "text", "text": ", see [c1]."}, asked=asked)
    )
    task = read_struct(read_json_object(canonical_json(made.task)), Task)
    text = task.responses[0].text
    marks = find_citations(text, task.context, "a")
    assert [(text[mark.start : mark.end], mark.document) for mark in marks] == [(KELP, 0), (KELP, 1), ("[c1]", 0)]
    words = citing_words(text, marks)
    document = task.context[0].text
    start, end = cited_passage(document, words[0], passage=marks[0].passage) or (0, 0)
    assert document[start:end] == "It is big."
    assert cited_passage("Sand. Kelp is brown.", words[1], passage="no such words") == (6, 20)
    assert [(link.url, link.source, link.counts) for link in task_links(task, ())] == [(A, "cited", True)]
    assert find_citations(text, task.context, "b")[0].start == text.index("[c1]")


@pytest.mark.parametrize("odd", [None, 7, "x", {}, {"type": []}, {"start_index": "1", "end_index": 10**9, "url": A}])
def test_an_odd_citation_takes_nothing_along(tmp_path, odd):
    for record in (output(TEXT, odd, URL), said(TEXT, annotations=[odd, URL]), gemini(groundingMetadata=odd or [])):
        made = chat(tmp_path, record)
        assert made.task["responses"][0]["text"] == TEXT
        json.dumps(sources(made.task))
