"""Google's Admin SDK for Python verifies the signature of Gatehouse's ID tokens, with its certificates.

The emulator variable is unset, so that the SDK verifies; its certificate URL leads to the server.
"""

import base64
import json
import os
import unittest

os.environ.pop("FIREBASE_AUTH_EMULATOR_HOST", None)

import google.auth.crypt
import google.auth.jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from firebase_admin import _token_gen, _user_mgt, auth

import support

_token_gen.ID_TOKEN_CERT_URI = (
    f"{support.BASE}/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com")
_user_mgt.UserManager.ID_TOOLKIT_URL = f"{support.BASE}/identitytoolkit.googleapis.com/v1"
if "GATEHOUSE_ISSUER_PREFIX" in os.environ:
    _token_gen.ID_TOKEN_ISSUER_PREFIX = os.environ["GATEHOUSE_ISSUER_PREFIX"]

APP = support.app(support.StaticBearer(os.environ.get("GATEHOUSE_ADMIN_KEY", "owner")))


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
        cls.header, cls.payload, cls.signature = cls.token.split(".")

    def assert_refused(self, token):
        with self.assertRaises(auth.InvalidIdTokenError):
            auth.verify_id_token(token, app=APP)

    def test_a_good_one(self):
        decoded = auth.verify_id_token(self.token, app=APP, check_revoked=True)
        self.assertEqual(decoded["uid"], self.uid)
        self.assertEqual(decoded["iss"], _token_gen.ID_TOKEN_ISSUER_PREFIX + support.PROJECT)

    def test_a_changed_payload(self):
        claims = decode(self.payload)
        claims["sub"] = claims["user_id"] = "somebody-else"
        self.assert_refused(f"{self.header}.{encode(claims)}.{self.signature}")

    def test_a_changed_signature(self):
        bits = bytearray(base64.urlsafe_b64decode(self.signature + "=="))
        bits[10] ^= 1
        changed = base64.urlsafe_b64encode(bytes(bits)).rstrip(b"=").decode()
        self.assert_refused(f"{self.header}.{self.payload}.{changed}")

    def test_another_key_under_our_name(self):
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption())
        kid = decode(self.header)["kid"]
        signer = google.auth.crypt.RSASigner.from_string(pem, kid)
        forged = google.auth.jwt.encode(signer, decode(self.payload))
        self.assert_refused(forged)
        with self.assertRaises(support.Refused) as refused:
            support.client_call("accounts:lookup", {"idToken": forged.decode()})
        self.assertEqual(refused.exception.message, "INVALID_ID_TOKEN")

    def test_no_algorithm(self):
        self.assert_refused(f"{encode({'alg': 'none', 'typ': 'JWT'})}.{self.payload}.")


if __name__ == "__main__":
    unittest.main()
