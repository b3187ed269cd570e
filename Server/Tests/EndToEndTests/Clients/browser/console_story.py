"""The console of an empty production server: its first owner, with nothing but the browser, gets from an invitation to a
project with Apple and an OpenID provider, and an app; a user signs in, is found, changed, signed out and deleted.

    console_story.py INVITATION ISSUER
"""

import hashlib
import os
import plistlib
import secrets
import sys
import urllib.parse

import requests
from chromium import Chromium
from console_page import EMAIL, PASSWORD, Console, code
from virtual_authenticator import Authenticator

INVITATION, ISSUER = sys.argv[1:]
BASE = INVITATION.split("/console")[0]
SIMULATOR = os.environ["GATEHOUSE_SIMULATOR"]
WORKS = "Everything that can be tested without a user works."
PAGES = [f"shop/{name}" for name in [
    "overview", "users", "methods", "methods/apple.com", "apps", "mail", "policies", "hooks", "events", "tools", "start"]]
PAGES += ["server/settings", "server/me"]


def sign_in(api_key, provider, path, token, id_token=None, **members):
    """A user signs in with an app, with the simulator's sheet."""
    nonce = secrets.token_urlsafe(24)
    members["nonce"] = hashlib.sha256(nonce.encode()).hexdigest()
    sheet = requests.post(f"{SIMULATOR}/{path}/native-sign-in", json=members, timeout=60)
    assert sheet.status_code == 200, sheet.text
    post_body = urllib.parse.urlencode({"providerId": provider, "id_token": sheet.json()[token], "nonce": nonce})
    answer = requests.post(f"{BASE}/v1/accounts:signInWithIdp", params={"key": api_key}, timeout=60, json={
        "requestUri": "http://localhost", "postBody": post_body, "returnSecureToken": True, "idToken": id_token})
    assert answer.status_code == 200, answer.text
    return answer.json()


with Chromium("console") as chromium:
    ada = chromium.profile(size=(1280, 900), trusts_any_certificate=True, accept_downloads=True)
    console = Console(ada)
    page = console.page

    page.goto(INVITATION)
    console.heading("Welcome to the console")
    console.look("invitation")
    secret = console.accept(INVITATION)

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
    console.press("Save and turn on")
    console.press("Test")
    console.look("apple", page.get_by_text(WORKS))

    # An OpenID provider, with its test.
    console.go("#/shop/methods")
    page.get_by_role("link", name="Add OpenID Connect provider").click()
    page.get_by_label("Name", exact=False).first.fill("Company")
    page.get_by_label("Issuer").fill(ISSUER)
    page.get_by_label("Client ID", exact=True).fill("gatehouse-demo")
    page.get_by_label("Client secret", exact=True).fill("a secret")
    page.locator("form button[type=submit]").click()
    console.heading("Company")
    console.look("company", page.get_by_text(WORKS))

    # A user signs in, and links the company's account.
    person = requests.post(
        f"{SIMULATOR}/simulator/persons", timeout=60, json={"id": "bo", "email": "bo@example.com", "givenName": "Bo"})
    assert person.status_code == 201, person.text
    bo = sign_in(api_key, "apple.com", "apple", "identityToken", client_id="com.example.app", person="bo")
    linked = sign_in(
        api_key, "oidc.company", "oidc", "idToken", bo["idToken"], client_id="gatehouse-demo", person="bo")

    # The user is found, changed, signed out and deleted.
    console.go("#/shop/users")
    console.heading("Users")
    page.get_by_role("searchbox").fill("bo")
    page.keyboard.press("Enter")
    console.look("users", page.get_by_role("link", name="bo@example.com").or_(page.get_by_role("link", name="Bo")).first)
    console.go(f"#/shop/users/{bo['localId']}")
    page.get_by_role("tab", name="Claims").click()
    page.get_by_label("Custom claims").fill('{"role": "editor"}')
    console.press("Save")
    page.get_by_text("Saved").first.wait_for()
    console.look("user")
    page.get_by_role("tab", name="Sessions").click()
    console.press("End all sessions")
    page.get_by_role("dialog").get_by_role("button", name="End").last.click()
    page.get_by_text("sessions ended").wait_for()
    refused = requests.post(f"{BASE}/v1/token", params={"key": api_key}, timeout=60, json={
        "grant_type": "refresh_token", "refresh_token": linked["refreshToken"]})
    assert refused.json()["error"]["message"] == "TOKEN_EXPIRED", refused.text
    console.press("Delete")
    asked = page.get_by_role("dialog")
    asked.get_by_role("textbox").fill("bo@example.com")
    asked.get_by_role("button", name="Delete").click()
    console.look("deleted", page.get_by_role("heading", name="The user was deleted"))

    # The events tell it, and the overview counts it.
    console.go("#/shop/events")
    console.look("events", page.locator("table").get_by_text("account.deleted").first)
    for kind in ["account.created", "account.linked", "account.claims_changed", "account.session_ended", "setting.changed"]:
        assert page.locator("table").get_by_text(kind).count(), kind
    console.go("#/shop/overview")
    console.heading("Overview")
    console.look("overview")

    # The form shows the value that it refuses, though the search hid it. What isn't saved isn't lost.
    console.go("#/shop/policies")
    length = page.get_by_role("spinbutton", name="Minimum length")
    length.fill("3")
    page.get_by_role("searchbox").fill("passkey")
    console.press("Review changes")
    assert length.is_visible() and page.get_by_role("searchbox").input_value() == ""
    console.go("#/shop/overview")
    page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    console.heading("Overview")

    # Ada signs out, and in again.
    console.press("Sign out")
    console.heading("Sign in to the console")
    console.look("sign-in")
    page.get_by_text("With a password").click()
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    console.press("Continue")
    # A code works once, and those of the next half minute are accepted already.
    page.get_by_label("Code from the authenticator app").fill(code(secret, 1))
    console.press("Sign in")
    console.heading("Overview")

    # She adds a passkey, and signs in with it.
    Authenticator(ada, page)
    console.go("#/server/me")
    console.press("Show")
    asked = page.get_by_role("dialog")
    asked.get_by_text("With a password").click()
    asked.get_by_label("Password").fill(PASSWORD)
    asked.get_by_role("button", name="Continue").click()
    asked.get_by_label("Code from the authenticator app").fill(console.recovery_codes[0])
    asked.get_by_role("button", name="Sign in", exact=True).click()
    console.press("Add a passkey")
    page.get_by_role("dialog").get_by_role("button", name="Add a passkey").click()
    console.look("me", page.get_by_text("The passkey was added."))
    console.press("Sign out")
    console.press("Sign in with a passkey")
    console.heading("Overview")

    # Every page, dark and narrow.
    for scheme, width, language in [("dark", 1280, "de"), ("light", 360, "vi")]:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("(language) => localStorage.setItem('gatehouse-console-language', language)", language)
        page.reload()
        for name in PAGES:
            console.go("#/" + name)
            page.get_by_role("heading", level=1).wait_for()
            console.look(f"{name.replace('/', '-')}-{scheme}")
