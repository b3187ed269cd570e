"""empyrebase, a client of the v3 and v1 calls, with every call that it makes to the server.

It can only call Google's hosts; `google_hosts` sends these calls to the server.
"""

import json
import unittest

import requests
from empyrebase.empyrebase import initialize_app
from firebase_admin import auth as administrator

import google_hosts
import support

google_hosts.redirect()

PASSWORD = "a long password"
AUTH = initialize_app(
    {"apiKey": support.API_KEY, "authDomain": "", "databaseURL": "", "storageBucket": "",
     "projectId": support.PROJECT}, skip_version_check=True).auth()


def signed_up():
    email = support.unique("emp") + "@example.com"
    return email, AUTH.create_user_with_email_and_password(email, PASSWORD)


class Calls(unittest.TestCase):
    def assert_refused(self, message, call, *arguments):
        with self.assertRaises(requests.exceptions.HTTPError) as refused:
            call(*arguments)
        answer = json.loads(refused.exception.args[1])
        self.assertEqual(answer["error"]["message"], message)

    def test_signing_up_in_and_refreshing(self):
        email, made = signed_up()
        session = AUTH.sign_in_with_email_and_password(email, PASSWORD)
        self.assertEqual(session["localId"], made["localId"])
        self.assertEqual(AUTH.current_user["localId"], made["localId"])
        refreshed = AUTH.refresh(session["refreshToken"])
        self.assertEqual(refreshed["userId"], made["localId"])
        [user] = AUTH.get_account_info(refreshed["idToken"])["users"]
        self.assertEqual(user["email"], email)
        self.assert_refused(
            "INVALID_PASSWORD", AUTH.sign_in_with_email_and_password, email, "another one")
        self.assert_refused("INVALID_REFRESH_TOKEN", AUTH.refresh, "none")

    def test_anonymous(self):
        session = AUTH.sign_in_anonymous()
        [user] = AUTH.get_account_info(session["idToken"])["users"]
        self.assertNotIn("email", user)

    def test_a_custom_token(self):
        uid = support.unique("custom")
        token = administrator.create_custom_token(uid, app=support.app())
        session = AUTH.sign_in_with_custom_token(
            token.decode() if isinstance(token, bytes) else token)
        [user] = AUTH.get_account_info(session["idToken"])["users"]
        self.assertEqual(user["localId"], uid)

    def test_google(self):
        person = support.unique("person")
        requests.post(f"{support.SIMULATOR}/simulator/persons", json={"id": person}, timeout=30)
        sheet = requests.post(
            f"{support.SIMULATOR}/google/native-sign-in",
            json={"client_id": "demo.apps.example.com", "person": person}, timeout=30).json()
        session = AUTH.sign_in_with_oauth(sheet["idToken"])
        self.assertEqual(session["providerId"], "google.com")
        self.assert_refused(
            "INVALID_IDP_RESPONSE : Unable to parse the ID Token.",
            AUTH.sign_in_with_oauth, "a token")

    def test_codes_by_mail(self):
        email, made = signed_up()
        self.assertEqual(AUTH.send_email_verification(made["idToken"])["email"], email)
        self.assertEqual(AUTH.send_password_reset_email(email)["email"], email)
        listed = requests.get(
            f"{support.BASE}/emulator/v1/projects/{support.PROJECT}/oobCodes", timeout=30).json()
        [code] = [one["oobCode"] for one in listed["oobCodes"]
                  if (one["email"], one["requestType"]) == (email, "PASSWORD_RESET")]
        self.assertEqual(AUTH.verify_password_reset_code(code, "a new password")["email"], email)
        self.assertEqual(
            AUTH.sign_in_with_email_and_password(email, "a new password")["localId"],
            made["localId"])

    def test_changing(self):
        email, made = signed_up()
        other = support.unique("other") + "@example.com"
        moved = AUTH.change_email(made["idToken"], other)
        self.assertEqual(moved["email"], other)
        named = AUTH.update_profile(moved["idToken"], display_name="Zoë")
        self.assertEqual(named["displayName"], "Zoë")
        AUTH.change_password(moved["idToken"], "a new password", False)
        self.assertEqual(
            AUTH.sign_in_with_email_and_password(other, "a new password")["localId"],
            made["localId"])

    def test_deleting(self):
        email, made = signed_up()
        AUTH.delete_user_account(made["idToken"])
        self.assert_refused(
            "EMAIL_NOT_FOUND", AUTH.sign_in_with_email_and_password, email, PASSWORD)


if __name__ == "__main__":
    unittest.main()
