"""firebase-rest-api, a client of the v3 calls, with every call that it makes to the server.

It can only call Google's hosts; `google_hosts` sends these calls to the server.
"""

import json
import unittest
import urllib.parse

import requests
from firebase import initialize_app
from firebase_admin import auth

import google_hosts
import support

google_hosts.redirect()

PASSWORD = "a long password"


class FixedToken:
    """The parts of a service account's credentials that the library reads for a call."""

    valid = True
    token = "owner"


def client():
    app = initialize_app({
        "apiKey": support.API_KEY, "authDomain": "demo.example.com", "databaseURL": "",
        "projectId": support.PROJECT, "storageBucket": ""})
    app.credentials = FixedToken()
    return app.auth()


AUTH = client()


def signed_up():
    email = support.unique("v3") + "@example.com"
    return email, AUTH.create_user_with_email_and_password(email, PASSWORD)


def code_for(email, kind):
    listed = requests.get(
        f"{support.BASE}/emulator/v1/projects/{support.PROJECT}/oobCodes", timeout=30).json()
    return [one["oobCode"] for one in listed["oobCodes"]
            if one["email"] == email and one["requestType"] == kind][-1]


def refusal(error):
    """The protocol's error message, from the library's exception: its second argument is the response."""
    return json.loads(error.args[1])["error"]["message"]


