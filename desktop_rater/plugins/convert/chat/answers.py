"""Fields of a task that a recorded chat fills: prompt, history, response, calls of tools and sources."""

from __future__ import annotations

from typing import Any

from desktop_rater.plugins.convert.chat.citations import context_documents
from desktop_rater.plugins.convert.chat.conversation import Chat
from desktop_rater.plugins.convert.formats.azure_records import RESPONSE, RatedExchange
from desktop_rater.text.markdown import looks_like_markdown

FORMATS = ("plain", "markdown")


class ChatAnswers:
    """Answers of a chat. `calls` and `citations` count those up to the last answer that was read."""

    def __init__(self, chat: Chat) -> None:
        self.calls = self.citations = 0
        self._chat = chat
        self._spoken = [index for index, turn in enumerate(chat.turns) if turn.text.strip()]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Return the turns with a text, as messages."""
        turns = [self._chat.turns[index] for index in self._spoken]
        return [
            {
                **turn.extra,
                **({"context": turn.context} if turn.context else {}),
                "role": turn.role,
                "content": turn.text,
                "tool_calls": [{}] if turn.calls else [],
            }
            for turn in turns
        ]

    def turn_of(self, message: int) -> int:
        """Return the index of the turn of a message."""
        return self._spoken[message]

    def fields(self, exchange: RatedExchange, *, complete: bool, response: str = RESPONSE) -> dict[str, Any]:
        """Return the fields of the task of an exchange; it has what comes after its answer if it is `complete`."""
        chat = self._chat
        last = self.turn_of(exchange.place)
        turns = chat.turns if complete else chat.turns[: last + 1]
        called = chat.turns if complete else chat.turns[:last]
        calls = [call for turn in called for call in turn.calls]
        self.calls, self.citations = sum(not call.loose for call in calls), sum(len(turn.citations) for turn in turns)
        shown = {self.turn_of(place): offset for place, offset in exchange.parts or [(exchange.place, 0)]}
        answer = {
            "id": response,
            "text": exchange.answer,
            "format": "markdown" if looks_like_markdown(exchange.answer) else "",
            "tools": [call.plain() for call in calls],
            "not_shown": [part for turn in turns for part in turn.not_shown],
        }
        plain = {
            "prompt": {"text": exchange.prompt},
            "history": [{key: part for key, part in turn.items() if key != "tool_calls"} for turn in exchange.history],
            "responses": [{key: part for key, part in answer.items() if part not in ([], "") or key == "text"}],
            "context": context_documents(turns, shown, chat.documents, response),
        }
        return {key: part for key, part in plain.items() if part != []}
