"""Convert Azure test sets, and their evaluation results: questions with answers, and conversations; attacked twins.

https://learn.microsoft.com/azure/ai-foundry/how-to/develop/evaluate-sdk
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from desktop_rater.format.errors import BundleFault, RaterError
from desktop_rater.format.jsonl import read_small_text
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import json_type
from desktop_rater.format.values import Answers
from desktop_rater.plugins.convert.chat.turns import TurnChoice, choose_turns
from desktop_rater.plugins.convert.conversion import ConvertedRecord, OmittedRecord, parsed_json_text
from desktop_rater.plugins.convert.formats.azure_records import (
    REASON_ASKED,
    REASON_NAMES,
    RESPONSE,
    RUBRIC,
    SCORE_NAMES,
    Documents,
    RatedExchange,
    azure_records,
    calls_of,
    history_of,
    rated_exchange,
    response_of,
    scores_in,
    take_text,
    take_value,
    turn_scores,
)
from desktop_rater.plugins.convert.source import SourceRecords
from desktop_rater.rubric.suggest import REASONS_KEY

_CONVERSATION, _QA = "azure-conversation", "azure-qa"
_MESSAGES = ("messages", "conversation")
_QUESTION = ("question", "query")
_ANSWER = ("answer", "response")
TRUTH = ("ground_truth", "truth")


def convert_conversations(
    records: SourceRecords, *, turns: TurnChoice | None = None
) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task for each conversation in which the assistant has answered, or for each of the chosen answers.

    The prompt is the user's turn before the answer, the other turns before it are the history, and the documents
    cited by the answer are the context. Tool calls between the two belong to the answer. Later turns go to
    `meta.later`. Raises `BundleError` for a record of another shape.
    """
    for count, (line, where, plain) in enumerate(azure_records(records), 1):
        with records.record(line):
            converted = _converted_conversation(f"cv-{count:04}", line, where, dict(plain), turns or TurnChoice())
            yield from converted


def _converted_conversation(
    conversation: str, line: int, where: str, plain: dict[str, Any], choice: TurnChoice
) -> list[ConvertedRecord | OmittedRecord]:
    # The reference belongs to the last answer; scores come with their turns.
    own_scores = scores_in(plain)
    messages, extra = _messages(plain, where)
    chosen = choose_turns(messages, where, choice)
    if isinstance(chosen, str):
        return [OmittedRecord(line=line, why=chosen)]
    by_turn = turn_scores(plain, chosen.turns)
    converted: list[ConvertedRecord | OmittedRecord] = []
    for turn, exchange in chosen.exchanges:
        fields, more = dict(plain), {**extra, **chosen.numbers(conversation, turn)}
        if chosen.numbered and turn < chosen.turns:
            fields |= dict.fromkeys(TRUTH)
        contexts = [("context", exchange.context), ("context", more.pop("context", None))]
        contexts.append(("context", take_value(fields, ("context",), where)))
        task = _task(_CONVERSATION, chosen.task_id(conversation, turn), line, where, fields, exchange, contexts, more)
        scores = by_turn[turn - 1] if chosen.numbered else own_scores
        converted.append(with_scores(_CONVERSATION, line, task, scores))
    return converted


def _task(
    source: str,
    id_: str,
    line: int,
    where: str,
    fields: dict[str, Any],
    exchange: RatedExchange,
    contexts: list[tuple[str, Any]],
    more: dict[str, Any],
) -> dict[str, Any]:
    """Return the task of an exchange. `contexts`: name and value of its documents; `more`: further fields of `meta`."""
    documents = Documents(where)
    for name, value in contexts:
        documents.add(value, name)
    reference = take_text(fields, TRUTH, where)
    return {
        "id": id_,
        "prompt": {"text": exchange.prompt},
        "history": exchange.history,
        "responses": [response_of(exchange.answer, exchange.tools)],
        "context": documents.plain,
        "reference": reference or None,
        "meta": {"source": source, "line": line, **exchange.extra, **documents.extra, **more, **fields},
    }


