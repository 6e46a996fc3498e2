"""Who the user is to a hub: in the keyring, for this session only, or from the environment. Never in the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.hub.means import SignIn
from desktop_rater.model.secret import Secret
from desktop_rater.work.keep_secrets import PATIENCE, NoKeyring, Secrets, Sort, installed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

USER = "DESKTOP_RATER_HUB_USER"
PASSWORD = "DESKTOP_RATER_HUB_PASSWORD"  # noqa: S105 - the name of the variable
HUB_PASSWORD = Sort("password", "desktop-rater hub", PASSWORD, word=False)


class HubSecrets:
    """The password, token or secret key of each hub and user by itself.

    What no safe keyring takes is known as long as this object lives, and nowhere else. A password in `environment` is
    for the one hub of a run; a window, which may know several and stays open, has none.
    """

    def __init__(
        self,
        environment: Mapping[str, str] | None,
        keyrings: Callable[[], list[Any]] = installed,
        patience: float = PATIENCE,
    ) -> None:
        sort = HUB_PASSWORD if environment is not None else HUB_PASSWORD._replace(variable="")
        self._environment = environment or {}
        self._kept = Secrets(self._environment, keyrings, patience, sort)
        self._session: dict[str, Secret] = {}

    def sign_in(self, url: str, user: str) -> SignIn:
        """Who `user` is to the hub at `url`. What was typed goes first, then the environment. Raises `RaterError`."""
        typed = self._session.get(_account(url, user))
        if typed is not None:
            return SignIn(user, typed)
        user = self._environment.get(USER, "").strip() or user
        return SignIn(user, self._kept.of(_account(url, user)))

    def keep(self, url: str, user: str, password: str) -> str:
        """What keeps it from now on; empty where no keyring is safe: then this session only.

        Raises `RaterError` for a password that can't be one, and where a keyring fails: nothing was kept then.
        """
        account = _account(url, user)
        try:
            where = self._kept.keep(account, password)
        except NoKeyring:
            where = ""
        self._session[account] = Secret(password)
        return where

    def for_session(self, url: str, sign_in: SignIn) -> None:
        """Know a password as long as this object lives, and keep it nowhere."""
        self._session[_account(url, sign_in.user)] = sign_in.secret

    def forget(self, url: str, user: str) -> bool:
        """Whether there was anything to forget. Raises `RaterError`."""
        account = _account(url, user)
        known = self._session.pop(account, None) is not None
        return self._kept.forget(account) or known


def _account(url: str, user: str) -> str:
    return f"{user} {url}"
