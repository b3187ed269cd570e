"""A user signs in at an OpenID provider of another project, on its own login page.

    real_provider.py oidc.canaille query '{"issuer": …, "user": …, "password": …}' ada@example.com

The second argument is the response mode. The third is the line that the provider's program printed.
"""

import json
import re
import sys
import urllib.parse

import support
from chromium import Chromium
from native_app import NativeApp

provider, mode, place, email = sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), sys.argv[4]
handler = f"{support.BASE}/__/auth/handler/{support.PROJECT}/{provider}"
# The consent page's buttons. idpyoidc asks for no consent.
CONSENT = {"oidc.canaille": ("Accept", "Deny"), "oidc.django": ("Authorize", "Cancel")}


def log_in(page):
    """Fills in the login form, whose labels and number of pages differ between providers."""
    name = page.get_by_label(re.compile("username|login", re.IGNORECASE)).first
    name.fill(place["user"])
    password = page.get_by_label(re.compile("password", re.IGNORECASE)).first
    if not password.is_visible():
        name.press("Enter")
    password.fill(place["password"])
    ada.shot("login", page)
    password.press("Enter")


with Chromium(f"{provider}-{mode}", [place["issuer"]]) as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    ada = chromium.profile()
    # Canaille's package lacks its fonts, which a browser asks for if a page is shown long enough.
    ada.expect(f"answered 404: {place['issuer'].rstrip('/')}/static/")
    if provider in CONSENT:
        with NativeApp() as cancelled:
            chromium.allow(cancelled.origin)
            page = ada.open(cancelled.handler(provider))
            log_in(page)
            page.get_by_role("button", name=CONSENT[provider][1]).click()
            assert cancelled.error(page) == "auth/web-context-cancelled", page.url
        page = ada.open(app.handler(provider))
        page.get_by_role("button", name=CONSENT[provider][0]).click()
    else:
        page = ada.open(app.handler(provider))
        log_in(page)
    account = app.redeem(app.wait(page), provider)
    assert account["providerId"] == provider and account["email"] == email, account
    assert account["displayName"] == "Ada Lovelace" and account["isNewUser"] is True, account
    # The provider isn't configured as trusted for addresses.
    assert not account["emailVerified"], account

    asked = next(
        dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.url).query))
        for request in ada.requests if "code_challenge=" in request.url)
    assert asked["code_challenge_method"] == "S256" and len(asked["code_challenge"]) == 43, asked
    assert asked["response_type"] == "code" and asked["redirect_uri"] == handler, asked
    assert asked["nonce"] and asked["state"].startswith("ghs_"), asked
    assert asked.get("response_mode", "query") == mode, asked
    if mode == "form_post":
        assert len(ada.sent("POST", handler)) == 1
        [second] = ada.sent("GET", f"{handler}?posted=")
        assert "gatehouse-signin-" in second.all_headers().get("cookie", "")
    else:
        assert not ada.sent("POST", handler)

    if provider == "oidc.canaille":
        # A user who is signed in at canaille and has consented sees no page of it again.
        with NativeApp() as again:
            chromium.allow(again.origin)
            page = ada.open(again.handler(provider))
            same = again.redeem(again.wait(page), provider)
            assert same["localId"] == account["localId"], same
