"""Spark in processes of its own, where PySpark and Java are there: `make test-scale` sets them up."""

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from desktop_rater.plugins.dataset.engines import spark_session


@pytest.fixture(scope="session")
def spark():
    """A session with two workers, each a process with one core."""
    if importlib.util.find_spec("pyspark") is None:
        pytest.skip("PySpark is not installed; `make test-scale` has it")
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=str(Path(home, "bin")) if home else None) is None:
        pytest.skip("Spark needs Java 17, found by JAVA_HOME or on PATH")
    session = spark_session("local-cluster[2,1,1024]")
    yield session
    session.stop()
