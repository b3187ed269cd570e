"""A user signs in at a provider and returns to the app.

    native_sign_in.py apple.com
"""

import sys

import support
from chromium import Chromium, origin
from native_app import NativeApp, person

provider = sys.argv[1]
someone, email = person(givenName="Zoë", familyName="Nguyễn")

with Chromium(f"sign-in-{provider}") as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    zoe = chromium.profile()
    page = zoe.open(app.handler(provider, {"person": someone}))
    answer = app.wait(page)
    zoe.shot("back")
    account = app.redeem(answer, provider)
    assert account["providerId"] == provider, account
    assert account["email"] == email, account
    assert account["isNewUser"] is True, account
    assert "Zoë" in account["displayName"], account

    # No request to another server has the server's URL as its referrer.
    for request in zoe.requests:
        referrer = request.all_headers().get("referer", "")
        assert origin(referrer) != support.BASE or request.url.startswith(support.BASE), referrer
    # The sign-in's cookie is deleted at its end.
    assert not [name for name in zoe.cookies() if "gatehouse" in name], zoe.cookies()
