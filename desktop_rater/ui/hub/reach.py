"""How this window reaches a hub: who the user is there, by which certificates, and the key that signs."""

from __future__ import annotations

import os
import random
import secrets
import time
from typing import TYPE_CHECKING

from desktop_rater.hub.address import parse
from desktop_rater.hub.open_hub import open_hub
from desktop_rater.model.trouble import RaterError
from desktop_rater.work.between import SyncMeans
from desktop_rater.work.hub_secrets import HubSecrets
from desktop_rater.work.rater_key import rater_keys
from desktop_rater.work.reach_hub import hub_of, means_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.hub.interface import Hub
    from desktop_rater.hub.means import Means, SignIn
    from desktop_rater.settings import Settings
    from desktop_rater.work.rater_key import RaterKeys


class Reach:
    """It outlives a window that is built anew: a password that no keyring keeps is known here alone."""

    def __init__(
        self,
        folder: Path,
        now: Callable[[], datetime],
        *,
        passwords: HubSecrets | None = None,
        keys: RaterKeys | None = None,
        allow_loopback: bool = False,
    ) -> None:
        self._folder = folder
        self._now = now
        self._passwords = passwords or HubSecrets(None)
        self.keys = keys or rater_keys(folder, os.environ)
        self._allow_loopback = allow_loopback
        self.settings: Callable[[], Settings] | None = None  # of the window that is open

    def open(self, url: str, user: str) -> Hub:
        """The hub that is remembered, with the password that is kept."""
        certificates = self.settings().hub_certificates if self.settings is not None else ""
        return hub_of(url, user, self._passwords, self._means(certificates))

    def open_as(self, url: str, sign_in: SignIn, certificates: str) -> Hub:
        """A hub that is being tried, with what was typed; where no password was, with the one that is kept."""
        means = self._means(certificates)
        if sign_in.user and not sign_in.secret:
            return hub_of(url, sign_in.user, self._passwords, means)
        return open_hub(parse(url), means._replace(sign_in=sign_in))

    def keep(self, url: str, sign_in: SignIn) -> tuple[str, str]:
        """What keeps the password from now on; where nothing safe does, nothing and why: this session knows it."""
        try:
            return self._passwords.keep(url, sign_in.user, sign_in.secret.revealed()), ""
        except RaterError as error:
            self._passwords.for_session(url, sign_in)
            return "", str(error)

    def sync_means(self, rater: str) -> SyncMeans:
        """Clock, chance, and the rater's key, made where there is none yet and a keyring keeps it."""
        return SyncMeans(self._now, random.random, self.keys.for_use(rater).key)

    def _means(self, certificates: str) -> Means:
        return means_for(
            self._folder,
            clock=time.monotonic,
            now=self._now,
            token=lambda: secrets.token_hex(8),
            certificates=certificates,
            allow_loopback=self._allow_loopback,
        )
