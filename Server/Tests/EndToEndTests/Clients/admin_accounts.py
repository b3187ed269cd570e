"""Google's Admin SDK for Python creates, finds, lists, changes and deletes accounts."""

import time
import unittest

import requests
from firebase_admin import auth, exceptions

import support

APP = support.app()


def phone():
    """A phone number that no other account has."""
    return "+1555" + str(int(support.unique("x").split("-")[1], 16) % 10_000_000).zfill(7)


def google_account(person):
    """Signs in with Google. Returns the account's uid and Google's `sub`."""
    session = support.sign_in_with_simulated_google(person)
    shown = requests.get(f"{support.SIMULATOR}/simulator/persons/{person}", timeout=30).json()
    return session["localId"], shown["subjects"]["google"]


class Creating(unittest.TestCase):
    def test_with_every_field(self):
        uid, number = support.unique("uid"), phone()
        before = time.time() * 1000
        made = auth.create_user(
            uid=uid, email=f"{uid}@Example.com", email_verified=True, phone_number=number,
            password="a long password", display_name="Zoë & Co <b>",
            photo_url="https://example.com/zoe.png", disabled=True, app=APP)
        self.assertEqual(made.uid, uid)
        self.assertEqual(made.email, f"{uid}@example.com")
        self.assertTrue(made.email_verified)
        self.assertEqual(made.phone_number, number)
        self.assertEqual(made.display_name, "Zoë & Co <b>")
        self.assertEqual(made.photo_url, "https://example.com/zoe.png")
        self.assertTrue(made.disabled)
        self.assertEqual(
            sorted(one.provider_id for one in made.provider_data), ["password", "phone"])
        self.assertGreaterEqual(made.user_metadata.creation_timestamp, before - 2000)
        self.assertIsNone(made.user_metadata.last_sign_in_timestamp)
        self.assertIsNone(made.custom_claims)

    def test_with_nothing(self):
        made = auth.create_user(app=APP)
        self.assertRegex(made.uid, r"^[A-Za-z0-9]{20,128}$")
        self.assertIsNone(made.email)
        self.assertFalse(made.email_verified)
        self.assertFalse(made.disabled)
        self.assertEqual(made.provider_data, [])

    def test_what_is_taken_is_refused(self):
        first = auth.create_user(
            uid=support.unique("uid"), email=support.unique("e") + "@example.com",
            phone_number=phone(), app=APP)
        with self.assertRaises(auth.UidAlreadyExistsError):
            auth.create_user(uid=first.uid, app=APP)
        with self.assertRaises(auth.EmailAlreadyExistsError):
            auth.create_user(email=first.email.upper(), app=APP)
        with self.assertRaises(auth.PhoneNumberAlreadyExistsError):
            auth.create_user(phone_number=first.phone_number, app=APP)

    def test_a_letter_that_looks_alike_makes_another_email(self):
        name = support.unique("k")
        auth.create_user(email=f"{name}@example.com", app=APP)
        with self.assertRaises((exceptions.InvalidArgumentError, ValueError)):
            # A careless lower() turns U+212A, the Kelvin sign, into "k".
            auth.create_user(email=f"\u212a{name[1:]}@example.com", app=APP)


class Finding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.one = auth.create_user(
            email=support.unique("find") + "@example.com", phone_number=phone(), app=APP)
        cls.federated, cls.subject = google_account(support.unique("person"))

    def test_by_uid(self):
        self.assertEqual(auth.get_user(self.one.uid, app=APP).email, self.one.email)

    def test_by_email_in_any_case(self):
        found = auth.get_user_by_email(self.one.email.upper(), app=APP)
        self.assertEqual(found.uid, self.one.uid)

    def test_by_phone(self):
        found = auth.get_user_by_phone_number(self.one.phone_number, app=APP)
        self.assertEqual(found.uid, self.one.uid)

    def test_by_provider(self):
        found = auth.get_users([auth.ProviderIdentifier("google.com", self.subject)], app=APP)
        self.assertEqual([user.uid for user in found.users], [self.federated])
        [data] = found.users[0].provider_data
        self.assertEqual((data.provider_id, data.uid), ("google.com", self.subject))

    def test_by_several_at_once(self):
        nobody = auth.UidIdentifier(support.unique("nobody"))
        other = auth.create_user(app=APP)
        found = auth.get_users(
            [
                auth.UidIdentifier(other.uid),
                auth.EmailIdentifier(self.one.email),
                # The same account by another identifier: the response has it once.
                auth.PhoneIdentifier(self.one.phone_number),
                auth.ProviderIdentifier("google.com", self.subject),
                nobody,
            ], app=APP)
        self.assertEqual(
            sorted(user.uid for user in found.users),
            sorted([other.uid, self.one.uid, self.federated]))
        self.assertEqual(found.not_found, [nobody])

    def test_nobody(self):
        with self.assertRaises(auth.UserNotFoundError):
            auth.get_user(support.unique("nobody"), app=APP)
        with self.assertRaises(auth.UserNotFoundError):
            auth.get_user_by_email(support.unique("nobody") + "@example.com", app=APP)
        with self.assertRaises(auth.UserNotFoundError):
            auth.get_user_by_phone_number(phone(), app=APP)


