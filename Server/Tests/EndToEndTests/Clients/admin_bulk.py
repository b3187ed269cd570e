"""Google's Admin SDK for Python with more accounts than one response holds, and its limits."""

import secrets
import unittest

from firebase_admin import auth, exceptions

import support

APP = support.app()


class Bulk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = support.unique("many")
        cls.uids = [f"{cls.prefix}-{number:04}" for number in range(1100)]
        # Numbers of one plan: not every country has these digits.
        cls.first_phone = 12_000_000_000 + secrets.randbelow(7_999_000_000)
        records = [
            auth.ImportUserRecord(
                uid=uid, email=f"{uid}@example.com", phone_number=cls.phone(number),
                provider_data=[auth.UserProvider(f"sub-{uid}", "google.com")],
                custom_claims={"number": number})
            for number, uid in enumerate(cls.uids)]
        for start in range(0, len(records), 1000):
            result = auth.import_users(records[start:start + 1000], app=APP)
            assert result.failure_count == 0, [one.reason for one in result.errors]

    @classmethod
    def phone(cls, number):
        return f"+{cls.first_phone + number}"

    def mine(self, users):
        return [user.uid for user in users if user.uid.startswith(self.prefix)]

    def test_1_listing_in_pages_of_a_thousand(self):
        page = auth.list_users(app=APP)
        self.assertEqual(len(page.users), 1000)
        self.assertTrue(page.has_next_page)
        seen, pages = [], 0
        while page:
            seen += self.mine(page.users)
            pages += 1
            last, page = page, page.get_next_page()
        self.assertGreaterEqual(pages, 2)
        self.assertFalse(last.has_next_page)
        self.assertEqual(last.next_page_token, "")
        self.assertEqual(sorted(seen), self.uids)

    def test_2_iterating_over_pages_and_going_on_from_a_token(self):
        everybody = list(auth.list_users(max_results=137, app=APP).iterate_all())
        self.assertEqual(sorted(self.mine(everybody)), self.uids)
        self.assertTrue(all(isinstance(user, auth.ExportedUserRecord) for user in everybody))
        first = auth.list_users(max_results=100, app=APP)
        rest = auth.list_users(page_token=first.next_page_token, app=APP).iterate_all()
        self.assertEqual(
            self.mine(first.users) + self.mine(rest), self.mine(everybody))
        numbers = {user.uid: user.custom_claims["number"]
                   for user in everybody if user.uid.startswith(self.prefix)}
        self.assertEqual(numbers, {uid: number for number, uid in enumerate(self.uids)})

    def test_3_a_page_token_that_nobody_gave(self):
        with self.assertRaises(exceptions.InvalidArgumentError) as refused:
            auth.list_users(page_token="x" * 257, app=APP)
        self.assertIn("INVALID_PAGE_SELECTION", str(refused.exception))

    def test_4_a_hundred_identifiers_of_every_kind(self):
        identifiers = []
        for number in range(0, 100, 4):
            uids = self.uids[number:number + 4]
            identifiers += [
                auth.UidIdentifier(uids[0]), auth.EmailIdentifier(f"{uids[1]}@example.com"),
                auth.PhoneIdentifier(self.phone(number + 2)),
                auth.ProviderIdentifier("google.com", f"sub-{uids[3]}"),
            ]
        found = auth.get_users(identifiers, app=APP)
        self.assertEqual(sorted(user.uid for user in found.users), self.uids[:100])
        self.assertEqual(found.not_found, [])
        self.assertEqual(auth.get_users([], app=APP).users, [])

    def test_5_every_kind_of_identifier_of_nobody(self):
        nobody = [
            auth.UidIdentifier(f"{self.prefix}-none"),
            auth.EmailIdentifier(f"{self.prefix}-none@example.com"),
            auth.PhoneIdentifier("+19999999999"),
            auth.ProviderIdentifier("google.com", f"{self.prefix}-none"),
            # The right subject with the wrong provider.
            auth.ProviderIdentifier("apple.com", f"sub-{self.uids[0]}"),
        ]
        found = auth.get_users(nobody, app=APP)
        self.assertEqual((found.users, found.not_found), ([], nobody))

    def test_6_deleting_a_thousand_at_once(self):
        answer = auth.delete_users(self.uids[:1000], app=APP)
        self.assertEqual(
            (answer.success_count, answer.failure_count, answer.errors), (1000, 0, []))
        left = self.mine(auth.list_users(app=APP).iterate_all())
        self.assertEqual(sorted(left), self.uids[1000:])
        again = auth.delete_users(self.uids[990:1010], app=APP)
        self.assertEqual((again.success_count, again.failure_count), (20, 0))
        self.assertEqual(auth.delete_users([], app=APP).success_count, 0)

    def test_7_more_than_the_protocol_allows(self):
        """Calls past the SDK's own checks."""
        manager = auth._get_client(APP)._user_manager
        for path, body in [
            ("/accounts:batchDelete",
             {"localIds": [f"u{number}" for number in range(1001)], "force": True}),
            ("/accounts:lookup", {"localId": [f"u{number}" for number in range(1001)]}),
            ("/accounts:batchCreate",
             {"users": [{"localId": f"u{number}"} for number in range(1001)]}),
        ]:
            with self.subTest(path), self.assertRaises(exceptions.InvalidArgumentError):
                manager._make_request("post", path, json=body)


if __name__ == "__main__":
    unittest.main()
