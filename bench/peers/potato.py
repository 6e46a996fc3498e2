"""Potato: a web server that keeps all tasks in memory and each rater's answers in a file."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

from bench.peers.peer import LABELS, USER, Peer, Tasks, Turn
from tests.hub.servers.process import HOST

_KEY = "0123456789abcdef"
_SCHEME, _DATA, _OUT = "verdict", "tasks.jsonl", "annotations"


class Potato(Peer):
    """Its pages and its interface for administrators.

    It reads the tasks at each start, so it has no import of its own. An answer is the request that its page sends; the
    next task is the page that the server renders for the button "Next". Its page loads this twice; we count one.
    """

    name, title, package = "potato", "Potato", "potato-annotation"

    def prepare(self, tasks: Tasks) -> None:
        self.client.headers["X-API-Key"] = _KEY
        self._project = self._new_project("turns", tasks)

    def start(self) -> float:
        started = time.perf_counter()
        self._serve(self._project)
        self.client.submit("/auth", {"action": "login", "email": USER, "pass": ""})
        self._check(self.client.get("/annotate").body, 0)
        return time.perf_counter() - started

    def import_tasks(self, tasks: Tasks) -> None:
        """It has none."""

    def turn(self, number: int) -> Turn:
        task = f"t-{number:06}"
        label = LABELS[number % len(LABELS)]
        started = time.perf_counter()
        answer = {"instance_id": task, "annotations": {f"{_SCHEME}:::{label}": "true"}, "span_annotations": []}
        self.client.post("/updateinstance", answer)
        stored = time.perf_counter()
        page = self.client.post("/annotate", {"action": "next_instance", "instance_id": task}).body
        self._check(page, number + 1)
        return Turn(stored - started, time.perf_counter() - stored)

    def search(self, word: str) -> float:
        answer = self.client.get(f"/admin/api/search?q={word}")
        if not answer.json["count"]:
            raise RuntimeError(f"{self.title} did not find {word}")
        return answer.seconds

    def export(self, tasks: Tasks) -> float:
        labels = [LABELS[number % len(LABELS)] for number in range(len(tasks))]
        self._serve_project("export", tasks, [labels])
        answer = self.client.post("/admin/api/export", {"format": "jsonl"})
        if not answer.json["success"]:
            raise RuntimeError(f"{self.title} did not export: {answer.body[:300]!r}")
        return answer.seconds

    def agreement(self, tasks: Tasks, labels: Sequence[Sequence[str]]) -> float:
        self._serve_project("agreement", tasks, labels)
        answer = self.client.get("/admin/iaa")
        if not answer.json["schemas"][_SCHEME]["metrics"]["alpha_nominal"]:
            raise RuntimeError(f"{self.title} has no agreement: {answer.body[:300]!r}")
        return answer.seconds

    def _serve(self, project: Path) -> None:
        words = ["start", str(project / "config.yaml"), "-p", str(self.port), "--host", HOST]
        self.serve("/health", "potato", *words)

    def _serve_project(self, name: str, tasks: Tasks, labels: Sequence[Sequence[str]]) -> None:
        """Serve a project with answers instead of the one that runs, unless it is this one."""
        project = self.folder / name
        if project.exists():
            return
        self.stop()
        self._new_project(name, tasks, raters=len(labels))
        for number, given in enumerate(labels):
            rater = f"rater{number}"
            answers = {
                task["id"]: [[{"schema": _SCHEME, "name": label}, "true"]]
                for task, label in zip(tasks, given, strict=True)
            }
            state = {
                "user_id": rater,
                "instance_id_ordering": list(answers),
                "instance_id_to_label_to_value": answers,
            }
            home = project / _OUT / rater
            home.mkdir(parents=True)
            (home / "user_state.json").write_text(json.dumps(state), encoding="utf-8")
        self._serve(project)

    def _new_project(self, name: str, tasks: Tasks, raters: int = 1) -> Path:
        project = self.folder / name
        project.mkdir()
        with (project / _DATA).open("w", encoding="utf-8") as file:
            for task in tasks:
                response = task["responses"][0]
                parts = (task["prompt"]["text"], response["text"], response["tools"][0]["output"])
                file.write(json.dumps({"id": task["id"], "text": "\n\n".join(parts)}, ensure_ascii=False) + "\n")
        scheme = {"annotation_type": "radio", "name": _SCHEME, "description": "Verdict", "labels": LABELS}
        configuration = {
            "annotation_task_name": "bench",
            "server_name": "bench",
            "task_dir": str(project),
            "output_annotation_dir": str(project / _OUT),
            "data_files": [_DATA],
            "item_properties": {"id_key": "id", "text_key": "text"},
            "authentication": {"method": "in_memory", "require_password": False},
            "require_password": False,
            "user_config": {"allow_all_users": True, "users": []},
            "assignment_strategy": "fixed_order",
            "max_annotations_per_item": raters,  # agreement is that of tasks which have as many
            "admin_api_key": _KEY,
            "secret_key": _KEY,
            "annotation_schemes": [scheme],
        }
        # JSON is YAML.
        (project / "config.yaml").write_text(json.dumps(configuration), encoding="utf-8")
        return project

    def _check(self, page: bytes, number: int) -> None:
        if f"t-{number:06}".encode() not in page or _SCHEME.encode() not in page:
            raise RuntimeError(f"{self.title} does not show task {number}: {page[:300]!r}")
