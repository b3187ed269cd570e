"""A user cancels on the provider's page: on the first, or on the one that asks for consent.

    sheet_declined.py apple.com
"""

import sys

from chromium import Chromium
from native_app import NativeApp, person

provider = sys.argv[1]
name, _ = person()

with Chromium(f"declined-{provider}") as chromium:
    ada = chromium.profile()
    for steps in ([], [f"#person-{name}"]):
        with NativeApp() as app:
            chromium.allow(app.origin)
            page = ada.open(app.handler(provider))
            for step in steps:
                page.locator(step).click()
            page.locator("#cancel").click()
            assert app.error(page) == "auth/web-context-cancelled"
