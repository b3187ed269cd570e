"""Checks the harness itself: each kind of fault on a page makes a story fail."""

from chromium import Chromium, Site

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<link rel="icon" href="data:,">{head}</head><body><h1>A page</h1>{body}</body></html>"""
POLICY = '<meta http-equiv="Content-Security-Policy" content="script-src \'self\'">'

with Site({}) as other, Site({"/loud.js": "console.error('loud')"}) as site:
    site.files.update({
        "/good": PAGE.format(head=POLICY, body=""),
        "/console": PAGE.format(head="", body="<script src='/loud.js'></script>"),
        "/exception": PAGE.format(head="", body="<script>throw new Error('broken')</script>"),
        "/policy": PAGE.format(head=POLICY, body="<script>document.title = 'run'</script>"),
        "/missing": PAGE.format(head="", body="<script src='/none.js'></script>"),
        "/elsewhere": PAGE.format(head="", body=f"<img src='{other.url('/x.png')}' alt=''>"),
        "/unknown": PAGE.format(head="", body="<img src='http://example.com/x.png' alt=''>"),
        "/popup": PAGE.format(
            head="", body="<script>document.title = String(window.open('/good'))</script>"),
    })

    def told(chromium, path):
        """The faults of a page, in a profile that opens no other page."""
        person = chromium.profile()
        person.open(site.url(path))
        return " ".join(person.take_faults())

    with Chromium("harness", [site.origin], opens_popups=True) as chromium:
        assert told(chromium, "/good") == ""
        for path, complaint in [
                ("/console", "console: loud"), ("/exception", "uncaught: broken"),
                ("/policy", "Content Security Policy"), ("/missing", "answered 404"),
                ("/elsewhere", "asks another server"), ("/unknown", "asks another server")]:
            complaints = told(chromium, path)
            assert complaint in complaints, f"{path}: {complaints}"

        # A popup without a click is blocked, as in an ordinary browser.
        person = chromium.profile()
        assert person.open(site.url("/popup")).title() == "null"
        assert len(person.pages) == 1

        # Two profiles share nothing.
        ada, grace = chromium.profile(), chromium.profile()
        ada.open(site.url("/good")).evaluate("document.cookie = 'mine=1; Max-Age=60'")
        grace.open(site.url("/good"))
        assert "mine" in ada.cookies() and grace.cookies() == {}

    try:
        with Chromium("harness", [site.origin], opens_popups=True) as chromium:
            chromium.profile().open(site.url("/console"))
    except AssertionError as failure:
        assert "console: loud" in str(failure)
    else:
        raise SystemExit("A story with a fault didn't fail.")
