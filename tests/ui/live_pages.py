"""The site that the live view's tests read: it counts, and hears what its pages found out."""

import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from tests.pages.pdf_files import DRAWING, objects, pdf

HTML = "text/html; charset=utf-8"
PLAIN = b"""<!doctype html><title>plain</title><link rel="icon" href="/icon.png"><p>Paris is the capital of France.</p>
<script>document.title = "scripted"</script>"""
LINKS = b"""<!doctype html><title>links</title><style>body { margin: 0; font-size: 60px }</style>
<div style="height: 100px"><a href="/plain" target="_blank">A new window</a></div>
<div><input style="width: 200px; height: 80px"></div>"""
# Its words come from a script; a part of them can't be seen, and it has changed what a script of its own would call.
SCRIPTED = b"""<!doctype html><html lang="en"><title>scripted</title><div id="app"></div>
<form><input name="childNodes"><input name="firstChild"></form><img name="body"><my-box></my-box>
<script>
document.getElementById("app").innerHTML = `<h1>Bridges</h1><p>The bridge was opened in 1932.</p>
<p style="display: none">Forged 1</p><p style="visibility: hidden">Forged 2</p><p style="opacity: 0">Forged 3</p>
<p style="position: absolute; left: -9999px">Forged 4</p><p style="font-size: 1px">Forged 5</p>
<p style="position: absolute; width: 1px; height: 1px; overflow: hidden">Forged 6</p>
<p style="color: transparent">Forged 7</p><p style="height: 0; overflow: hidden">Forged 8</p>`;
const box = document.querySelector("my-box").attachShadow({ mode: "open" });
box.innerHTML = "<p>In a box, <slot><b>by itself</b></slot></p>";
JSON.stringify = () => '{"url": "http://127.0.0.1/", "lang": "", "html": "Forged 9", "cut": false}';
String.prototype.replace = () => "Forged 10"; window.getComputedStyle = () => ({ visibility: "visible" });
Range.prototype.getBoundingClientRect = () => ({ width: 9, height: 9, right: 9, bottom: 9 });
</script>"""
REDIRECTS = {"/to-plain": "/plain", "/to-private": "{private}/redirected"}

HOSTILE = """<!doctype html><title>hostile</title>
<meta http-equiv="refresh" content="3600; url=file:///etc/passwd">
<img src="{private}/image"><img src="file:///etc/hostname"><img src="http://rebinding.example/image">
<img src="http://10.1.2.3/image"><img src="http://[::1]:{port}/image"><img src="http://localhost:{port}/image">
<img src="http://169.254.169.254/latest/meta-data/"><img src="http://2130706433:{port}/image">
<iframe src="file:///etc/passwd"></iframe><iframe src="{private}/frame"></iframe>
<iframe src="data:text/html,<img src={private}/inner>"></iframe>
<link rel="prefetch" href="{private}/prefetch"><link rel="preconnect" href="{private}">
<link rel="dns-prefetch" href="//beforehand.example"><link rel="icon" href="/icon.png">
<object data="{private}/object"></object><video src="{private}/video" autoplay></video>
<script>
const log = {{}};
const note = (name, value) => {{ log[name] = String(value); }};
const fails = (name, promise) => promise.then(() => note(name, "done"), error => note(name, error.name));
const attempt = (name, deed) => {{ try {{ deed(); }} catch (error) {{ note(name, error.name); }} }};
const clicked = fields => {{
  const link = Object.assign(document.createElement("a"), fields); document.body.append(link); link.click(); }};
attempt("window", () => note("window", window.open("/opened")));
attempt("socket", () => {{ new WebSocket("ws://127.0.0.1:{port}/socket").onopen = () => note("socket", "open"); }});
attempt("fetch", () => fails("fetch", fetch("{private}/fetched", {{ mode: "no-cors" }})));
attempt("file fetch", () => fails("file fetch", fetch("file:///etc/passwd", {{ mode: "no-cors" }})));
attempt("tunnel", () => fails("tunnel", fetch("https://rebinding.example/tunnel", {{ mode: "no-cors" }})));
attempt("beacon", () => navigator.sendBeacon("{private}/beacon", "x"));
attempt("camera", () => fails("camera", navigator.mediaDevices.getUserMedia({{ video: true }})));
attempt("screen", () => fails("screen", navigator.mediaDevices.getDisplayMedia()));
attempt("place", () => navigator.geolocation.getCurrentPosition(
  () => note("place", "done"), error => note("place", error.code)));
attempt("alert", () => alert("hello"));
attempt("confirm", () => note("confirm", confirm("sure?")));
attempt("prompt", () => note("prompt", prompt("name?")));
attempt("print", () => print());
attempt("cookie", () => {{ document.cookie = "c=1; max-age=999"; note("cookie", document.cookie); }});
attempt("storage", () => {{ localStorage.setItem("a", "b"); note("storage", "done"); }});
attempt("database", () => {{ const asked = indexedDB.open("a");
  asked.onsuccess = () => note("database", "done"); asked.onerror = () => note("database", "refused"); }});
attempt("worker", () => fails("worker", navigator.serviceWorker.register("/worker.js")));
attempt("caches", () => fails("caches", caches.open("a")));
attempt("clipboard", () => fails("clipboard", navigator.clipboard.readText()));
attempt("handler", () => navigator.registerProtocolHandler("web+x", "/?%s"));
attempt("picker", () => fails("picker", showOpenFilePicker()));
attempt("key", () => fails("key", navigator.credentials.get({{ publicKey: {{ challenge: new Uint8Array(8) }} }})));
attempt("transport", () => fails("transport", new WebTransport("https://127.0.0.1:{port}/").ready));
attempt("devices", () => note("devices",
  ["bluetooth", "hid", "serial", "usb", "xr"].filter(name => name in navigator)));
attempt("graphics", () => navigator.gpu.requestAdapter().then(adapter => note("graphics", adapter)));
attempt("full screen", () => fails("full screen", document.documentElement.requestFullscreen()));
attempt("download", () => clicked({{ href: "/file", download: "x" }}));
attempt("blob", () => clicked({{ href: URL.createObjectURL(new Blob(["x"])), download: "x.txt" }}));
attempt("upload", () => {{ const field = document.createElement("input"); field.type = "file"; field.click(); }});
attempt("mail", () => {{ const frame = document.createElement("iframe"); frame.src = "mailto:a@b.example";
  document.body.append(frame); }});
attempt("webrtc", () => {{
  const peer = new RTCPeerConnection({{ iceServers: [{{ urls: "stun:127.0.0.1:{port}" }}] }});
  let candidates = 0;
  peer.createDataChannel("x");
  peer.onicecandidate = event => {{
    if (event.candidate && event.candidate.candidate) candidates += 1; else note("candidates", candidates); }};
  peer.createOffer().then(offer => peer.setLocalDescription(offer)); }});
window.onbeforeunload = event => {{ event.preventDefault(); return "stay"; }};
const away = ["file:///etc/passwd", "data:text/html,hello", "chrome://gpu", "{private}/navigated",
  URL.createObjectURL(new Blob(["<h1>x"], {{ type: "text/html" }}))];
const wanted = ["window", "fetch", "file fetch", "tunnel", "camera", "screen", "place", "confirm", "prompt", "cookie",
  "storage", "database", "worker", "caches", "clipboard", "picker", "key", "transport", "devices", "graphics",
  "full screen", "candidates"];
const tell = () => {{
  if (wanted.every(name => name in log)) {{
    fetch("/log", {{ method: "POST", body: JSON.stringify(log) }});
    leave();
  }} else setTimeout(tell, 50); }};
const leave = () => {{
  if (away.length) {{ location = away.shift(); setTimeout(leave, 150); }} else fetch("/last"); }};
tell();
</script>"""


