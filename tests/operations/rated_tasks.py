"""Tasks and ratings with what other formats stumble over: wide characters, formulas, claims, evidence, halves."""

from typing import Any

# Wide characters and a CRLF before the second sentence: offsets differ by what counts them.
WIDE = "👩‍🔬 Kelp grows fast."
FORMULA = '=HYPERLINK("https://x.example/","Kelp")'
TEXT = f"{WIDE}\r\n{FORMULA} is no plant."


def spans() -> dict[str, Any]:
    """A task with two targets, whose second begins like a formula, and with a suggestion."""
    second = TEXT.index(FORMULA)
    return {
        "id": "t-1",
        "prompt": {"text": "@SUM(1+1)*cmd|' /C calc'!A0", "lang": "en"},
        "responses": [{"id": "a", "text": TEXT}],
        "targets": [
            {"id": "s1", "response": "a", "start": 0, "end": len(WIDE), "quote": WIDE},
            {"id": "s2", "response": "a", "start": second, "end": len(TEXT), "quote": TEXT[second:]},
        ],
        "suggestions": {"targets": {"s1": {"factual": "yes"}}},
    }


def spans_rating(comment: str = "+49 30 1234", accuracy: str = "accurate") -> dict[str, Any]:
    """One of them: a page for the first target, a claim in the second."""
    severity = {"severity": "minor"} if accuracy == "inaccurate" else {}
    known = {"common_knowledge": "right" if accuracy == "accurate" else "wrong", "accuracy": accuracy, **severity}
    start = TEXT.index("no plant")
    piece = {"id": "e1", "target": "s1", "stance": "supporting", "url": "https://kelp.example/a b".replace(" ", "%20")}
    return {
        "task": "t-1",
        "answers": {
            "targets": {"s1": {"factual": "yes", "accuracy": "accurate", "comment": comment}, "s2": {"factual": "yes"}}
        },
        "claims": {"s2": [{"id": "c1", "text": "no plant", "start": start, "end": start + 8, "answers": known}]},
        "evidence": [{**piece, "quote": "Half a metre a day.", "opened": "2026-11-20T09:05:00Z"}],
        "time": {"active_seconds": 300, "targets": {"s1": 120}},
        "note": "-1 for style",
    }


def pair() -> dict[str, Any]:
    """Two responses."""
    responses = [{"id": "a", "text": "🌍 First."}, {"id": "b", "text": "Second."}]
    return {"id": "p-1", "prompt": {"text": "Which?"}, "responses": responses}


def pair_rating() -> dict[str, Any]:
    """The first is better."""
    good = {"punt": "none", "fulfilment": "completely", "factuality": "completely_accurate"}
    bad = {"punt": "none", "fulfilment": "partially", "factuality": "reasonably_accurate", "explanation": "A date."}
    return {
        "task": "p-1",
        "answers": {"task": {"preference": -2, "justification": "True."}, "responses": {"a": good, "b": bad}},
    }


def scales() -> dict[str, Any]:
    """A response with a document, in a conversation."""
    return {
        "id": "q-1",
        "prompt": {"text": "Where does kelp grow?"},
        "meta": {"source": "chat"},
        "responses": [{"id": "a", "text": "In cold seas."}],
        "context": [{"id": "c1", "title": "Kelp", "text": "Kelp grows in cold seas."}],
    }


def scales_rating() -> dict[str, Any]:
    """With half a step."""
    risks = dict.fromkeys(("hateful_unfair", "sexual", "violent", "self_harm"), 0)
    scores = {"groundedness": 5, "relevance": 4, "coherence": 5, "fluency": 5, "retrieval": 4.5}
    return {"task": "q-1", "answers": {"responses": {"a": {**scores, **risks}}}}


def lists() -> dict[str, Any]:
    """A response of one sentence, with a document."""
    text = "In cold seas."
    target = {"id": "s1", "response": "a", "start": 0, "end": len(text), "quote": text}
    return {**scales(), "id": "g-1", "targets": [target]}


def lists_rating() -> dict[str, Any]:
    """Two intents, of which one is answered."""
    rows = [{"text": "where", "choice": "yes", "documents": [1]}, {"text": "=how fast", "choice": "no"}]
    return {
        "task": "g-1",
        "answers": {
            "task": {"intents": rows, "retrieval": 3},
            "responses": {"a": {"groundedness": 5}},
            "targets": {"s1": {"grounded": "yes"}},
        },
    }


# Each way to rate: its rubric, a task and a rating of it.
EACH_RUBRIC = [
    ("span-factuality", spans, spans_rating),
    ("side-by-side", pair, pair_rating),
    ("response-quality", scales, scales_rating),
    ("groundedness", lists, lists_rating),
]
