"""A task: one prompt with its responses, their tool output and the targets that are rated; and a task sent back."""

from collections import Counter
from typing import Annotated, Any, Literal

from msgspec import Meta

from desktop_rater.format.rating import Claim, ClaimSpan, Rating
from desktop_rater.format.strict_json import OpenStruct
from desktop_rater.format.values import Answers, Id, Time, check_time

RETURN_KEY, ORDER_KEY = RATER_KEYS = ("returned", "display_order")
"""Keys of a task that are of one rater, and no change of its content."""

MAX_RETURN_COMMENTS = 1_000
MAX_RETURN_COMMENT_LENGTH = 20_000  # characters


class Comment(OpenStruct, frozen=True, kw_only=True):
    """A comment on one place: `task`, or like `responses/a` or `targets/s1`; `claim` is one of that target."""

    where: Id
    reason: str = ""
    comment: Annotated[str, Meta(max_length=MAX_RETURN_COMMENT_LENGTH)] = ""
    claim: Id | None = None


class TaskReturn(OpenStruct, frozen=True, kw_only=True):
    """A returned rating. `rating` is in the exported form that the lead received; the rater continues from it."""

    by: str = ""
    at: Time | None = None
    comments: Annotated[tuple[Comment, ...], Meta(min_length=1, max_length=MAX_RETURN_COMMENTS)]
    rating: Rating

    def __post_init__(self) -> None:
        check_time(self.at, "at")


ToolStatus = Literal["ok", "no_results", "empty", "error", "missing", "not_recorded"]


class Prompt(OpenStruct, frozen=True, kw_only=True):
    """The user's question. `lang` is a BCP 47 tag, or empty if unknown."""

    text: str
    lang: str = ""


class Turn(OpenStruct, frozen=True, kw_only=True):
    """An earlier message of the conversation."""

    role: str
    text: str


class ToolCall(OpenStruct, frozen=True, kw_only=True):
    """One call of a tool. `output` is text or any JSON; `at` is the time of the tool's answer."""

    name: str
    status: ToolStatus = "ok"
    input: Any = None
    output: Any = None
    at: Time | None = None

    def __post_init__(self) -> None:
        check_time(self.at, "at")


class Response(OpenStruct, frozen=True, kw_only=True):
    """The model's response. Offsets count code points of `text`, unchanged.

    `not_shown`: `type`, `where` and `reason` of each part of the source's log that is not in `text`.
    """

    id: Id
    text: str
    format: Literal["plain", "markdown"] = "plain"
    tools: tuple[ToolCall, ...] = ()
    not_shown: tuple[dict[str, str], ...] = ()


class Target(OpenStruct, frozen=True, kw_only=True):
    """A span of a response that is rated: code points, half open; `quote` is the text between.

    In a file either the offsets or the quote may be missing; after the import all three are set and agree.
    """

    id: Id
    response: Id
    start: int | None = None
    end: int | None = None
    quote: str | None = None
    prefix: str = ""
    suffix: str = ""


class CitedPlace(ClaimSpan, frozen=True, kw_only=True):
    """A place of a response that cites a document, by the source's log; `passage` is the cited text of the document."""

    response: Id
    passage: str = ""


class Document(OpenStruct, frozen=True, kw_only=True):
    """A document that the model could read when it answered."""

    id: Id
    title: str = ""
    text: str = ""
    url: str = ""
    cited: tuple[CitedPlace, ...] = ()


class Suggestions(Answers, frozen=True, kw_only=True):
    """Suggested answers, and suggested claims by target."""

    claims: dict[str, tuple[Claim, ...]] = {}


class Task(OpenStruct, frozen=True, kw_only=True):
    """A task. `targets` is `None` if the file has no such key: the import then splits the responses into sentences.

    `suggestions` are answers and claims of a model or of an earlier rater, which this rater may confirm. `returned`:
    this rater has rated the task before, and a QA lead sent it back. `display_order`: the ids of two responses in the
    order in which this rater sees them, if it is another one than that of `responses`.
    """

    id: Id
    prompt: Prompt
    responses: Annotated[tuple[Response, ...], Meta(min_length=1)]
    history: tuple[Turn, ...] = ()
    targets: tuple[Target, ...] | None = None
    context: tuple[Document, ...] = ()
    reference: str | None = None
    suggestions: Suggestions | None = None
    meta: dict[str, Any] = {}
    returned: TaskReturn | None = None
    display_order: tuple[Id, Id] | None = None

    def __post_init__(self) -> None:
        order = self.display_order
        if order is not None and list(order) != [response.id for response in reversed(self.responses)]:
            raise ValueError("`display_order` does not name the two responses in the reverse order")
        if self.returned is not None and self.returned.rating.task != self.id:
            raise ValueError(f"`returned` holds a rating of another task, {self.returned.rating.task!r}")
        _check_distinct("response", [response.id for response in self.responses])
        _check_distinct("target", [target.id for target in self.targets or ()])

    def response(self, response_id: str) -> Response | None:
        return next((response for response in self.responses if response.id == response_id), None)

    def target(self, target_id: str) -> Target | None:
        return next((target for target in self.targets or () if target.id == target_id), None)


def _check_distinct(kind: str, ids: list[str]) -> None:
    if len(set(ids)) < len(ids):
        ((repeated, _),) = Counter(ids).most_common(1)
        raise ValueError(f"two {kind}s have the id {repeated!r}")
