"""A desktop app: it opens the server's handler in a browser, waits for the response on a loopback port, and
redeems the link that it receives there (RFC 8252 §7.3)."""

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
    """One sign-in. It listens while it is used as a context manager.

    - server: The server's base URL for the browser.
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
        """How many times a browser has returned to the app."""
        return len([path for path in self._site.requests if path.startswith("/answer")])

    def handler(self, provider, parameters=None, **query):
        """The URL to open. `parameters` are for the provider; None as a value in `query` omits a field."""
        fields = {
            "apiKey": support.API_KEY, "authType": "signInWithRedirect", "providerId": provider,
            "sessionId": hashlib.sha256(self.session_id.encode()).hexdigest(),
            "eventId": self.event_id, "redirectUrl": self.callback, "v": "12.0.0",
            "customParameters": json.dumps(parameters or {}), **query,
        }
        given = {name: value for name, value in fields.items() if value is not None}
        return f"{self.server}/__/auth/handler?{urllib.parse.urlencode(given)}"

    def leave(self, profile, provider, parameters=None, page=None, **query):
        """Opens the handler like a link on an earlier page, and doesn't wait for it."""
        page = page or profile.open(self._site.url("/"))
        page.evaluate("url => { location.href = url }", self.handler(provider, parameters, **query))
        return page

    def leave_and_stop(self, profile, provider, parameters, before):
        """Like `leave`, but stops before a request to `before`: see `Profile.stop_before`.

        Returns the tab, which still shows the previous page, and the URL of the stopped request.
        """
        page = profile.open(self._site.url("/"))
        return page, profile.stop_before(
            page, before, lambda: self.leave(profile, provider, parameters, page))

    def wait(self, page):
        """Waits until the browser is back at the app, and returns the deep link's fields."""
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
        """Waits for a response with an error, and returns its code: `auth/…`."""
        return json.loads(self.wait(page)["firebaseError"])["code"]

    def redeem(self, fields, provider, **more):
        """Calls signInWithIdp with the link. Returns the response."""
        return support.client_call("accounts:signInWithIdp", {
            "requestUri": fields["link"], "sessionId": self.session_id,
            "postBody": f"providerId={provider}", "returnSecureToken": True, **more})


def person(**details):
    """Creates a person with an account at each simulated provider. Returns the id and the email address."""
    name = support.unique("person")
    body = {"id": name, "email": f"{name}@example.com", "emailVerified": True, **details}
    made = requests.post(f"{support.SIMULATOR}/simulator/persons", json=body, timeout=30)
    assert made.status_code == 201, made.text
    return name, body["email"]
