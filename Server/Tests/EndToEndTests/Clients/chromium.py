"""Chromium with its ordinary behaviour, for stories that run in a browser.

    with Chromium("apple") as chromium:
        person = chromium.profile()
        page = person.open(url)
        page.get_by_role("button", name="Continue").click()
        person.shot("signed-in")

Pages are Playwright's (https://playwright.dev/python/docs/api/class-page). Their methods wait at most a
minute. A story fails if an assertion fails, and also after a fault in the browser: an error on the console,
an uncaught exception, a violation of the Content Security Policy, a file that didn't load, or a request to
a server that the story doesn't name. Screenshots stay in `.build/screenshots/<suite>/<story>-<name>.png`,
those of a failure as `<story>-failed-….png`.

Debian's package chromium-headless-shell is Chromium without its windows, and takes half the processor time. It
doesn't block popups, so a story that opens some has the whole browser.

Environment: GATEHOUSE_CHROMIUM is the path of the browser for all stories; otherwise it is found on the PATH.
GATEHOUSE_SCREENSHOTS is the folder for screenshots.
"""

import http.server
import mimetypes
import os
import pathlib
import shutil
import sys
import threading
import urllib.parse

from playwright.sync_api import Error, sync_playwright

LIMIT_MILLISECONDS = 60_000
ROOT = pathlib.Path(__file__).resolve().parents[4]
PICTURES = pathlib.Path(
    os.environ.get("GATEHOUSE_SCREENSHOTS", ROOT / ".build" / "screenshots" / "by-hand"))

# Playwright's defaults differ from an ordinary browser: popups open without a click, and frames of other
# sites share storage with those sites' own pages. These two changes are reverted. The features that stay
# disabled would send requests to Google's servers or hinder the automation.
TAKEN_BACK = ["--disable-popup-blocking"]
SWITCHED_OFF = [
    "AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades",
    "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding",
    "PreconnectToSearch",
]


def origin(url):
    """`https://host:port`; for a URL without a host, only its scheme."""
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else parts.scheme + ":"


def executable(opens_popups):
    names = ["chromium", "chromium-browser", "google-chrome"]
    if not opens_popups:
        names.insert(0, "chromium-headless-shell")
    given = os.environ.get("GATEHOUSE_CHROMIUM")
    path = given or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        sys.exit(
            "There is no Chromium. On Debian: apt-get install chromium. Elsewhere install Chromium "
            "or Chrome, and say where in GATEHOUSE_CHROMIUM.")
    return path


class Chromium:
    """One browser, for one story.

    - story: The beginning of the screenshots' names.
    - servers: URLs of the servers to which its pages may send requests, besides GATEHOUSE_BASE and
      GATEHOUSE_SIMULATOR.
    - hosts: Host names that resolve to this machine: `{"auth.example.com": "127.0.0.1:4433"}`.
    - opens_popups: Whether its pages open popups.
    """

    def __init__(self, story, servers=(), hosts=None, opens_popups=False):
        self.story = story
        self._executable = executable(opens_popups)
        self.servers = {origin(url) for url in servers}
        for name in ("GATEHOUSE_BASE", "GATEHOUSE_SIMULATOR"):
            if os.environ.get(name):
                self.servers.add(origin(os.environ[name]))
        self.profiles = []
        self._arguments = ["--disable-features=" + ",".join(SWITCHED_OFF)]
        # Every other host name fails to resolve, so that no request leaves this machine.
        rules = [f"MAP {name} {place}" for name, place in (hosts or {}).items()]
        rules += ["MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1", "EXCLUDE localhost", "EXCLUDE [::1]"]
        self._arguments.append("--host-resolver-rules=" + ", ".join(rules))

    def __enter__(self):
        self._playwright = sync_playwright().start()
        try:
            self._browser = self._playwright.chromium.launch(
                executable_path=self._executable, args=self._arguments,
                ignore_default_args=TAKEN_BACK, timeout=LIMIT_MILLISECONDS)
        except BaseException:
            self._playwright.stop()
            raise
        return self

    def __exit__(self, kind, error, trace):
        try:
            if kind is not None:
                self._tell_of_failure()
            faults = [fault for profile in self.profiles for fault in profile.all_faults()]
            if kind is None and faults:
                self._tell_of_failure()
                raise AssertionError("The browser complains:\n" + "\n".join(faults))
        finally:
            self._browser.close()
            self._playwright.stop()

    def allow(self, *urls):
        """Allows pages to send requests to these servers, too."""
        self.servers.update(origin(url) for url in urls)

    def profile(self, name="", **options):
        """A browser profile with its own cookies and storage. See `Profile`."""
        profile = Profile(self, name, **options)
        self.profiles.append(profile)
        return profile

    def _tell_of_failure(self):
        for profile in self.profiles:
            for number, page in enumerate(profile.pages):
                print(f"{profile.name or 'page'} {number + 1}: {page.url}", file=sys.stderr)
                try:
                    profile.shot(f"failed-{profile.name}{number + 1}", page)
                    print(page.locator("body").inner_text(timeout=5_000)[:2000], file=sys.stderr)
                except Exception as failure:  # The story's own failure matters more.
                    print(f"no picture: {failure}", file=sys.stderr)
            for fault in profile.faults:
                print(fault, file=sys.stderr)


