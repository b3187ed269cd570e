"""A user declines to share the address on Facebook's page, and signs in without it."""

import accessibility
from chromium import Chromium
from native_app import NativeApp, person

name, email = person(givenName="Ada", familyName="Lovelace")

with Chromium("facebook-without-email") as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    ada = chromium.profile()
    page = ada.open(app.handler("facebook.com"))
    page.locator(f"#person-{name}").click()
    accessibility.check(page)
    page.locator("#allow-email").uncheck()
    ada.shot("consent", page)
    page.locator("#continue").click()
    account = app.redeem(app.wait(page), "facebook.com")
    assert "email" not in account or not account["email"], account
    assert account["displayName"] == "Ada Lovelace", account
