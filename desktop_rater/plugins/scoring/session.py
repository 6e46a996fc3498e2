"""Query a language model with a budget, and with stored or recorded replies, so that no question is asked twice."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from desktop_rater.format.change import NO_CHANGE, Change, Progress
from desktop_rater.format.jsonl import struct_of, write_lines
from desktop_rater.format.strict_json import OpenStruct, sha256
from desktop_rater.format.values import format_time
from desktop_rater.plugins.scoring.client import (
    Budget,
    ChatMessage,
    Completion,
    Cost,
    InvalidReplyError,
    OraclePrompt,
    OracleReply,
    OracleRequest,
    Prices,
    RequestKind,
    read_reply,
    request_tokens,
)
from desktop_rater.store import reviews
from desktop_rater.store.store import Store

TRIES = 2
_POLL_SECONDS = 0.05  # seconds between checks for cancellation


class CompletionSource(Protocol):
    """Endpoint of a language model, or a recording of one."""

    model: str

    def complete(self, messages: Sequence[ChatMessage], request: OracleRequest, progress: Progress) -> Completion:
        """Return one completion."""
        ...


class ReplyCache:
    """Replies by the key of their request. `save` gets each new one; they are held for this run without it."""

    def __init__(
        self, replies: Mapping[str, OracleReply] | None = None, save: Callable[[OracleReply], object] | None = None
    ) -> None:
        self._replies = dict(replies or {})
        self._save = save

    def get(self, key: str) -> OracleReply | None:
        return self._replies.get(key)

    def keep(self, reply: OracleReply) -> None:
        self._replies[reply.key] = reply
        if self._save is not None:
            self._save(reply)


class OracleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Valid reply, or the reason why there is none. `was_sent` is false if the budget was exhausted."""

    value: dict[str, Any] | None = None
    why: str = ""
    was_sent: bool = True


class _Job(NamedTuple):
    """Request to be sent, with its earlier completions."""

    key: str
    request: OracleRequest
    found: tuple[Completion, ...] = ()


class OracleSession:
    """Sends requests within a budget.

    `nonce` returns an unguessable text. `at_once`: maximum number of concurrent requests.
    """

    def __init__(
        self,
        completer: CompletionSource,
        prompts: Mapping[RequestKind, OraclePrompt],
        replies: ReplyCache,
        *,
        nonce: Callable[[], str],
        now: Callable[[], datetime],
        budget: Budget | None = None,
        at_once: int = 1,
    ) -> None:
        self._completer = completer
        self._prompts = prompts
        self._replies = replies
        self._nonce = nonce
        self._now = now
        self._budget = budget or Budget()
        self._at_once = at_once
        self._promised = 0  # estimated tokens of requests in flight
        self.calls = self.cached = self.tokens_in = self.tokens_out = 0
        self.used: dict[str, OracleReply] = {}  # every reply used in this run

    def ask(self, requests: Sequence[OracleRequest], progress: Progress) -> tuple[OracleAnswer, ...]:
        """Return an answer to each request, in order.

        Raises `OracleError` or `Cancelled`; replies received before are cached.
        """
        keys = [self._key(request) for request in requests]
        missing = {}
        for key, request in zip(keys, requests, strict=True):
            if key in self.used:
                continue
            cached = self._replies.get(key)
            if cached is not None:
                self.used[key] = cached
                self.cached += 1
            else:
                missing.setdefault(key, _Job(key, request))
        self._fetch(deque(missing.values()), len(requests), progress)
        return tuple(self._read(key, request) for key, request in zip(keys, requests, strict=True))

    def cached_answer(self, request: OracleRequest) -> dict[str, Any] | None:
        """Return a valid cached answer, without sending a request."""
        reply = self._replies.get(self._key(request))
        if reply is None or reply.why:
            return None
        try:
            return read_reply(reply.text, request.schema)
        except InvalidReplyError:
            return None

    def has_reply(self, request: OracleRequest) -> bool:
        """Return whether there is a cached reply, valid or not."""
        return self._replies.get(self._key(request)) is not None

    def estimate(self, requests: Iterable[OracleRequest], prices: Prices) -> Cost:
        """Return the maximum cost of the requests, each answered at the first try."""
        calls = cached = tokens_in = tokens_out = 0
        for request in requests:
            if self.has_reply(request):
                cached += 1
                continue
            calls += 1
            tokens_in += self._tokens(request)
            tokens_out += request.most_tokens
        return Cost(
            calls=calls,
            cached=cached,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            money=prices.of(tokens_in, tokens_out),
        )

    def cost(self, prices: Prices) -> Cost:
        money = prices.of(self.tokens_in, self.tokens_out)
        return Cost(
            calls=self.calls, cached=self.cached, tokens_in=self.tokens_in, tokens_out=self.tokens_out, money=money
        )

    def _key(self, request: OracleRequest) -> str:
        return request.key(self._completer.model, self._prompts[request.about])

    def _prompt(self, request: OracleRequest) -> OraclePrompt:
        return self._prompts[request.about].with_more(request.instructions)

    def _tokens(self, request: OracleRequest) -> int:
        messages = self._prompt(request).messages(request.pieces, "0" * 32)
        return request_tokens(messages, request.schema)

    def _fetch(self, waiting: deque[_Job], total: int, progress: Progress) -> None:
        """Send the missing requests concurrently; this thread caches the replies, also when the run is aborted."""
        under_way: dict[Future[Completion], _Job] = {}
        stop = Progress()  # the threads must not update the user's progress
        try:
            with ThreadPoolExecutor(self._at_once, "oracle") as pool:
                try:
                    for _ in self._send_all(
                        waiting, under_way, lambda request: pool.submit(self._complete, request, stop)
                    ):
                        progress(total - len(waiting) - len(under_way), total)
                except BaseException:
                    stop.stop()
                    raise
        finally:
            for future, job in under_way.items():
                if future.done() and future.exception() is None:
                    self._complete_job(job, future.result())

    def _send_all(
        self,
        waiting: deque[_Job],
        under_way: dict[Future[Completion], _Job],
        send: Callable[[OracleRequest], Future[Completion]],
    ) -> Iterator[None]:
        """Yield regularly, until all requests are answered or the budget is exhausted."""
        while True:
            while waiting and len(under_way) < self._at_once and self._reserve_budget(waiting[0].request):
                job = waiting.popleft()
                under_way[send(job.request)] = job
            yield
            if not under_way:
                return
            for future in wait(under_way, _POLL_SECONDS, FIRST_COMPLETED).done:
                completion = future.result()
                once_more = self._complete_job(under_way.pop(future), completion)
                if once_more is not None:
                    waiting.appendleft(once_more)

    def _complete_job(self, job: _Job, completion: Completion) -> _Job | None:
        """Cache a valid or final completion; otherwise return the job to be retried."""
        self._promised -= self._tokens(job.request) + job.request.most_tokens
        self.tokens_in += completion.tokens_in or self._tokens(job.request)
        self.tokens_out += completion.tokens_out
        completions = (*job.found, completion)
        if len(completions) < TRIES and completion.again and _fault(completion, job.request):
            return _Job(job.key, job.request, completions)
        self._cache_reply(job.key, job.request, completions)
        return None

    def _reserve_budget(self, request: OracleRequest) -> bool:
        """Reserve budget for a request; return whether there was enough."""
        calls, tokens = self._budget.calls, self._budget.tokens
        needed = self._tokens(request) + request.most_tokens
        if calls is not None and self.calls >= calls:
            return False
        if tokens is not None and self.tokens_in + self.tokens_out + self._promised + needed > tokens:
            return False
        self.calls += 1
        self._promised += needed
        return True

    def _complete(self, request: OracleRequest, progress: Progress) -> Completion:
        nonce = self._nonce()
        while any(nonce in piece.text for piece in request.pieces):
            nonce = self._nonce()
        messages = self._prompt(request).messages(request.pieces, nonce)
        return self._completer.complete(messages, request, progress)

    def _cache_reply(self, key: str, request: OracleRequest, completions: tuple[Completion, ...]) -> None:
        last = completions[-1]
        reply = OracleReply(
            key=key,
            about=request.about,
            model=self._completer.model,
            prompt=self._prompt(request).sha256,
            text=last.text,
            served=last.served,
            sha256=sha256(last.text.encode("utf-8", "replace")),
            tokens_in=sum(completion.tokens_in for completion in completions),
            tokens_out=sum(completion.tokens_out for completion in completions),
            tries=len(completions),
            why=last.why,
            at=format_time(self._now()),
        )
        self.used[key] = reply
        if last.lasting:
            self._replies.keep(reply)

    def _read(self, key: str, request: OracleRequest) -> OracleAnswer:
        reply = self.used.get(key)
        if reply is None:
            return OracleAnswer(why="the budget of this run was used up", was_sent=False)
        if reply.why:
            return OracleAnswer(why=reply.why)
        try:
            return OracleAnswer(value=read_reply(reply.text, request.schema))
        except InvalidReplyError as error:
            return OracleAnswer(why=str(error))