class Listing(unittest.TestCase):
    def test_pages_hold_everybody_once(self):
        made = {auth.create_user(app=APP).uid for _ in range(7)}
        seen, page, pages = [], auth.list_users(max_results=3, app=APP), 0
        while page:
            self.assertLessEqual(len(page.users), 3)
            seen += [user.uid for user in page.users]
            pages += 1
            page = page.get_next_page()
        self.assertEqual(len(seen), len(set(seen)))
        self.assertLessEqual(made, set(seen))
        self.assertGreaterEqual(pages, 3)
        # Other tests create and delete accounts meanwhile.
        everybody = {user.uid for user in auth.list_users(app=APP).iterate_all()}
        self.assertLessEqual(made, everybody)


class Changing(unittest.TestCase):
    def test_the_profile(self):
        made = auth.create_user(app=APP)
        email, number = support.unique("new") + "@example.com", phone()
        changed = auth.update_user(
            made.uid, email=email, email_verified=True, phone_number=number, display_name="New",
            photo_url="https://example.com/new.png", app=APP)
        self.assertEqual(changed.email, email)
        self.assertTrue(changed.email_verified)
        self.assertEqual(changed.phone_number, number)
        self.assertEqual(changed.display_name, "New")
        self.assertEqual(changed.photo_url, "https://example.com/new.png")
        unverified = auth.update_user(made.uid, email_verified=False, app=APP)
        self.assertFalse(unverified.email_verified)
        self.assertEqual(unverified.display_name, "New")

    def test_removing(self):
        made = auth.create_user(
            display_name="Gone", photo_url="https://example.com/gone.png", phone_number=phone(),
            app=APP)
        changed = auth.update_user(
            made.uid, display_name=auth.DELETE_ATTRIBUTE, photo_url=auth.DELETE_ATTRIBUTE,
            phone_number=auth.DELETE_ATTRIBUTE, app=APP)
        self.assertIsNone(changed.display_name)
        self.assertIsNone(changed.photo_url)
        self.assertIsNone(changed.phone_number)
        self.assertEqual(changed.provider_data, [])
        auth.create_user(phone_number=made.phone_number, app=APP)

    def test_removing_a_provider(self):
        uid, subject = google_account(support.unique("person"))
        changed = auth.update_user(uid, providers_to_delete=["google.com"], app=APP)
        self.assertEqual(changed.provider_data, [])
        found = auth.get_users([auth.ProviderIdentifier("google.com", subject)], app=APP)
        self.assertEqual(found.users, [])

    def test_disabling(self):
        email = support.unique("off") + "@example.com"
        made = auth.create_user(email=email, password="a long password", app=APP)
        session = support.sign_in_with_password(email, "a long password")
        self.assertTrue(auth.update_user(made.uid, disabled=True, app=APP).disabled)
        with self.assertRaises(support.Refused) as refused:
            support.sign_in_with_password(email, "a long password")
        self.assertEqual(refused.exception.message, "USER_DISABLED")
        with self.assertRaises(support.Refused) as refused:
            support.refresh(session["refreshToken"])
        self.assertEqual(refused.exception.message, "USER_DISABLED")
        self.assertFalse(auth.update_user(made.uid, disabled=False, app=APP).disabled)
        support.sign_in_with_password(email, "a long password")

    def test_a_new_password(self):
        email = support.unique("pw") + "@example.com"
        made = auth.create_user(email=email, password="the old password", app=APP)
        auth.update_user(made.uid, password="the new password", app=APP)
        with self.assertRaises(support.Refused) as refused:
            support.sign_in_with_password(email, "the old password")
        self.assertEqual(refused.exception.message, "INVALID_PASSWORD")
        self.assertEqual(
            support.sign_in_with_password(email, "the new password")["localId"], made.uid)

    def test_what_is_taken_is_refused(self):
        one = auth.create_user(email=support.unique("a") + "@example.com", app=APP)
        two = auth.create_user(email=support.unique("b") + "@example.com", app=APP)
        with self.assertRaises(auth.EmailAlreadyExistsError):
            auth.update_user(two.uid, email=one.email, app=APP)
        self.assertEqual(auth.get_user(two.uid, app=APP).email, two.email)

    def test_nobody(self):
        with self.assertRaises(auth.UserNotFoundError):
            auth.update_user(support.unique("nobody"), display_name="x", app=APP)


class Deleting(unittest.TestCase):
    def test_one(self):
        made = auth.create_user(email=support.unique("del") + "@example.com", app=APP)
        auth.delete_user(made.uid, app=APP)
        with self.assertRaises(auth.UserNotFoundError):
            auth.get_user(made.uid, app=APP)
        with self.assertRaises(auth.UserNotFoundError):
            auth.delete_user(made.uid, app=APP)
        auth.create_user(email=made.email, app=APP)

    def test_many(self):
        uids = [auth.create_user(app=APP).uid for _ in range(5)]
        answer = auth.delete_users(uids[:4] + [support.unique("nobody")], app=APP)
        self.assertEqual((answer.success_count, answer.failure_count), (5, 0))
        found = auth.get_users([auth.UidIdentifier(uid) for uid in uids], app=APP)
        self.assertEqual([user.uid for user in found.users], uids[4:])


if __name__ == "__main__":
    unittest.main()
