"""Google's Admin SDK for Python: the server's errors arrive as the SDK's own exceptions.

Where the SDK checks an argument itself, the test calls past that check, as an older version of the SDK would.
"""

import unittest

from firebase_admin import auth, exceptions

import support

APP = support.app()
CLIENT = auth._get_client(APP)
ELSEWHERE = "https://evil.example/"


def address(prefix):
    return support.unique(prefix) + "@example.com"


def send(path, body):
    return CLIENT._user_manager._make_request("post", path, json=body)


class Errors(unittest.TestCase):
    def assert_refused(self, error, message, call, *arguments, **named):
        with self.assertRaises(error) as refused:
            call(*arguments, **named)
        self.assertIs(type(refused.exception), error)
        self.assertIn(f"({message})", str(refused.exception))
        self.assertIsNotNone(refused.exception.http_response)

    def test_links(self):
        email = address("link")
        auth.create_user(email=email, app=APP)
        nobody = address("nobody")
        self.assert_refused(
            auth.UserNotFoundError, "USER_NOT_FOUND", auth.generate_email_verification_link,
            nobody, app=APP)
        self.assert_refused(
            auth.EmailNotFoundError, "EMAIL_NOT_FOUND", auth.generate_password_reset_link,
            nobody, app=APP)
        for make in [auth.generate_email_verification_link, auth.generate_password_reset_link,
                     auth.generate_sign_in_with_email_link]:
            # Like the emulator, a development server accepts a continue URL on any host.
            self.assertIn("oobCode=", make(email, auth.ActionCodeSettings(url=ELSEWHERE), app=APP))
            self.assert_refused(
                auth.InvalidHostingLinkDomainError, "INVALID_HOSTING_LINK_DOMAIN", make, email,
                auth.ActionCodeSettings(url="http://localhost/x", link_domain="evil.example"),
                app=APP)

    def test_cookies(self):
        self.assert_refused(
            auth.InvalidIdTokenError, "INVALID_ID_TOKEN", auth.create_session_cookie, "a.b.c", 300,
            app=APP)

    def test_nobody(self):
        uid = support.unique("nobody")
        for call in [
            lambda: auth.set_custom_user_claims(uid, {"a": 1}, app=APP),
            lambda: auth.revoke_refresh_tokens(uid, app=APP),
            lambda: auth.update_user(uid, disabled=True, app=APP),
            lambda: auth.delete_user(uid, app=APP),
        ]:
            self.assert_refused(auth.UserNotFoundError, "USER_NOT_FOUND", call)

    def test_taken(self):
        number = "+1555" + str(int(support.unique("x").split("-")[1], 16) % 10_000_000).zfill(7)
        one = auth.create_user(email=address("taken"), phone_number=number, app=APP)
        two = auth.create_user(app=APP)
        self.assert_refused(
            auth.PhoneNumberAlreadyExistsError, "PHONE_NUMBER_EXISTS", auth.update_user, two.uid,
            phone_number=number, app=APP)
        self.assert_refused(
            auth.EmailAlreadyExistsError, "EMAIL_EXISTS", auth.update_user, two.uid,
            email=one.email.upper(), app=APP)
        self.assert_refused(
            auth.UidAlreadyExistsError, "DUPLICATE_LOCAL_ID", auth.create_user, uid=one.uid,
            app=APP)
        link = auth.UserProvider(uid=support.unique("sub"), provider_id="google.com")
        linked = send("/accounts:update", {
            "localId": one.uid, "linkProviderUserInfo": {
                "providerId": link.provider_id, "rawId": link.uid, "email": "g@example.com"}})[0]
        self.assertIn("google.com", [one["providerId"] for one in linked["providerUserInfo"]])
        self.assert_refused(
            exceptions.InvalidArgumentError, "FEDERATED_USER_ID_ALREADY_LINKED", send,
            "/accounts:update", {
                "localId": two.uid, "linkProviderUserInfo": {
                    "providerId": link.provider_id, "rawId": link.uid}})

    def test_values_that_are_none(self):
        uid = auth.create_user(app=APP).uid
        for message, body in [
            ("INVALID_EMAIL", {"email": "no address"}),
            ("WEAK_PASSWORD", {"password": "12345"}),
            ("INVALID_PHONE_NUMBER", {"phoneNumber": "555"}),
        ]:
            self.assert_refused(
                exceptions.InvalidArgumentError, message, send, "/accounts", body)
            self.assert_refused(
                exceptions.InvalidArgumentError, message, send, "/accounts:update",
                {"localId": uid, **body})
        for path in ["/accounts:update", "/accounts:delete"]:
            self.assert_refused(
                exceptions.InvalidArgumentError, "MISSING_LOCAL_ID", send, path, {})
        self.assert_refused(
            exceptions.InvalidArgumentError, "INVALID_LOCAL_ID", send, "/accounts",
            {"localId": "x" * 257})

    def test_provider_configurations(self):
        nobody = "oidc." + support.unique("none")
        for call in [auth.get_oidc_provider_config, auth.delete_oidc_provider_config]:
            self.assert_refused(
                auth.ConfigurationNotFoundError, "CONFIGURATION_NOT_FOUND", call, nobody, app=APP)
        for message, fields in [
            ("INVALID_CONFIG_ID", {"provider_id": "oidc." + "x" * 200}),
            ("INVALID_CONFIG_ID", {"provider_id": "oidc.Example"}),
            ("INVALID_ISSUER", {"issuer": "https://id.example.com/#x"}),
        ]:
            self.assert_refused(
                exceptions.InvalidArgumentError, message, auth.create_oidc_provider_config,
                **{"provider_id": nobody, "client_id": "client",
                   "issuer": "https://id.example.com", "app": APP, **fields})
        everything = [
            one.provider_id for one in auth.list_oidc_provider_configs(app=APP).iterate_all()]
        self.assertNotIn(nobody, everything)


class NotOffered(unittest.TestCase):
    """The server has no SAML paths, so each call fails with the SDK's NotFoundError."""

    def test_saml(self):
        for call in [
            lambda: auth.create_saml_provider_config(
                provider_id="saml.example", idp_entity_id="id", sso_url="https://id.example.com",
                x509_certificates=["certificate"], rp_entity_id="rp",
                callback_url="https://app.example.com", app=APP),
            lambda: auth.update_saml_provider_config("saml.example", enabled=False, app=APP),
            lambda: auth.get_saml_provider_config("saml.example", app=APP),
            lambda: auth.list_saml_provider_configs(app=APP),
            lambda: auth.delete_saml_provider_config("saml.example", app=APP),
        ]:
            with self.assertRaises(exceptions.NotFoundError) as refused:
                call()
            self.assertEqual(refused.exception.http_response.status_code, 404)


class Permission(unittest.TestCase):
    """A token that is no administrator's, in place of the SDK's `Bearer owner`."""

    def test_a_token_of_nobody(self):
        client = auth.Client(support.app())
        client._user_manager.http_client.session.credentials.token = "not-an-administrator"
        with self.assertRaises(exceptions.UnauthenticatedError):
            client.get_user("somebody")


if __name__ == "__main__":
    unittest.main()
