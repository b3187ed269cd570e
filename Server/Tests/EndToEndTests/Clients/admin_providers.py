"""Google's Admin SDK for Python manages OpenID Connect provider configurations."""

import unittest

from firebase_admin import auth, exceptions

import support

APP = support.app()
ISSUER = "https://id.example.com"


class ProviderConfigurations(unittest.TestCase):
    def setUp(self):
        self.id = "oidc." + support.unique("p")

    def create(self, **fields):
        return auth.create_oidc_provider_config(
            **{"provider_id": self.id, "client_id": "client", "issuer": ISSUER, "app": APP,
               **fields})

    def test_create_with_every_field(self):
        made = self.create(
            display_name="Example & Co", enabled=True, client_secret="a secret",
            id_token_response_type=False, code_response_type=True)
        for config in [made, auth.get_oidc_provider_config(self.id, app=APP)]:
            self.assertEqual(config.provider_id, self.id)
            self.assertEqual(config.display_name, "Example & Co")
            self.assertTrue(config.enabled)
            self.assertEqual(config.client_id, "client")
            self.assertEqual(config.issuer, ISSUER)
            self.assertEqual(config.client_secret, "a secret")
            self.assertTrue(config.code_response_type)
            self.assertFalse(config.id_token_response_type)

    def test_create_with_what_is_needed(self):
        made = self.create()
        self.assertIsNone(made.display_name)
        self.assertFalse(made.enabled)
        self.assertIsNone(made.client_secret)

    def test_twice(self):
        self.create()
        with self.assertRaises(exceptions.FirebaseError) as refused:
            self.create()
        self.assertEqual(refused.exception.http_response.status_code, 409)

    def test_update(self):
        self.create(display_name="Old", enabled=True)
        changed = auth.update_oidc_provider_config(
            self.id, client_id="client2", issuer=ISSUER + "/2", display_name="New", enabled=False,
            client_secret="a secret", id_token_response_type=False, code_response_type=True,
            app=APP)
        for config in [changed, auth.get_oidc_provider_config(self.id, app=APP)]:
            self.assertEqual(config.client_id, "client2")
            self.assertEqual(config.issuer, ISSUER + "/2")
            self.assertEqual(config.display_name, "New")
            self.assertFalse(config.enabled)
            self.assertEqual(config.client_secret, "a secret")
            self.assertTrue(config.code_response_type)
            self.assertFalse(config.id_token_response_type)

    def test_update_of_one_field_leaves_the_others(self):
        self.create(
            display_name="Kept", enabled=True, client_secret="a secret", code_response_type=True,
            id_token_response_type=False)
        changed = auth.update_oidc_provider_config(self.id, client_id="client3", app=APP)
        self.assertEqual(changed.client_id, "client3")
        self.assertEqual(changed.display_name, "Kept")
        self.assertTrue(changed.enabled)
        self.assertEqual(changed.issuer, ISSUER)
        self.assertEqual(changed.client_secret, "a secret")
        self.assertTrue(changed.code_response_type)

    def test_removing_the_display_name(self):
        self.create(display_name="Gone")
        changed = auth.update_oidc_provider_config(
            self.id, display_name=auth.DELETE_ATTRIBUTE, app=APP)
        self.assertIsNone(changed.display_name)

    def test_list(self):
        made = set()
        for _ in range(5):
            self.id = "oidc." + support.unique("list")
            made.add(self.create().provider_id)
        seen, page = [], auth.list_oidc_provider_configs(max_results=2, app=APP)
        while page:
            self.assertLessEqual(len(page.provider_configs), 2)
            seen += [config.provider_id for config in page.provider_configs]
            page = page.get_next_page()
        self.assertEqual(len(seen), len(set(seen)))
        self.assertLessEqual(made, set(seen))

    def test_delete(self):
        self.create()
        auth.delete_oidc_provider_config(self.id, app=APP)
        with self.assertRaises(auth.ConfigurationNotFoundError):
            auth.get_oidc_provider_config(self.id, app=APP)
        with self.assertRaises(auth.ConfigurationNotFoundError):
            auth.delete_oidc_provider_config(self.id, app=APP)
        with self.assertRaises(auth.ConfigurationNotFoundError):
            auth.update_oidc_provider_config(self.id, client_id="x", app=APP)

    def test_plain_http_is_for_loopback(self):
        with self.assertRaises(exceptions.InvalidArgumentError):
            self.create(issuer="http://id.example.com")


if __name__ == "__main__":
    unittest.main()
