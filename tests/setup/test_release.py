"""Whoever releases makes a key once, signs the packages, and the program that carries the key downloads them."""

import os
import subprocess
import sys
from pathlib import Path

from desktop_rater import __version__
from desktop_rater.cli.root import main
from desktop_rater.format.hub_names import is_hub_name
from desktop_rater.plugins.updates import release

ROOT = Path(__file__).parents[2]


def released(*arguments, phrase="correct horse battery staple"):
    environment = {**os.environ, "DESKTOP_RATER_RELEASE_PASS_PHRASE": phrase}
    command = [sys.executable, ROOT / "packaging" / "release.py", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_new_key_signs_the_packages_which_the_program_then_downloads(tmp_path, monkeypatch):
    key, public, dist = tmp_path / "key.pem", tmp_path / "release-keys.txt", tmp_path / "dist"
    assert released("--make-key", key, "--public", public).returncode == 0
    assert "ENCRYPTED" in key.read_text("utf-8")
    assert os.name == "nt" or key.stat().st_mode & 0o077 == 0
    assert released("--make-key", key, "--public", public).returncode == 2, "a key is never replaced"
    dist.mkdir()
    ends = (
        "-py3-none-any.whl",
        "-full-amd64.deb",
        "-amd64.deb",
        "-aarch64.deb",
        "-arm64.dmg",
        "-x86_64.exe",
        ".cdx.json",
    )
    for end in ends:
        dist.joinpath(f"desktop-rater-{__version__}{end}").write_bytes(end.encode())
    assert released("--key", key, "--dist", dist, phrase="incorrect horse battery").returncode == 2
    assert released("--key", key, "--dist", dist).returncode == 0
    monkeypatch.setattr(release, "resources", lambda: tmp_path)
    index = release.read_index((dist / release.INDEX_NAME).read_bytes(), release.release_keys())
    offered = {
        full: [
            file.name.removeprefix(f"desktop-rater-{__version__}-")
            for file in index.files_for("linux", "x86_64", full=full)
        ]
        for full in (False, True)
    }
    lite, full, wheel = "amd64.deb", "full-amd64.deb", "py3-none-any.whl"
    assert offered == {False: [lite, wheel, full], True: [full, lite, wheel]}
    (arm, *_others) = index.files_for("linux", release.ARCHITECTURES["arm64"], full=False)
    assert arm.name.endswith("-aarch64.deb"), "a name of the architecture is as good as another"
    assert [(file.system, file.architecture) for file in index.files[:2]] == [("windows", "x86_64"), ("macos", "arm64")]
    command = ["--store", str(tmp_path / "store"), "update", "check", "--from", str(dist)]
    assert main(command) == 0
    monkeypatch.setattr("desktop_rater.plugins.updates.commands.__version__", "0.0.1")
    assert main(command) == 1


def test_a_package_of_another_version_is_not_released(tmp_path):
    key, public = tmp_path / "key.pem", tmp_path / "keys.txt"
    released("--make-key", key, "--public", public)
    tmp_path.joinpath("desktop-rater-99.0_amd64.deb").write_bytes(b"old")
    refused = released("--key", key, "--dist", tmp_path)
    assert (refused.returncode, (tmp_path / release.INDEX_NAME).exists()) == (2, False)
    assert "desktop-rater-99.0_amd64.deb" in refused.stderr


def test_no_file_of_a_hub_or_a_release_has_the_name_of_a_device_of_windows():
    for name in ("con", "NUL.txt", "com1.deb"):
        assert not release.is_release_file_name(name)
        assert not is_hub_name(f"keys/{name}/{'0' * 64}.json")
    assert release.is_release_file_name("com10.deb")
    assert is_hub_name(f"keys/com10/{'0' * 64}.json")
