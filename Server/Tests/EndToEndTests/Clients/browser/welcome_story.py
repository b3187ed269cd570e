"""A new user on the page at `/`: signs in with Apple, sees the account, links Google, re-authenticates
with it, gets a fresh token, and deletes the account, with Apple's tokens revoked.

    welcome_story.py en light 1200
"""

import sys

from chromium import Chromium
from native_app import person
from welcome import Welcome

language, scheme, width = sys.argv[1], sys.argv[2], int(sys.argv[3])
name, email = person(givenName="Zoë", familyName="Nguyễn")

with Chromium(f"story-{language}-{scheme}-{width}") as chromium:
    welcome = Welcome(chromium, language=language, scheme=scheme, size=(width, 800))
    page = welcome.page
    assert page.evaluate("document.documentElement.lang") == language
    welcome.look("1-before")

    welcome.click("sign-in-apple-com")
    welcome.at_provider(name)
    welcome.wait("html[data-signed=in]")
    assert welcome.text("person-name") == "Zoë Nguyễn"
    assert email in welcome.text("person-email")
    account = welcome.text("person-uid")
    assert "?" not in page.url and "#" not in page.url, page.url
    welcome.look("2-signed-in")

    welcome.click("link-google-com")
    welcome.at_provider(name)
    welcome.wait("#unlink-google-com")
    assert welcome.text("person-uid") == account
    welcome.look("3-linked")

    welcome.click("prove-google-com")
    welcome.at_provider(name)
    welcome.wait("html[data-signed=in]")
    assert welcome.text("person-uid") == account
    welcome.click("refresh-token")
    page.wait_for_function("document.getElementById('status').textContent !== ''")
    page.locator("#step-token summary").first.click()
    welcome.look("4-proved")

    page.reload()
    welcome.ready()
    assert welcome.text("person-uid") == account

    # The page shows that the server refuses the old token, so this response isn't a fault.
    welcome.profile.expect("answered 400")
    welcome.click("delete-account")
    welcome.shot("5-asked")
    welcome.click("confirm-delete")
    welcome.at_provider(name)
    welcome.wait("#deletion-here[data-state=done]")
    for step in ("proof", "revoke", "delete", "gone", "here"):
        assert page.locator(f"#deletion-{step}").get_attribute("data-state") == "done", step
    assert page.locator("html").get_attribute("data-signed") == "out"
    welcome.look("6-deleted")
