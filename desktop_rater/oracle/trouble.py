"""What can go wrong with a language model, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.model.trouble import RaterError

if TYPE_CHECKING:
    from desktop_rater.http.trouble import HttpKind, HttpTrouble

KEPT = "What was answered is kept: the same command goes on from there."


class OracleError(RaterError):
    """The oracle can't be asked, or does not answer as it should."""


_TITLES: dict[HttpKind, str] = {
    "unreachable": "{host} can't be reached.",
    "certificate": "{host} can't show that it is what it says.",
    "timeout": "{host} did not answer in time.",
    "protocol": "{host} sent something that is not HTTP.",
    "too_large": "{host} sent too much.",
}


def of_http(error: HttpTrouble, host: str) -> OracleError:
    """An exchange that did not come to its end."""
    reason = str(error).rstrip(".")
    return OracleError(_TITLES[error.kind].format(host=host), f"{reason[:1].upper()}{reason[1:]}.", KEPT)