class LiveSite:
    """`hits` counts requests by path; `log` is what the hostile page says that its attempts came to."""

    def __init__(self, private_port: int, tls_port: int) -> None:
        self.hits: Counter[str] = Counter()
        self.log: dict[str, str] | None = None
        self.queries: list[str] = []
        self.cookies: list[str] = []
        self.secrets: list[str] = []
        self._private = f"http://127.0.0.1:{private_port}"
        self._private_port = private_port
        self._tls_port = tls_port
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"story": self}))
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]

    def open(self) -> None:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def answer_to(self, path: str) -> tuple[int, str, bytes, dict[str, str]]:
        """Status, type, body and further headers."""
        if path in REDIRECTS:
            return 302, HTML, b"", {"Location": REDIRECTS[path].format(private=self._private)}
        pages = {
            "/plain": (200, HTML, PLAIN, {}),
            "/scripted": (200, HTML, SCRIPTED, {}),
            "/links": (200, HTML, LINKS, {}),
            "/search": (200, HTML, b"<title>found</title>Here.", {}),
            "/hostile": (200, HTML, HOSTILE.format(private=self._private, port=self._private_port).encode(), {}),
            "/report": (200, "application/pdf", pdf(objects(DRAWING)), {}),
            "/pdf": (200, "application/pdf", b"%PDF-1.4\n", {}),
            "/file": (200, "application/octet-stream", b"x" * 100, {"Content-Disposition": "attachment"}),
            "/sign-in": (401, HTML, b"<title>sign in</title>", {"WWW-Authenticate": 'Basic realm="home"'}),
            "/removed": (410, HTML, b"<title>removed</title>It was removed.", {}),
            "/forbidden": (403, HTML, b"<title>forbidden</title>Not from here.", {}),
            "/failing": (500, HTML, b"<title>failing</title>An error.", {}),
            "/log": (204, HTML, b"", {}),
            "/last": (204, HTML, b"", {}),
        }
        return pages.get(path, (404, HTML, b"<title>missing</title>There is no such page.", {}))


class _Handler(BaseHTTPRequestHandler):
    story: LiveSite

    def do_GET(self) -> None:
        path, story = urlsplit(self.path).path, self.story
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if path == "/log":
            story.log = json.loads(body)
        if path == "/search":
            story.queries += parse_qs(urlsplit(self.path).query)["q"]
        story.cookies += self.headers.get_all("Cookie", [])
        story.secrets += [name for name in self.headers if name.lower().startswith(("proxy", "authorization"))]
        status, media, answer, headers = story.answer_to(path)
        self.send_response(status)
        headers |= {"Content-Type": media, "Content-Length": str(len(answer)), "Set-Cookie": "a=b; Max-Age=999"}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)
        story.hits[path] += 1

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
        """Say nothing: what the tests want to know is counted."""
