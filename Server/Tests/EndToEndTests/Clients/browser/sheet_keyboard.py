"""The provider's pages by keyboard alone, without scripts, in another language, dark and narrow.

    sheet_keyboard.py vi
"""

import sys

import accessibility
from chromium import Chromium
from native_app import NativeApp, person

language = sys.argv[1]
name, email = person(givenName="Zoë", familyName="Nguyễn")

with Chromium(f"keyboard-{language}") as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    zoe = chromium.profile(language=language, scheme="dark", size=(320, 640), scripts=False)
    page = zoe.open(app.handler("google.com"))
    for step, target in (("choose", f"person-{name}"), ("consent", "continue")):
        assert page.locator("body").get_attribute("data-step") == step
        assert page.evaluate("document.documentElement.lang") == language
        accessibility.check(page)
        zoe.shot(step, page)
        page.evaluate(accessibility.FROM_THE_START)
        while page.evaluate("document.activeElement.id") != target:
            page.keyboard.press("Tab")
        with page.expect_navigation():
            page.keyboard.press("Enter")
    assert app.redeem(app.wait(page), "google.com")["email"] == email
