"""The app and the server under host names over TLS, as in production: with `authDomain`, without the emulator.

    web_domains.py CLIENT
"""

import sys

from chromium import Chromium
from native_app import person
from tls_front import Front
from web_app import WebApp

client = sys.argv[1]
SERVER = "auth.example.com"

with Front(SERVER) as front:
    def topology(story, page_host, auth_domain):
        """A browser and an app at `page_host` whose `authDomain` is `auth_domain`."""
        hosts = {name: front.place for name in {SERVER, page_host, auth_domain}}
        chromium = Chromium(f"domains-{client}-{story}", hosts=hosts, opens_popups=True)
        app = WebApp(
            chromium, client, server=f"https://{SERVER}", auth_domain=auth_domain,
            origin=f"https://{page_host}")
        front.sites[page_host] = app.site
        chromium.allow(f"https://{SERVER}", f"https://{auth_domain}")
        return chromium, app

    # The server on a subdomain of the app's own site: popup and redirect work.
    chromium, app = topology("subdomain", "app.example.com", SERVER)
    with chromium, app:
        ada = app.visitor(trusts_any_certificate=True)
        page = app.open(ada)
        someone, email = person()
        first = app.popup(page, "signIn", "google.com", {"person": someone})
        assert first["email"] == email, first
        again = app.redirect(page, "signIn", "google.com", {"person": someone})
        assert again["uid"] == first["uid"], again
        app.popup(page, "reauth", "google.com", {"person": someone})
        if client == "google":
            assert ada.sent("GET", f"https://{SERVER}/v1/projects?key=")
        assert not any("emulator" in request.url for request in ada.requests)
        names = [name for name in ada.cookies() if "gatehouse" in name]
        assert names == [], names

    # The server on another site: a popup works; after a redirect the page finds no result.
    chromium, app = topology("other-site", "app.example.net", SERVER)
    with chromium, app:
        ada = app.visitor(trusts_any_certificate=True)
        page = app.open(ada)
        assert app.popup(page, "signIn", "google.com", {"person": person()[0]})["isNewUser"]
        assert app.redirect(page, "signIn", "google.com", {"person": person()[0]}) is None

    # The app's own site passes /__/auth/ on to the server: a redirect works too.
    chromium, app = topology("own-site", "app.example.net", "app.example.net")
    with chromium, app:
        ada = app.visitor(trusts_any_certificate=True)
        page = app.open(ada)
        for provider in ["apple.com", "google.com", "oidc.simulator"]:
            someone, email = person()
            first = app.redirect(page, "signIn", provider, {"person": someone})
            assert first["email"] == email, first
            again = app.popup(page, "signIn", provider, {"person": someone})
            assert again["uid"] == first["uid"], again
