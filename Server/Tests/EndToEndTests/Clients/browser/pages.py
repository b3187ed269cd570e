"""The pages that users see when a sign-in can't continue, in a language, a colour scheme and a width:
checks their accessibility, and takes screenshots.

    pages.py vi dark 320
"""

import sys

import accessibility
import support
from chromium import Chromium
from native_app import NativeApp, person

language, scheme, width = sys.argv[1], sys.argv[2], int(sys.argv[3])
someone, _ = person()

with Chromium(f"{language}-{scheme}-{width}") as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    other = chromium.profile("other")
    _, others = app.leave_and_stop(
        other, "google.com", {"person": someone}, "*/__/auth/handler*state=*")
    reader = chromium.profile("reader", language=language, scheme=scheme, size=(width, 640))
    pages = {
        "setup": app.handler("google.com", redirectUrl="https://elsewhere.example.com/"),
        "link": app.handler("google.com", eventId=None),
        "other-browser": others,
        "waiting": f"{support.BASE}/__/auth/handler",
        "back-to-app": f"{support.BASE}/__/auth/callback?link=any",
    }
    titles = set()
    for name, url in pages.items():
        page = reader.open(url)
        assert page.evaluate("document.documentElement.lang") == language
        titles.add(page.title())
        accessibility.check(page)
        for details in page.locator("summary").all():
            details.click()
        accessibility.check(page)
        reader.shot(name, page)
    assert len(titles) == len(pages), titles
