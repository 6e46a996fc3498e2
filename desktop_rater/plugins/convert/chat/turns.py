"""Choice of the answers of a conversation that become tasks, without those that claim nothing."""

import re
from collections import Counter
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from desktop_rater.plugins.convert.formats.azure_records import RatedExchange, rated_exchange, rated_exchanges

LAST, EACH, ALL = "last", "each", "all"


class TurnChoice(msgspec.Struct, frozen=True, kw_only=True):
    """Answers to rate: the last, each, all as one response, or one by its number, from the end if negative."""

    which: Literal["last", "each", "all"] | int = "last"
    skip_small_talk: bool = False


def parse_turn(text: str) -> Literal["last", "each", "all"] | int:
    """Return the choice written as `last`, `each`, `all` or a number. Raises `ValueError` for anything else."""
    match text:
        case "last" | "each" | "all":
            return text
    number = int(text) if re.fullmatch(r"-?[0-9]{1,6}", text) else 0
    if not number:
        raise ValueError(text)
    return number


class ChosenTurns(msgspec.Struct, frozen=True, kw_only=True):
    """Chosen answers with their numbers, the number of all answers, and the small talk that was left out, by kind.

    `numbered`: tasks bear the number of their answer. `complete`: the last of them gets all calls of the conversation.
    """

    exchanges: list[tuple[int, RatedExchange]]
    turns: int
    numbered: bool
    complete: bool = True
    small_talk: dict[str, int] = {}

    def task_id(self, conversation: str, turn: int) -> str:
        return f"{conversation}#{turn}" if self.numbered else conversation

    def numbers(self, conversation: str, turn: int) -> dict[str, Any]:
        """Return what a task says of its place in the conversation."""
        return {"conversation": conversation, "turn": turn, "turns": self.turns} if self.numbered else {}


def choose_turns(messages: list[Any], where: str, choice: TurnChoice) -> ChosenTurns | str:
    """Return the chosen answers, or why there are none. Raises `BundleFault` for a bad message."""
    which = choice.which
    if which == LAST and not choice.skip_small_talk:
        last = rated_exchange(messages, where)
        return last if isinstance(last, str) else ChosenTurns(exchanges=[(1, last)], turns=1, numbered=False)
    exchanges = rated_exchanges(messages, where)
    if isinstance(exchanges, str):
        return exchanges
    kinds = [small_talk_kind(exchange.answer) if choice.skip_small_talk else "" for exchange in exchanges]
    small_talk = Counter(kind for kind in kinds if kind)
    chosen = [
        (turn, exchange) for turn, (exchange, kind) in enumerate(zip(exchanges, kinds, strict=True), 1) if not kind
    ]
    if not chosen:
        counts = ", ".join(f"{count:,} {kind}" for kind, count in small_talk.items())
        return f"its answers are only small talk ({counts})"
    if isinstance(which, int):
        answers = f"{len(chosen):,} answers" if len(chosen) > 1 else "1 answer"
        if abs(which) > len(chosen):
            return f"it has {answers}{' besides small talk' if small_talk else ''}, so there is no answer {which}"
        last_turn = chosen[-1][0]
        chosen = [chosen[which - 1 if which > 0 else which]]
        complete = chosen[0][0] == last_turn
        return ChosenTurns(
            exchanges=chosen, turns=len(exchanges), numbered=True, complete=complete, small_talk=dict(small_talk)
        )
    if which == ALL:
        chosen = [(chosen[-1][0], _joined(chosen))]
    elif which == LAST:
        chosen = chosen[-1:]
    return ChosenTurns(exchanges=chosen, turns=len(exchanges), numbered=which == EACH, small_talk=dict(small_talk))


def _joined(chosen: list[tuple[int, RatedExchange]]) -> RatedExchange:
    """Return the last exchange with all questions and all answers, and the places of the answers."""
    places, parts, text = [], [], ""
    questions: list[str] = []
    for turn, exchange in chosen:
        questions += [exchange.prompt] if questions[-1:] != [exchange.prompt] else []
        text += f"\n\n{exchange.answer}" if text else exchange.answer
        places.append({"turn": turn, "start": len(text) - len(exchange.answer), "end": len(text)})
        parts.append((exchange.place, len(text) - len(exchange.answer)))
    last = chosen[-1][1]
    return replace(
        last,
        prompt="\n\n".join(questions),
        answer=text,
        parts=parts,
        context=[exchange.context for _, exchange in chosen if exchange.context] or None,
        tools=[call for _, exchange in chosen for call in exchange.tools],
        extra={**last.extra, "answers": places},
    )


