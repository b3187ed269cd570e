"""Somebody signs in in a window that an app's page opens, links, and proves who they are.

    web_popup.py CLIENT GAPI
"""

import sys

from chromium import Chromium
from native_app import person
from web_app import WebApp, outcome, refused

client, gapi = sys.argv[1:]
# How each client calls what the server or it itself found.
mismatch = {"google": "auth/user-mismatch", "own": "USER_MISMATCH"}[client]
taken = {"google": "auth/credential-already-in-use", "own": "FEDERATED_USER_ID_ALREADY_LINKED"}[client]

# `localhost` and the server's 127.0.0.1 are two sites, as most apps and their servers are.
with Chromium(f"popup-{client}-{gapi}") as chromium, \
        WebApp(chromium, client, gapi, host="localhost") as app:
    ada = app.visitor()
    ada.expect("answered 400: ")  # What is refused on purpose.
    page = app.open(ada)

    for provider in ["apple.com", "google.com", "oidc.simulator"]:
        someone, email = person()
        first = app.popup(page, "signIn", provider, {"person": someone})
        assert first["operation"] == "signIn" and first["isNewUser"], first
        assert first["email"] == email and first["providers"] == [provider], first
        assert first["credential"]["idToken"], first
        assert app.run(page, "user")["uid"] == first["uid"]
        app.run(page, "signOut")
        again = app.popup(page, "signIn", provider, {"person": someone})
        assert again["uid"] == first["uid"] and not again["isNewUser"], again

        # What came of it is a credential, more than once.
        app.run(page, "signOut")
        for kind, operation in [("signIn", "signIn"), ("reauth", "reauthenticate")]:
            later = app.run(page, "later", kind)
            assert later == {"operation": operation, "uid": first["uid"]}, later

        # The same person proves it again; somebody else is told from them, and gets no account.
        proof = app.popup(page, "reauth", provider, {"person": someone})
        assert proof["operation"] == "reauthenticate" and proof["uid"] == first["uid"], proof
        stranger, _ = person()
        refused(mismatch, app.popup, page, "reauth", provider, {"person": stranger})

        # An account that had nothing gets the identity, and keeps its id. One that is taken stays.
        guest = app.run(page, "anonymous")
        refused(taken, app.popup, page, "link", provider, {"person": someone})
        # The way that is documented for it: sign in to the other account with what was refused.
        assert app.run(page, "later", "signIn")["uid"] == first["uid"]
        guest = app.run(page, "anonymous")
        linked = app.popup(page, "link", provider, {"person": stranger})
        assert linked["operation"] == "link" and linked["uid"] == guest, linked
        assert not linked["isAnonymous"] and linked["providers"] == [provider], linked
        assert app.run(page, "user")["providers"] == [provider]

        refused("auth/user-cancelled", app.popup, page, "signIn", provider, {"decision": "cancel"})

    # The page stayed what it was.
    assert page.url == app.origin + "/?tab=1#/account", page.url
    asked = [request.url for request in ada.requests if "apis.google.com" in request.url]
    assert bool(asked) == (gapi == "google"), asked

    # What isn't set up is told to the page too.
    refused("auth/operation-not-allowed", app.popup, page, "signIn", "oidc.none", {})

    # Two tabs of one browser don't meet.
    other = app.open(ada)
    names = [person()[0] for _ in range(2)]
    for tab, name in [(page, names[0]), (other, names[1])]:
        with tab.expect_popup():
            app.begin(tab, "popup", "signIn", "google.com", {"person": name})
    found = [outcome(tab) for tab in (page, other)]
    assert found[0]["email"] == f"{names[0]}@example.com", found
    assert found[1]["email"] == f"{names[1]}@example.com", found
