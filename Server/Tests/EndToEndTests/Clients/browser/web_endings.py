"""Popups that are closed or blocked, or whose opening page is gone.

    web_endings.py CLIENT
"""

import sys

import support
from chromium import Chromium
from native_app import person
from web_app import WebApp, outcome, refused

client = sys.argv[1]

with Chromium(f"endings-{client}", opens_popups=True) as chromium, \
        WebApp(chromium, client, host="localhost") as app:
    ada = app.visitor()
    ada.expect("answered 400: ")  # Some requests are meant to be refused.
    page = app.open(ada)

    def begin():
        """Opens a popup that shows the provider's list of accounts."""
        with page.expect_popup() as opened:
            app.begin(page, "popup", "signIn", "google.com", {})
        popup = opened.value
        popup.wait_for_url(lambda url: url.startswith(support.SIMULATOR))
        return popup

    def choose(popup):
        # The handler's redirect ends with an empty fragment.
        popup.goto(f"{popup.url.removesuffix('#')}&person={person()[0]}")

    def failure(popup):
        """The heading that the popup shows at the end."""
        popup.locator("#failure").wait_for(state="visible")
        assert popup.locator("#text").is_hidden()
        # The URL doesn't contain the provider's response any more.
        assert "?" not in popup.url, popup.url
        return popup.locator("#failure h1").inner_text()

    # The user closes the popup.
    popup = begin()
    popup.close()
    refused("auth/popup-closed-by-user", outcome, page)

    # The page was reloaded, and doesn't wait for a sign-in any more.
    popup = begin()
    page.reload()
    outcome(page)
    choose(popup)
    assert failure(popup) == "Go back to the app"
    ada.shot("nobody-waits", popup)
    popup.close()

    # The page went elsewhere.
    popup = begin()
    page.goto("about:blank")
    choose(popup)
    assert failure(popup) == "Go back to the app"
    popup.close()

    # The page is closed.
    app.open(ada, page=page)
    popup = begin()
    page.close()
    choose(popup)
    assert failure(popup) == "Go back to the app"
    popup.close()

    # Without a click the browser opens no popup.
    page = app.open(ada, "/?eager")
    refused("auth/popup-blocked", outcome, page)

    # For a page of an unauthorized domain the popup shows an error.
    with WebApp(chromium, client, host="127.0.0.1") as other:
        strange = other.site.url("/").replace("127.0.0.1", "evil.example.com")
        query = "apiKey=any-key&appName=a&authType=signInViaPopup&eventId=1&providerId=google.com"
        window = ada.open(f"{support.BASE}/__/auth/handler?{query}&redirectUrl={strange}")
        assert window.locator("h1").inner_text() == "Sign-in isn’t set up yet"
