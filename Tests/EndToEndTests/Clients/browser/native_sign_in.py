"""Somebody signs in at a provider, in a browser, to an app on the desktop.

    native_sign_in.py apple.com
"""

import sys

from chromium import Chromium
from native_app import NativeApp, person

provider = sys.argv[1]
someone, email = person(givenName="Zoë", familyName="Nguyễn")

with Chromium(f"native-{provider}") as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    ada = chromium.profile()
    page = ada.open(app.handler(provider, {"person": someone}))
    answer = app.wait(page)
    ada.shot("back")
    account = app.redeem(answer, provider)
    assert account["providerId"] == provider, account
    assert account["email"] == email, account
    assert account["isNewUser"] is True, account
    assert "Zoë" in account["displayName"], account