def _messages(plain: dict[str, Any], where: str) -> tuple[list[Any], dict[str, Any]]:
    extra: dict[str, Any] = {}
    inner = plain["conversation"] = parsed_json_text(plain.get("conversation"))
    if isinstance(inner, dict):
        if "messages" not in inner:
            raise BundleFault(f"{where}: `conversation` has no `messages`")
        extra = {key: value for key, value in inner.items() if key != "messages"}
        plain["conversation"] = inner["messages"]
    messages = parsed_json_text(take_value(plain, _MESSAGES, where))
    if messages is None:
        if any(name in plain for name in _QUESTION):
            raise BundleFault(f"{where}: it is a question with its answer", "Convert it with --from azure-qa.")
        raise BundleFault(f"{where}: it has neither `messages` nor `conversation`")
    if not isinstance(messages, list):
        raise BundleFault(f"{where}: its messages are {json_type(messages)}, not a list")
    return messages, extra


def convert_questions(records: SourceRecords) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task for each record with an answer, and the scores of an evaluation as a rating.

    If an agent's messages are the answer, its calls on the way are the response's tools. Raises `BundleError` for a
    record of another shape, and if two names of one field have different values.
    """
    for count, (line, where, plain) in enumerate(azure_records(records), 1):
        with records.record(line):
            yield _converted_question(f"qa-{count:04}", line, where, dict(plain))


def _converted_question(task: str, line: int, where: str, plain: dict[str, Any]) -> ConvertedRecord | OmittedRecord:
    scores = scores_in(plain)
    question = _text_or_messages(plain, _QUESTION, where)
    answer = _text_or_messages(plain, _ANSWER, where)
    if question is None:
        if any(name in plain for name in _MESSAGES):
            raise BundleFault(f"{where}: it is a conversation", "Convert it with --from azure-conversation.")
        raise BundleFault(f"{where}: it has neither `question` nor `query`")
    if answer is None or answer == [] or (isinstance(answer, str) and not answer.strip()):
        words = "it has neither `answer` nor `response`" if answer is None else "its answer is empty"
        return OmittedRecord(line=line, why=f"{words}, so there is nothing to rate")
    question_messages = [{"role": "user", "content": question}] if isinstance(question, str) else question
    answer_messages = [{"role": "assistant", "content": answer}] if isinstance(answer, str) else answer
    exchange = (
        RatedExchange(prompt=question, answer=answer)
        if isinstance(question, str) and isinstance(answer, str)
        else rated_exchange([*question_messages, *answer_messages], where, answers_from=len(question_messages))
    )
    if isinstance(exchange, str):
        return OmittedRecord(line=line, why=exchange)
    contexts = [(name, take_value(plain, (name,), where)) for name in ("documents", "context")]
    contexts.append(("context", exchange.context))
    earlier = history_of(take_value(plain, ("chat_history",), where), where)
    tools = exchange.tools or calls_of(plain.pop("tool_calls", None))
    exchange = replace(exchange, history=[*earlier, *exchange.history], tools=tools)
    return with_scores(_QA, line, _task(_QA, task, line, where, plain, exchange, contexts, {}), scores)


def _text_or_messages(plain: dict[str, Any], names: tuple[str, ...], where: str) -> str | list[Any] | None:
    called = next((name for name in names if plain.get(name) is not None), names[0])
    value = take_value(plain, names, where)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(part, dict) and "role" in part for part in value):
        return value
    raise BundleFault(f"{where}: `{called}` is {json_type(value)}, not a text")


def with_scores(rater: str, line: int, task: dict[str, Any], scores: dict[str, Any]) -> ConvertedRecord:
    """Return a task without its empty fields, and the scores of an evaluation as its rating.

    The reasons for the scores, which leave `meta`, are answers where the rubric asks for them, otherwise reasons.
    """
    given = {question: scores[f"{question}_reason"] for question in REASON_NAMES if f"{question}_reason" in scores}
    required = {question for question, least in REASON_ASKED.items() if scores.get(question, 0) >= least}
    reasons = {question: text for question, text in given.items() if question not in required}
    answers = {name: value for name, value in scores.items() if name.removesuffix("_reason") not in reasons}
    answers |= {question: scores[question] for question in reasons}
    reason_names = {name for question in given for name in REASON_NAMES[question]}
    meta = {key: value for key, value in task["meta"].items() if key.rpartition(".")[2] not in reason_names}
    rating = Rating(task=task["id"], rater=rater, rubric=RUBRIC, answers=Answers(responses={RESPONSE: answers}))
    if reasons:
        rating = replace(rating, unknown={REASONS_KEY: {f"responses/{RESPONSE}": reasons}})
    return ConvertedRecord(
        line=line,
        task={key: value for key, value in {**task, "meta": meta}.items() if value not in (None, [])},
        rating=rating if scores else None,
    )


PLACE = "{prompt}"  # in an attack: where the user's own words go
_TURNS = ("history", "chat_history", "messages", "conversation")
_ASKED = ("prompt", "query", "question")
# What the plain prompt was answered, and how that was rated.
_ANSWERED = {"responses", "answer", "response", "targets", "suggestions", "returned", "display_order"}
_SCORES = {name for names in (*SCORE_NAMES.values(), *REASON_NAMES.values()) for name in names}


def read_attacks(path: Path) -> list[tuple[str, str]]:
    """Return the name and text of each attack, one a line: the text, or a name, a tab and the text.

    Raises `RaterError` without any.
    """
    attacks = []
    for number, line in enumerate(read_small_text(path).split("\n"), 1):
        name, tab, text = line.partition("\t")
        if (text if tab else line).strip():
            attacks.append((name.strip(), text.strip()) if tab else (f"attack-{number}", line.strip()))
    if not attacks:
        raise RaterError(f"{path.name} holds no attacks.", "Write one on each line.")
    return attacks


def attacked_twin(record: dict[str, Any], name: str, attack: str, where: str) -> dict[str, Any]:
    """Return a task, or a record of a test set, with the attack in the user's first turn and without answers.

    Raises `BundleFault` if no user asks anything.
    """

    def inject(asked: str) -> str:
        return attack.replace(PLACE, asked) if PLACE in attack else f"{attack}\n\n{asked}"

    twin = {
        key: value for key, value in record.items() if key not in _ANSWERED and key.rpartition(".")[2] not in _SCORES
    }
    if not _injected_in_turns(twin, inject) and not _injected_in_prompt(twin, inject):
        raise BundleFault(f"{where}: no user asks anything")
    if isinstance(twin.get("prompt"), dict):
        twin["meta"] = {**(twin.get("meta") or {}), "attack": name}
    else:
        twin["attack"] = name
    return twin


def _injected_in_turns(twin: dict[str, Any], inject: Callable[[str], str]) -> bool:
    """Inject into the first turn of the user, if there are turns; the answer at their end is left out."""
    for key in _TURNS:
        held = twin.get(key)
        turns = held.get("messages") if isinstance(held, dict) else held
        users = [at for at, turn in enumerate(turns) if _is_user(turn)] if isinstance(turns, list) else []
        if not users or turns is None:
            continue
        first = turns[users[0]]
        words = "text" if "text" in first else "content"
        kept = turns if key in _TURNS[:2] else turns[: users[-1] + 1]
        injected = [*kept[: users[0]], {**first, words: inject(first[words])}, *kept[users[0] + 1 :]]
        twin[key] = {**held, "messages": injected} if isinstance(held, dict) else injected
        return True
    return False


def _is_user(turn: Any) -> bool:
    match turn:
        case {"role": str() as role, "content": str()} | {"role": str() as role, "text": str()}:
            return role.strip().lower() == "user"
    return False


def _injected_in_prompt(twin: dict[str, Any], inject: Callable[[str], str]) -> bool:
    for key in _ASKED:
        match twin.get(key):
            case str() as prompt:
                twin[key] = inject(prompt)
                return True
            case {"text": str() as prompt, **rest}:
                twin[key] = {"text": inject(prompt), **rest}
                return True
    return False
