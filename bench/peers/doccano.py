"""doccano on its own SQLite: a web server, and a worker for imports and exports with its queue in the same database."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from urllib.parse import quote

from bench.peers.peer import LABELS, PASSWORD, Peer, Tasks, Turn, wait_until
from tests.hub.servers.process import HOST

_PAGE = 10
_USER = "admin"
_PROJECT = {"description": "bench", "guideline": "", "tags": [], "project_type": "DocumentClassification"}
_COLOURS = {"background_color": "#209cee", "text_color": "#ffffff"}
_UPLOAD = {"format": "JSONL", "task": "DocumentClassification", "column_data": "text", "column_label": "label"}


class Doccano(Peer):
    """Its REST interface with a token.

    An answer is a category and the mark that the example is done, two requests; the next task is the first without a
    mark. Its command listens on all addresses, so the web server is started as the command does, but for this computer.
    """

    name, title, package = "doccano", "doccano", "doccano"

    def prepare(self, tasks: Tasks) -> None:
        self.run("doccano", "init").process.wait()
        account = ["--username", _USER, "--password", PASSWORD]
        self.run("doccano", "createuser", *account).process.wait()
        self._serve()
        self._work()
        answer = self.client.post("/v1/auth/login/", {"username": _USER, "password": PASSWORD})
        self.client.headers["Authorization"] = f"Token {answer.json['key']}"
        self.client.cookies.clear()  # with a session it would ask for a token against forged requests as well
        self._project = self._new_project()
        self._labels = [
            self.client.post(f"/v1/projects/{self._project}/category-types", {"text": label, **_COLOURS}).json["id"]
            for label in LABELS
        ]
        self._fill(self._project, tasks, labelled=False)
        self.stop()
        self._exported = 0

    def start(self) -> float:
        started = time.perf_counter()
        self._serve()
        self._open = self._next()
        seconds = time.perf_counter() - started
        self._work()
        return seconds

    def import_tasks(self, tasks: Tasks) -> float:
        return self._fill(self._new_project(), tasks, labelled=False)

    def turn(self, number: int) -> Turn:
        started = time.perf_counter()
        example = f"/v1/projects/{self._project}/examples/{self._open}"
        self.client.post(f"{example}/categories", {"label": self._labels[number % len(LABELS)]})
        self.client.post(f"{example}/states", {})
        stored = time.perf_counter()
        self._open = self._next()
        return Turn(stored - started, time.perf_counter() - stored)

    def search(self, word: str) -> float:
        page = self.client.get(f"/v1/projects/{self._project}/examples?limit={_PAGE}&offset=0&q={quote(word)}")
        if not page.json["count"]:
            raise RuntimeError(f"{self.title} did not find {word}")
        return page.seconds

    def export(self, tasks: Tasks) -> float:
        if not self._exported:
            self._exported = self._new_project()
            self._fill(self._exported, tasks, labelled=True)
        started = time.perf_counter()
        path = f"/v1/projects/{self._exported}/download"
        job = self.client.post(path, {"format": "JSONL", "exportApproved": False}).json["task_id"]
        self._wait(job)
        self.client.get(f"{path}?taskId={job}")
        return time.perf_counter() - started

    def agreement(self, tasks: Tasks, labels: Sequence[Sequence[str]]) -> None:
        """It has none."""

    def variables(self) -> dict[str, str]:
        return {
            "DOCCANO_HOME": str(self.folder),
            "DATABASE_URL": f"sqlite:///{self.folder}/db.sqlite3",
            "MEDIA_ROOT": str(self.folder / "media"),
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            "STANDALONE": "True",
        }

    def _serve(self) -> None:
        (backend,) = self.environment.glob("lib/python*/site-packages/backend")
        workers = 2 * (os.cpu_count() or 1) + 1
        words = ["--bind", f"{HOST}:{self.port}", "--workers", str(workers), "--chdir", str(backend), "config.wsgi"]
        self.serve("/v1/auth/login/", "gunicorn", *words)

    def _work(self) -> None:
        """Start the worker, which the first task does not need."""
        worker = self.run("doccano", "task", "--concurrency", "1")
        wait_until(lambda: b" ready." in worker.log.read_bytes())

    def _new_project(self) -> int:
        wanted = {"name": "bench", "resourcetype": "TextClassificationProject", **_PROJECT}
        return self.client.post("/v1/projects", wanted).json["id"]

    def _fill(self, project: int, tasks: Tasks, *, labelled: bool) -> float:
        content = b"".join(_line(task, LABELS[n % len(LABELS)] if labelled else "") for n, task in enumerate(tasks))
        started = time.perf_counter()
        upload = self.client.upload("/v1/fp/process/", "filepond", "tasks.jsonl", content).body.decode().strip('"')
        options = {"uploadIds": [upload], "encoding": "utf_8", "delimiter": "", "max_number": 0, **_UPLOAD}
        self._wait(self.client.post(f"/v1/projects/{project}/upload", options).json["task_id"])
        seconds = time.perf_counter() - started
        count = self.client.get(f"/v1/projects/{project}/examples?limit=1").json["count"]
        if count != len(tasks):
            raise RuntimeError(f"{self.title} imported {count} tasks")
        return seconds

    def _wait(self, job: str) -> None:
        wait_until(lambda: self.client.get(f"/v1/tasks/status/{job}").json["ready"])

    def _next(self) -> int:
        path = f"/v1/projects/{self._project}/examples?limit=1&offset=0&q=&confirmed=false"
        return self.client.get(path).json["results"][0]["id"]


def _line(task: dict, label: str) -> bytes:
    response = task["responses"][0]
    texts = {"text": response["text"], "prompt": task["prompt"]["text"], "tool": response["tools"][0]["output"]}
    line = {"id_": task["id"], **texts, "label": [label] if label else []}
    return json.dumps(line, ensure_ascii=False).encode() + b"\n"
