"""Google's Admin SDK for Python and tokens and cookies that are too old, too new, or can't be verified.

The emulator variable is unset, so that the SDK verifies. The test moves the SDK's own clock.
"""

import contextlib
import datetime
import os
import unittest
import unittest.mock

os.environ.pop("FIREBASE_AUTH_EMULATOR_HOST", None)

from firebase_admin import _token_gen, _user_mgt, auth, exceptions
from google.auth import _helpers

import support

TOOLKIT = f"{support.BASE}/identitytoolkit.googleapis.com/v1"
_user_mgt.UserManager.ID_TOOLKIT_URL = _token_gen.TokenGenerator.ID_TOOLKIT_URL = TOOLKIT
_token_gen.ID_TOKEN_CERT_URI = (
    f"{support.BASE}/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com")
_token_gen.COOKIE_CERT_URI = (
    f"{support.BASE}/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys")

APP = support.app(support.StaticBearer("owner"))
PASSWORD = "a long password"


@contextlib.contextmanager
def clock_moved_by(seconds):
    now = _helpers.utcnow
    moved = datetime.timedelta(seconds=seconds)
    with unittest.mock.patch.object(_helpers, "utcnow", lambda: now() + moved):
        yield


def signed_in():
    email = support.unique("old") + "@example.com"
    uid = auth.create_user(email=email, password=PASSWORD, app=APP).uid
    return uid, support.sign_in_with_password(email, PASSWORD)["idToken"]


class IdTokens(unittest.TestCase):
    def test_an_hour_later(self):
        uid, token = signed_in()
        with clock_moved_by(3500):
            self.assertEqual(auth.verify_id_token(token, app=APP)["uid"], uid)
        with clock_moved_by(3630):
            with self.assertRaises(auth.ExpiredIdTokenError):
                auth.verify_id_token(token, app=APP)
            decoded = auth.verify_id_token(token, app=APP, clock_skew_seconds=60)
            self.assertEqual(decoded["uid"], uid)
        with clock_moved_by(3700), self.assertRaises(auth.ExpiredIdTokenError):
            auth.verify_id_token(token, app=APP, clock_skew_seconds=60)

    def test_from_the_future(self):
        uid, token = signed_in()
        with clock_moved_by(-30):
            with self.assertRaises(auth.InvalidIdTokenError) as refused:
                auth.verify_id_token(token, app=APP)
            self.assertNotIsInstance(refused.exception, auth.ExpiredIdTokenError)
            self.assertIn("too early", str(refused.exception))
            decoded = auth.verify_id_token(token, app=APP, clock_skew_seconds=60)
            self.assertEqual(decoded["uid"], uid)

    def test_of_another_project(self):
        _, token = signed_in()
        other = auth.Client(support.app(support.StaticBearer("owner")))
        other._token_verifier.id_token_verifier.project_id = "another"
        with self.assertRaises(auth.InvalidIdTokenError) as refused:
            other.verify_id_token(token)
        self.assertIn('"aud"', str(refused.exception))

    def test_a_custom_token_is_none(self):
        token = _token_gen.TokenGenerator(APP, http_client=None)
        token._signing_provider = _token_gen._SigningProvider.for_emulator()
        with self.assertRaises(auth.InvalidIdTokenError) as refused:
            auth.verify_id_token(token.create_custom_token("somebody"), app=APP)
        self.assertIn("given a custom token", str(refused.exception))

    def test_certificates_that_are_not_there(self):
        _, token = signed_in()
        client = auth.Client(support.app(support.StaticBearer("owner")))
        client._token_verifier.id_token_verifier.cert_url = f"{support.BASE}/nowhere"
        with self.assertRaises(auth.CertificateFetchError):
            client.verify_id_token(token)


class SessionCookies(unittest.TestCase):
    def test_a_day_later(self):
        uid, token = signed_in()
        day = datetime.timedelta(days=1)
        cookie = auth.create_session_cookie(token, expires_in=day, app=APP)
        with clock_moved_by(86_300):
            self.assertEqual(auth.verify_session_cookie(cookie, app=APP)["uid"], uid)
        with clock_moved_by(86_430):
            with self.assertRaises(auth.ExpiredSessionCookieError):
                auth.verify_session_cookie(cookie, app=APP)
            decoded = auth.verify_session_cookie(cookie, app=APP, clock_skew_seconds=60)
            self.assertEqual(decoded["uid"], uid)

    def test_revoked_and_disabled(self):
        uid, token = signed_in()
        cookie = auth.create_session_cookie(token, expires_in=300, app=APP)
        support.wait_for_next_second()
        auth.revoke_refresh_tokens(uid, app=APP)
        with self.assertRaises(auth.RevokedSessionCookieError):
            auth.verify_session_cookie(cookie, check_revoked=True, app=APP)
        with self.assertRaises(auth.RevokedIdTokenError):
            auth.verify_id_token(token, check_revoked=True, app=APP)
        # Without check_revoked the SDK doesn't ask the server, and accepts both as before.
        self.assertEqual(auth.verify_session_cookie(cookie, app=APP)["uid"], uid)
        self.assertEqual(auth.verify_id_token(token, app=APP)["uid"], uid)
        # The server creates no cookie from a revoked token.
        with self.assertRaises(exceptions.FirebaseError) as refused:
            auth.create_session_cookie(token, expires_in=300, app=APP)
        self.assertIn("TOKEN_EXPIRED", str(refused.exception))
        auth.update_user(uid, disabled=True, app=APP)
        with self.assertRaises(auth.UserDisabledError):
            auth.verify_id_token(token, check_revoked=True, app=APP)


if __name__ == "__main__":
    unittest.main()
