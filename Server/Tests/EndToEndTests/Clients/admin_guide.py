"""Runs the Python of docs/guides/admin-sdk.md against a production server, while Google's hosts are unreachable.

GATEHOUSE_BASE is the server's public URL, with a certificate that the environment trusts.
GATEHOUSE_SERVICE_ACCOUNT is the file of an administrator's service account. GATEHOUSE_ADMIN_KEY is an
administrator key. GATEHOUSE_ROOT is the folder of the sources. With GATEHOUSE_GUIDE=development only the
part for development runs, against a development server with the emulator variable.
"""

import os
import re
import sys
import unittest

import loopback_only

loopback_only.enforce()

import firebase_admin
from firebase_admin import (
    _auth_providers, _token_gen, _user_mgt, auth, exceptions, messaging, tenant_mgt)

import support

ROOT = os.environ["GATEHOUSE_ROOT"]
IS_DEVELOPMENT = os.environ.get("GATEHOUSE_GUIDE") == "development"
sys.path.insert(0, f"{ROOT}/Examples/AdminSDK")

# The addresses to replace in firebase-admin 7.7, with the SDK's own values.
ADDRESSES = [
    (place, name, getattr(place, name))
    for place, name in [
        (_token_gen, "ID_TOKEN_ISSUER_PREFIX"), (_token_gen, "ID_TOKEN_CERT_URI"),
        (_token_gen, "COOKIE_ISSUER_PREFIX"), (_token_gen, "COOKIE_CERT_URI"),
        (_token_gen, "METADATA_SERVICE_URL"), (_token_gen.TokenGenerator, "ID_TOOLKIT_URL"),
        (_user_mgt.UserManager, "ID_TOOLKIT_URL"),
        (_auth_providers.ProviderConfigClient, "PROVIDER_CONFIG_URL"),
        (tenant_mgt._TenantManagementService, "TENANT_MGT_URL"),
    ]
]

HEADING = re.compile(r"^##+ (.*)$")


def blocks(heading):
    """The Python blocks below a heading of the guide, up to the next heading."""
    found, section, block = [], None, None
    with open(f"{ROOT}/docs/guides/admin-sdk.md", encoding="utf-8") as guide:
        for line in guide:
            if block is not None and line.startswith("```"):
                if section == heading:
                    found.append("".join(block))
                block = None
            elif block is not None:
                block.append(line)
            elif line.startswith("```python"):
                block = []
            elif match := HEADING.match(line):
                section = match.group(1)
    assert found, f"the guide has no Python below “{heading}”"
    return found


def run(heading, names):
    """Runs a section's blocks in order, with the test's server in place of the example's."""
    for block in blocks(heading):
        for example, real in [
            ("https://auth.example.com", support.BASE),
            ("backend.json", os.environ.get("GATEHOUSE_SERVICE_ACCOUNT", "")),
            ("gha_…", os.environ.get("GATEHOUSE_ADMIN_KEY", "")),
        ]:
            block = block.replace(example, real)
        exec(compile(block, f"“{heading}” of the guide", "exec"), names)
    return names


class Response:
    """The response object of a web framework."""

    def __init__(self):
        self.cookies = {}

    def set_cookie(self, name, value, **attributes):
        self.cookies[name] = value
        self.attributes = attributes


def refuse(status):
    raise AssertionError(f"the handler answered {status}")


class ToThisMachineOnly(unittest.TestCase):
    def setUp(self):
        loopback_only.attempts.clear()

    def tearDown(self):
        self.assertEqual(loopback_only.attempts, [])


@unittest.skipUnless(IS_DEVELOPMENT, "runs against a production server")
class Development(ToThisMachineOnly):
    def test_the_guide(self):
        run("In development: Google's Admin SDKs", {})


