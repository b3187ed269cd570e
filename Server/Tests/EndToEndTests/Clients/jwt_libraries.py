"""PyJWT and joserfc verify Gatehouse's ID tokens, with keys that they find through discovery."""

import os
import unittest

import joserfc.jwk
import joserfc.jwt
import jwt
import requests

import support

# The URL of the discovery document. In development the issuer is Google's, but the server has the document.
DISCOVERY = os.environ["GATEHOUSE_DISCOVERY"]
ALGORITHM = os.environ.get("GATEHOUSE_ALGORITHM", "RS256")


class Libraries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        document = requests.get(DISCOVERY, timeout=30)
        assert document.status_code == 200, document.text
        cls.metadata = document.json()
        keys = cls.metadata["jwks_uri"]
        # The server under test isn't reachable at its public URL.
        public = os.environ.get("GATEHOUSE_PUBLIC_URL")
        cls.jwks_uri = keys.replace(public, support.BASE, 1) if public else keys
        cls.token = support.client_call(
            "accounts:signUp",
            {"email": support.unique("jwt") + "@example.com", "password": "a long password"},
        )["idToken"]

    def test_the_document(self):
        for member in ["issuer", "jwks_uri", "response_types_supported",
                       "subject_types_supported", "id_token_signing_alg_values_supported"]:
            self.assertIn(member, self.metadata)
        # The algorithm of the project's tokens is the first.
        algorithms = self.metadata["id_token_signing_alg_values_supported"]
        self.assertEqual((algorithms[0], set(algorithms)), (ALGORITHM, {"RS256", "ES256"}))
        self.assertEqual(jwt.get_unverified_header(self.token)["alg"], ALGORITHM)

    def test_pyjwt(self):
        key = jwt.PyJWKClient(self.jwks_uri).get_signing_key_from_jwt(self.token)
        claims = jwt.decode(
            self.token, key.key, algorithms=[ALGORITHM], audience=support.PROJECT,
            issuer=self.metadata["issuer"],
            options={"require": ["exp", "iat", "iss", "aud", "sub", "auth_time"]})
        self.assertEqual(claims["sub"], claims["user_id"])
        header, payload, signature = self.token.split(".")
        with self.assertRaises(jwt.InvalidSignatureError):
            changed = ("B" if signature[0] == "A" else "A") + signature[1:]
            jwt.decode(
                f"{header}.{payload}.{changed}", key.key, algorithms=[ALGORITHM],
                audience=support.PROJECT)

    def test_joserfc(self):
        answer = requests.get(self.jwks_uri, timeout=30)
        self.assertIn("max-age", answer.headers["cache-control"])
        keys = joserfc.jwk.KeySet.import_key_set(answer.json())
        token = joserfc.jwt.decode(self.token, keys, algorithms=[ALGORITHM])
        joserfc.jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": self.metadata["issuer"]},
            aud={"essential": True, "value": support.PROJECT},
            sub={"essential": True}, exp={"essential": True}, iat={"essential": True},
        ).validate(token.claims)

    def test_the_keys(self):
        for key in requests.get(self.jwks_uri, timeout=30).json()["keys"]:
            self.assertIn(
                (key["kty"], key["alg"], key["use"]),
                [("RSA", "RS256", "sig"), ("EC", "ES256", "sig")])
            self.assertTrue(key["kid"])
            for private in ["d", "p", "q", "dp", "dq", "qi"]:
                self.assertNotIn(private, key)


if __name__ == "__main__":
    unittest.main()
