"""Asking a language model: what was answered before is not asked again, and no run asks more than it may."""

from __future__ import annotations

from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from desktop_rater.model.canonical import sha256
from desktop_rater.model.limits import format_time
from desktop_rater.model.progress import Progress
from desktop_rater.oracle.cost import Budget, Cost, Prices, tokens_of
from desktop_rater.oracle.request import NoAnswer, Reply, Request, read_reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from desktop_rater.oracle.completion import Completion
    from desktop_rater.oracle.prompts import About, Message, Prompt

TRIES = 2
_LOOK = 0.05  # seconds between two looks whether somebody cancelled


class Completer(Protocol):
    """An endpoint, or a recording of one."""

    model: str

    def complete(self, messages: Sequence[Message], request: Request, progress: Progress) -> Completion:
        """One answer."""
        ...


class Replies(Protocol):
    """Where answers are kept."""

    def get(self, key: str) -> Reply | None:
        """The one that was kept."""
        ...

    def keep(self, reply: Reply) -> None:
        """Keep one."""
        ...


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A reply that fits, or why there is none. `asked` is false where the budget did not reach."""

    value: dict[str, Any] | None = None
    why: str = ""
    asked: bool = True


class _Job(NamedTuple):
    """A question that is to be sent, and what came when it was sent before."""

    key: str
    request: Request
    found: tuple[Completion, ...] = ()


class Asking:
    """`nonce` gives a text that nobody can guess. `at_once`: so many questions wait for their answers together."""

    def __init__(
        self,
        completer: Completer,
        prompts: Mapping[About, Prompt],
        replies: Replies,
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
        self._promised = 0  # tokens of questions that are under way, by the estimate
        self.calls = self.cached = self.tokens_in = self.tokens_out = 0
        self.used: dict[str, Reply] = {}  # every reply that this run rests on

    def ask(self, requests: Sequence[Request], progress: Progress) -> tuple[Answer, ...]:
        """An answer to each, in their order. Raises `OracleError` or `Cancelled`; what came until then is kept."""
        keys = [self._key(request) for request in requests]
        missing = {}
        for key, request in zip(keys, requests, strict=True):
            if key in self.used:
                continue
            known = self._replies.get(key)
            if known is not None:
                self.used[key] = known
                self.cached += 1
            else:
                missing.setdefault(key, _Job(key, request))
        self._fetch(deque(missing.values()), len(requests), progress)
        return tuple(self._read(key, request) for key, request in zip(keys, requests, strict=True))

    def known(self, request: Request) -> dict[str, Any] | None:
        """What was answered before and fits, without asking anybody."""
        reply = self._replies.get(self._key(request))
        if reply is None or reply.why:
            return None
        try:
            return read_reply(reply.text, request.schema)
        except NoAnswer:
            return None

    def was_asked(self, request: Request) -> bool:
        """Whether there is a reply that counts, be it an answer or not."""
        return self._replies.get(self._key(request)) is not None

    def would_cost(self, requests: Iterable[Request], prices: Prices) -> Cost:
        """What they would cost at most, each answered at the first try."""
        calls = cached = tokens_in = tokens_out = 0
        for request in requests:
            if self.was_asked(request):
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
        """What this run has cost until now."""
        money = prices.of(self.tokens_in, self.tokens_out)
        return Cost(
            calls=self.calls, cached=self.cached, tokens_in=self.tokens_in, tokens_out=self.tokens_out, money=money
        )

    def _key(self, request: Request) -> str:
        return request.key(self._completer.model, self._prompts[request.about])

    def _tokens(self, request: Request) -> int:
        messages = self._prompts[request.about].messages(request.pieces, "0" * 32)
        return tokens_of(messages, request.schema)

    def _fetch(self, waiting: deque[_Job], total: int, progress: Progress) -> None:
        """Send what is missing, so many at a time; this thread keeps what comes, also when the run breaks off."""
        under_way: dict[Future[Completion], _Job] = {}
        stop = Progress()  # the threads must not draw on the user's own
        try:
            with ThreadPoolExecutor(self._at_once, "oracle") as pool:
                try:
                    for _ in self._sending(waiting, under_way, lambda one: pool.submit(self._sent, one, stop)):
                        progress(total - len(waiting) - len(under_way), total)
                except BaseException:
                    stop.stop()
                    raise
        finally:
            for future, job in under_way.items():
                if future.done() and future.exception() is None:
                    self._came(job, future.result())

    def _sending(
        self,
        waiting: deque[_Job],
        under_way: dict[Future[Completion], _Job],
        send: Callable[[Request], Future[Completion]],
    ) -> Iterator[None]:
        """Comes back now and then, until all were asked or the budget is spent."""
        while True:
            while waiting and len(under_way) < self._at_once and self._affords(waiting[0].request):
                job = waiting.popleft()
                under_way[send(job.request)] = job
            yield
            if not under_way:
                return
            for future in wait(under_way, _LOOK, FIRST_COMPLETED).done:
                completion = future.result()
                once_more = self._came(under_way.pop(future), completion)
                if once_more is not None:
                    waiting.appendleft(once_more)

    def _came(self, job: _Job, completion: Completion) -> _Job | None:
        """Keep an answer that is one, or the last; else what is to be asked once more."""
        self._counted(job.request, completion)
        found = (*job.found, completion)
        if len(found) < TRIES and completion.again and _fault(completion, job.request):
            return _Job(job.key, job.request, found)
        self._keep(job.key, job.request, found)
        return None

    def _affords(self, request: Request) -> bool:
        """Whether the budget reaches for one more; if so it counts as sent."""
        calls, tokens = self._budget.calls, self._budget.tokens
        needed = self._tokens(request) + request.most_tokens
        if calls is not None and self.calls >= calls:
            return False
        if tokens is not None and self.tokens_in + self.tokens_out + self._promised + needed > tokens:
            return False
        self.calls += 1
        self._promised += needed
        return True

    def _sent(self, request: Request, progress: Progress) -> Completion:
        messages = self._prompts[request.about].messages(request.pieces, self._fresh(request))
        return self._completer.complete(messages, request, progress)

    def _fresh(self, request: Request) -> str:
        """A mark that stands in none of the texts."""
        while True:
            nonce = self._nonce()
            if not any(nonce in piece.text for piece in request.pieces):
                return nonce

    def _counted(self, request: Request, completion: Completion) -> None:
        self._promised -= self._tokens(request) + request.most_tokens
        self.tokens_in += completion.tokens_in or self._tokens(request)
        self.tokens_out += completion.tokens_out

    def _keep(self, key: str, request: Request, found: tuple[Completion, ...]) -> None:
        last = found[-1]
        reply = Reply(
            key=key,
            about=request.about,
            model=self._completer.model,
            prompt=self._prompts[request.about].sha256,
            text=last.text,
            served=last.served,
            sha256=sha256(last.text.encode("utf-8", "replace")),
            tokens_in=sum(one.tokens_in for one in found),
            tokens_out=sum(one.tokens_out for one in found),
            tries=len(found),
            why=last.why,
            at=format_time(self._now()),
        )
        self.used[key] = reply
        if last.lasting:
            self._replies.keep(reply)

    def _read(self, key: str, request: Request) -> Answer:
        reply = self.used.get(key)
        if reply is None:
            return Answer(why="the budget of this run was spent before", asked=False)
        if reply.why:
            return Answer(why=reply.why)
        try:
            return Answer(value=read_reply(reply.text, request.schema))
        except NoAnswer as error:
            return Answer(why=str(error))


def _fault(completion: Completion, request: Request) -> str:
    if completion.why:
        return completion.why
    try:
        read_reply(completion.text, request.schema)
    except NoAnswer as error:
        return str(error)
    return ""
