"""The console of an empty production server: its first owner, with nothing but the browser, gets from an invitation to a
project with Apple and an OpenID provider, and an app; a user signs in, is found, changed, signed out and deleted.

    console_story.py INVITATION ISSUER
"""

import base64
import hashlib
import hmac
import json
import os
import plistlib
import secrets
import struct
import sys
import time
import urllib.parse

import accessibility
import requests
from chromium import Chromium

INVITATION, ISSUER = sys.argv[1:]
BASE = INVITATION.split("/console")[0]
SIMULATOR = os.environ["GATEHOUSE_SIMULATOR"]
EMAIL, PASSWORD = "ada@example.com", "a long password"


def code(secret, step=0):
    """RFC 6238."""
    counter = struct.pack(">Q", int(time.time()) // 30 + step)
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start:start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def sign_in(api_key, provider, path, token, **members):
    """A user signs in with an app, with the simulator's sheet."""
    nonce = secrets.token_urlsafe(24)
    members["nonce"] = hashlib.sha256(nonce.encode()).hexdigest()
    sheet = requests.post(f"{SIMULATOR}/{path}/native-sign-in", json=members, timeout=60)
    assert sheet.status_code == 200, sheet.text
    post_body = urllib.parse.urlencode({"providerId": provider, "id_token": sheet.json()[token], "nonce": nonce})
    return requests.post(
        f"{BASE}/v1/accounts:signInWithIdp", params={"key": api_key}, timeout=60,
        json={"requestUri": "http://localhost", "postBody": post_body, "returnSecureToken": True})


class Console:
    def __init__(self, person):
        self.person = person
        self.page = person.tab()

    def look(self, name):
        """Checks that the page is accessible, and takes its picture."""
        self.page.get_by_text("Loading …").wait_for(state="detached")
        accessibility.check(self.page)
        self.person.shot(name, self.page)

    def press(self, name, exact=True):
        self.page.get_by_role("button", name=name, exact=exact).first.click()

    def go(self, hash_):
        self.page.evaluate("(hash) => { location.hash = hash; }", hash_)

    def heading(self, name):
        self.page.get_by_role("heading", level=1, name=name).wait_for()


with Chromium("console") as chromium:
    ada = chromium.profile(size=(1280, 900), trusts_any_certificate=True, accept_downloads=True)
    console = Console(ada)
    page = console.page

    # The invitation: a password and an authenticator app.
    page.goto(INVITATION)
    console.heading("Welcome to the console")
    console.look("invitation")
    tab = page.get_by_role("tab", name="Password and app")
    if tab.count():
        tab.click()
    page.get_by_label("Your email").fill(EMAIL)
    page.get_by_label("New password").fill(PASSWORD)
    console.press("Continue")
    page.get_by_role("heading", name="Add the console to your authenticator app").wait_for()
    secret = page.locator("dd code").inner_text()
    page.get_by_label("Code from the authenticator app").fill(code(secret))
    console.press("Finish")
    page.get_by_role("heading", name="Your recovery codes").wait_for()
    assert page.locator(".codes li").count() == 10
    console.press("I have kept them")

    # The first steps: a project, an app and its file.
    console.heading("First steps")
    console.look("start")
    page.get_by_label("Name", exact=True).fill("Shop")
    console.press("Create the project")
    page.get_by_label("Bundle id").fill("com.example.app")
    console.press("Add the app")
    with page.expect_download() as download:
        console.press("Download GoogleService-Info.plist")
    api_key = plistlib.loads(download.value.path().read_bytes())["API_KEY"]

    # Apple, with its test.
    page.get_by_role("link", name="Set up Apple").click()
    console.heading("Apple")
    console.press("Save")
    page.get_by_role("button", name="Test", exact=True).click()
    page.get_by_text("keys", exact=False).first.wait_for()
    console.look("apple")

    # An OpenID provider, with its test.
    console.go("#/shop/methods/new")
    page.get_by_label("Name", exact=False).first.fill("Company")
    page.get_by_label("Issuer").fill(ISSUER)
    page.get_by_label("Client ID").fill("gatehouse-demo")
    page.get_by_label("Client secret").fill("a secret")
    console.press("Add", exact=False)
    console.heading("Company")
    page.get_by_role("button", name="Test", exact=True).click()
    console.look("oidc")
    input_done = True
    print(json.dumps({"apiKey": api_key}))
