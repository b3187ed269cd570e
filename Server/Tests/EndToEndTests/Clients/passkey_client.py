"""Passkeys with the data structures of PyPI's `fido2`, in Google's form and in that of browsers. What Gatehouse
asks for and accepts, `fido2` and `webauthn` read and verify too; what it refuses differs in one thing."""

import base64
import hashlib
import json
import secrets

import requests
import webauthn
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from fido2 import cose
from fido2.webauthn import (
    AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData,
    PublicKeyCredentialCreationOptions, PublicKeyCredentialRequestOptions)

import support

ORIGIN = "http://localhost:5173"
FLAG = AuthenticatorData.FLAG


def call(method, body, refused=None):
    answer = requests.post(
        f"{support.BASE}/identitytoolkit.googleapis.com/v2/accounts/{method}?key={support.API_KEY}",
        json=body, timeout=30)
    if refused is None:
        assert answer.status_code == 200, answer.text
        return answer.json()
    message = answer.json()["error"]["message"]
    assert answer.status_code == 400 and message == refused, answer.text
    return None


def update(body):
    return support.client_call("accounts:update", body)


def passkeys(id_token):
    users = support.client_call("accounts:lookup", {"idToken": id_token})["users"]
    return users[0].get("passkeyInfo", [])


class Authenticator:
    """One credential of an algorithm."""

    def __init__(self, algorithm):
        self.algorithm = algorithm
        self.id = secrets.token_bytes(20)
        self.counter = 0
        self.user_handle = None
        if algorithm == -7:
            self._key = ec.generate_private_key(ec.SECP256R1())
            self.public = cose.ES256.from_cryptography_key(self._key.public_key())
        elif algorithm == -35:
            self._key = ec.generate_private_key(ec.SECP384R1())
            self.public = cose.ES384.from_cryptography_key(self._key.public_key())
        elif algorithm == -8:
            self._key = ed25519.Ed25519PrivateKey.generate()
            self.public = cose.EdDSA.from_cryptography_key(self._key.public_key())
        else:
            self._key = rsa.generate_private_key(65537, 2048)
            self.public = cose.RS256.from_cryptography_key(self._key.public_key())

    def _sign(self, message):
        if self.algorithm == -7:
            return self._key.sign(message, ec.ECDSA(hashes.SHA256()))
        if self.algorithm == -8:
            return self._key.sign(message)
        return self._key.sign(message, padding.PKCS1v15(), hashes.SHA256())

    def create(self, options, flags=FLAG.UP | FLAG.UV, origin=ORIGIN):
        """RegistrationResponseJSON for the options of a browser."""
        read = PublicKeyCredentialCreationOptions.from_dict(options)
        self.user_handle = read.user.id
        client_data = CollectedClientData.create("webauthn.create", read.challenge, origin)
        data = AuthenticatorData.create(
            hashlib.sha256(read.rp.id.encode()).digest(), flags | FLAG.AT, self.counter,
            AttestedCredentialData.create(bytes(16), self.id, self.public))
        return {
            "id": url(self.id), "rawId": url(self.id), "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": url(client_data), "transports": ["internal"],
                "attestationObject": url(AttestationObject.create("none", data, {}))}}

    def get(self, options, flags=FLAG.UP | FLAG.UV, origin=ORIGIN, user_handle=True):
        """AuthenticationResponseJSON for the options of a browser."""
        read = PublicKeyCredentialRequestOptions.from_dict(options)
        client_data = CollectedClientData.create("webauthn.get", read.challenge, origin)
        data = AuthenticatorData.create(
            hashlib.sha256(read.rp_id.encode()).digest(), flags, self.counter)
        response = {
            "clientDataJSON": url(client_data), "authenticatorData": url(data),
            "signature": url(self._sign(data + client_data.hash))}
        if user_handle:
            response["userHandle"] = url(self.user_handle)
        return {
            "id": url(self.id), "rawId": url(self.id), "type": "public-key",
            "clientExtensionResults": {}, "response": response}


def url(data):
    return base64.urlsafe_b64encode(bytes(data)).rstrip(b"=").decode()


