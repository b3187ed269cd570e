"""firebase-client-sdk, an app's client in Python, with every call that it makes to the server."""

import unittest
import urllib.parse

import requests
from firebase_admin import auth as administrator
from firebase_client.app import initialize_app
from firebase_client.auth.user import EmailAuthProvider, OAuthProvider
from firebase_client.exceptions import AuthException

import support

ADMINISTRATOR = support.app()
PASSWORD = "a long password"
WHERE = urllib.parse.urlsplit(support.BASE)
SETTINGS = {
    "url": "http://localhost:3000/done", "handleCodeInApp": True,
    "iOS": {"bundleId": "com.example.app"},
    "android": {"packageName": "com.example.app", "installApp": True, "minimumVersion": "12"},
}


def client():
    """A new app, because the library stores the session in the app."""
    app = initialize_app({
        "apiKey": support.API_KEY, "authDomain": "demo.example.com",
        "projectId": support.PROJECT, "databaseURL": "", "storageBucket": "none",
        "messagingSenderId": "", "appId": "",
    }, name=support.unique("app"))
    auth = app.auth
    auth.connect_emulator(WHERE.hostname, WHERE.port)
    auth.language_code = "de-AT"
    return auth


def address(prefix):
    return support.unique(prefix) + "@example.com"


def signed_up():
    auth, email = client(), address("app")
    return auth, email, auth.create_user_with_email_and_password(email, PASSWORD).user


def link_for(email, kind):
    listed = requests.get(
        f"{support.BASE}/emulator/v1/projects/{support.PROJECT}/oobCodes", timeout=30).json()
    return [one for one in listed["oobCodes"]
            if one["email"] == email and one["requestType"] == kind][-1]


def google_token(person):
    """The ID token of a simulated person, without a nonce, as Google's library returns it to an app."""
    requests.post(f"{support.SIMULATOR}/simulator/persons", json={"id": person}, timeout=30)
    answer = requests.post(
        f"{support.SIMULATOR}/google/native-sign-in",
        json={"client_id": "demo.apps.example.com", "person": person}, timeout=30)
    return answer.json()["idToken"]


