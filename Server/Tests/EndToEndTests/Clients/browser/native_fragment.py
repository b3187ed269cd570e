"""An SDK appends an App Check token to the handler's URL as a fragment (`#fac=…`). Neither the provider's page
nor the app's address gets it."""

import support
from chromium import Chromium
from native_app import NativeApp, person

someone, email = person()

with Chromium("fragment") as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    ada = chromium.profile()
    shown = ada.open(app.handler("google.com") + "#fac=a-token")
    assert shown.url.startswith(f"{support.SIMULATOR}/google/"), shown.url
    assert shown.evaluate("location.hash") == "", shown.url

    # The provider redirects back at once.
    page = ada.open(app.handler("google.com", {"person": someone}) + "#fac=a-token")
    assert app.redeem(app.wait(page), "google.com")["email"] == email
    assert "a-token" not in page.url, page.url
