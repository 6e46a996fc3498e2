"""A task: one prompt with its responses, their tool output and the targets that are rated."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from desktop_rater.model.answers import Answers
from desktop_rater.model.kept import Kept
from desktop_rater.model.limits import Id, Time, check_time
from desktop_rater.model.returned import Returned

ToolStatus = Literal["ok", "no_results", "empty", "error", "missing"]


class Prompt(Kept, frozen=True, kw_only=True):
    """What the user asked. `lang` is a BCP 47 tag, empty where it is not known."""

    text: str
    lang: str = ""


class Turn(Kept, frozen=True, kw_only=True):
    """An earlier message of the conversation."""

    role: str
    text: str


class ToolCall(Kept, frozen=True, kw_only=True):
    """One call of a tool. `output` is text or any JSON; `at` is when the tool answered."""

    name: str
    status: ToolStatus = "ok"
    input: Any = None
    output: Any = None
    at: Time | None = None

    def __post_init__(self) -> None:
        check_time(self.at, "at")


class Response(Kept, frozen=True, kw_only=True):
    """What the model wrote. Offsets count code points of `text` as it stands."""

    id: Id
    text: str
    format: Literal["plain", "markdown"] = "plain"
    tools: tuple[ToolCall, ...] = ()


class Target(Kept, frozen=True, kw_only=True):
    """A span of a response that is rated: code points, half open; `quote` is the text between.

    In a file either the offsets or the quote may be missing; after the import all three are there and agree.
    """

    id: Id
    response: Id
    start: int | None = None
    end: int | None = None
    quote: str | None = None
    prefix: str = ""
    suffix: str = ""


class Document(Kept, frozen=True, kw_only=True):
    """Something that the model could read when it answered."""

    id: Id
    title: str = ""
    text: str = ""
    url: str = ""


class Task(Kept, frozen=True, kw_only=True):
    """`targets` is `None` where the file has no such key: the import then splits the responses into sentences.

    `suggestions` are answers of a model or of an earlier rater, which this rater may confirm. `returned`: this rater
    has rated it before, and it came back.
    """

    id: Id
    prompt: Prompt
    responses: Annotated[tuple[Response, ...], Meta(min_length=1)]
    history: tuple[Turn, ...] = ()
    targets: tuple[Target, ...] | None = None
    context: tuple[Document, ...] = ()
    reference: str | None = None
    suggestions: Answers | None = None
    meta: dict[str, Any] = {}
    returned: Returned | None = None

    def __post_init__(self) -> None:
        if self.returned is not None and self.returned.rating.task != self.id:
            raise ValueError(f"`returned` holds a rating of another task, {self.returned.rating.task!r}")
        _check_distinct("response", [response.id for response in self.responses])
        _check_distinct("target", [target.id for target in self.targets or ()])

    def response(self, response_id: str) -> Response | None:
        """The response with that id, if there is one."""
        return next((response for response in self.responses if response.id == response_id), None)

    def target(self, target_id: str) -> Target | None:
        """The target with that id, if there is one."""
        return next((target for target in self.targets or () if target.id == target_id), None)


def _check_distinct(kind: str, ids: list[str]) -> None:
    seen = set()
    for name in ids:
        if name in seen:
            raise ValueError(f"two {kind}s have the id {name!r}")
        seen.add(name)
