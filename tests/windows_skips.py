"""Tests that need POSIX are skipped on Windows, each with its reason, by what their source names."""

from __future__ import annotations

import inspect
import re

import pytest

NEEDS = {
    r"SIGKILL|SIGINT|SIGTERM|SIGSTOP|setitimer|os\.kill\(": "Windows has no signals to send to a process",
    r"mkfifo|/dev/|os\.pipe\(": "Windows has no named pipes and devices among its files",
    r"chmod\(|st_mode|0o[0-7]{3}|umask|geteuid|getuid": "Windows has access control lists, not modes",
    r"\bresource\b|RLIMIT|setrlimit": "Windows has no resource limits",
    r"symlink_to|os\.symlink": "links need a special right on Windows",
    r"mounted\(|\"mount\"": "Windows mounts no file systems for a test",
    r"os\.fork|pty\.|tzset|os\.uname|strace|/proc/": "POSIX only",
}


def skip_posix_tests(items: list[pytest.Item]) -> None:
    """Mark the tests to skip."""
    for item in items:
        function = getattr(item, "function", None)
        source = inspect.getsource(function) if function is not None else ""
        for pattern, reason in NEEDS.items():
            if re.search(pattern, source):
                item.add_marker(pytest.mark.skip(reason=reason))
                break