class Accounts(unittest.TestCase):
    def assert_refused(self, message, call, *arguments):
        with self.assertRaises(requests.exceptions.HTTPError) as refused:
            call(*arguments)
        self.assertEqual(refusal(refused.exception), message)

    def test_signing_up_and_in(self):
        email, made = signed_up()
        self.assertEqual(made["kind"], "identitytoolkit#SignupNewUserResponse")
        self.assertEqual((made["email"], made["expiresIn"]), (email, "3600"))
        session = AUTH.sign_in_with_email_and_password(email.upper(), PASSWORD)
        self.assertEqual(session["localId"], made["localId"])
        self.assertIs(session["registered"], True)
        self.assertEqual(session["kind"], "identitytoolkit#VerifyPasswordResponse")
        self.assert_refused(
            "EMAIL_EXISTS", AUTH.create_user_with_email_and_password, email, PASSWORD)
        self.assert_refused(
            "INVALID_PASSWORD", AUTH.sign_in_with_email_and_password, email, "another one")
        self.assert_refused(
            "WEAK_PASSWORD : Password should be at least 6 characters",
            AUTH.create_user_with_email_and_password, support.unique("w") + "@example.com", "12345")
        self.assert_refused(
            "INVALID_EMAIL", AUTH.create_user_with_email_and_password, "no address", PASSWORD)

    def test_anonymous(self):
        session = AUTH.sign_in_anonymous()
        self.assertNotIn("email", session)
        claims = AUTH.verify_id_token(session["idToken"])
        self.assertEqual(claims["sub"], session["localId"])
        self.assertEqual(claims["provider_id"], "anonymous")

    def test_refreshing(self):
        email, made = signed_up()
        session = AUTH.refresh(made["refreshToken"])
        self.assertEqual((session["localId"], session["expiresIn"]), (made["localId"], "3600"))
        claims = AUTH.verify_id_token(session["idToken"])
        self.assertEqual(claims["email"], email)
        self.assert_refused("INVALID_REFRESH_TOKEN", AUTH.refresh, "none")

    def test_what_an_account_is(self):
        email, made = signed_up()
        answer = AUTH.get_account_info(made["idToken"])
        self.assertEqual(answer["kind"], "identitytoolkit#GetAccountInfoResponse")
        [user] = answer["users"]
        self.assertEqual((user["localId"], user["email"]), (made["localId"], email))
        self.assertIs(user["emailVerified"], False)
        [identity] = user["providerUserInfo"]
        self.assertEqual(
            (identity["providerId"], identity["federatedId"], identity["rawId"]),
            ("password", email, email))
        self.assert_refused("INVALID_ID_TOKEN", AUTH.get_account_info, "a.b.c")

    def test_a_custom_token(self):
        uid = support.unique("custom")
        made = auth.create_custom_token(uid, {"tier": "gold"}, app=support.app())
        token = made.decode() if isinstance(made, bytes) else made
        session = AUTH.sign_in_with_custom_token(token)
        self.assertIs(session["isNewUser"], True)
        claims = AUTH.verify_id_token(session["idToken"])
        self.assertEqual((claims["sub"], claims["tier"]), (uid, "gold"))
        with self.assertRaises(requests.exceptions.HTTPError) as refused:
            AUTH.sign_in_with_custom_token("no token")
        self.assertTrue(refusal(refused.exception).startswith("INVALID_CUSTOM_TOKEN"))

    def test_codes_by_mail(self):
        email, made = signed_up()
        sent = AUTH.send_email_verification(made["idToken"])
        self.assertEqual(
            (sent["kind"], sent["email"]),
            ("identitytoolkit#GetOobConfirmationCodeResponse", email))
        self.assertEqual(AUTH.send_password_reset_email(email)["email"], email)
        code = code_for(email, "PASSWORD_RESET")
        answer = AUTH.verify_password_reset_code(code, "a new password")
        self.assertEqual((answer["email"], answer["requestType"]), (email, "PASSWORD_RESET"))
        self.assertEqual(
            AUTH.sign_in_with_email_and_password(email, "a new password")["localId"],
            made["localId"])
        self.assert_refused(
            "INVALID_OOB_CODE", AUTH.verify_password_reset_code, code, "a third password")

    def test_changing(self):
        email, made = signed_up()
        named = AUTH.update_profile(
            made["idToken"], display_name="Zoë", photo_url="https://example.com/zoe.png")
        self.assertEqual(named["displayName"], "Zoë")
        self.assertEqual(named["kind"], "identitytoolkit#SetAccountInfoResponse")
        # The library's field is photoURL, which the protocol doesn't have; the server ignores it.
        self.assertNotIn("photoUrl", named)
        unnamed = AUTH.update_profile(made["idToken"], delete_attribute=["DISPLAY_NAME"])
        self.assertNotIn("displayName", unnamed)
        other = support.unique("other") + "@example.com"
        moved = AUTH.change_email(made["idToken"], other)
        self.assertEqual(moved["email"], other)
        changed = AUTH.change_password(moved["idToken"], "a new password")
        self.assertEqual(changed["localId"], made["localId"])
        self.assertEqual(
            AUTH.sign_in_with_email_and_password(other, "a new password")["localId"],
            made["localId"])
        taken, _ = signed_up()
        self.assert_refused("EMAIL_EXISTS", AUTH.change_email, changed["idToken"], taken)

    def test_claims_by_an_administrator(self):
        email, made = signed_up()
        AUTH.set_custom_user_claims(made["localId"], {"role": "editor"})
        session = AUTH.sign_in_with_email_and_password(email, PASSWORD)
        self.assertEqual(AUTH.verify_id_token(session["idToken"])["role"], "editor")
        self.assert_refused(
            "FORBIDDEN_CLAIM : aud", AUTH.set_custom_user_claims, made["localId"], {"aud": "x"})

    def test_deleting(self):
        email, made = signed_up()
        self.assertEqual(
            AUTH.delete_user_account(made["idToken"])["kind"],
            "identitytoolkit#DeleteAccountResponse")
        self.assert_refused("USER_NOT_FOUND", AUTH.get_account_info, made["idToken"])
        self.assert_refused("EMAIL_NOT_FOUND", AUTH.sign_in_with_email_and_password, email, PASSWORD)


class Federated(unittest.TestCase):
    def test_a_token_with_options_as_texts(self):
        """`sign_in_with_oauth_credential` sends every option as a string. The test replaces the provider's part."""
        person = support.unique("person")
        made = requests.post(
            f"{support.SIMULATOR}/simulator/persons", json={"id": person}, timeout=30)
        self.assertIn(made.status_code, (200, 201))
        sheet = requests.post(
            f"{support.SIMULATOR}/google/native-sign-in",
            json={"client_id": "demo.apps.example.com", "person": person}, timeout=30).json()
        library = client()
        library.client_secret = {"redirect_uris": ["http://localhost"]}
        library.provider_id = "google.com"
        library._Auth__nonce = ""
        library._token_from_auth_url = lambda url: {
            "type": "id_token", "value": urllib.parse.quote(sheet["idToken"])}
        session = library.sign_in_with_oauth_credential("http://localhost?code=x")
        self.assertEqual(session["providerId"], "google.com")
        self.assertIs(session["isNewUser"], True)
        claims = library.verify_id_token(session["idToken"])
        self.assertEqual(claims["firebase"]["sign_in_provider"], "google.com")


if __name__ == "__main__":
    unittest.main()
