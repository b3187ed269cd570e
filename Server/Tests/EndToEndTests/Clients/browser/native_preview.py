"""A program that previews links (a HEAD, or a GET without cookies) doesn't use a sign-in up."""

import requests

from chromium import Chromium
from native_app import NativeApp, person

someone, email = person()

with Chromium("preview") as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    ada = chromium.profile()
    page, arrival = app.leave_and_stop(
        ada, "google.com", {"person": someone}, "*/__/auth/handler*state=*")

    looked = ada.context.request.head(arrival, max_redirects=0)
    assert looked.status == 200 and looked.body() == b"", looked.status
    assert "set-cookie" not in looked.headers, looked.headers
    assert requests.get(arrival, allow_redirects=False, timeout=30).status_code == 400

    ada.open(arrival, page)
    assert app.redeem(app.wait(page), "google.com")["email"] == email
