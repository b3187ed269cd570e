"""A user signs in, links a provider and re-authenticates in a popup that an app's page opens.

    web_popup.py CLIENT GAPI
"""

import sys

from chromium import Chromium
from native_app import person
from web_app import WebApp, outcome, refused

client, gapi = sys.argv[1:]
# The clients' names for two errors.
mismatch = {"google": "auth/user-mismatch", "own": "USER_MISMATCH"}[client]
taken = {"google": "auth/credential-already-in-use", "own": "FEDERATED_USER_ID_ALREADY_LINKED"}[client]

# `localhost` and the server's 127.0.0.1 are two sites, as most apps and their servers are.
with Chromium(f"popup-{client}-{gapi}", opens_popups=True) as chromium, \
        WebApp(chromium, client, gapi, host="localhost") as app:
    ada = app.visitor()
    ada.expect("answered 400: ")  # Some requests are meant to be refused.
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

        # The result has a credential, which works more than once.
        app.run(page, "signOut")
        for kind, operation in [("signIn", "signIn"), ("reauth", "reauthenticate")]:
            later = app.run(page, "later", kind)
            assert later == {"operation": operation, "uid": first["uid"]}, later

        # The same user re-authenticates; another user's identity fails with a mismatch, and creates no account.
        proof = app.popup(page, "reauth", provider, {"person": someone})
        assert proof["operation"] == "reauthenticate" and proof["uid"] == first["uid"], proof
        stranger, _ = person()
        refused(mismatch, app.popup, page, "reauth", provider, {"person": stranger})

        # An anonymous account is linked to a free identity, and keeps its uid. A taken identity is refused.
        guest = app.run(page, "anonymous")
        refused(taken, app.popup, page, "link", provider, {"person": someone})
        # As documented, the app then signs in to the other account with the refused credential.
        assert app.run(page, "later", "signIn")["uid"] == first["uid"]
        guest = app.run(page, "anonymous")
        linked = app.popup(page, "link", provider, {"person": stranger})
        assert linked["operation"] == "link" and linked["uid"] == guest, linked
        assert not linked["isAnonymous"] and linked["providers"] == [provider], linked
        assert app.run(page, "user")["providers"] == [provider]

        refused("auth/user-cancelled", app.popup, page, "signIn", provider, {"decision": "cancel"})

    # The page's URL is unchanged.
    assert page.url == app.origin + "/?tab=1#/account", page.url
    asked = [request.url for request in ada.requests if "apis.google.com" in request.url]
    assert bool(asked) == (gapi == "google"), asked

    # The page also receives the error for a provider that isn't configured.
    refused("auth/operation-not-allowed", app.popup, page, "signIn", "oidc.none", {})

    # Sign-ins in two tabs of one browser don't interfere.
    other = app.open(ada)
    names = [person()[0] for _ in range(2)]
    for tab, name in [(page, names[0]), (other, names[1])]:
        with tab.expect_popup():
            app.begin(tab, "popup", "signIn", "google.com", {"person": name})
    found = [outcome(tab) for tab in (page, other)]
    assert found[0]["email"] == f"{names[0]}@example.com", found
    assert found[1]["email"] == f"{names[1]}@example.com", found
