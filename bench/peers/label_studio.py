"""Label Studio, community edition, on its own embedded SQLite."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from bench.peers.peer import LABELS, PASSWORD, USER, Peer, Tasks, Turn, wait_until
from tests.hub.servers.process import HOST

_TOKEN = "0123456789abcdef0123456789abcdef01234567"  # noqa: S105 - of a server that lives for minutes
_PAGE = 30
_CHOICES = "".join(f'<Choice value="{label}"/>' for label in LABELS)
_CONFIGURATION = f"""<View><Header value="Prompt"/><Text name="prompt" value="$prompt"/>
<Header value="Response"/><Text name="response" value="$response"/>
<Header value="Tool output"/><Text name="tool" value="$tool"/>
<Choices name="verdict" toName="response" choice="single" required="true">{_CHOICES}</Choices></View>"""


class LabelStudio(Peer):
    """Its REST interface with a token. An answer is an annotation; the next task is that of its label stream."""

    name, title, package = "labelstudio", "Label Studio", "label-studio"

    def prepare(self, tasks: Tasks) -> None:
        self.client.headers["Authorization"] = f"Token {_TOKEN}"
        self._serve()
        self._project = self._new_project()
        self._fill(self._project, [_task(task) for task in tasks])
        self.stop()
        self._exported = 0

    def start(self) -> float:
        started = time.perf_counter()
        self._serve()
        self._open = self._next()
        return time.perf_counter() - started

    def import_tasks(self, tasks: Tasks) -> float:
        project = self._new_project()
        return self._fill(project, [_task(task) for task in tasks])

    def turn(self, number: int) -> Turn:
        started = time.perf_counter()
        path = f"/api/tasks/{self._open}/annotations/?project={self._project}"
        self.client.post(path, {"result": _result(LABELS[number % len(LABELS)]), "lead_time": 1.0})
        stored = time.perf_counter()
        self._open = self._next()
        return Turn(stored - started, time.perf_counter() - stored)

    def search(self, word: str) -> float:
        item = {"filter": "filter:tasks:data.response", "operator": "contains", "type": "String", "value": word}
        query = quote(json.dumps({"filters": {"conjunction": "and", "items": [item]}}))
        answer = self.client.get(f"/api/tasks?project={self._project}&page=1&page_size={_PAGE}&query={query}")
        if not answer.json["tasks"]:
            raise RuntimeError(f"{self.title} did not find {word}")
        return answer.seconds

    def export(self, tasks: Tasks) -> float:
        if not self._exported:
            self._exported = self._new_project()
            labelled = [
                {**_task(task), "annotations": [{"result": _result(LABELS[number % len(LABELS)])}]}
                for number, task in enumerate(tasks)
            ]
            self._fill(self._exported, labelled)
        answer = self.client.get(f"/api/projects/{self._exported}/export?exportType=JSON")
        if len(answer.json) != len(tasks):
            raise RuntimeError(f"{self.title} exported {len(answer.json)} tasks")
        return answer.seconds

    def agreement(self, tasks: Tasks, labels: Sequence[Sequence[str]]) -> None:
        """The community edition has none."""

    def _serve(self) -> None:
        data = self.folder / "data"
        words = ["start", "--no-browser", "--internal-host", HOST, "--port", str(self.port), "--data-dir", str(data)]
        account = ["--username", USER, "--password", PASSWORD, "--user-token", _TOKEN, "--enable-legacy-api-token"]
        self.serve("/user/login/", "label-studio", *words, *account)

    def variables(self) -> dict[str, str]:
        # Nothing is sent anywhere.
        silent = ("COLLECT_ANALYTICS", "LABEL_STUDIO_COLLECT_ANALYTICS", "LABEL_STUDIO_LATEST_VERSION_CHECK")
        return {
            "LABEL_STUDIO_BASE_DATA_DIR": str(self.folder / "data"),
            "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
            "LOG_LEVEL": "ERROR",
            "LATEST_VERSION_CHECK": "false",
            "SENTRY_DSN": "",
            "FRONTEND_SENTRY_DSN": "",
            **dict.fromkeys(silent, "false"),
        }

    def _new_project(self) -> int:
        made = self.client.post("/api/projects/", {"title": "bench", "label_config": _CONFIGURATION})
        return made.json["id"]

    def _fill(self, project: int, tasks: list[dict[str, Any]]) -> float:
        content = json.dumps(tasks, ensure_ascii=False).encode()
        started = time.perf_counter()
        self.client.post(f"/api/projects/{project}/import", content)
        wait_until(lambda: self.client.get(f"/api/projects/{project}/").json["task_number"] == len(tasks))
        return time.perf_counter() - started

    def _next(self) -> int:
        return self.client.get(f"/api/projects/{self._project}/next").json["id"]


def _task(task: dict[str, Any]) -> dict[str, Any]:
    response = task["responses"][0]
    texts = {"prompt": task["prompt"]["text"], "response": response["text"], "tool": response["tools"][0]["output"]}
    return {"data": {"id": task["id"], **texts}}


def _result(label: str) -> list[dict[str, Any]]:
    value = {"choices": [label]}
    return [{"from_name": "verdict", "to_name": "response", "type": "choices", "value": value}]
