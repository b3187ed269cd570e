"""Login CSRF (RFC 6749 §10.12): an attacker begins a sign-in, intercepts the provider's response, and has
a victim open it. The victim's browser shows a page, and no app receives a response. In the attacker's own
browser the response still works.

    native_other_browser.py google.com
"""

import sys

import accessibility
from chromium import Chromium
from native_app import NativeApp, person

provider = sys.argv[1]
# The first request that carries the cookie: for Apple it is the redirect after the form POST.
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
