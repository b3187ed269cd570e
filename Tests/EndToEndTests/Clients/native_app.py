"""An app on a desktop: it opens the server's handler in a browser, waits for its answer on a port of
loopback's, and redeems the link that comes there (RFC 8252 §7.3)."""

import hashlib
import json
import secrets
import urllib.parse

import requests
import support
from chromium import Site

PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Example app</title><link rel="icon" href="data:,"></head>
<body><h1>Example app</h1><p>Back in the app.</p></body>
</html>
"""


class NativeApp:
    """One sign-in. As a context it listens.

    - server: Where it opens the handler, as the browser reaches it.
    """

    def __init__(self, server=support.BASE, event=None):
        self.server = server
        self.event_id = event or secrets.token_hex(8)
        self.session_id = secrets.token_urlsafe(24)
        self._site = Site({"/answer": PAGE})

    def __enter__(self):
        self._site.__enter__()
        return self

    def __exit__(self, *end):
        self._site.__exit__(*end)

    @property
    def origin(self):
        return self._site.origin

    @property
    def callback(self):
        return self._site.url("/answer")

    def handler(self, provider, parameters=None, **query):
        """The URL to open. `parameters` go to the provider."""
        fields = {
            "apiKey": support.API_KEY, "authType": "signInWithRedirect", "providerId": provider,
            "sessionId": hashlib.sha256(self.session_id.encode()).hexdigest(),
            "eventId": self.event_id, "redirectUrl": self.callback, "v": "12.0.0",
            "customParameters": json.dumps(parameters or {}), **query,
        }
        return f"{self.server}/__/auth/handler?{urllib.parse.urlencode(fields)}"

    def wait(self, page):
        """Waits until the browser is back here, and returns the deep link's fields."""
        page.wait_for_url(lambda url: url.startswith(self.callback + "?"))
        return self.answer(page.url)

    def answer(self, url):
        link = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["deep_link_id"][0]
        assert link.startswith(f"{self.server}/__/auth/callback?"), link
        fields = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(link).query))
        assert fields["authType"] == "signInWithRedirect", fields
        assert fields["eventId"] == self.event_id, fields
        return fields

    def error(self, page):
        """`auth/…`, of the answer that says so."""
        return json.loads(self.wait(page)["firebaseError"])["code"]

    def redeem(self, fields, provider, **more):
        """signInWithIdp with the link: what the app is told of who signed in."""
        return support.client_call("accounts:signInWithIdp", {
            "requestUri": fields["link"], "sessionId": self.session_id,
            "postBody": f"providerId={provider}", "returnSecureToken": True, **more})


def person(**details):
    """Somebody new who has an account at each simulated provider: the id, and the email address."""
    name = support.unique("person")
    body = {"id": name, "email": f"{name}@example.com", "emailVerified": True, **details}
    made = requests.post(f"{support.SIMULATOR}/simulator/persons", json=body, timeout=30)
    assert made.status_code == 201, made.text
    return name, body["email"]
