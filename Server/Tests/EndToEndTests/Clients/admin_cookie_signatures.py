"""Google's Admin SDK for Python verifies the signature of Gatehouse's session cookies, with its certificates.

The emulator variable is unset, so that the SDK verifies; its certificate URLs lead to the server.
"""

import base64
import datetime
import json
import os
import unittest

os.environ.pop("FIREBASE_AUTH_EMULATOR_HOST", None)

import requests
from cryptography import x509
from firebase_admin import _token_gen, _user_mgt, auth

import support

KEYS = f"{support.BASE}/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys"
_token_gen.COOKIE_CERT_URI = KEYS
_token_gen.ID_TOKEN_CERT_URI = (
    f"{support.BASE}/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com")
TOOLKIT = f"{support.BASE}/identitytoolkit.googleapis.com/v1"
_user_mgt.UserManager.ID_TOOLKIT_URL = TOOLKIT
_token_gen.TokenGenerator.ID_TOOLKIT_URL = TOOLKIT

APP = support.app(support.StaticBearer("owner"))
DAY = datetime.timedelta(days=1)


def decode(part):
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def encode(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


class Signatures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        email = support.unique("sig") + "@example.com"
        cls.uid = auth.create_user(email=email, password="a long password", app=APP).uid
        cls.token = support.sign_in_with_password(email, "a long password")["idToken"]
        cls.cookie = auth.create_session_cookie(cls.token, expires_in=DAY, app=APP)
        cls.header, cls.payload, cls.signature = cls.cookie.split(".")

    def assert_refused(self, cookie):
        with self.assertRaises(auth.InvalidSessionCookieError):
            auth.verify_session_cookie(cookie, app=APP)

    def test_a_good_one(self):
        decoded = auth.verify_session_cookie(self.cookie, check_revoked=True, app=APP)
        self.assertEqual(decoded["uid"], self.uid)

    def test_a_changed_payload(self):
        claims = decode(self.payload)
        claims["sub"] = claims["user_id"] = "somebody-else"
        self.assert_refused(f"{self.header}.{encode(claims)}.{self.signature}")

    def test_a_changed_signature(self):
        bits = bytearray(base64.urlsafe_b64decode(self.signature + "=="))
        bits[10] ^= 1
        changed = base64.urlsafe_b64encode(bytes(bits)).rstrip(b"=").decode()
        self.assert_refused(f"{self.header}.{self.payload}.{changed}")

    def test_an_id_token_is_none(self):
        auth.verify_id_token(self.token, app=APP)
        self.assert_refused(self.token)

    def test_the_two_rings_share_no_key(self):
        cookies = requests.get(KEYS, timeout=30).json()
        tokens = requests.get(_token_gen.ID_TOKEN_CERT_URI, timeout=30).json()
        self.assertIn(decode(self.header)["kid"], cookies)
        self.assertIn(decode(self.token.split(".")[0])["kid"], tokens)
        self.assertFalse(cookies.keys() & tokens.keys())

    def test_certificates_are_signed_by_their_own_key(self):
        for pem in requests.get(KEYS, timeout=30).json().values():
            certificate = x509.load_pem_x509_certificate(pem.encode())
            certificate.verify_directly_issued_by(certificate)


if __name__ == "__main__":
    unittest.main()
