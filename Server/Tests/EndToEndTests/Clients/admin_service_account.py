"""Google's Admin SDK for Python with a service account of Gatehouse, in production.

GATEHOUSE_SERVICE_ACCOUNT is the file that `gatehouse service-accounts create` wrote, with both roles.
GATEHOUSE_CUSTOM_TOKENS_ACCOUNT is the file of an account that may only create custom tokens. No emulator
is involved: tokens are signed and verified, and access tokens are fetched from the file's token_uri.
"""

import base64
import json
import os
import time
import unittest

os.environ.pop("FIREBASE_AUTH_EMULATOR_HOST", None)

import google.auth.exceptions
import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from firebase_admin import _token_gen, _user_mgt, auth, credentials, exceptions

import support

_token_gen.ID_TOKEN_CERT_URI = (
    f"{support.BASE}/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com")
_token_gen.ID_TOKEN_ISSUER_PREFIX = os.environ["GATEHOUSE_ISSUER_PREFIX"]
_user_mgt.UserManager.ID_TOOLKIT_URL = f"{support.BASE}/identitytoolkit.googleapis.com/v1"

AUDIENCE = (
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit")


def service_account(variable):
    with open(os.environ[variable], encoding="utf-8") as file:
        contents = json.load(file)
    # The file names the server's public URL; the test's server listens on loopback without TLS.
    assert contents["token_uri"] == os.environ["GATEHOUSE_ISSUER_PREFIX"] + "token", contents
    contents["token_uri"] = f"{support.BASE}/token"
    return contents


ADMINISTRATOR = service_account("GATEHOUSE_SERVICE_ACCOUNT")
APP = support.app(credentials.Certificate(ADMINISTRATOR))
LIMITED = support.app(
    credentials.Certificate(service_account("GATEHOUSE_CUSTOM_TOKENS_ACCOUNT")))


def sign_in(token):
    return support.client_call(
        "accounts:signInWithCustomToken",
        {"token": token.decode() if isinstance(token, bytes) else token,
         "returnSecureToken": True})


class CustomTokens(unittest.TestCase):
    def test_both_accounts_sign_persons_in(self):
        for app in (APP, LIMITED):
            uid = support.unique("custom")
            session = sign_in(auth.create_custom_token(uid, {"plan": "pro"}, app=app))
            decoded = auth.verify_id_token(session["idToken"], app=app)
            self.assertEqual(decoded["uid"], uid)
            self.assertEqual(decoded["plan"], "pro")
            refreshed = support.refresh(session["refreshToken"])
            self.assertEqual(auth.verify_id_token(refreshed["id_token"], app=app)["plan"], "pro")

    def test_an_emulators_token(self):
        unsigned = _token_gen._SigningProvider.for_emulator()
        generator = _token_gen.TokenGenerator(APP, http_client=None)
        generator._signing_provider = unsigned
        with self.assertRaises(support.Refused) as refused:
            sign_in(generator.create_custom_token("mallory"))
        self.assertEqual(refused.exception.message, "INVALID_CUSTOM_TOKEN")


class Administration(unittest.TestCase):
    """Each call carries an access token that google-auth fetched with a signed assertion."""

    def test_users(self):
        email = support.unique("sa") + "@example.com"
        made = auth.create_user(email=email, password="a long password", app=APP)
        self.assertEqual(auth.get_user_by_email(email, app=APP).uid, made.uid)
        auth.set_custom_user_claims(made.uid, {"role": "editor"}, app=APP)
        token = support.sign_in_with_password(email, "a long password")["idToken"]
        decoded = auth.verify_id_token(token, app=APP, check_revoked=True)
        self.assertEqual(decoded["role"], "editor")
        self.assertIn(made.uid, [user.uid for user in auth.list_users(app=APP).iterate_all()])
        auth.delete_user(made.uid, app=APP)
        with self.assertRaises(auth.UserNotFoundError):
            auth.get_user(made.uid, app=APP)

    def test_who_may_only_make_custom_tokens(self):
        # The SDK wraps google-auth's error in its own.
        with self.assertRaises(
            (exceptions.FirebaseError, google.auth.exceptions.RefreshError)) as refused:
            auth.get_user_by_email("alice@example.com", app=LIMITED)
        self.assertIn("invalid_grant", str(refused.exception))
        self.assertIn("not an administrator", str(refused.exception))


class UploadedKeys(unittest.TestCase):
    """A back end that has its own key and signs with any JWT library."""

    @classmethod
    def setUpClass(cls):
        cls.email = support.unique("backend") + "@example.com"
        cls.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        public = cls.key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        cls.uploaded = cls.upload(cls.email, public)

    @staticmethod
    def upload(email, pem):
        manager = auth._get_client(APP)._user_manager
        return manager._make_request(
            "post", f"/serviceAccounts/{email}/keys:upload",
            json={"publicKeyData": base64.b64encode(pem).decode()})

    def token(self, **changes):
        now = int(time.time())
        claims = {
            "iss": self.email, "sub": self.email, "aud": AUDIENCE, "uid": "uploaded", "iat": now,
            "exp": now + 3600,
        }
        return jwt.encode(
            claims | changes, self.key, algorithm="RS256", headers={"kid": "its own name"})

    def test_signing_in(self):
        decoded = auth.verify_id_token(sign_in(self.token())["idToken"], app=APP)
        self.assertEqual(decoded["uid"], "uploaded")

    def test_a_lifetime_over_an_hour(self):
        with self.assertRaises(support.Refused) as refused:
            sign_in(self.token(exp=int(time.time()) + 7200))
        self.assertEqual(refused.exception.message, "INVALID_CUSTOM_TOKEN")

    def test_it_is_no_administrator(self):
        contents = dict(ADMINISTRATOR, client_email=self.email)
        contents["private_key"] = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()).decode()
        app = support.app(credentials.Certificate(contents))
        with self.assertRaises(
            (exceptions.FirebaseError, google.auth.exceptions.RefreshError)) as refused:
            auth.get_user_by_email("alice@example.com", app=app)
        self.assertIn("invalid_grant", str(refused.exception))

    def test_an_administrators_account_takes_no_key(self):
        public = self.key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        with self.assertRaises(exceptions.FirebaseError) as refused:
            self.upload(ADMINISTRATOR["client_email"], public)
        self.assertIn("is an administrator", str(refused.exception))


if __name__ == "__main__":
    unittest.main()