def bytes_of(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def googles(credential):
    """As Google's client for iOS sends it: standard base64 with padding."""
    def standard(text):
        return base64.b64encode(bytes_of(text)).decode()
    response = {
        name: standard(text) for name, text in credential["response"].items() if name != "transports"}
    return {"id": standard(credential["id"]), "response": response}


def enroll(authenticator, id_token, form="browser", name="Key"):
    started = call("passkeyEnrollment:start", {"idToken": id_token})
    options = started["publicKey"]
    # Both forms say the same.
    google = started["credentialCreationOptions"]
    assert base64.b64decode(google["challenge"]) == bytes_of(options["challenge"])
    assert base64.b64decode(google["user"]["id"]) == bytes_of(options["user"]["id"])
    assert google["rp"] == options["rp"] == {"id": "localhost", "name": "demo"}, google
    credential = authenticator.create(options)
    webauthn.verify_registration_response(
        credential=credential, expected_challenge=bytes_of(options["challenge"]),
        expected_rp_id="localhost", expected_origin=ORIGIN, require_user_verification=True)
    body = {"idToken": id_token, "name": name}
    if form == "browser":
        body["credential"] = json.loads(json.dumps(credential))
    else:
        body["authenticatorRegistrationResponse"] = googles(credential)
    return call("passkeyEnrollment:finalize", body)


def sign_in(authenticator, form="browser", start=None, **changes):
    started = call("passkeySignIn:start", start or {})
    options = started["publicKey"]
    assert started["credentialRequestOptions"]["rpId"] == "localhost"
    credential = authenticator.get(options, **changes)
    webauthn.verify_authentication_response(
        credential=credential, expected_challenge=bytes_of(options["challenge"]),
        expected_rp_id="localhost", expected_origin=ORIGIN,
        credential_public_key=cbor(authenticator.public), credential_current_sign_count=0)
    if form == "browser":
        return call("passkeySignIn:finalize", {"credential": credential})
    return call(
        "passkeySignIn:finalize", {"authenticatorAuthenticationResponse": googles(credential)})


def cbor(key):
    from fido2 import cbor as encoding
    return encoding.encode(key)


def main():
    ann = support.client_call("accounts:signUp", {
        "email": f"{secrets.token_hex(8)}@example.com", "password": "notasecret",
        "returnSecureToken": True})
    token = ann["idToken"]

    # Each algorithm, in each form.
    authenticators = []
    for algorithm in (-7, -8, -257):
        for form in ("browser", "google"):
            authenticator = Authenticator(algorithm)
            answer = enroll(authenticator, token, form)
            assert answer["localId"] == ann["localId"] and answer["refreshToken"], answer
            assert bytes_of(url(base64.b64decode(answer["passkeyInfo"]["credentialId"]))) == authenticator.id
            signed_in = sign_in(authenticator, form)
            assert signed_in["localId"] == ann["localId"] and signed_in["idToken"], signed_in
            authenticators.append(authenticator)
    listed = passkeys(token)
    assert [base64.b64decode(p["credentialId"]) for p in listed] == [a.id for a in authenticators]
    assert {p["name"] for p in listed} == {"Key"}

    # The account's passkeys are excluded, and an algorithm that was not asked for is refused.
    options = call("passkeyEnrollment:start", {"idToken": token})["publicKey"]
    assert [bytes_of(d["id"]) for d in options["excludeCredentials"]] == [a.id for a in authenticators]
    assert [p["alg"] for p in options["pubKeyCredParams"]] == [-7, -8, -257]
    call("passkeyEnrollment:finalize",
         {"idToken": token, "credential": Authenticator(-35).create(options)},
         refused="INVALID_AUTHENTICATOR_RESPONSE : The algorithm -35 was not asked for.")

    # A user name: without email privacy its passkeys are named.
    key = authenticators[0]
    named = call("passkeySignIn:start", {"email": ann["email"]})["publicKey"]
    assert len(named["allowCredentials"]) == len(authenticators)
    assert sign_in(key, start={"email": ann["email"]}, user_handle=False)["localId"] == ann["localId"]

    # A passkey without user verification signs in.
    assert sign_in(key, flags=FLAG.UP)["localId"] == ann["localId"]

    # What is refused.
    def refuse(text, **changes):
        started = call("passkeySignIn:start", {})["publicKey"]
        call("passkeySignIn:finalize", {"credential": key.get(started, **changes)},
             refused="INVALID_AUTHENTICATOR_RESPONSE : " + text)
    refuse("The origin is not one of the project's.", origin="https://example.com")
    refuse("The user was not present.", flags=FLAG.UV)
    refuse("The user handle is another user's.", user_handle=False)
    started = call("passkeySignIn:start", {})["publicKey"]
    credential = key.get(started)
    call("passkeySignIn:finalize", {"credential": credential})
    call("passkeySignIn:finalize", {"credential": credential},
         refused="INVALID_AUTHENTICATOR_RESPONSE : The challenge was used before. Start again.")

    # A removed passkey signs nobody in.
    fresh = sign_in(key)["idToken"]
    update({"idToken": fresh, "deletePasskey": [base64.b64encode(key.id).decode()]})
    assert len(passkeys(fresh)) == len(authenticators) - 1
    started = call("passkeySignIn:start", {})["publicKey"]
    call("passkeySignIn:finalize", {"credential": key.get(started)},
         refused="PASSKEY_CREDENTIAL_NOT_FOUND")

    # A passkey creates an account.
    new = Authenticator(-7)
    options = call("passkeyEnrollment:start", {"displayName": "Bob"})["publicKey"]
    bob = call("passkeyEnrollment:finalize", {"credential": new.create(options)})
    assert bob["isNewUser"] and bob["localId"] != ann["localId"], bob
    assert sign_in(new)["localId"] == bob["localId"]
    claims = json.loads(bytes_of(bob["idToken"].split(".")[1]))
    assert claims["firebase"]["sign_in_provider"] == "passkey", claims
    assert claims["name"] == "Bob", claims

    # What Google's emulator answers to requests without their members.
    call("passkeyEnrollment:start", {}, refused="MISSING_ID_TOKEN")
    call("passkeyEnrollment:finalize", {"authenticatorRegistrationResponse": {"id": "some_cred"}},
         refused="MISSING_ID_TOKEN")
    call("passkeyEnrollment:finalize", {"idToken": "some_token"},
         refused="MISSING_AUTHENTICATOR_RESPONSE")
    call("passkeySignIn:finalize", {}, refused="MISSING_AUTHENTICATOR_RESPONSE")
    call("passkeySignIn:finalize", {"authenticatorAuthenticationResponse": {"id": "nonexistent_cred_id"}},
         refused="PASSKEY_CREDENTIAL_NOT_FOUND")
    update({"idToken": support.client_call("accounts:signUp", {
        "email": f"{secrets.token_hex(8)}@example.com", "password": "notasecret",
        "returnSecureToken": True})["idToken"], "deletePasskey": ["nonexistent_key"]})


main()
