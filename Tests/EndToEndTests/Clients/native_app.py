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
<body><h1>{title}</h1></body>
</html>
"""


class NativeApp:
    """One sign-in. As a context it listens.

    - server: Where it opens the handler, as the browser reaches it.
    """

    def __init__(self, server=support.BASE):
        self.server = server
        self.event_id = secrets.token_hex(8)
        self.session_id = secrets.token_urlsafe(24)
        self._site = Site({
            "/": PAGE.format(title="Before"), "/answer": PAGE.format(title="Back in the app")})

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

    @property
    def answers(self):
        """How often a browser came back."""
        return len([path for path in self._site.requests if path.startswith("/answer")])

    def handler(self, provider, parameters=None, **query):
        """The URL to open. `parameters` go to the provider; None in `query` leaves a field out."""
        fields = {
            "apiKey": support.API_KEY, "authType": "signInWithRedirect", "providerId": provider,
            "sessionId": hashlib.sha256(self.session_id.encode()).hexdigest(),
            "eventId": self.event_id, "redirectUrl": self.callback, "v": "12.0.0",
            "customParameters": json.dumps(parameters or {}), **query,
        }
        given = {name: value for name, value in fields.items() if value is not None}
        return f"{self.server}/__/auth/handler?{urllib.parse.urlencode(given)}"

    def leave(self, profile, provider, parameters=None, page=None, **query):
        """Opens the handler as a link on a page does that was there before, and doesn't wait."""
        page = page or profile.open(self._site.url("/"))
        page.evaluate("url => { location.href = url }", self.handler(provider, parameters, **query))
        return page

    def leave_and_stop(self, profile, provider, parameters, before):
        """As `leave`, and stops before the browser asks for `before`: see `Profile.stop_before`.

        Returns the tab, which still shows the page before, and the URL that wasn't asked for.
        """
        page = profile.open(self._site.url("/"))
        return page, profile.stop_before(
            page, before, lambda: self.leave(profile, provider, parameters, page))

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
