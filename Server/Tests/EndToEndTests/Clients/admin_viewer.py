"""Google's Admin SDK for Python with a viewer's key, in production: the key reads, and changes nothing."""

import os
import unittest

os.environ.pop("FIREBASE_AUTH_EMULATOR_HOST", None)

from firebase_admin import _auth_providers, _user_mgt, auth

import support

TOOLKIT = f"{support.BASE}/identitytoolkit.googleapis.com"
_user_mgt.UserManager.ID_TOOLKIT_URL = f"{TOOLKIT}/v1"
_auth_providers.ProviderConfigClient.PROVIDER_CONFIG_URL = f"{TOOLKIT}/v2"

APP = support.app(support.StaticBearer(os.environ["GATEHOUSE_ADMIN_KEY"]))


class Viewer(unittest.TestCase):
    def test_looking(self):
        self.assertEqual(list(auth.list_users(app=APP).iterate_all()), [])
        with self.assertRaises(auth.UserNotFoundError):
            auth.get_user_by_email("alice@example.com", app=APP)
        self.assertEqual(list(auth.list_oidc_provider_configs(app=APP).iterate_all()), [])

    def test_changing(self):
        for call in [
            lambda: auth.create_user(app=APP),
            lambda: auth.update_user("somebody", disabled=True, app=APP),
            lambda: auth.delete_user("somebody", app=APP),
            lambda: auth.create_oidc_provider_config(
                "oidc.company", "client", "https://issuer.example.com", enabled=True, app=APP),
        ]:
            with self.assertRaises(auth.InsufficientPermissionError) as refused:
                call()
            self.assertEqual(refused.exception.http_response.status_code, 403)


if __name__ == "__main__":
    unittest.main()
