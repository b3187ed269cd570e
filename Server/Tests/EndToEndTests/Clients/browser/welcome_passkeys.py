"""Passkeys on the page at `/`, with Chromium's virtual authenticator: a user adds one, signs in with it, shows it as
the second factor, re-authenticates with it, and removes it. Another creates an account with one.

    welcome_passkeys.py en light 1200
"""

import sys

import requests
import support
from chromium import Chromium
from virtual_authenticator import Authenticator
from welcome import Welcome

language, scheme, width = sys.argv[1], sys.argv[2], int(sys.argv[3])
email = f"{support.unique('ada')}@example.com"
look = {"language": language, "scheme": scheme, "size": (width, 800)}


def administer(body):
    answer = requests.post(
        f"{support.BASE}/v1/projects/{support.PROJECT}/accounts:update", json=body,
        headers={"authorization": "Bearer owner"}, timeout=30)
    assert answer.status_code == 200, answer.text


with Chromium(f"passkeys-{language}-{scheme}-{width}") as chromium:
    # A browser uses the passkeys of `localhost` only there, and the page says so.
    elsewhere = Welcome(chromium, **look)
    place = elsewhere.page.locator("#passkey-link").get_attribute("href")
    assert place == support.BASE.replace("127.0.0.1", "localhost") + "/", place
    assert not elsewhere.page.locator("#passkey-sign-in").is_visible()
    elsewhere.shot("elsewhere")
    elsewhere.page.close()

    chromium.allow(place)
    welcome = Welcome(chromium, place.rstrip("/"), **look)
    page = welcome.page
    device = Authenticator(welcome.profile, page)

    def signed_in(name):
        welcome.wait("html[data-signed=in]")
        assert name in welcome.text("person-name"), welcome.text("person-name")

    def sign_out():
        welcome.click("sign-out")
        welcome.wait("html[data-signed=out]")

    page.locator("#email").fill(email)
    page.locator("#password").fill("long enough")
    welcome.click("sign-up-password")
    signed_in(email)
    welcome.click("passkey-add")
    welcome.wait("#remove-passkey-0")
    assert len(device.credentials()) == 1
    welcome.look("added")
    # The device has a passkey of the account already.
    welcome.click("passkey-add")
    welcome.wait("#problem:not([hidden])")
    assert welcome.text("problem-code") == "InvalidStateError"
    welcome.click("problem-close")

    sign_out()
    welcome.click("passkey-sign-in")
    signed_in(email)
    welcome.click("prove-passkey")
    welcome.wait("#calls-recent li:nth-child(2)")
    account = welcome.text("person-uid")

    # The account gets a second factor: the passkey stands for it, after the password.
    administer({
        "localId": account, "emailVerified": True,
        "mfa": {"enrollments": [
            {"mfaEnrollmentId": "phone", "phoneInfo": "+15555550100", "displayName": "Phone"}]}})
    sign_out()
    page.locator("#email").fill(email)
    page.locator("#password").fill("long enough")
    welcome.click("sign-in-password")
    welcome.wait("#second-factor[open]")
    welcome.shot("second-factor")
    welcome.click("factor-passkey")
    signed_in(email)
    page.locator("#step-token summary").first.click()
    assert "passkey" in welcome.text("claims")

    welcome.click("remove-passkey-0")
    page.wait_for_selector("#remove-passkey-0", state="detached")
    sign_out()
    welcome.profile.expect("answered 400")
    welcome.click("passkey-sign-in")
    welcome.wait("#problem:not([hidden])")
    assert welcome.text("problem-code") == "PASSKEY_CREDENTIAL_NOT_FOUND"
    welcome.look("removed")

    device.remove()
    device = Authenticator(welcome.profile, page)
    welcome.click("passkey-sign-up")
    welcome.wait("#remove-passkey-0")
    assert welcome.text("person-uid") != account
