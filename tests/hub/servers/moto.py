"""moto's S3: it honours `If-None-Match`, and takes any key."""

import http.client
import sys
import xml.etree.ElementTree as ET
from importlib.util import find_spec
from pathlib import Path
from typing import Self
from urllib.parse import quote, urlencode

from tests.hub.servers.process import HOST, ServerProcess

KEY_ID, SECRET_KEY = "moto-key-id", "moto-secret-key"
MISSING = None if find_spec("moto") else "moto is not installed (the package moto[s3,server])"
_SIGNED = {"Authorization": f"AWS4-HMAC-SHA256 Credential={KEY_ID}/20261120/us-east-1/s3/aws4_request"}
_NAMES = "{http://s3.amazonaws.com/doc/2006-03-01/}"


class Moto:
    """An object store in the memory of a process."""

    def __init__(self, folder: Path) -> None:
        self.process = ServerProcess(
            lambda port: [sys.executable, "-m", "moto.server", "-H", HOST, "-p", str(port)],
            folder / "moto.log",
            {"AWS_ACCESS_KEY_ID": "moto", "AWS_SECRET_ACCESS_KEY": "moto"},  # else its libraries look for some
        )

    @property
    def endpoint(self) -> str:
        return f"http://{HOST}:{self.process.port}"

    def make_bucket(self, name: str) -> None:
        self._ask("PUT", f"/{name}")

    def put(self, bucket: str, key: str, content: bytes) -> None:
        """Put an object there past all adapters."""
        self._ask("PUT", f"/{bucket}/{quote(key)}", content)

    def objects(self, bucket: str, prefix: str) -> dict[str, bytes]:
        """All that is there, whatever its name."""
        found: dict[str, bytes] = {}
        after = ""
        while True:
            asked = {"list-type": "2", "prefix": prefix, **({"start-after": after} if after else {})}
            page = ET.fromstring(self._ask("GET", f"/{bucket}?{urlencode(asked)}"))
            keys = [one.text or "" for one in page.iterfind(f"{_NAMES}Contents/{_NAMES}Key")]
            found |= {key: self._ask("GET", f"/{bucket}/{quote(key)}") for key in keys}
            if page.findtext(f"{_NAMES}IsTruncated") != "true":
                return found
            after = keys[-1]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.process.stop()

    def _ask(self, verb: str, target: str, body: bytes = b"") -> bytes:
        connection = http.client.HTTPConnection(HOST, self.process.port, timeout=60)
        try:
            connection.request(
                verb, target, body, {"Authorization": "AWS4-HMAC-SHA256 Credential=moto/x/us-east-1/s3/"}
            )
            reply = connection.getresponse()
            content = reply.read()
            assert reply.status == 200, f"{verb} {target}: {reply.status} {content!r}"
            return content
        finally:
            connection.close()
