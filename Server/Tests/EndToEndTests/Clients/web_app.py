"""An app's page in a browser, which signs users in as Google's SDK for JavaScript does.

    with Chromium("popup") as chromium, WebApp(chromium, client="own") as app:
        person = app.visitor()
        page = app.open(person)
        account = app.popup(page, "signIn", "google.com", {"person": "ada"})

- client: `google` is Google's own SDK, the bundle at the path GATEHOUSE_JAVASCRIPT_SDK; `own` is
  `web/own_client.js`.
- gapi: `server` loads the server's `gapi.js` before the client. With `google` the client and the server's
  frame load Google's, which `web/google_api.js` replaces.
- host: The page's host name. For browsers `localhost` and `127.0.0.1` are two sites.
"""

import json
import os
import pathlib

import support
from chromium import Site

FOLDER = pathlib.Path(__file__).parent / "web"
GOOGLES = "https://apis.google.com"
PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Example app</title><link rel="icon" href="data:,">{head}</head>
<body>
<h1>Example app</h1>
<button id="run">Run</button>
<pre id="shown"></pre>
<script type="application/json" id="settings">{settings}</script>
{scripts}
</body>
</html>
"""


class Failed(Exception):
    """The client's error. `code` is its error code."""

    def __init__(self, error):
        self.code = error.get("code")
        super().__init__(f"{self.code}: {error.get('message')}")


class WebApp:
    def __init__(
            self, chromium, client="own", gapi="server", host="127.0.0.1", server=support.BASE,
            auth_domain=None, origin=None, app_name=None):
        self.chromium = chromium
        self.client = client
        self.gapi = gapi
        self._origin = origin
        settings = {
            "server": server, "apiKey": support.API_KEY, "isEmulator": auth_domain is None,
            "authDomain": auth_domain or "localhost"}
        if app_name is not None:
            settings["appName"] = app_name
        handler = f"{server}/__/auth"
        sources = [f"{handler}/gapi.js"] if gapi == "server" else []
        sources += ["/sdk.js"] if client == "google" else []
        sources += [f"/{client}_client.js", "/page.js"]
        files = {
            "/": PAGE.format(
                head="", settings=json.dumps(settings).replace("<", "\\u003c"),
                scripts="\n".join(f'<script src="{source}"></script>' for source in sources)),
            "/page.js": FOLDER / "page.js",
            f"/{client}_client.js": FOLDER / f"{client}_client.js",
        }
        if client == "google":
            files["/sdk.js"] = pathlib.Path(os.environ["GATEHOUSE_JAVASCRIPT_SDK"])
        self.site = Site(files, host)

    def __enter__(self):
        self.site.__enter__()
        self.chromium.allow(self.origin, GOOGLES)
        return self

    def __exit__(self, *end):
        self.site.__exit__(*end)

    @property
    def origin(self):
        return self._origin or self.site.origin

    def visitor(self, name="", **options):
        """A browser profile for a user of the app."""
        profile = self.chromium.profile(name, **options)
        if self.gapi == "google":
            profile.intercept(f"{GOOGLES}/**", lambda route, _: route.fulfill(
                body=(FOLDER / "google_api.js").read_text(), content_type="text/javascript"))
        return profile

    def open(self, profile, path="/?tab=1#/account", page=None):
        page = profile.open(self.origin + path, page)
        page.locator("#shown[data-state=done]").wait_for()
        return page

    def run(self, page, method, *given):
        """Runs a method of the client by a click. Returns its result."""
        self.begin(page, method, *given)
        return outcome(page)

    def begin(self, page, method, *given):
        page.evaluate("wanted => { window.wanted = wanted }", [method, *given])
        page.evaluate("document.getElementById('shown').dataset.state = 'asked'")
        page.get_by_role("button", name="Run").click()

    def popup(self, page, kind, provider, parameters):
        """Signs in with a popup, and checks that it closes at the end."""
        with page.expect_popup() as opened:
            self.begin(page, "popup", kind, provider, parameters)
        account = outcome(page)
        if not opened.value.is_closed():
            opened.value.wait_for_event("close")
        return account

    def redirect(self, page, kind, provider, parameters):
        """Signs in with a redirect. Returns the result that the page finds afterwards."""
        with self.back(page):
            self.begin(page, "redirect", kind, provider, parameters)
        return outcome(page)

    def back(self, page):
        """A context whose end waits until the browser has returned to the app's page."""
        return page.expect_navigation(url=lambda url: url.startswith(self.origin))


def outcome(page):
    page.locator("#shown[data-state=done]").wait_for()
    told = json.loads(page.locator("#shown").text_content())
    if "error" in told:
        raise Failed(told["error"])
    return told.get("value")


def refused(code, action, *given):
    """Checks that `action` fails with this code."""
    try:
        told = action(*given)
    except Failed as failure:
        assert failure.code == code, f"{failure} is not {code}"
    else:
        raise AssertionError(f"It wasn't refused with {code}: {told}")
