"""The locks: exact versions and hashes of all that set-up installs, uv itself included."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
RUN, DEV, UV = ROOT / "requirements.lock", ROOT / "requirements-dev.lock", ROOT / "packaging" / "uv.lock"
SCALE = ROOT / "requirements-scale.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
DEPENDENCIES = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
OPTIONAL = [Requirement(line) for lines in PROJECT["project"]["optional-dependencies"].values() for line in lines]


def entries(lock):
    """Return the hashes of each package of a lock, by its line without them."""
    text = re.sub(r"(?m)^ *#.*\n", "", lock.read_text("utf-8")).replace("\\\n", " ")
    packages = {}
    for line in text.splitlines():
        package, *hashes = line.split("--hash=")
        packages[package.strip()] = frozenset(digest.strip() for digest in hashes)
    return packages


def versions(lock, name, environment=None):
    locked = [Requirement(line) for line in entries(lock)]
    return [
        Version(next(iter(package.specifier)).version)
        for package in locked
        if package.name == canonicalize_name(name)
        and (environment is None or package.marker is None or package.marker.evaluate(environment))
    ]


@pytest.mark.parametrize("lock", [RUN, DEV, SCALE, UV], ids=lambda lock: lock.name)
def test_each_package_of_a_lock_has_one_version_and_its_hashes(lock):
    for package, hashes in entries(lock).items():
        assert [part.operator for part in Requirement(package).specifier] == ["=="], package
        assert hashes, package
        assert all(re.fullmatch("sha256:[0-9a-f]{64}", digest) for digest in hashes), package
    assert "://" not in lock.read_text("utf-8"), "whose index it is, is for each office to say"


def test_who_only_runs_the_program_gets_no_tools_and_servers_of_the_tests():
    run, dev = entries(RUN), entries(DEV)
    # The tools of the tests may need a package on more systems.
    less, more = ({line.partition(" ;")[0]: hashes for line, hashes in lock.items()} for lock in (run, dev))
    assert less.items() <= more.items()
    names = {Requirement(line).name for line in run}
    groups = PROJECT["dependency-groups"]
    needed = {canonicalize_name(Requirement(line).name) for line in PROJECT["project"]["dependencies"]}
    needed |= {canonicalize_name(Requirement(line).name) for line in groups["build"]}
    tools = {canonicalize_name(Requirement(line).name) for line in groups["dev"] if isinstance(line, str)}
    assert needed <= names
    assert not names & (tools | {"boto3", "flask", "pandas", "werkzeug"})
    assert len(run) < len(dev) / 2
    assert dev.items() <= entries(SCALE).items(), "Spark's tests have the same versions"


def test_run_and_test_set_up_from_the_lock_of_each():
    make = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(r"(?m)^run: \.venv/ready$", make)
    assert re.search(r"(?m)^test: lint$", make)
    assert re.search(r"(?m)^lint: \.venv/ready-dev$", make)
    assert re.search(r"(?m)^\.venv/ready: requirements\.lock .*\n\t@packaging/setup\.sh run$", make)
    assert re.search(r"(?m)^\.venv/ready-dev: requirements-dev\.lock .*\n\t@packaging/setup\.sh dev$", make)


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
def test_who_installs_the_wheel_alone_gets_no_release_beyond_those_that_were_tested(python):
    environment = {"python_version": python, "python_full_version": f"{python}.9", "extra": ""}
    for wanted in DEPENDENCIES + OPTIONAL:
        if wanted.marker is not None and not wanted.marker.evaluate(environment):
            continue
        lock = SCALE if wanted in OPTIONAL else RUN
        (version,) = versions(lock, wanted.name, environment)
        assert wanted.specifier.contains(version), f"{wanted} is locked in version {version}"
        (highest,) = [Version(part.version) for part in wanted.specifier if part.operator == "<"]
        next_release = version.release[:1] if version.major else version.release[:2]
        assert highest.release <= (*next_release[:-1], next_release[-1] + 1), f"{wanted}: {version} was tested"


@pytest.fixture
def checkout(tmp_path):
    """Return a function that makes a checkout of the set-up scripts with a false uv as the only one to be had."""
    if os.name == "nt":
        pytest.skip("set-up is a shell script")
    if subprocess.run([sys.executable, "-m", "pip", "--version"], check=False, capture_output=True).returncode:
        pytest.skip("this Python has no pip")
    (version,) = versions(UV, "uv")
    packaging = tmp_path / "checkout" / "packaging"
    packaging.mkdir(parents=True)
    for name in ("find-uv.sh", "uv.lock"):
        shutil.copy(ROOT / "packaging" / name, packaging)
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    wheel = wheels / f"uv-{version}-py3-none-any.whl"
    info = f"uv-{version}.dist-info"
    with zipfile.ZipFile(wheel, "w") as file:
        script = zipfile.ZipInfo(f"uv-{version}.data/scripts/uv")
        script.external_attr = 0o100755 << 16
        file.writestr(script, "#!/bin/sh\necho uv of a stranger\n")
        file.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: uv\nVersion: {version}\n")
        file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{info}/RECORD", "")

    def find_uv():
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(tmp_path),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(wheels),
        }
        command = ["sh", str(packaging / "find-uv.sh"), sys.executable]
        return subprocess.run(command, check=False, capture_output=True, text=True, env=environment)

    if shutil.which("uv", path="/usr/bin:/bin"):
        pytest.skip("this machine has a uv of its own")
    return packaging, wheel, find_uv


def test_a_uv_with_another_hash_is_not_installed(checkout):
    packaging, wheel, find_uv = checkout
    refused = find_uv()
    assert refused.returncode
    assert "DO NOT MATCH THE HASHES" in refused.stderr
    assert not (packaging.parent / "build" / "uv").exists()
    lock = packaging / "uv.lock"
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    lock.write_text(f"uv=={versions(UV, 'uv')[0]} --hash=sha256:{digest}\n", "utf-8")
    accepted = find_uv()
    assert accepted.returncode == 0, accepted.stderr
    assert Path(accepted.stdout.strip()).samefile(packaging.parent / "build" / "uv" / "bin" / "uv")


def test_uv_is_got_again_when_another_version_is_pinned(checkout):
    packaging, wheel, find_uv = checkout
    lock = packaging / "uv.lock"
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    line = f"uv=={versions(UV, 'uv')[0]} --hash=sha256:{digest}\n"
    lock.write_text(line, "utf-8")
    assert find_uv().returncode == 0
    assert find_uv().stderr == ""  # nothing is got twice
    lock.write_text(line.replace(digest, "0" * 64), "utf-8")
    assert find_uv().returncode
