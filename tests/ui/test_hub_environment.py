"""A window knows the passwords that were typed into it: one in the environment is for some hub, nobody knows which."""

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import SignIn
from desktop_rater.operations.hub.connect import HUB_PASSWORD_VARIABLE, HUB_USER_VARIABLE
from desktop_rater.ui.hub.exchange import HubAccess
from tests.hub.scripted import Scripted, say
from tests.operations.bundles import noon


@pytest.mark.parametrize("user", ["ana", ""])
def test_a_window_sends_no_hub_a_password_that_a_script_left_in_the_environment(tmp_path, monkeypatch, user):
    """It was set for another hub, for a run by script in the same shell."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.setenv(HUB_USER_VARIABLE, "robot")
    monkeypatch.setenv(HUB_PASSWORD_VARIABLE, "canary")
    reach = HubAccess(tmp_path / "store", noon, allow_loopback=True)
    with Scripted(lambda _asked: say(401)) as server:
        url = f"webdav://127.0.0.1:{server.port}/kelp"
        for hub in (reach.open(url, user), reach.open_for_trial(url, SignIn(user), "")):
            with pytest.raises(HubError):
                hub.exists("hub.json", Progress())
            hub.close()
    said = [one.headers.get("authorization", "") for one in server.asked]
    assert said == ["Basic YW5hOg==" if user else ""] * 2  # ana, and no password
