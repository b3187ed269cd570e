"""Google's Admin SDK for Python sets, finds, changes and clears phone numbers, and reads the account of a
user who signed in with one."""

import unittest

import requests
from firebase_admin import auth

import support

APP = support.app()


def phone():
    """A phone number that no other account has."""
    return "+1555" + str(int(support.unique("x").split("-")[1], 16) % 10_000_000).zfill(7)


def sign_in(number, **fields):
    """Signs in with the code from the emulator's list."""
    session = support.client_call("accounts:sendVerificationCode", {"phoneNumber": number})
    listed = requests.get(
        f"{support.BASE}/emulator/v1/projects/{support.PROJECT}/verificationCodes", timeout=30)
    code = next(
        one["code"] for one in listed.json()["verificationCodes"]
        if one["sessionInfo"] == session["sessionInfo"])
    return support.client_call(
        "accounts:signInWithPhoneNumber",
        {"sessionInfo": session["sessionInfo"], "code": code, **fields})


class PhoneNumbers(unittest.TestCase):
    def test_who_signs_in_is_found_by_the_number(self):
        number = phone()
        session = sign_in(number)
        self.assertTrue(session["isNewUser"])
        user = auth.get_user_by_phone_number(number, app=APP)
        self.assertEqual(user.uid, session["localId"])
        self.assertEqual(user.phone_number, number)
        self.assertEqual([one.provider_id for one in user.provider_data], ["phone"])
        self.assertEqual(user.provider_data[0].phone_number, number)
        claims = auth.verify_id_token(session["idToken"], app=APP)
        self.assertEqual(claims["phone_number"], number)
        self.assertEqual(claims["firebase"]["sign_in_provider"], "phone")
        self.assertEqual(claims["firebase"]["identities"], {"phone": [number]})

    def test_a_number_given_by_an_administrator_opens_the_account(self):
        number = phone()
        made = auth.create_user(phone_number=number, display_name="Ann", app=APP)
        session = sign_in(number)
        self.assertEqual(session["localId"], made.uid)
        self.assertFalse(session["isNewUser"])

    def test_a_number_is_changed_and_cleared(self):
        first, second = phone(), phone()
        uid = sign_in(first)["localId"]
        self.assertEqual(
            auth.update_user(uid, phone_number=second, app=APP).phone_number, second)
        self.assertEqual(sign_in(second)["localId"], uid)
        self.assertTrue(sign_in(first)["isNewUser"])
        cleared = auth.update_user(uid, phone_number=auth.DELETE_ATTRIBUTE, app=APP)
        self.assertIsNone(cleared.phone_number)
        with self.assertRaises(auth.UserNotFoundError):
            auth.get_user_by_phone_number(second, app=APP)

    def test_a_number_is_one_accounts(self):
        number = phone()
        sign_in(number)
        with self.assertRaises(auth.PhoneNumberAlreadyExistsError):
            auth.create_user(phone_number=number, app=APP)

    def test_imported_numbers_sign_in(self):
        number, uid = phone(), support.unique("imported")
        result = auth.import_users(
            [auth.ImportUserRecord(uid=uid, phone_number=number)], app=APP)
        self.assertEqual(result.failure_count, 0)
        self.assertEqual(sign_in(number)["localId"], uid)

    def test_identifiers_may_be_numbers(self):
        number = phone()
        uid = sign_in(number)["localId"]
        found = auth.get_users(
            [auth.PhoneIdentifier(number), auth.PhoneIdentifier(phone())], app=APP)
        self.assertEqual([user.uid for user in found.users], [uid])
        self.assertEqual(len(found.not_found), 1)


if __name__ == "__main__":
    unittest.main()
