"""Google's Admin SDK for Python creates and verifies session cookies, as it does with the emulator."""

import datetime
import time
import unittest

from firebase_admin import auth

import support

APP = support.app()
PASSWORD = "a long password"
WEEK = datetime.timedelta(days=7)


def signed_in():
    """A new account's uid and the response to its sign-in."""
    email = support.unique("cookie") + "@example.com"
    uid = auth.create_user(email=email, password=PASSWORD, app=APP).uid
    auth.set_custom_user_claims(uid, {"tier": "gold"}, app=APP)
    return uid, support.sign_in_with_password(email, PASSWORD)


class SessionCookies(unittest.TestCase):
    def test_what_a_cookie_says(self):
        uid, session = signed_in()
        cookie = auth.create_session_cookie(session["idToken"], expires_in=WEEK, app=APP)
        decoded = auth.verify_session_cookie(cookie, check_revoked=True, app=APP)
        token = auth.verify_id_token(session["idToken"], app=APP)
        self.assertEqual(decoded["uid"], uid)
        self.assertEqual(decoded["tier"], "gold")
        self.assertEqual(
            decoded["iss"], f"https://session.firebase.google.com/{support.PROJECT}")
        self.assertEqual(decoded["exp"] - decoded["iat"], WEEK.total_seconds())
        self.assertLess(abs(decoded["iat"] - time.time()), 60)
        for name in ["aud", "sub", "user_id", "auth_time", "email", "firebase"]:
            self.assertEqual(decoded[name], token[name])

    def test_the_shortest_and_the_longest(self):
        _, session = signed_in()
        for seconds in [300, 14 * 86_400]:
            cookie = auth.create_session_cookie(
                session["idToken"], expires_in=seconds, app=APP)
            decoded = auth.verify_session_cookie(cookie, app=APP)
            self.assertEqual(decoded["exp"] - decoded["iat"], seconds)

    def test_neither_is_the_other(self):
        _, session = signed_in()
        cookie = auth.create_session_cookie(session["idToken"], expires_in=WEEK, app=APP)
        with self.assertRaises(auth.InvalidIdTokenError):
            auth.verify_id_token(cookie, app=APP)
        with self.assertRaises(auth.InvalidSessionCookieError):
            auth.verify_session_cookie(session["idToken"], app=APP)
        with self.assertRaises(auth.InvalidIdTokenError):
            auth.create_session_cookie(cookie, expires_in=WEEK, app=APP)

    def test_revoked(self):
        uid, session = signed_in()
        cookie = auth.create_session_cookie(session["idToken"], expires_in=WEEK, app=APP)
        auth.verify_session_cookie(cookie, check_revoked=True, app=APP)
        support.wait_for_next_second()
        auth.revoke_refresh_tokens(uid, app=APP)
        with self.assertRaises(auth.RevokedSessionCookieError):
            auth.verify_session_cookie(cookie, check_revoked=True, app=APP)
        with self.assertRaises(support.Refused) as refused:
            support.client_call("accounts:lookup", {"sessionCookie": cookie})
        self.assertEqual(refused.exception.message, "TOKEN_EXPIRED")

    def test_disabled_and_deleted(self):
        uid, session = signed_in()
        cookie = auth.create_session_cookie(session["idToken"], expires_in=WEEK, app=APP)
        auth.update_user(uid, disabled=True, app=APP)
        with self.assertRaises(auth.UserDisabledError):
            auth.verify_session_cookie(cookie, check_revoked=True, app=APP)
        auth.delete_user(uid, app=APP)
        with self.assertRaises(auth.UserNotFoundError):
            auth.verify_session_cookie(cookie, check_revoked=True, app=APP)

    def test_refused_id_tokens(self):
        _, session = signed_in()
        header, payload, _ = session["idToken"].split(".")
        for token in ["garbage", f"{header}.{payload}.", session["refreshToken"]]:
            with self.assertRaises(auth.InvalidIdTokenError):
                auth.create_session_cookie(token, expires_in=WEEK, app=APP)


if __name__ == "__main__":
    unittest.main()