class Calls(unittest.TestCase):
    def assert_refused(self, message, call, *arguments, **named):
        with self.assertRaises(AuthException) as refused:
            call(*arguments, **named)
        self.assertEqual(refused.exception.raw_payload["error"]["message"], message)

    def test_signing_up_in_and_out(self):
        auth, email, user = signed_up()
        seen = []
        auth.on_auth_state_changed(lambda one: seen.append(one and one.uid), emit_current=False)
        self.assertEqual(user.email, email)
        self.assertTrue(auth.authenticated)
        self.assertTrue(auth.is_valid())
        auth.sign_out()
        self.assertIsNone(auth.current_user)
        again = auth.sign_in_with_email_and_password(email, PASSWORD)
        self.assertEqual(again.user.uid, user.uid)
        self.assertEqual(seen, [None, user.uid])
        self.assert_refused(
            "EMAIL_EXISTS", auth.create_user_with_email_and_password, email, PASSWORD)
        self.assert_refused(
            "INVALID_PASSWORD", auth.sign_in_with_email_and_password, email, "another one")
        self.assertFalse(auth.is_valid("a.b.c"))

    def test_an_anonymous_person_gets_an_address(self):
        auth = client()
        uid = auth.sign_in_anonymously().user.uid
        self.assertEqual(auth.current_user.get_id_token_result().sign_in_provider, "anonymous")
        email = address("kept")
        linked = auth.link_with_credential(EmailAuthProvider.credential(email, PASSWORD))
        self.assertEqual((linked.user.uid, linked.user.email), (uid, email))
        result = auth.current_user.get_id_token_result(force_refresh=True)
        self.assertEqual(result.sign_in_provider, "password")
        self.assertEqual(result.claims["sub"], uid)

    def test_a_custom_token(self):
        uid = support.unique("custom")
        token = administrator.create_custom_token(uid, {"tier": "gold"}, app=ADMINISTRATOR)
        auth = client()
        signed_in = auth.sign_in_with_custom_token(
            token.decode() if isinstance(token, bytes) else token)
        # The response contains no localId; the token and the account have it.
        self.assertEqual(signed_in.user.reload().uid, uid)
        self.assertEqual(auth.current_user.get_id_token_result().claims["tier"], "gold")

    def test_keeping_a_session(self):
        auth, email, user = signed_up()
        kept = auth.to_session_dict()
        other = client()
        self.assertEqual(other.from_session_dict(kept, validate=True).user.uid, user.uid)
        self.assertEqual(other.current_user.email, email)
        third = client()
        third.restore_session(auth.get_refresh_token())
        self.assertEqual(third.current_user.uid, user.uid)
        third.refresh_token()
        self.assertTrue(third.is_valid())
        self.assert_refused("INVALID_REFRESH_TOKEN", client().restore_session, "none")

    def test_the_profile(self):
        auth, email, user = signed_up()
        auth.update_profile(display_name="Zoë & Co", photo_url="https://example.com/zoe.png")
        reloaded = auth.current_user.reload()
        self.assertEqual(reloaded.display_name, "Zoë & Co")
        self.assertEqual(reloaded.photo_url, "https://example.com/zoe.png")
        self.assertIs(reloaded.email_verified, False)
        self.assertTrue(reloaded.metadata.creation_time.isdigit())
        self.assertTrue(reloaded.metadata.last_sign_in_time.isdigit())
        [identity] = reloaded.provider_data
        self.assertEqual((identity.provider_id, identity.uid), ("password", email))
        self.assertEqual(auth.get_user_info()["localId"], user.uid)

    def test_a_new_address_and_password(self):
        auth, _, user = signed_up()
        email = address("moved")
        auth.update_email(email)
        self.assertEqual(auth.current_user.email, email)
        auth.update_password("a new password")
        self.assertTrue(auth.is_valid())
        again = client().sign_in_with_email_and_password(email, "a new password")
        self.assertEqual(again.user.uid, user.uid)
        self.assert_refused(
            "WEAK_PASSWORD : Password should be at least 6 characters",
            auth.update_password, "12345")

    def test_methods_of_an_address(self):
        auth, email, _ = signed_up()
        self.assertEqual(auth.fetch_sign_in_methods_for_email(email), ["password"])
        self.assertEqual(auth.fetch_sign_in_methods_for_email(address("nobody")), [])

    def test_proving_the_address(self):
        auth, email, user = signed_up()
        auth.send_email_verification(SETTINGS)
        code = link_for(email, "VERIFY_EMAIL")["oobCode"]
        info = auth.check_action_code(code)
        self.assertEqual((info.operation, info.email), ("VERIFY_EMAIL", email))
        auth.apply_action_code(code)
        self.assertIs(auth.current_user.reload().email_verified, True)
        self.assert_refused("INVALID_OOB_CODE", auth.apply_action_code, code)

    def test_changing_the_address_once_it_is_proven(self):
        auth, email, user = signed_up()
        new = address("proven")
        auth.verify_before_update_email(new, SETTINGS)
        sent = link_for(email, "VERIFY_AND_CHANGE_EMAIL")
        self.assertEqual(sent["newEmail"], new)
        info = auth.check_action_code(sent["oobCode"])
        self.assertEqual((info.email, info.new_email), (email, new))
        auth.apply_action_code(sent["oobCode"])
        again = client().sign_in_with_email_and_password(new, PASSWORD)
        self.assertEqual(again.user.uid, user.uid)

    def test_resetting_the_password(self):
        auth, email, user = signed_up()
        auth.send_password_reset_email(email)
        code = link_for(email, "PASSWORD_RESET")["oobCode"]
        self.assertEqual(auth.verify_password_reset_code(code), email)
        auth.confirm_password_reset(code, "a new password")
        again = auth.sign_in_with_email_and_password(email, "a new password")
        self.assertEqual(again.user.uid, user.uid)
        self.assert_refused(
            "INVALID_OOB_CODE", auth.confirm_password_reset, code, "a third password")

    def test_a_link_signs_in(self):
        auth, email = client(), address("link")
        auth.send_sign_in_link_to_email(email, SETTINGS)
        link = link_for(email, "EMAIL_SIGNIN")["oobLink"]
        self.assertTrue(auth.is_sign_in_with_email_link(link))
        signed_in = auth.sign_in_with_credential(
            EmailAuthProvider.credential_with_link(email, link))
        self.assertEqual(signed_in.user.email, email)
        self.assertIs(auth.current_user.reload().email_verified, True)
        self.assertEqual(client().fetch_sign_in_methods_for_email(email), ["emailLink"])
        self.assert_refused("INVALID_OOB_CODE", client().sign_in_with_email_link, email, link)

    def test_google(self):
        google, person = OAuthProvider("google.com"), support.unique("person")
        auth = client()
        signed_in = auth.sign_in_with_credential(
            google.credential(id_token=google_token(person)))
        uid = signed_in.user.uid
        [identity] = auth.current_user.reload().provider_data
        self.assertEqual(identity.provider_id, "google.com")
        proven = auth.reauthenticate_with_credential(
            google.credential(id_token=google_token(person)))
        self.assertEqual(proven.user.uid, uid)
        with self.assertRaises(AuthException):
            auth.reauthenticate_with_credential(
                google.credential(id_token=google_token(support.unique("other"))))
        self.assertEqual(auth.current_user.uid, uid)
        self.assert_refused(
            "INVALID_IDP_RESPONSE : Unable to parse the ID Token.",
            auth.sign_in_with_oauth, "google.com", id_token="a token")

    def test_linking_google_and_unlinking(self):
        auth, email, user = signed_up()
        person = support.unique("person")
        token = google_token(person)
        linked = auth.link_with_credential(OAuthProvider("google.com").credential(id_token=token))
        self.assertEqual(linked.user.uid, user.uid)
        self.assertEqual(
            sorted(one.provider_id for one in auth.current_user.reload().provider_data),
            ["google.com", "password"])
        another, _, _ = signed_up()
        self.assert_refused(
            "FEDERATED_USER_ID_ALREADY_LINKED", another.link_provider, "google.com",
            id_token=google_token(person))
        auth.unlink_provider("google.com")
        [left] = auth.current_user.reload().provider_data
        self.assertEqual(left.provider_id, "password")

    def test_deleting(self):
        auth, email, user = signed_up()
        token = auth.app.session.id_token
        auth.current_user.delete()
        self.assertIsNone(auth.current_user)
        self.assertFalse(auth.is_valid(token))
        self.assert_refused(
            "EMAIL_NOT_FOUND", auth.sign_in_with_email_and_password, email, PASSWORD)


if __name__ == "__main__":
    unittest.main()
