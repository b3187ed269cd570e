"""Second factors with an authenticator that nobody here wrote: pyotp."""

import time
import unittest

import pyotp
import requests
from firebase_admin import auth

import support

APP = support.app()
PASSWORD = "notasecret"


def v2(method, body):
    answer = requests.post(
        f"{support.BASE}/identitytoolkit.googleapis.com/v2/accounts/{method}?key={support.API_KEY}",
        json=body, timeout=30)
    if answer.status_code != 200:
        raise support.Refused(answer)
    return answer.json()


class SecondFactors(unittest.TestCase):
    def setUp(self):
        self.email = support.unique("factor") + "@example.com"
        self.uid = auth.create_user(
            email=self.email, email_verified=True, password=PASSWORD, app=APP).uid

    def enroll(self, **proof):
        session = v2("mfaEnrollment:start", {**proof, "totpEnrollmentInfo": {}})["totpSessionInfo"]
        app = pyotp.TOTP(
            session["sharedSecretKey"], digits=session["verificationCodeLength"],
            interval=session["periodSec"])
        enrolled = v2("mfaEnrollment:finalize", {
            **proof, "displayName": "Phone",
            "totpVerificationInfo": {
                "sessionInfo": session["sessionInfo"], "verificationCode": app.now()}})
        return app, enrolled

    def test_authenticator(self):
        first = support.sign_in_with_password(self.email, PASSWORD)
        app, enrolled = self.enroll(idToken=first["idToken"])
        self.assertEqual(len(enrolled["recoveryCodes"]), 10)

        pending = support.sign_in_with_password(self.email, PASSWORD)
        self.assertNotIn("idToken", pending)
        factor = pending["mfaInfo"][0]
        # The code of the enrollment is used up. The next one counts already.
        for code, refusal in [(app.now(), "INVALID_CODE"), (app.at(int(time.time()) + 30), None)]:
            body = {
                "mfaPendingCredential": pending["mfaPendingCredential"],
                "mfaEnrollmentId": factor["mfaEnrollmentId"],
                "totpVerificationInfo": {"verificationCode": code}}
            if refusal:
                with self.assertRaises(support.Refused) as refused:
                    v2("mfaSignIn:finalize", body)
                self.assertEqual(refused.exception.message, refusal)
            else:
                signed_in = v2("mfaSignIn:finalize", body)
        claims = auth.verify_id_token(signed_in["idToken"], app=APP)
        self.assertEqual(claims["uid"], self.uid)
        self.assertEqual(claims["firebase"]["sign_in_second_factor"], "totp")
        self.assertEqual(
            claims["firebase"]["second_factor_identifier"], factor["mfaEnrollmentId"])

        pending = support.sign_in_with_password(self.email, PASSWORD)
        recovered = v2("mfaSignIn:finalize", {
            "mfaPendingCredential": pending["mfaPendingCredential"],
            "recoveryCodeVerificationInfo": {"code": enrolled["recoveryCodes"][0].upper()}})
        self.assertEqual(recovered["recoveryCodesLeft"], 9)


if __name__ == "__main__":
    unittest.main()
