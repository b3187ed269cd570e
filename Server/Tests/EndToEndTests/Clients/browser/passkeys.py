"""Passkeys in Chromium, with its virtual authenticators (CTAP2): a page adds one, signs in with it with and
without a user name, creates an account, and removes one.

    passkeys.py
"""

import json
import secrets

import support
import webauthn
from chromium import Chromium, Site
from virtual_authenticator import Authenticator

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Example app</title>
<link rel="icon" href="data:,"></head><body><h1>Example app</h1>
<label>Address <input id="name" autocomplete="username webauthn"></label></body></html>"""

MODULE = f"""async () => {{
  const {{ Passkeys }} = await import("{support.BASE}/__/auth/passkeys.js");
  globalThis.passkeys = new Passkeys({{ apiKey: "{support.API_KEY}" }});
  globalThis.Passkeys = Passkeys;
  return Passkeys.isSupported;
}}"""


def sign_up():
    return support.client_call("accounts:signUp", {
        "email": f"{secrets.token_hex(8)}@example.com", "password": "notasecret",
        "returnSecureToken": True})


def listed(id_token):
    users = support.client_call("accounts:lookup", {"idToken": id_token})["users"]
    return users[0].get("passkeyInfo", [])


def run(page, function, options):
    """Calls a function of the module. Returns its result, or the name and code of its error."""
    return page.evaluate(
        """async ([name, options]) => {
          try { return await globalThis.passkeys[name](options); }
          catch (error) { return { error: error.name, code: error.code }; }
        }""", [function, options])


with Site({"/": PAGE}, host="localhost") as site, \
        Chromium("passkeys", [site.origin]) as chromium:
    person = chromium.profile()
    person.expect("answered 400: ")  # Some requests are meant to be refused.
    page = person.open(site.url("/"))
    assert page.evaluate(MODULE)

    # An authenticator in the device, whose passkeys are copied to the user's other devices.
    phone = Authenticator(
        person, page, defaultBackupEligibility=True, defaultBackupState=True)
    ann = sign_up()
    added = run(page, "add", {"idToken": ann["idToken"], "name": "Phone"})
    assert added["localId"] == ann["localId"], added
    info = added["passkeyInfo"]
    assert info["name"] == "Phone" and info["backedUp"], info
    [credential] = phone.credentials()
    assert credential["credentialId"] == info["credentialId"], credential
    assert credential["userHandle"] == info["userHandle"] and credential["isResidentCredential"]

    # The same authenticator isn't asked a second time.
    assert run(page, "add", {"idToken": ann["idToken"]})["error"] == "InvalidStateError"

    for options in [{}, {"email": ann["email"]}, {"idToken": added["idToken"]}]:
        assert run(page, "signIn", options)["localId"] == ann["localId"], options

    # A user whom the device doesn't recognise.
    phone.set("WebAuthn.setUserVerified", isUserVerified=False)
    assert run(page, "signIn", {})["error"] == "NotAllowedError"
    phone.set("WebAuthn.setUserVerified", isUserVerified=True)

    # The passkey appears in the suggestions of the field. The virtual authenticator takes the first.
    assert page.evaluate("Passkeys.canAutofill()")
    assert run(page, "signIn", {"conditional": True})["localId"] == ann["localId"]
    phone.remove()

    # A security key holds another passkey of the account.
    key = Authenticator(person, page, transport="usb")
    second = run(page, "add", {"idToken": ann["idToken"], "name": "Security key"})
    assert second.get("passkeyInfo", {}).get("backedUp") is False, second
    assert run(page, "signIn", {})["localId"] == ann["localId"]
    assert [p["name"] for p in listed(ann["idToken"])] == ["Phone", "Security key"]

    # Without user verification: Chromium uses a passkey only if its name is known.
    [held] = key.credentials()
    key.remove()
    key = Authenticator(
        person, page, transport="usb", hasUserVerification=False, isUserVerified=False)
    key.set("WebAuthn.addCredential", credential=held)
    answer = run(page, "signIn", {"email": ann["email"]})
    assert answer.get("localId") == ann["localId"], answer

    # The counter of the credential goes back: another device has a copy.
    assert key.credentials()[0]["signCount"] > 0
    copy = key.credentials()[0]
    key.set("WebAuthn.clearCredentials")
    key.set("WebAuthn.addCredential", credential={**copy, "signCount": 0})
    refused = run(page, "signIn", {"email": ann["email"]})
    assert refused["code"] == "INVALID_AUTHENTICATOR_RESPONSE", refused

    # A removed passkey signs nobody in.
    fresh = support.sign_in_with_password(ann["email"], "notasecret")["idToken"]
    support.client_call(
        "accounts:update", {"idToken": fresh, "deletePasskey": [copy["credentialId"]]})
    assert [p["name"] for p in listed(fresh)] == ["Phone"]
    key.remove()
    key = Authenticator(person, page, transport="usb")
    key.set("WebAuthn.addCredential", credential=copy)
    gone = run(page, "signIn", {})
    assert gone["code"] == "PASSKEY_CREDENTIAL_NOT_FOUND", gone
    run(page, "signalAccepted", listed(fresh))
    key.remove()

    # A passkey creates an account, and PyPI's `webauthn` agrees about what the browser sends.
    new = Authenticator(person, page)
    bob = run(page, "signUp", {"displayName": "Bob", "name": "Laptop"})
    assert bob["isNewUser"] and bob["localId"] != ann["localId"], bob
    assert run(page, "signIn", {})["localId"] == bob["localId"]
    sent = [
        json.loads(request.post_data)["credential"] for request in person.requests
        if "passkeyEnrollment:finalize" in request.url][-1]
    challenge = json.loads(webauthn.base64url_to_bytes(sent["response"]["clientDataJSON"]))["challenge"]
    webauthn.verify_registration_response(
        credential=sent, expected_challenge=webauthn.base64url_to_bytes(challenge),
        expected_rp_id="localhost", expected_origin=site.origin, require_user_verification=True)

    # Another site can't use them: the browser refuses its relying party.
    with Site({"/": PAGE}, host="127.0.0.1") as stranger:
        chromium.allow(stranger.origin)
        other = person.open(stranger.url("/"))
        other.evaluate(MODULE)
        assert run(other, "signIn", {})["error"] == "SecurityError"