_LONGEST = 400
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_ALSO = re.compile(r",? and (?=enjoy|have|safe|take|I hope|I'll be|I’ll be|get well)")
_NOT_WORDS = re.compile(r"[^\w'’, ]+")
_NAMED = r"(?:,? (?:there|again|everyone|all|too|[A-Z][\w'-]+))*"
# Words without names, numbers and statements about a third party.
_PLAIN = r"(?!.*\b(?:is|was|were|has|because|since|it|they|he|she)\b)[a-zID ,'’]*"
_OFFER = (
    r"(?:please )?(?:feel free|don['’]t hesitate|do not hesitate|reach out|just ask|(?:just )?let me know"
    r"|I(?:['’]m|['’]ll be| am| will be) here)"
)
_DAY = r"(?:day|afternoon|evening|night|weekend|trip|flight|journey|travels|time|week|stay|vacation|holiday)"
_PHRASES: dict[str, str] = {
    "goodbyes": (
        r"good ?bye|bye|bye bye|take care|until next time|see you(?: soon| later)?|talk(?: to you)? (?:soon|later)"
        rf"|(?:I hope you )?(?:have|enjoy) (?:a|an|your|the)[a-z ]* {_DAY}(?: ahead| to)?|safe (?:travels|trip)"
        rf"|I hope you{_PLAIN}soon|get well soon"
    ),
    "thanks": (
        rf"(?:many )?(?:thanks|thank you)(?: for (?:your|contacting|reaching|asking){_PLAIN}| (?:so|very) much)?"
        r"|you(?:['’]re| are)(?: very| most)? welcome|my pleasure|no problem(?: at all)?|no worries"
        r"|I(?:['’]m| am) (?:glad|happy)(?: that)?(?: I could| I was able)?(?: to)? (?:help|assist)(?: you)?"
    ),
    "greetings": (
        r"hi|hello|hey|greetings|welcome|good (?:morning|afternoon|evening)|nice to meet you"
        r"|how are you(?: doing)?(?: today)?|how (?:can|may) I (?:help|assist)(?: you)?(?: today)?"
        r"|what can I (?:do for|help) you(?: with)?(?: today)?"
    ),
    "questions": (
        r"sure|okay|ok|of course|certainly|great|perfect|understood|I see|got it|take your time"
        rf"|(?:if|once|when|whenever) you {_PLAIN}{_OFFER}{_PLAIN}|{_OFFER}{_PLAIN}"
        rf"|(?:I['’]m |I am )?looking forward to {_PLAIN}|is there (?:anything|something) else{_PLAIN}"
        r"|(?:could|can|would|may|do|what|which|when|where|how|who|shall|should|please)\b"
        rf"(?=.*\b(?:you|your|I)\b){_PLAIN}"
    ),
}
_OF_KIND = {
    kind: re.compile(rf"(?:{pattern}){'' if kind == 'questions' else _NAMED}") for kind, pattern in _PHRASES.items()
}


def small_talk_kind(text: str) -> str:
    """Return the kind of an English answer that claims nothing: goodbyes, thanks, greetings or questions; else ""."""
    if len(text) > _LONGEST:
        return ""
    sentences = [part for sentence in _SENTENCE.findall(text) for part in _ALSO.split(sentence)]
    kinds = set()
    for words in filter(None, (_NOT_WORDS.sub("", sentence).strip(" ,") for sentence in sentences)):
        spellings = (words, words[0].lower() + words[1:], words[0].upper() + words[1:])
        kinds.add(next((kind for kind, phrase in _OF_KIND.items() if any(map(phrase.fullmatch, spellings))), ""))
    return "" if "" in kinds else next((kind for kind in _PHRASES if kind in kinds), "")
