"""A new user goes through Apple's sheet: creates a simulated person, changes the name, and hides or shares
the address. The second time Apple asks for neither.

    sheet_apple.py hide
    sheet_apple.py share
"""

import sys

import accessibility
import support
from chromium import Chromium
from native_app import NativeApp

choice = sys.argv[1]
email = f"{support.unique('zoe')}@example.com"

with Chromium(f"apple-{choice}") as chromium, NativeApp() as app, NativeApp() as again:
    chromium.allow(app.origin, again.origin)
    zoe = chromium.profile()
    page = zoe.open(app.handler("apple.com"))

    def look(step):
        assert page.locator("body").get_attribute("data-step") == step, page.url
        accessibility.check(page)
        zoe.shot(step, page)

    look("choose")
    page.locator("#another").click()
    page.locator("#email").fill(email)
    page.locator("#first-name").fill("Zoë")
    page.locator("#last-name").fill("Nguyễn")
    look("person")
    page.locator("#continue").click()

    look("consent")
    assert page.locator("#first-name").input_value() == "Zoë"
    page.locator("#first-name").fill("Zoé")
    page.locator(f"#{choice}-email").check()
    zoe.shot("consent-filled", page)
    page.locator("#continue").click()
    account = app.redeem(app.wait(page), "apple.com")
    assert account["displayName"] == "Zoé Nguyễn", account
    assert account["emailVerified"] is True, account
    if choice == "share":
        assert account["email"] == email, account
    else:
        assert account["email"].endswith("@privaterelay.appleid.com"), account

    page = zoe.open(again.handler("apple.com"))
    page.get_by_role("button", name=email).click()
    look("consent")
    assert page.locator("#first-name").count() == 0
    page.locator("#continue").click()
    same = again.redeem(again.wait(page), "apple.com")
    assert same["localId"] == account["localId"] and same["email"] == account["email"], same
    # Apple sends the name only once; the account keeps it.
    [kept] = support.client_call("accounts:lookup", {"idToken": same["idToken"]})["users"]
    assert kept["displayName"] == "Zoé Nguyễn", kept
