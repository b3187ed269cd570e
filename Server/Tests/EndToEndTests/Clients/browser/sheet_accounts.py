"""A user with two accounts at a provider chooses one, and the next time the other.

    sheet_accounts.py google.com
"""

import sys

import accessibility
from chromium import Chromium
from native_app import NativeApp, person

provider = sys.argv[1]
people = [person(givenName="Ada", familyName="Lovelace"), person(givenName="Ada", familyName="King")]

with Chromium(f"accounts-{provider}") as chromium:
    ada = chromium.profile()
    accounts = []
    for name, email in people:
        with NativeApp() as app:
            chromium.allow(app.origin)
            page = ada.open(app.handler(provider))
            accessibility.check(page)
            page.locator(f"#person-{name}").click()
            assert email in page.locator("#who").inner_text()
            accessibility.check(page)
            ada.shot(f"consent-{len(accounts) + 1}", page)
            page.locator("#continue").click()
            account = app.redeem(app.wait(page), provider)
            assert account["email"] == email and account["isNewUser"] is True, account
            accounts.append(account["localId"])
    assert accounts[0] != accounts[1]

    # The first again. Its consent is known, so choosing it is enough, except at Facebook.
    with NativeApp() as app:
        chromium.allow(app.origin)
        page = ada.open(app.handler(provider))
        ada.shot("again", page)
        page.locator(f"#person-{people[0][0]}").click()
        if provider == "facebook.com":
            page.locator("#continue").click()
        assert app.redeem(app.wait(page), provider)["localId"] == accounts[0]
