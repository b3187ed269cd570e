"""A newcomer creates an account with an email address on the page at `/`, verifies the address with the
email in the mailbox, and resets the password with another.

    welcome_email.py en light 1200
"""

import sys
import time

import requests
import support
from chromium import Chromium
from welcome import Welcome

language, scheme, width = sys.argv[1], sys.argv[2], int(sys.argv[3])
email = f"{support.unique('ada')}@example.com"


def wait_for_mail(kind):
    """Waits for an email, which is sent in the background while the mailbox page doesn't reload itself."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = requests.get(
            f"{support.BASE}/emulator/v1/projects/{support.PROJECT}/mailbox", timeout=30).json()
        for message in found["messages"]:
            if message["to"] == email and message["kind"] == kind:
                assert message["language"] == language, message
                return message
        time.sleep(0.1)
    raise AssertionError(f"No {kind} for {email}")


with Chromium(f"email-{language}-{scheme}-{width}") as chromium:
    welcome = Welcome(chromium, language=language, scheme=scheme, size=(width, 800))
    page = welcome.page

    def follow_email(kind):
        """Goes from the page to the mailbox, and follows the email's link."""
        link = wait_for_mail(kind)["link"]
        welcome.click("mailbox")
        page.wait_for_url(f"{support.BASE}/mailbox")
        opening = page.locator("a.go").all()
        [own] = [one for one in opening if one.get_attribute("href") == link]
        welcome.shot(f"mailbox-{kind}")
        own.click()
        page.wait_for_url(f"{support.BASE}/__/auth/action?**")

    def go_on():
        page.locator("a.go").click()
        welcome.ready()

    page.locator("#email").fill(email)
    page.locator("#password").fill("short")
    welcome.profile.expect("answered 400")
    welcome.click("sign-up-password")
    welcome.wait("#problem:not([hidden])")
    assert welcome.text("problem-code") == "WEAK_PASSWORD"
    welcome.look("refused")
    page.locator("#password").fill("long enough")
    welcome.click("sign-up-password")
    welcome.wait("html[data-signed=in]")
    assert email in welcome.text("person-email")
    account = welcome.text("person-uid")
    welcome.wait(".badge.unverified")
    assert not page.locator("#email").is_visible()

    welcome.click("verify-email")
    welcome.wait("#mail-waits:not([hidden])")
    welcome.look("waits")
    follow_email("verifyEmail")
    page.locator("form button.go").click()
    go_on()
    assert welcome.text("person-uid") == account
    welcome.wait(".badge.verified")
    assert not page.locator("#verify-email").is_visible()

    welcome.click("reset-own-password")
    welcome.wait("#mail-waits:not([hidden])")
    follow_email("resetPassword")
    page.locator("input[name=newPassword]").fill("another secret")
    page.locator("form button.go").click()
    go_on()
    # The reset ended the session.
    welcome.wait("html[data-signed=out]")
    page.locator("#email").fill(email)
    page.locator("#password").fill("another secret")
    page.locator("#password").press("Enter")
    welcome.wait("html[data-signed=in]")
    assert welcome.text("person-uid") == account
    welcome.look("signed-in")
