"""Fetch the published annotations of mu-SHROOM: `python -m tools.published.fetch mushroom DIR`."""

import hashlib
import sys
from pathlib import Path

import httpx

SOURCE = "https://raw.githubusercontent.com/Helsinki-NLP/mu-shroom/7fea78a0e5af887d196931721147ace5b4c4d9a8/splits/test_labeled/v1/"
SETS = {
    "mushroom": {
        "mushroom.en-tst.v1.extra.jsonl": "758df17a159bb1c75adb7e7ef6900a3903a56a6d803195770ec73ea2f0c45131",
        "mushroom.es-tst.v1.extra.jsonl": "defdf802bca9d76267e7b5682e89045014f13907527486f2e0697dea9ec9ae24",
    }
}
"""The files of each set, with their SHA-256."""


def fetch(name: str, folder: Path, source: str = SOURCE) -> list[str]:
    """Write the set's files to `folder` and return their names; refuse contents other than those expected."""
    folder.mkdir(parents=True, exist_ok=True)
    for file, expected in SETS[name].items():
        response = httpx.get(source + file, follow_redirects=True, timeout=60)
        response.raise_for_status()
        if (found := hashlib.sha256(response.content).hexdigest()) != expected:
            raise ValueError(f"{file} has the SHA-256 {found}, not {expected}")
        (folder / file).write_bytes(response.content)
    return list(SETS[name])


if __name__ == "__main__":
    print("\n".join(fetch(sys.argv[1], Path(sys.argv[2]))))
