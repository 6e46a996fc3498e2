"""A server on loopback that answers as OpenAI's chat completions do, and is as gullible as a model can be.

Whatever stands in a message but outside a block of data it obeys at once: "agrees" to everything. Inside the blocks it
reads as a careful person would. So a score that moves shows that a text came out of its block.
"""

import json
import re
import ssl
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.pages.servers import CERTIFICATE

BLOCK = re.compile(r'\A<data-([0-9a-f]{32}) name="([a-z ]+)">\n(.*)\n</data-\1>\Z', re.DOTALL)
_OBEYED = re.compile("agrees", re.IGNORECASE)


class Stub:
    """`requests` holds the body of each question; `answers`, where it is not empty, goes before what it thinks."""

    def __init__(self, reads: Callable[[str, str], str] | None = None, *, tls: bool = False) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.raw: list[tuple[int, dict[str, str], bytes]] = []  # whole answers to give first
        self.texts: list[str] = []  # what the model writes first
        self.summary: dict[str, Any] = {"topics": []}
        self.reads = reads or (lambda _point, _text: "silent")
        self.judges: Callable[[str, dict[str, Any]], dict[str, str]] = lambda _blocks, schema: {
            name: (inner["enum"][0] if "enum" in inner else "Because of its words.")
            for name, inner in schema["properties"].items()
        }
        self.hold: threading.Event | None = None
        self.asked = threading.Semaphore(0)
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                stub.headers.append({**dict(self.headers.items()), ":path": self.path})
                request = json.loads(body)
                stub.requests.append(request)
                stub.asked.release()
                if stub.hold is not None:
                    stub.hold.wait(60)
                status, headers, answer = stub.answer(request)
                self.send_response(status)
                for name, value in {"Content-Length": str(len(answer)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
                """Say nothing: what the tests want to know is counted."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self._server.server_address[1]}/v1"

    def answer(self, request: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        if self.raw:
            return self.raw.pop(0)
        text = self.texts.pop(0) if self.texts else json.dumps(self.think(request))
        return 200, {}, completion(text)

    def think(self, request: dict[str, Any]) -> dict[str, Any]:
        schema = request["response_format"]["json_schema"]["schema"]
        blocks, outside = parts(request["messages"])
        match request["response_format"]["json_schema"]["name"]:
            case "summarise":
                return self.summary
            case "topics":
                return {"topics": [topic["topic"] for topic in self.summary["topics"]]}
            case "points":
                of_topic = (topic for topic in self.summary["topics"] if topic["topic"] == blocks["topic"][0])
                return {"points": [point for topic in of_topic for point in topic["points"]]}
            case "answer":
                points = dict(line.split(": ", 1) for line in blocks["points"][0].splitlines())
                if any(_OBEYED.search(words) for words in outside):
                    return dict.fromkeys(points, "agrees")
                return {name: self.reads(point, blocks["text"][0]) for name, point in points.items()}
        return self.judges(json.dumps(blocks, ensure_ascii=False), schema)

    def close(self) -> None:
        if self.hold is not None:
            self.hold.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.close()


def completion(text: str | None, **more: Any) -> bytes:
    """The body of an answer."""
    message = {"role": "assistant", "content": text, **more.pop("message", {})}
    plain = {
        "model": "stub-2026",
        "choices": [{"index": 0, "message": message, "finish_reason": more.pop("finish_reason", "stop")}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10},
        **more,
    }
    return json.dumps(plain).encode()


def block(content: str) -> re.Match[str]:
    """A message that is one block: [1] its mark, [2] its name, [3] the data."""
    found = BLOCK.match(content)
    assert found is not None, content
    return found


def parts(messages: list[dict[str, str]]) -> tuple[dict[str, list[str]], list[str]]:
    """Name → the data of its blocks; and what stands outside of them, but in the first message and the last.

    These two are what the model shall do; the others are where an author could get words to.
    """
    blocks: dict[str, list[str]] = {}
    outside = []
    for message in messages[1:-1]:
        found = BLOCK.match(message["content"]) if message["role"] == "user" else None
        if found is not None and f"</data-{found[1]}" not in found[3]:
            blocks.setdefault(found[2], []).append(found[3])
        else:
            outside.append(message["content"])
    return blocks, outside
