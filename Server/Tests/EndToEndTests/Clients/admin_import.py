"""Google's Admin SDK imports users with every hash that it supports, and their passwords sign in."""

import hashlib
import hmac
import secrets
import unittest

import bcrypt
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from firebase_admin import auth, exceptions

import support

APP = support.app()
PASSWORD = "correct horse – 電池"
KEY = b"a signer key of an odd length, with bytes: \x00\xff"


def iterated(name, rounds):
    def digest(password, salt):
        made = salt + password
        for _ in range(max(rounds, 1)):
            made = hashlib.new(name, made).digest()
        return made
    return digest


def keyed(name):
    return lambda password, salt: hmac.new(KEY, salt + password, name).digest()


def pbkdf2(name, rounds, length=None):
    return lambda password, salt: hashlib.pbkdf2_hmac(name, password, salt, rounds, length)


def firebase_scrypt(rounds, memory_cost, separator):
    def digest(password, salt):
        derived = hashlib.scrypt(
            password, salt=salt + separator, n=1 << memory_cost, r=rounds, p=1, dklen=64)
        encryptor = Cipher(algorithms.AES(derived[:32]), modes.CTR(bytes(16))).encryptor()
        return encryptor.update(KEY) + encryptor.finalize()
    return digest


def standard_scrypt(password, salt):
    return hashlib.scrypt(password, salt=salt, n=1024, r=16, p=2, dklen=48)


def crypt(password, _):
    return bcrypt.hashpw(password, bcrypt.gensalt(5))


HASHES = {
    "hmac_sha512": (auth.UserImportHash.hmac_sha512(KEY), keyed("sha512")),
    "hmac_sha256": (auth.UserImportHash.hmac_sha256(KEY), keyed("sha256")),
    "hmac_sha1": (auth.UserImportHash.hmac_sha1(KEY), keyed("sha1")),
    "hmac_md5": (auth.UserImportHash.hmac_md5(KEY), keyed("md5")),
    "md5": (auth.UserImportHash.md5(0), iterated("md5", 0)),
    "md5 of 100": (auth.UserImportHash.md5(100), iterated("md5", 100)),
    "sha1": (auth.UserImportHash.sha1(1), iterated("sha1", 1)),
    "sha256": (auth.UserImportHash.sha256(8192), iterated("sha256", 8192)),
    "sha512": (auth.UserImportHash.sha512(3), iterated("sha512", 3)),
    "pbkdf_sha1": (auth.UserImportHash.pbkdf_sha1(1000), pbkdf2("sha1", 1000)),
    "pbkdf2_sha256": (auth.UserImportHash.pbkdf2_sha256(120000), pbkdf2("sha256", 120000)),
    "pbkdf2_sha256 of 64 bytes": (
        auth.UserImportHash.pbkdf2_sha256(10), pbkdf2("sha256", 10, 64)),
    "scrypt": (
        auth.UserImportHash.scrypt(KEY, rounds=8, memory_cost=14, salt_separator=b"\x07"),
        firebase_scrypt(8, 14, b"\x07")),
    "scrypt without a separator": (
        auth.UserImportHash.scrypt(KEY, rounds=1, memory_cost=1), firebase_scrypt(1, 1, b"")),
    "bcrypt": (auth.UserImportHash.bcrypt(), crypt),
    "standard_scrypt": (
        auth.UserImportHash.standard_scrypt(
            memory_cost=1024, parallelization=2, block_size=16, derived_key_length=48),
        standard_scrypt),
}


def record(digest, **fields):
    uid, salt = support.unique("imported"), secrets.token_bytes(9)
    return auth.ImportUserRecord(
        uid=uid, email=f"{uid}@example.com", password_hash=digest(PASSWORD.encode(), salt),
        password_salt=salt, **fields)


