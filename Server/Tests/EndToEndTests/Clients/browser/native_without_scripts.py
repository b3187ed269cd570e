"""A browser that runs no scripts signs in wherever the protocol needs none.

    native_without_scripts.py google.com
"""

import sys

from chromium import Chromium
from native_app import NativeApp, person

provider = sys.argv[1]
someone, email = person()

with Chromium(f"without-scripts-{provider}") as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    ada = chromium.profile(scripts=False)
    page = ada.open(app.handler(provider, {"person": someone}))
    if provider == "apple.com":
        # Without scripts the provider's form isn't submitted by itself.
        page.get_by_role("button", name="Continue").click()
    account = app.redeem(app.wait(page), provider)
    assert account["email"] == email, account
