"""A hub in an object store: Amazon's S3, or a server that speaks as it does.

A file goes up in one request to its final name, and these stores keep it whole or not at all. `If-None-Match` asks them
to replace nothing; some overlook it, so a look comes first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.http.server import LIMITS
from desktop_rater.hub import replies, s3_replies
from desktop_rater.hub.file_troubles import another_there, not_whole, too_large
from desktop_rater.hub.interface import Listed
from desktop_rater.hub.named import MOST_FILES, is_part, parts_of, too_many
from desktop_rater.hub.receiving import TooMuch, hash_there, received
from desktop_rater.hub.s3_bucket import Bucket
from desktop_rater.hub.s3_listing import page_of
from desktop_rater.hub.s3_probe import probe
from desktop_rater.hub.sending import legs, upload_of
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.hub_names import hash_in
from desktop_rater.model.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from pathlib import Path

    from desktop_rater.http.server import ServerLimits, Upload
    from desktop_rater.hub.address import S3Address
    from desktop_rater.hub.interface import Closed, Probe, Put
    from desktop_rater.hub.means import Means
    from desktop_rater.hub.s3_listing import Page
    from desktop_rater.hub.s3_replies import Refused

_NEW = ("If-None-Match", "*")
_DONE = frozenset({200, 201, 204})
_LOOKS = 4
_MOST_PAGE = 4 * 1024 * 1024  # bytes of a thousand keys with all that stores say of them
_SPARSE_PAGES = 1_000  # they hold a thousand, but for what was deleted; so many may hold fewer than a hundred


class S3:
    """See `interface.Hub`."""

    def __init__(self, address: S3Address, means: Means, limits: ServerLimits = LIMITS) -> None:
        self.address = address.url
        self._prefix = f"{address.prefix}/" if address.prefix else ""
        self._means = means
        self._bucket = Bucket(address, means, limits)

    @property
    def skew(self) -> float | None:
        """The store's clock less ours, in seconds."""
        return self._bucket.skew

    def probe(self, progress: Progress) -> Probe:
        """Write and read back two tiny files, and say how it went."""
        return probe(self, self._bucket, f"{self._means.client}-{self._means.token()}", progress)

    def list(self, folder: str, progress: Progress, closed: Closed | None = None) -> tuple[Listed, ...]:  # noqa: ARG002
        """All finished files of ours in a folder and below it, by name. None of its folders has rights of its own."""
        below = "".join(f"{part}/" for part in parts_of(folder)) if folder else ""
        return tuple(sorted(self._walk(below, progress), key=lambda one: one.name))

    def get(self, name: str, write: Callable[[bytes], object], progress: Progress, *, most: int) -> int:
        """Hand the bytes of a file to `write`; how many there were."""
        try:
            digest, came = self._fetched(parts_of(name), write, progress, most)
        except TooMuch:
            raise too_large(name, self._bucket.host) from None
        if hash_in(name) not in (None, digest):
            raise not_whole(name)
        return came

    def put_new(self, name: str, content: Path, sha256: str, progress: Progress) -> Put:
        """Put a file there that was not, whole or not at all."""
        parts = parts_of(name)
        upload = upload_of(content, name, sha256)
        up, back = legs(progress, upload.size, 2)
        quiet = Progress(lambda _done, _total: progress(0, upload.size))
        found = self._looked(parts, upload.size, quiet)
        if found == sha256:
            return "there"
        new = found is None and self.create(parts, upload, sha256, up)
        if self._settled(parts, upload.size, sha256, back):
            progress(upload.size, upload.size)
            return "put" if new else "there"
        if new:
            raise _not_kept(name, self._bucket.host)
        raise another_there(name, self._bucket.host)

    def exists(self, name: str, progress: Progress) -> bool:
        """Whether a file of that name is there, whole or not."""
        parts = parts_of(name)
        with self._bucket.ask("HEAD", parts, progress) as answer:
            refused = self._bucket.refused(answer)
        if refused.status == 200 and not replies.is_page(refused.headers, b""):
            return True
        if refused.status == 404:
            return False
        if refused.status in (400, 403):
            # An answer to HEAD has no body that would say why. This question has one, where it is refused too.
            self._page([("prefix", self._prefix + name), ("max-keys", "1")], progress)
        raise self._bucket.trouble(refused)

    def close(self) -> None:
        """Let go of connections."""
        self._bucket.close()

    def create(self, parts: tuple[str, ...], upload: Upload, sha256: str, progress: Progress) -> bool:
        """Send a file to a name that no other has; False where the store says that one has it."""
        refused = self._sent(parts, upload, sha256, progress, only_new=True)
        if refused is not None and (refused.status == 501 or refused.code == "NotImplemented"):
            # It does not know the header. We have looked, and what comes is what the name promises.
            refused = self._sent(parts, upload, sha256, progress, only_new=False)
        if refused is None:
            return True
        if refused.status == 412 or (refused.status == 409 and self._found(parts, upload.size, progress) is not None):
            return False
        raise self._bucket.trouble(refused)

    def _sent(
        self, parts: tuple[str, ...], upload: Upload, sha256: str, progress: Progress, *, only_new: bool
    ) -> Refused | None:
        """What the store says against it; `None` where it took the file."""
        headers = [("Content-Type", "application/octet-stream"), *([_NEW] if only_new else [])]
        with self._bucket.ask("PUT", parts, progress, headers=headers, upload=upload, sha256=sha256) as answer:
            refused = self._bucket.refused(answer)
        page = refused.body and replies.is_page(refused.headers, refused.body)  # moto calls nothing at all a page
        return None if refused.status in _DONE and not page else refused

    def _looked(self, parts: tuple[str, ...], size: int, progress: Progress) -> str | None:
        """As `_found`; whoever may not list is not told by Amazon that a file is missing, so there that is a maybe."""
        try:
            return self._found(parts, size, progress)
        except HubTrouble as trouble:
            if trouble.kind != "rights":
                raise
        return None

    def _settled(self, parts: tuple[str, ...], size: int, sha256: str, progress: Progress) -> bool:
        """Whether a file is there as it should be.

        Where a store overlooks `If-None-Match` and shows what it is still writing, another client that sends the same
        bytes makes them look broken for a moment: so whoever sees that looks again.
        """
        return any(self._found(parts, size, progress) == sha256 for _look in range(_LOOKS))

    def _found(self, parts: tuple[str, ...], size: int, progress: Progress) -> str | None:
        """The hash of a file that should be of a size; "" where it is larger, `None` where there is none."""
        return hash_there(lambda: self._fetched(parts, lambda _piece: None, progress, size))

    def _fetched(
        self, parts: tuple[str, ...], write: Callable[[bytes], object], progress: Progress, most: int
    ) -> tuple[str, int]:
        with self._bucket.ask("GET", parts, progress, most=most) as answer:
            if answer.status != 200:
                raise self._bucket.trouble(self._bucket.refused(answer))
            return received(answer, self._bucket.host, write, most)

    def _walk(self, below: str, progress: Progress) -> Generator[Listed]:
        more: tuple[str, str] | None = ("prefix", self._prefix + below)
        asked, seen, files = [more], {more}, 0
        while more is not None:
            page = self._page(asked, progress)
            yield from self._ours(page)
            files += len(page.objects)
            if files > MOST_FILES or len(seen) > _SPARSE_PAGES + files // 100:
                raise too_many(self._bucket.host)
            more = page.after
            if more in seen:
                raise s3_replies.no_listing(self._bucket.host, "its list of files goes round in a circle")
            seen.add(more or asked[0])
            asked = [asked[0], *([more] if more else [])]

    def _ours(self, page: Page) -> Generator[Listed]:
        for key, size in page.objects:
            parts = key.removeprefix(self._prefix).split("/")
            if key.startswith(self._prefix) and all(map(is_part, parts)) and hash_in(parts[-1]):
                yield Listed("/".join(parts), size)

    def _page(self, asked: Sequence[tuple[str, str]], progress: Progress) -> Page:
        query = [("list-type", "2"), ("encoding-type", "url"), *asked]
        with self._bucket.ask("GET", None, progress, query=query, most=_MOST_PAGE) as answer:
            if answer.status != 200:
                raise self._bucket.trouble(self._bucket.refused(answer))
            body = b"".join(answer.chunks)
        if replies.is_page(answer.headers, body):
            raise replies.login_page(self._bucket.host)
        try:
            return page_of(body)
        except ValueError as error:
            raise s3_replies.no_listing(self._bucket.host, str(error)) from error


def _not_kept(name: str, host: str) -> HubTrouble:
    return HubTrouble(
        "torn",
        "A file is not on the hub as it was sent.",
        f"{host} took {name}, and gives back other bytes. It does not count as sent.",
        "It is tried again by itself.",
    )
