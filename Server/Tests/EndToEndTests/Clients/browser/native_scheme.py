"""An app with its own URL scheme, as on a phone: the server redirects the browser to it with the response.

    native_scheme.py apple.com
"""

import sys

from chromium import Chromium
from native_app import NativeApp, person

provider = sys.argv[1]
someone, email = person()

with Chromium(f"scheme-{provider}") as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    ada = chromium.profile()
    with ada.context.expect_event(
            "request", lambda request: request.url.startswith("com.example.app:")) as left:
        app.leave(
            ada, provider, {"person": someone}, redirectUrl=None, ibi="com.example.app")
    url = left.value.url
    assert url.startswith("com.example.app://firebaseauth/link?deep_link_id="), url
    assert app.redeem(app.answer(url), provider)["email"] == email
    assert app.answers == 0
