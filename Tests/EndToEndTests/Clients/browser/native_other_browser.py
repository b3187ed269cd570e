"""Somebody begins a sign-in, keeps the provider's answer from their own browser, and has somebody else
open it: login CSRF (RFC 6749 §10.12). That browser shows a page and no app hears of it; where it
began, it still works.

    native_other_browser.py google.com
"""

import sys

import accessibility
from chromium import Chromium
from native_app import NativeApp, person

provider = sys.argv[1]
# What comes with the cookie: Apple's form only in the second step.
arrival = "*/__/auth/handler*posted=*" if provider == "apple.com" else "*/__/auth/handler*state=*"
someone, email = person()

with Chromium(f"other-browser-{provider}") as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    mallory, victim = chromium.profile("mallory"), chromium.profile("victim")
    page, url = app.leave_and_stop(mallory, provider, {"person": someone}, arrival)

    shown = victim.open(url)
    victim.shot("page", shown)
    heading = shown.get_by_role("heading", level=1)
    assert heading.inner_text() == "This sign-in belongs to another browser", heading.inner_text()
    accessibility.check(shown)
    assert app.answers == 0 and victim.cookies() == {}

    mallory.open(url, page)
    account = app.redeem(app.wait(page), provider)
    assert account["email"] == email, account
