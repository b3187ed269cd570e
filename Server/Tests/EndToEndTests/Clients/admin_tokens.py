"""Google's Admin SDK for Python: custom claims, revocation, and ID tokens as with the emulator."""

import json
import unittest

from firebase_admin import auth, exceptions

import support

APP = support.app()
PASSWORD = "a long password"


def account():
    email = support.unique("t") + "@example.com"
    made = auth.create_user(email=email, password=PASSWORD, display_name="Tess", app=APP)
    return made.uid, email


class CustomClaims(unittest.TestCase):
    def test_set_show_and_clear(self):
        uid, email = account()
        claims = {"admin": True, "tier": "gold", "groups": ["a", "b"], "limits": {"disk": 12.5}}
        auth.set_custom_user_claims(uid, claims, app=APP)
        self.assertEqual(auth.get_user(uid, app=APP).custom_claims, claims)
        session = support.sign_in_with_password(email, PASSWORD)
        decoded = auth.verify_id_token(session["idToken"], app=APP)
        for name, value in claims.items():
            self.assertEqual(decoded[name], value)

        auth.set_custom_user_claims(uid, {"tier": "none"}, app=APP)
        decoded = auth.verify_id_token(
            support.refresh(session["refreshToken"])["id_token"], app=APP)
        self.assertEqual(decoded["tier"], "none")
        self.assertNotIn("admin", decoded)

        auth.set_custom_user_claims(uid, None, app=APP)
        self.assertIsNone(auth.get_user(uid, app=APP).custom_claims)

    def test_a_thousand_characters_and_no_more(self):
        uid, _ = account()
        overhead = len(json.dumps({"x": ""}))
        auth.set_custom_user_claims(uid, {"x": "y" * (1000 - overhead)}, app=APP)
        with self.assertRaises(exceptions.InvalidArgumentError) as refused:
            # The SDK checks the same limit for a dictionary; a string skips that check.
            send_claims(uid, json.dumps({"x": "y" * (1001 - overhead)}))
        self.assertIn("CLAIMS_TOO_LARGE", str(refused.exception))

    def test_reserved_names(self):
        uid, _ = account()
        for name in ["aud", "iss", "sub", "firebase", "auth_time", "nonce"]:
            with self.assertRaises(exceptions.InvalidArgumentError) as refused:
                send_claims(uid, json.dumps({name: "x"}))
            self.assertIn("FORBIDDEN_CLAIM", str(refused.exception))
            self.assertIn(name, str(refused.exception))

    def test_not_an_object(self):
        uid, _ = account()
        for text in ["[]", "1", '"x"', "{", "{} {}"]:
            with self.assertRaises(exceptions.InvalidArgumentError) as refused:
                send_claims(uid, text)
            self.assertIn("INVALID_CLAIMS", str(refused.exception))


def send_claims(uid, text):
    """Sends the SDK's request without the SDK's own checks."""
    manager = auth._get_client(APP)._user_manager
    manager._make_request(
        "post", "/accounts:update", json={"localId": uid, "customAttributes": text})


class VerifyingWithTheEmulatorVariable(unittest.TestCase):
    def test_what_the_token_says(self):
        uid, email = account()
        decoded = auth.verify_id_token(
            support.sign_in_with_password(email, PASSWORD)["idToken"], app=APP,
            check_revoked=True)
        self.assertEqual(decoded["uid"], uid)
        self.assertEqual(decoded["user_id"], uid)
        self.assertEqual(decoded["aud"], support.PROJECT)
        self.assertEqual(decoded["iss"], f"https://securetoken.google.com/{support.PROJECT}")
        self.assertEqual(decoded["email"], email)
        self.assertFalse(decoded["email_verified"])
        self.assertEqual(decoded["name"], "Tess")
        self.assertEqual(decoded["exp"] - decoded["iat"], 3600)
        self.assertEqual(decoded["firebase"]["sign_in_provider"], "password")
        self.assertEqual(decoded["firebase"]["identities"], {"email": [email]})

    def test_revoked(self):
        uid, email = account()
        session = support.sign_in_with_password(email, PASSWORD)
        auth.verify_id_token(session["idToken"], app=APP, check_revoked=True)
        support.wait_for_next_second()
        auth.revoke_refresh_tokens(uid, app=APP)
        with self.assertRaises(auth.RevokedIdTokenError):
            auth.verify_id_token(session["idToken"], app=APP, check_revoked=True)
        with self.assertRaises(support.Refused) as refused:
            support.refresh(session["refreshToken"])
        self.assertEqual(refused.exception.message, "TOKEN_EXPIRED")
        with self.assertRaises(support.Refused) as refused:
            support.client_call("accounts:lookup", {"idToken": session["idToken"]})
        self.assertEqual(refused.exception.message, "TOKEN_EXPIRED")
        again = support.sign_in_with_password(email, PASSWORD)
        auth.verify_id_token(again["idToken"], app=APP, check_revoked=True)

    def test_disabled(self):
        uid, email = account()
        session = support.sign_in_with_password(email, PASSWORD)
        auth.update_user(uid, disabled=True, app=APP)
        with self.assertRaises(auth.UserDisabledError):
            auth.verify_id_token(session["idToken"], app=APP, check_revoked=True)

    def test_deleted(self):
        uid, email = account()
        session = support.sign_in_with_password(email, PASSWORD)
        auth.delete_user(uid, app=APP)
        with self.assertRaises(auth.UserNotFoundError):
            auth.verify_id_token(session["idToken"], app=APP, check_revoked=True)
        auth.create_user(uid=uid, app=APP)
        with self.assertRaises(support.Refused) as refused:
            support.refresh(session["refreshToken"])
        self.assertEqual(refused.exception.message, "TOKEN_EXPIRED")


if __name__ == "__main__":
    unittest.main()
