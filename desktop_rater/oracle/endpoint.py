"""An endpoint that speaks as OpenAI's chat completions do: one question, one answer by schema, and no tools."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from desktop_rater import __version__
from desktop_rater.http.plain import Plain, address_of
from desktop_rater.oracle.completion import MOST_QUOTED, completion_of, refusal_of, words_of_fault
from desktop_rater.oracle.patience import patiently, wait
from desktop_rater.oracle.request import as_sent
from desktop_rater.oracle.trouble import KEPT, OracleError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_rater.http.asked import Asked
    from desktop_rater.http.plain import Answered
    from desktop_rater.model.progress import Progress
    from desktop_rater.model.secret import Secret
    from desktop_rater.oracle.completion import Completion
    from desktop_rater.oracle.patience import Wait
    from desktop_rater.oracle.prompts import Message
    from desktop_rater.oracle.request import Request


class Endpoint:
    """`base` is an address such as https://api.example/v1. Raises `OracleError` for one that can't be used.

    `allow_loopback` lets http through to this computer, for a model that runs here. `chance` gives numbers in [0, 1).
    """

    def __init__(
        self,
        base: str,
        model: str,
        key: Secret,
        *,
        plain: Plain,
        chance: Callable[[], float],
        allow_loopback: bool = False,
        wait: Wait = wait,
    ) -> None:
        self.model = model
        self._asked = _address(base, allow_loopback=allow_loopback)
        self._key = key
        self._plain = plain
        self._chance = chance
        self._wait = wait

    @property
    def host(self) -> str:
        """With whom one talks."""
        return self._asked.host

    def complete(self, messages: Sequence[Message], request: Request, progress: Progress) -> Completion:
        """Ask once; a busy server is asked again. Raises `OracleError` or `Cancelled`."""
        body = {
            "model": self.model,
            "messages": list(messages),
            "temperature": 0,
            "max_tokens": request.most_tokens,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": request.about, "strict": True, "schema": as_sent(request.schema)},
            },
        }
        data = json.dumps(body, ensure_ascii=False).encode()
        answered = patiently(
            lambda: self._plain.post(self._asked, self._headers(), data, progress),
            self.host,
            progress=progress,
            wait=self._wait,
            chance=self._chance,
        )
        if answered.status == 200:
            return completion_of(answered.body, self.host, self._key)
        refusal = refusal_of(answered)
        if refusal is None:
            raise self._refused(answered)
        return refusal

    def _headers(self) -> list[tuple[str, str]]:
        headers = [("User-Agent", f"DesktopRater/{__version__}"), ("Accept", "application/json")]
        headers.append(("Content-Type", "application/json"))
        if self._key:
            headers.append(("Authorization", f"Bearer {self._key.revealed()}"))
        return headers

    def _refused(self, answered: Answered) -> OracleError:
        status, host = answered.status, self.host
        if 300 <= status < 400:
            location = self._key.out_of(answered.headers.get("location", "somewhere else"))[:MOST_QUOTED]
            return OracleError(
                f"{host} sends on to another address.",
                f"To {location}. Texts and key go only where you said.",
                "Set the endpoint to that address if you trust it.",
            )
        title, hint = _STATUSES.get(status, (f"{host} refuses the question (status {status}).", KEPT))
        said = words_of_fault(answered.body, self._key) or "It does not say why."
        return OracleError(title.format(host=host), said, hint)


_STATUSES = {
    400: ("{host} does not take the question.", "Does the model know answers by JSON schema, and temperature 0?"),
    401: ("{host} wants another key.", "Put the right one in with `desktop-rater audit key --set`."),
    402: ("{host} wants money first.", KEPT),
    403: ("{host} does not let this key ask.", KEPT),
    404: ("{host} knows no such model or address.", "Look at the settings: the base address often ends with /v1."),
    429: ("What {host} lets you ask is used up.", KEPT),
}


def host_of(base: str, *, allow_loopback: bool) -> str:
    """With whom one would talk. Raises `OracleError` for an address that can't be used."""
    return _address(base, allow_loopback=allow_loopback).host


def _address(base: str, *, allow_loopback: bool) -> Asked:
    try:
        asked = address_of(base, allow_loopback=allow_loopback)
    except ValueError as error:
        hint = "A model on this computer may be asked by http with --allow-loopback."
        raise OracleError("The address of the endpoint can't be used.", f"{error}.", hint) from error
    return asked._replace(target=asked.target + b"/chat/completions")
