"""Small real zips: sound bundles by zipfile, unsound ones byte by byte."""

import hashlib
import io
import json
import struct
import zipfile
import zlib
from typing import Any

CREATED = "2026-11-20T08:00:00Z"
PAGE = b"a stored page, packed already"
PAGE_HASH = hashlib.sha256(PAGE).hexdigest()
PAGE_NAME = f"snapshots/{PAGE_HASH}.warc.gz"

STORED, DEFLATED = 0, 8

# For programs of their own: the most KiB they have held so far. ru_maxrss would begin with what the tests hold.
PEAK = """
def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
"""


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def task(id="t-1", text="Kelp grows fast. It is brown.", **more):
    return {"id": id, "prompt": {"text": "Tell me about kelp."}, "responses": [{"id": "a", "text": text}], **more}


def jsonl(*plain):
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in plain)


def listed(files):
    return {name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)} for name, data in files.items()}


def manifest(files, /, **more):
    plain = {
        "format": "desktop-rater/bundle",
        "version": 1,
        "id": "kelp",
        "revision": 1,
        "title": "Kelp",
        "created": CREATED,
        "language": "en",
        "rubric": "span-factuality@3",
        "tasks": files.get("tasks.jsonl", b"").count(b"\n"),
        "files": listed(files),
    }
    return json.dumps({**plain, **more}).encode()


def pack(path, entries, *, method=zipfile.ZIP_DEFLATED, **more):
    """`entries`: name or ZipInfo → bytes."""
    with zipfile.ZipFile(path, "w", method, **more) as zip_:
        for name, data in entries.items():
            zip_.writestr(name, data)
    return path


def bundle_files(*tasks, **more):
    """The files of a sound bundle, the manifest included; `more` goes into the manifest."""
    files = {"tasks.jsonl": jsonl(*(tasks or (task(),)))}
    return {"manifest.json": manifest(files, **more), **files}


def bundle(path, *tasks, **more):
    return pack(path, bundle_files(*tasks, **more))


def with_files(path, extra, *tasks, **more):
    """A bundle with further files, all of them listed."""
    files = {"tasks.jsonl": jsonl(*(tasks or (task(),))), **extra}
    return pack(path, {"manifest.json": manifest(files, **more), **files})


def with_lines(path, data, count, **more):
    """A bundle whose tasks.jsonl is exactly `data`."""
    files = {"tasks.jsonl": data}
    return pack(path, {"manifest.json": manifest(files, tasks=count, **more), **files})


def deflated(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


class RawEntry:
    """An entry whose two headers can say different things: `local_x` is what its own header says of x."""

    def __init__(self, name, data, *, method=STORED, body=None, **more):
        self.body = body if body is not None else deflated(data) if method == DEFLATED else data
        self.said: dict[str, Any] = {
            "name": name.encode() if isinstance(name, str) else name,
            "method": method,
            "flags": 0,
            "crc": zlib.crc32(data),
            "packed": len(self.body),
            "size": len(data),
            "mode": 0o100644,
            "dos": 0,
            "disk": 0,
            "extra": b"",
            "at": None,
        }
        self.own = {key.removeprefix("local_"): more.pop(key) for key in list(more) if key.startswith("local_")}
        self.said.update(more)

    def local(self):
        own = {**self.said, **self.own}
        sizes = (own["crc"], own["packed"], own["size"], len(own["name"]), len(own["extra"]))
        return (
            struct.pack("<4s5H3L2H", b"PK\3\4", 20, own["flags"], own["method"], 0, 33, *sizes)
            + own["name"]
            + own["extra"]
            + self.body
        )

    def central(self, at):
        said = self.said
        at = at if said["at"] is None else said["at"]
        sizes = (said["crc"], said["packed"], said["size"], len(said["name"]), len(said["extra"]), 0)
        attributes = said["mode"] << 16 | said["dos"]
        rest = (said["disk"], 0, attributes, at)
        head = (b"PK\1\2", 0x0314, 20, said["flags"], said["method"], 0, 33)
        return struct.pack("<4s6H3L5H2L", *head, *sizes, *rest) + said["name"] + said["extra"]


def end_record(count, length, start, *, comment=b"", disk=0, here=None):
    here = count if here is None else here
    return struct.pack("<4s4H2LH", b"PK\5\6", disk, disk, here, count, length, start, len(comment)) + comment


def raw_zip(path, *entries, front=b"", gap=b"", behind=b"", count=None, **end):
    """A zip as its entries say. `gap` stands between the list of entries and the end record."""
    body, directory = io.BytesIO(), b""
    body.write(front)
    for entry in entries:
        at = body.tell()
        body.write(entry.local())
        directory += entry.central(at)
    start = body.tell()
    record = end_record(len(entries) if count is None else count, len(directory), start, **end)
    path.write_bytes(body.getvalue() + directory + gap + record + behind)
    return path


def raw_bundle(path, *extra, tasks=None, **more):
    """A sound bundle with raw entries behind its own; `tasks` stands in for the entry of tasks.jsonl."""
    files = bundle_files()
    sound = [RawEntry("manifest.json", files["manifest.json"]), tasks or RawEntry("tasks.jsonl", files["tasks.jsonl"])]
    return raw_zip(path, *sound, *extra, **more)


def overlapping_bomb(path, copies, size):
    """David Fifield's bomb: each file quotes the headers behind it, and all of them share one packed kernel."""
    zeros = bytes(size)
    body, quoted, whole = deflated(zeros), b"", b""
    entries = []
    for number in range(copies):
        crc = zlib.crc32(zeros, zlib.crc32(quoted))
        name = f"snapshots/{number:064x}.warc.gz"
        entry = RawEntry(name, b"", method=DEFLATED, body=body, crc=crc, size=len(quoted) + size)
        whole = entry.local()
        header = whole[: -len(body)]
        entries.append((entry, len(whole)))
        body = struct.pack("<BHH", 0, len(header), len(header) ^ 0xFFFF) + whole
        quoted = header + quoted
    directory = b"".join(entry.central(len(whole) - length) for entry, length in entries)
    path.write_bytes(whole + directory + end_record(copies, len(directory), len(whole)))
    return path
