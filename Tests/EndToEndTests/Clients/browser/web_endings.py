"""Windows that don't end as they should: closed, blocked, or with nobody left to tell.

    web_endings.py CLIENT
"""

import sys

import support
from chromium import Chromium
from native_app import person
from web_app import WebApp, outcome, refused

client = sys.argv[1]

with Chromium(f"endings-{client}") as chromium, WebApp(chromium, client, host="localhost") as app:
    ada = app.visitor()
    ada.expect("answered 400: ")  # What is refused on purpose.
    page = app.open(ada)

    def begin():
        """A window that is at the provider, where nobody has chosen who they are."""
        with page.expect_popup() as opened:
            app.begin(page, "popup", "signIn", "google.com", {})
        popup = opened.value
        popup.wait_for_url(lambda url: url.startswith(support.SIMULATOR))
        return popup

    def choose(popup):
        popup.goto(f"{popup.url}&person={person()[0]}")

    def failure(popup):
        """What the window says to the person in the end."""
        popup.locator("#failure").wait_for(state="visible")
        assert popup.locator("#text").is_hidden()
        # The provider's answer isn't in the address any more.
        assert "?" not in popup.url, popup.url
        return popup.locator("#failure h1").inner_text()

    # Closed by the person.
    popup = begin()
    popup.close()
    refused("auth/popup-closed-by-user", outcome, page)

    # The page was loaded again, and doesn't wait for anything any more.
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

    # Nobody clicked, so no window opens.
    page = app.open(ada, "/?eager")
    refused("auth/popup-blocked", outcome, page)

    # A page that may not ask is told so in the window.
    with WebApp(chromium, client, host="127.0.0.1") as other:
        strange = other.site.url("/").replace("127.0.0.1", "evil.example.com")
        query = "apiKey=any-key&appName=a&authType=signInViaPopup&eventId=1&providerId=google.com"
        window = ada.open(f"{support.BASE}/__/auth/handler?{query}&redirectUrl={strange}")
        assert window.locator("h1").inner_text() == "Sign-in isn’t set up yet"
