"""A user signs in, links a provider and re-authenticates by redirects; the app's page then reads the result.

    web_redirect.py CLIENT GAPI
"""

import sys

from chromium import Chromium
from native_app import person
from web_app import WebApp, outcome, refused

client, gapi = sys.argv[1:]
taken = {"google": "auth/credential-already-in-use", "own": "FEDERATED_USER_ID_ALREADY_LINKED"}[client]
mismatch = {"google": "auth/user-mismatch", "own": "USER_MISMATCH"}[client]

# Page and server are on one site: the frame can read the storage that the handler wrote.
with Chromium(f"redirect-{client}-{gapi}") as chromium, WebApp(chromium, client, gapi) as app:
    ada = app.visitor()
    ada.expect("answered 400: ")  # Some requests are meant to be refused.
    page = app.open(ada)

    for provider in ["apple.com", "google.com", "oidc.simulator"]:
        someone, email = person()
        first = app.redirect(page, "signIn", provider, {"person": someone})
        assert first["operation"] == "signIn" and first["isNewUser"], first
        assert first["email"] == email and first["providers"] == [provider], first
        # The browser is back at the page's URL, to which nothing was added.
        assert page.url == app.origin + "/?tab=1#/account", page.url

        # The result has a credential, which works more than once.
        app.run(page, "signOut")
        for kind, operation in [("signIn", "signIn"), ("reauth", "reauthenticate")]:
            later = app.run(page, "later", kind)
            assert later == {"operation": operation, "uid": first["uid"]}, later

        # The result is read once: a reload doesn't return it again.
        page.reload()
        assert outcome(page) is None
        assert app.run(page, "user")["uid"] == first["uid"]

        proof = app.redirect(page, "reauth", provider, {"person": someone})
        assert proof["operation"] == "reauthenticate" and proof["uid"] == first["uid"], proof
        stranger, _ = person()
        refused(mismatch, app.redirect, page, "reauth", provider, {"person": stranger})

        guest = app.run(page, "anonymous")
        refused(taken, app.redirect, page, "link", provider, {"person": someone})
        assert app.run(page, "later", "signIn")["uid"] == first["uid"]
        guest = app.run(page, "anonymous")
        linked = app.redirect(page, "link", provider, {"person": stranger})
        assert linked["operation"] == "link" and linked["uid"] == guest, linked
        assert linked["providers"] == [provider], linked

        refused("auth/user-cancelled", app.redirect, page, "signIn", provider, {"decision": "cancel"})

    refused("auth/operation-not-allowed", app.redirect, page, "signIn", "oidc.none", {})

    # Each of two tabs finds its own result, and a third tab none.
    names = [person()[0] for _ in range(2)]
    tabs = [app.open(ada) for _ in names]
    with app.back(tabs[0]), app.back(tabs[1]):
        for tab, name in zip(tabs, names):
            app.begin(tab, "redirect", "signIn", "google.com", {"person": name})
    for tab, name in zip(tabs, names):
        assert outcome(tab)["email"] == f"{name}@example.com"
    assert app.run(app.open(ada), "result") is None

# Page and server are on two sites: the browser separates their storage, so the client finds no result.
with Chromium(f"redirect-sites-{client}-{gapi}") as chromium, \
        WebApp(chromium, client, gapi, host="localhost") as app:
    ada = app.visitor()
    ada.expect("answered 400: ")  # Some requests are meant to be refused.
    page = app.open(ada)
    assert app.redirect(page, "signIn", "google.com", {"person": person()[0]}) is None