@unittest.skipIf(IS_DEVELOPMENT, "runs against a development server")
class Production(ToThisMachineOnly):
    @classmethod
    def setUpClass(cls):
        cls.email = support.unique("guide") + "@example.com"
        session = support.client_call(
            "accounts:signUp",
            {"email": cls.email, "password": "a long password", "returnSecureToken": True})
        cls.token, cls.uid = session["idToken"], session["localId"]
        cls.names = run(
            "Google's Admin SDK for Python against a production server",
            {"token": cls.token, "email": cls.email})
        cls.recipe = cls.names["gatehouse_admin"]
        cls.app = firebase_admin.get_app()

    def test_any_jwt_library(self):
        names = run("In production: any JWT library", {})
        self.assertEqual(names["verify"](self.token)["sub"], self.uid)

    def test_session_cookies(self):
        response = Response()
        # One block creates a cookie, and the next verifies it.
        names = run(
            "Session cookies", {"auth": auth, "id_token": self.token, "abort": refuse,
                                "response": response})
        self.assertTrue(response.attributes["httponly"])
        self.assertEqual(names["decoded"]["sub"], self.uid)
        verified = auth.verify_session_cookie(response.cookies["session"])
        self.assertEqual(verified["iss"], f"{support.BASE}/{support.PROJECT}/session")

    def test_custom_tokens(self):
        names = run("In production: service accounts", {"auth": auth})
        session = support.client_call(
            "accounts:signInWithCustomToken",
            {"token": names["token"].decode(), "returnSecureToken": True})
        self.assertEqual(auth.verify_id_token(session["idToken"])["plan"], "pro")

    def test_every_client_of_the_sdk(self):
        for app in [self.app, firebase_admin.get_app("by key")]:
            made = auth.create_user(email=support.unique("made") + "@example.com", app=app)
            self.assertEqual(auth.get_user(made.uid, app=app).uid, made.uid)
            cookie = auth.create_session_cookie(self.token, expires_in=300, app=app)
            self.assertEqual(auth.verify_session_cookie(cookie, app=app)["uid"], self.uid)
            id = "oidc." + support.unique("p")
            auth.create_oidc_provider_config(
                id, client_id="client", issuer="https://id.example.com", client_secret="secret",
                code_response_type=True, id_token_response_type=False, app=app)
            self.assertEqual(auth.get_oidc_provider_config(id, app=app).client_secret, "secret")
            # Gatehouse has no tenants. The error's URL shows that the request went to the server.
            with self.assertRaises(exceptions.FirebaseError) as refused:
                tenant_mgt.get_tenant("somewhere", app=app)
            self.assertTrue(refused.exception.http_response.url.startswith(support.BASE))

    def test_an_address_that_is_left_is_found(self):
        self.recipe.check(self.app)
        for place, name, googles in ADDRESSES:
            ours = getattr(place, name)
            self.assertNotEqual(ours, googles)
            setattr(place, name, googles)
            try:
                with self.assertRaises(self.recipe.PointsAtGoogle) as found:
                    self.recipe.check(self.app)
                self.assertIn(name, str(found.exception))
                with self.assertRaises(self.recipe.PointsAtGoogle):
                    self.recipe.check(self.app)
            finally:
                setattr(place, name, ours)

    def test_a_client_that_kept_an_address_is_found(self):
        client = auth._get_client(self.app)
        for part in [
            client._user_manager, client._token_generator, client._provider_manager,
            tenant_mgt._get_tenant_mgt_service(self.app).client,
        ]:
            name = "base_url" if "base_url" in vars(part) else "_base_url"
            ours = getattr(part, name)
            setattr(part, name, "https://identitytoolkit.googleapis.com/v1/projects/my-app")
            try:
                with self.assertRaises(self.recipe.PointsAtGoogle):
                    self.recipe.check(self.app)
            finally:
                setattr(part, name, ours)

    def test_the_credential_goes_to_no_other_server(self):
        for app in [self.app, firebase_admin.get_app("by key")]:
            with self.assertRaises(self.recipe.PointsAtGoogle):
                messaging.send(messaging.Message(topic="news"), app=app)
        with self.assertRaisesRegex(ValueError, "need a service account's file"):
            auth.create_custom_token("alice", app=firebase_admin.get_app("by key"))

    def test_arguments_that_are_refused(self):
        file, key = os.environ["GATEHOUSE_SERVICE_ACCOUNT"], os.environ["GATEHOUSE_ADMIN_KEY"]
        for reason, server, options in [
            ("either service_account or admin_key", support.BASE, {}),
            ("either service_account or admin_key", support.BASE,
             {"service_account": file, "admin_key": key}),
            ("its token_uri differs", "https://other.example.com", {"service_account": file}),
            ("use one server per process", "https://other.example.com", {"admin_key": key}),
        ]:
            with self.assertRaisesRegex(ValueError, reason):
                self.recipe.initialize(server, support.PROJECT, name="refused", **options)
        os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = "127.0.0.1:9099"
        try:
            with self.assertRaisesRegex(ValueError, "would not verify signatures"):
                self.recipe.initialize(support.BASE, support.PROJECT, admin_key=key, name="refused")
        finally:
            del os.environ["FIREBASE_AUTH_EMULATOR_HOST"]


if __name__ == "__main__":
    unittest.main()