class Passwords(unittest.TestCase):
    def test_every_hash_signs_in_and_is_made_anew(self):
        for name, (parameters, digest) in HASHES.items():
            with self.subTest(name):
                user = record(digest)
                result = auth.import_users([user], hash_alg=parameters, app=APP)
                self.assertEqual(
                    (result.success_count, [one.reason for one in result.errors]), (1, []))
                with self.assertRaises(support.Refused) as refused:
                    support.sign_in_with_password(user.email, PASSWORD + " ")
                self.assertEqual(refused.exception.message, "INVALID_PASSWORD")
                # The first sign-in replaces the imported hash; the second verifies against the server's own.
                for _ in range(2):
                    session = support.sign_in_with_password(user.email, PASSWORD)
                    self.assertEqual(session["localId"], user.uid)
                with self.assertRaises(support.Refused):
                    support.sign_in_with_password(user.email, PASSWORD + " ")

    def test_parameters_that_would_hold_the_server_up_are_refused(self):
        user = record(standard_scrypt)
        for parameters in [
            auth.UserImportHash.standard_scrypt(1 << 30, 1, 8, 48),
            auth.UserImportHash.standard_scrypt(1 << 20, 16, 8, 48),
            auth.UserImportHash.standard_scrypt(1000, 1, 8, 48),
            auth.UserImportHash.standard_scrypt(1024, 1, 8, 1),
        ]:
            with self.assertRaises(exceptions.InvalidArgumentError):
                auth.import_users([user], hash_alg=parameters, app=APP)
        with self.assertRaises(auth.UserNotFoundError):
            auth.get_user(user.uid, app=APP)


class Users(unittest.TestCase):
    def test_everything_that_a_record_holds_comes_over(self):
        uid = support.unique("full")
        number = "+1555" + str(secrets.randbelow(10_000_000)).zfill(7)
        result = auth.import_users([
            auth.ImportUserRecord(
                uid=uid, email=f"{uid}@Example.com", email_verified=True, display_name="Zoë",
                phone_number=number, photo_url="https://example.com/zoe.png", disabled=True,
                user_metadata=auth.UserMetadata(1_500_000_000_123, 1_500_000_001_456),
                provider_data=[
                    auth.UserProvider(f"g-{uid}", "google.com", email="zoe@gmail.com",
                                      display_name="Zoe G", photo_url="https://example.com/g"),
                    auth.UserProvider(f"o-{uid}", "oidc.example"),
                ],
                custom_claims={"admin": True}),
        ], app=APP)
        self.assertEqual(result.success_count, 1)
        user = auth.get_user(uid, app=APP)
        self.assertEqual(user.email, f"{uid}@example.com")
        self.assertTrue(user.email_verified)
        self.assertTrue(user.disabled)
        self.assertEqual(user.display_name, "Zoë")
        self.assertEqual(user.phone_number, number)
        self.assertEqual(user.photo_url, "https://example.com/zoe.png")
        self.assertEqual(user.user_metadata.creation_timestamp, 1_500_000_000_123)
        self.assertEqual(user.user_metadata.last_sign_in_timestamp, 1_500_000_001_456)
        self.assertEqual(user.custom_claims, {"admin": True})
        identities = {one.provider_id: one for one in user.provider_data}
        self.assertEqual(sorted(identities), ["google.com", "oidc.example", "phone"])
        self.assertEqual(identities["google.com"].uid, f"g-{uid}")
        self.assertEqual(identities["google.com"].email, "zoe@gmail.com")
        found = auth.get_users([auth.ProviderIdentifier("oidc.example", f"o-{uid}")], app=APP)
        self.assertEqual([one.uid for one in found.users], [uid])

    def test_an_imported_google_identity_signs_in_to_its_account(self):
        person = support.unique("person")
        made = support.sign_in_with_simulated_google(person)
        subject = auth.get_user(made["localId"], app=APP).provider_data[0].uid
        auth.delete_user(made["localId"], app=APP)
        uid = support.unique("moved")
        auth.import_users([
            auth.ImportUserRecord(
                uid=uid, provider_data=[auth.UserProvider(subject, "google.com")]),
        ], app=APP)
        self.assertEqual(support.sign_in_with_simulated_google(person)["localId"], uid)

    def test_a_thousand_at_once_with_errors_in_their_places(self):
        prefix = support.unique("bulk")
        users = [
            auth.ImportUserRecord(uid=f"{prefix}-{number}", email=f"{prefix}-{number}@example.com")
            for number in range(1000)]
        self.assertEqual(auth.import_users(users, app=APP).success_count, 1000)
        users[10] = auth.ImportUserRecord(uid=f"{prefix}-new")
        result = auth.import_users(users, app=APP)
        self.assertEqual((result.success_count, result.failure_count), (1, 999))
        self.assertEqual(
            [one.index for one in result.errors], [n for n in range(1000) if n != 10])
        self.assertIn("existing account", result.errors[0].reason)


if __name__ == "__main__":
    unittest.main()
