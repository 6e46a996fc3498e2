"""What loads with the store: nothing large that only happens to be installed."""

import subprocess
import sys

LOADS = """
import sys
import desktop_rater.store.connection
print(sorted({"numpy", "pandas"} & set(sys.modules)))
import numpy, pandas
print(numpy.array([1]).sum(), len(pandas.Series([1])))
"""


def test_a_start_takes_no_longer_where_pandas_is_installed():
    """sqlite-utils looks for it; who wants it later still gets it."""
    found = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines() == ["[]", "1 1"]