class Profile:
    """One user's browser profile, with its requests and its faults.

    - language: The preferred language: `vi`, `de-AT`.
    - scheme: `light` or `dark`.
    - size: The window's width and height in CSS pixels.
    - scripts: Whether pages may run scripts.
    - trusts_any_certificate: True if the test has its own certificate.
    """

    def __init__(
            self, chromium, name, language="en", scheme="light", size=(1000, 700), scripts=True,
            trusts_any_certificate=False, **more):
        self.name = name
        self.chromium = chromium
        self.requests = []
        self.faults = []
        self._expected = []
        self.context = chromium._browser.new_context(
            locale=language, color_scheme=scheme, java_script_enabled=scripts,
            viewport={"width": size[0], "height": size[1]},
            ignore_https_errors=trusts_any_certificate, **more)
        self.context.set_default_timeout(LIMIT_MILLISECONDS)
        self.context.on("request", self._requested)
        self.context.on("requestfailed", self._failed)
        self.context.on("response", self._answered)
        self.context.on("console", self._said)
        self.context.on("weberror", lambda error: self._fault(f"uncaught: {error.error}"))

    @property
    def pages(self):
        return self.context.pages

    def tab(self):
        return self.context.new_page()

    def open(self, url, page=None):
        """Opens `url` and waits until it has loaded. Opens a new tab if `page` isn't given."""
        page = page or self.tab()
        page.goto(url)
        return page

    def shot(self, name, page=None):
        """Takes a screenshot of a whole page: of the last tab if `page` isn't given."""
        page = page or self.pages[-1]
        PICTURES.mkdir(parents=True, exist_ok=True)
        path = PICTURES / f"{self.chromium.story}-{name}.png"
        # On a busy machine Chromium sometimes can't capture the page at once, but can a little later.
        for _ in range(12):
            try:
                page.screenshot(
                    path=path, full_page=True, animations="disabled", timeout=LIMIT_MILLISECONDS)
                return path
            except Error as error:
                if "Unable to capture screenshot" not in error.message:
                    raise
                page.wait_for_timeout(1000)
        raise RuntimeError(f"Chromium could not capture {path.name} in twelve attempts")

    def intercept(self, url, handler):
        """Lets `handler(route, request)` answer, change or drop requests to `url`, a pattern.

        Doesn't apply to the target of a redirect: see `stop_before`.
        """
        self.context.route(url, handler)

    def stop_before(self, page, url, act):
        """Runs `act`, and stops the tab before its first request to `url`, a pattern with `*`; a
        redirect's target counts, too. Returns that request's URL."""
        session = self.context.new_cdp_session(page)
        stopped = []

        def paused(event):
            stopped.append(event["request"]["url"])
            session.send(
                "Fetch.failRequest", {"requestId": event["requestId"], "errorReason": "Aborted"})

        session.on("Fetch.requestPaused", paused)
        session.send("Fetch.enable", {"patterns": [{"urlPattern": url}]})
        with page.expect_event("requestfailed"):
            act()
        session.detach()
        assert stopped, f"nothing asked for {url}"
        return stopped[0]

    def sent(self, method, prefix):
        """The requests with this method whose URL begins with `prefix`, in their order."""
        return [
            request for request in self.requests
            if request.method == method and request.url.startswith(prefix)]

    def cookies(self, url=None):
        return {cookie["name"]: cookie for cookie in self.context.cookies(url)}

    def expect(self, text):
        """A fault that contains `text` is expected, and doesn't fail the story."""
        self._expected.append(text)
        self.faults = [fault for fault in self.faults if text not in fault]

    def all_faults(self):
        self.context.cookies()  # A call to the browser delivers its pending events.
        return self.faults

    def take_faults(self):
        """Returns the faults until now, and removes them, so that they don't fail the story."""
        taken, self.faults = self.all_faults(), []
        return taken

    def _fault(self, text):
        if not any(expected in text for expected in self._expected):
            self.faults.append(text)

    def _requested(self, request):
        self.requests.append(request)
        place = origin(request.url)
        if place.startswith("http") and place not in self.chromium.servers:
            self._fault(f"asks another server: {request.method} {request.url}")

    def _failed(self, request):
        # Leaving a page aborts its requests.
        if request.failure != "net::ERR_ABORTED":
            self._fault(f"didn't load: {request.url} ({request.failure})")

    def _answered(self, response):
        # A page may have an error status; the files that it loads may not.
        if response.status >= 400 and not response.request.is_navigation_request():
            self._fault(f"answered {response.status}: {response.url}")

    def _said(self, message):
        # `_answered` reports such failures, and for pages they are no fault.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self._fault(f"console: {message.text}")


class Site:
    """An app's pages, on a port of the loopback interface.

        with Site({"/": "<h1>Hello</h1>", "/app.js": pathlib.Path("app.js")}) as site:
            person.open(site.url("/"))

    - files: Maps a path on the site, without a query, to a text, bytes, or a path of a file or folder.
    - host: The host name in its URLs. It listens on 127.0.0.1.
    """

    def __init__(self, files, host="127.0.0.1"):
        self.files = files
        self.host = host
        self.requests = []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                site.requests.append(self.path)
                found = site._find(urllib.parse.urlsplit(self.path).path)
                body, kind = found or (b"There is no such file.", "text/plain")
                self.send_response(200 if found else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    @property
    def origin(self):
        return f"http://{self.host}:{self._server.server_address[1]}"

    def url(self, path):
        return self.origin + path

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def _find(self, path):
        for prefix, content in self.files.items():
            if isinstance(content, pathlib.Path) and content.is_dir():
                file = (content / path.removeprefix(prefix).lstrip("/")).resolve()
                inside = path.startswith(prefix) and file.is_relative_to(content.resolve())
                if inside and file.is_file():
                    return file.read_bytes(), kind_of(file.name)
            elif path == prefix:
                if isinstance(content, pathlib.Path):
                    return content.read_bytes(), kind_of(content.name)
                body = content.encode() if isinstance(content, str) else content
                return body, kind_of(path)
        return None


def kind_of(name):
    """A file's content type; HTML for a name without an extension."""
    kind = mimetypes.guess_type(name)[0] or "text/html"
    return kind + "; charset=utf-8" if kind.startswith("text/") else kind