def _fault(completion: Completion, request: OracleRequest) -> str:
    if completion.why:
        return completion.why
    try:
        read_reply(completion.text, request.schema)
    except InvalidReplyError as error:
        return str(error)
    return ""


def stored_replies(store: Store, bundle: str, lead: str, now: Callable[[], datetime]) -> ReplyCache:
    """Return the replies of a bundle; new ones are stored at once. Raises `StoreDamaged`."""
    save = partial(save_reply, store, bundle, lead=lead)
    return ReplyCache(load_replies(store, bundle), lambda reply: save(reply, now=now()))


def load_replies(store: Store, bundle: str) -> dict[str, OracleReply]:
    """Return the stored replies by the key of their question. Raises `StoreDamaged`."""
    return {
        reply.key: reply for reply in (row.read(OracleReply) for row in reviews.latest_reviews(store, bundle, "reply"))
    }


def save_reply(store: Store, bundle: str, reply: OracleReply, lead: str, *, now: datetime) -> Change:
    """Store one reply. It changes no figure, so views are not notified. Raises `StoreError`."""
    reviews.append_review(store, bundle, ("reply", reply.key), lead, reply, now=now)
    return NO_CHANGE


class ReplyRecording(OpenStruct, frozen=True, kw_only=True):
    """A file with all replies of a run. `model`: the model that was asked."""

    format: str
    model: str
    replies: tuple[OracleReply, ...]


RECORDING_FORMAT = "desktop-rater/replies"


def write_recording(path: Path, model: str, replies: Iterable[OracleReply]) -> None:
    """Write a run's replies, so that it can be replayed. Raises `RaterError`."""
    plain = {
        "format": RECORDING_FORMAT,
        "model": model,
        "replies": [msgspec.to_builtins(reply) for reply in sorted(replies, key=lambda reply: reply.key)],
    }
    with write_lines(path) as write:
        write(json.dumps(plain, ensure_ascii=False, indent=1).encode())


def read_recording(path: Path) -> tuple[str, dict[str, OracleReply]]:
    """Return the model and its replies by key. Raises `RaterError`."""
    recording = struct_of(path, ReplyRecording)
    return recording.model, {reply.key: reply for reply in recording.replies}
