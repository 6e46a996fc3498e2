"""A lead turns results into a dataset: what is judged, what counts, what is refused, and what a stopped build leaves."""

from __future__ import annotations

import json
import shutil

import msgspec
import pytest

from desktop_rater.audit.digest import Digest
from desktop_rater.bundle.signing import new_key
from desktop_rater.dataset import build as building
from desktop_rater.dataset.build import BuildOptions, build_dataset
from desktop_rater.dataset.engines import in_processes
from desktop_rater.dataset.parts import check_dataset, read_dataset_manifest, read_rows
from desktop_rater.dataset.schema import BUCKETS, BY_NAME, TABLES
from desktop_rater.model.change import Cancelled, Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.model.values import to_plain_time
from tests.audit.results import GOOD, OPINION, WRONG
from tests.work.bundles import NOON
