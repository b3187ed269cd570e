"""Google's Admin SDK for Python with the emulator variable: its unsigned custom tokens."""

import unittest

from firebase_admin import auth

import support

APP = support.app()


def sign_in(token):
    return support.client_call(
        "accounts:signInWithCustomToken",
        {"token": token.decode() if isinstance(token, bytes) else token,
         "returnSecureToken": True})


class CustomTokens(unittest.TestCase):
    def test_a_new_account_with_claims(self):
        uid = support.unique("custom")
        session = sign_in(auth.create_custom_token(uid, {"plan": "pro"}, app=APP))
        self.assertTrue(session["isNewUser"])
        decoded = auth.verify_id_token(session["idToken"], app=APP, check_revoked=True)
        self.assertEqual(decoded["uid"], uid)
        self.assertEqual(decoded["plan"], "pro")
        self.assertEqual(decoded["firebase"]["sign_in_provider"], "custom")
        refreshed = support.refresh(session["refreshToken"])
        self.assertEqual(auth.verify_id_token(refreshed["id_token"], app=APP)["plan"], "pro")
        self.assertEqual(auth.get_user(uid, app=APP).uid, uid)

    def test_an_account_that_is_there(self):
        uid = auth.create_user(display_name="Tess", app=APP).uid
        session = sign_in(auth.create_custom_token(uid, app=APP))
        self.assertIs(session["isNewUser"], False)
        self.assertEqual(auth.verify_id_token(session["idToken"], app=APP)["name"], "Tess")

    def test_a_disabled_account(self):
        uid = auth.create_user(disabled=True, app=APP).uid
        with self.assertRaises(support.Refused) as refused:
            sign_in(auth.create_custom_token(uid, app=APP))
        self.assertEqual(refused.exception.message, "USER_DISABLED")


if __name__ == "__main__":
    unittest.main()
