"""PyJWT verifies Gatehouse's session cookies, with keys that it finds through discovery."""

import os
import unittest

import jwt
import requests

import support

# The URL of the discovery document of the cookies' issuer.
DISCOVERY = os.environ["GATEHOUSE_COOKIE_DISCOVERY"]
ADMIN = {"authorization": f"Bearer {os.environ.get('GATEHOUSE_ADMIN_KEY', 'owner')}"}


class Cookies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        document = requests.get(DISCOVERY, timeout=30)
        assert document.status_code == 200, document.text
        cls.metadata = document.json()
        keys = cls.metadata["jwks_uri"]
        # The server under test isn't reachable at its public URL.
        public = os.environ.get("GATEHOUSE_PUBLIC_URL")
        cls.keys = jwt.PyJWKClient(
            keys.replace(public, support.BASE, 1) if public else keys)
        cls.token = support.client_call(
            "accounts:signUp",
            {"email": support.unique("jwt") + "@example.com", "password": "a long password"},
        )["idToken"]
        answer = requests.post(
            f"{support.BASE}/v1/projects/{support.PROJECT}:createSessionCookie",
            json={"idToken": cls.token, "validDuration": "3600"}, headers=ADMIN, timeout=30)
        assert answer.status_code == 200, answer.text
        cls.cookie = answer.json()["sessionCookie"]

    def decode(self, cookie):
        key = self.keys.get_signing_key_from_jwt(cookie)
        return jwt.decode(
            cookie, key.key, algorithms=[os.environ.get("GATEHOUSE_ALGORITHM", "RS256")], audience=support.PROJECT,
            issuer=self.metadata["issuer"],
            options={"require": ["exp", "iat", "iss", "aud", "sub", "auth_time"]})

    def test_a_good_one(self):
        claims = self.decode(self.cookie)
        self.assertEqual(claims["exp"] - claims["iat"], 3600)
        self.assertEqual(claims["sub"], claims["user_id"])

    def test_an_id_token_is_none(self):
        with self.assertRaises(jwt.PyJWKClientError):
            self.decode(self.token)

    def test_a_changed_signature(self):
        header, payload, signature = self.cookie.split(".")
        changed = ("B" if signature[0] == "A" else "A") + signature[1:]
        with self.assertRaises(jwt.InvalidSignatureError):
            self.decode(f"{header}.{payload}.{changed}")


if __name__ == "__main__":
    unittest.main()
