"""Answers that were recorded: the same run again without a network, and a run of which a test knows every word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.oracle.completion import Completion
from desktop_rater.oracle.trouble import OracleError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop_rater.model.progress import Progress
    from desktop_rater.oracle.prompts import About, Message, Prompt
    from desktop_rater.oracle.request import Reply, Request


class Recorded:
    """Plays replies, by the key of their question; `prompts` are those by which they were asked for."""

    def __init__(self, model: str, replies: Mapping[str, Reply], prompts: Mapping[About, Prompt]) -> None:
        self.model = model
        self._replies = replies
        self._prompts = prompts

    def complete(self, messages: Sequence[Message], request: Request, progress: Progress) -> Completion:
        """The recorded answer. Raises `OracleError` where there is none."""
        del messages
        progress(0, 0)
        reply = self._replies.get(request.key(self.model, self._prompts[request.about]))
        if reply is None:
            raise OracleError(
                "The recording holds no answer to this question.",
                "The texts, the model or the prompts are others than when it was made.",
                "Record it again.",
            )
        return Completion(reply.text, reply.served, reply.tokens_in, reply.tokens_out, reply.why)
