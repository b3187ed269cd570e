"""A user cancels at the provider, and the app receives `auth/web-context-cancelled`.

    native_cancelled.py google.com
"""

import sys

from chromium import Chromium
from native_app import NativeApp

provider = sys.argv[1]

with Chromium(f"cancelled-{provider}") as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    ada = chromium.profile()
    page = ada.open(app.handler(provider, {"decision": "cancel"}))
    assert app.error(page) == "auth/web-context-cancelled"
