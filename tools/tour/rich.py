"""Scenes of rich content: a response with formulas, a table and code, and tool output that is JSON."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from tools.tour.stage import Stage

BUNDLE, TITLE, RUBRIC, DAYS_LEFT = "orbits", "Orbits and satellites", "span-factuality", 4
FORMULAS = r"""A satellite on a circular orbit of radius $r$ moves at $v = \sqrt{\frac{G M}{r}}$.
The higher it is, the slower it goes. One revolution takes

$$T = 2\pi \sqrt{\frac{r^3}{G M}}$$

| Orbit | Height in km | Speed in km/s | Period in min |
|:--|--:|--:|--:|
| Space station | 420 | 7.66 | 92.8 |
| Navigation | 20,200 | 3.87 | 718.0 |
| Geostationary | 35,786 | 3.07 | 1,436.1 |

You can calculate the period yourself:

```python
from math import pi, sqrt

MU = 398_600.4418  # km³/s²

def period(height: float) -> float:
    return 2 * pi * sqrt((6_378.1 + height) ** 3 / MU) / 60
```

For a height of 420 km this returns 92.8 minutes."""
ABSTRACT = (
    "The station was boosted by 1.9 km on 14 November to reach the phasing orbit for the next crew. The thrusters of "
    "the docked freighter burned for 8 min 41 s. After the manoeuvre the mean height is 418.6 km, and one revolution "
    "takes 92.78 min.\n\nThe next reboost is planned for 12 December. Until then drag lowers the orbit by about 60 m "
    "a day, more if the Sun is active."
)
HITS = (
    {"title": "Reboost of 14 November", "url": "https://orbits.example/reboost", "score": 0.93, "abstract": ABSTRACT},
    {"title": "Heights since 1998", "url": "https://orbits.example/heights", "score": 0.71, "abstract": "A table."},
)
TASKS: tuple[dict[str, Any], ...] = (
    {
        "id": "o-1",
        "prompt": {"text": "How fast do satellites move, and how long does one revolution take?"},
        "responses": [{"id": "a", "format": "markdown", "text": FORMULAS}],
    },
    {
        "id": "o-2",
        "prompt": {"text": "How high does the space station fly at the moment?"},
        "responses": [
            {
                "id": "a",
                "text": "It flies at about 419 km. It was boosted on 14 November. The next boost comes in December.",
                "tools": [
                    {
                        "name": "archive_search",
                        "status": "ok",
                        "at": "2026-11-16T09:12:03Z",
                        "input": {"query": "station height", "most": 2},
                        "output": {"total": 2, "hits": HITS, "took_ms": 38},
                    }
                ],
            }
        ],
    },
)


def play_formulas(stage: Stage) -> None:
    """Make and open a bundle that is due in a few days, at the sentence with a formula."""
    tasks, bundle = stage.folder / "orbits.jsonl", stage.folder / f"{BUNDLE}.zip"
    tasks.write_text("".join(f"{json.dumps(task, ensure_ascii=False)}\n" for task in TASKS), encoding="utf-8")
    due = (stage.now() + timedelta(days=DAYS_LEFT)).date().isoformat()
    build_bundle(bundle, tasks, BundleOptions(rubric=RUBRIC, title=TITLE, language="en", due=due), Progress())
    stage.transfer.import_bundle(bundle)
    stage.wait(lambda: stage.session.task is not None and stage.session.task.id == "o-1")
    stage.wait(lambda: not stage.transfer.is_running)
    stage.window.banners.drop("transfer")
    stage.answer("YA")
    stage.window.form_pane.form.setFocus()


def play_tool_output(stage: Stage) -> None:
    """Select a long value of the output of a tool."""
    stage.open("o-2")
    tools = stage.window.text_pane.panes[0].tools
    tools.set_open(True)
    tools.output.show_match((1, 1, 0, 3), 0, 0, in_key=True)
