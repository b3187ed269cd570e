"""The console, as a person uses it."""

import base64
import hashlib
import hmac
import struct
import time

import accessibility

EMAIL, PASSWORD = "ada@example.com", "a long password"


def code(secret, step=0):
    """What an authenticator app shows (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time()) // 30 + step)
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start:start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


UNTIL_QUIET = """() => new Promise((resolve) => {
  const watcher = new MutationObserver(() => wait());
  let timer;
  const wait = () => { clearTimeout(timer); timer = setTimeout(() => { watcher.disconnect(); resolve(); }, 300); };
  watcher.observe(document, { subtree: true, childList: true, attributes: true });
  wait();
})"""


class Console:
    def __init__(self, person):
        self.person = person
        self.page = person.tab()
        self.recovery_codes = []

    def accept(self, invitation, email=EMAIL):
        """Chooses a password, and an authenticator app. Returns the app's secret."""
        page = self.page
        page.goto(invitation)
        self.heading("Welcome to the console")
        page.get_by_role("tab", name="Password and app").click()
        page.get_by_label("Your email").fill(email)
        page.get_by_label("New password").fill(PASSWORD)
        self.press("Continue")
        page.get_by_role("heading", name="Add the console to your authenticator app").wait_for()
        secret = page.locator("dd code").inner_text()
        page.get_by_label("Code from the authenticator app").fill(code(secret))
        self.press("Finish")
        page.get_by_role("heading", name="Your recovery codes").wait_for()
        self.recovery_codes = page.locator(".codes li").all_inner_texts()
        assert len(self.recovery_codes) == 10
        self.press("I have kept them")
        return secret

    def look(self, name, awaited=None):
        """Checks that the page is accessible, and takes its picture."""
        if awaited:
            awaited.wait_for()
        self.page.get_by_text("Loading …").wait_for(state="detached")
        self.page.wait_for_load_state("networkidle")
        # A list that is drawn again would move the focus during the check.
        self.page.evaluate(UNTIL_QUIET)
        accessibility.check(self.page)
        self.person.shot(name, self.page)

    def press(self, name, exact=True):
        self.page.get_by_role("button", name=name, exact=exact).first.click()

    def go(self, hash_):
        self.page.evaluate("(hash) => { location.hash = hash; }", hash_)

    def heading(self, name):
        self.page.get_by_role("heading", level=1, name=name).wait_for()
