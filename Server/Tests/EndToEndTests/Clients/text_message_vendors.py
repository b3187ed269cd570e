"""The example receiver of Examples/TextMessages against stand-ins for the three vendors: the request to each
vendor, and the handling of an event that is forged, repeated, or refused by the vendor. The test signs with
the Standard Webhooks library."""

import base64
import http.server
import json
import os
import subprocess
import sys
import threading
import unittest
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timedelta, timezone
from pathlib import Path

from standardwebhooks import Webhook

RECEIVER = Path(__file__).resolve().parents[4] / "Examples/TextMessages/receiver.py"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
NUMBER, TEXT = "+15555550100", "012345 là mã xác minh App của bạn."


class Vendor(http.server.BaseHTTPRequestHandler):
    requests, status, answer = [], 200, {}

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        kind = self.headers["content-type"]
        fields = (
            json.loads(body) if kind == "application/json"
            else dict(urllib.parse.parse_qsl(body)))
        Vendor.requests.append((self.path, self.headers.get("authorization"), fields))
        data = json.dumps(Vendor.answer).encode()
        self.send_response(Vendor.status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Receiving(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.vendor = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Vendor)
        threading.Thread(target=cls.vendor.serve_forever, daemon=True).start()

    def setUp(self):
        Vendor.requests, Vendor.status, Vendor.answer = [], 200, {"messages": [{"status": "0"}]}

    def receiver(self, vendor):
        process = subprocess.Popen(
            [sys.executable, str(RECEIVER)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True,
            env={
                **os.environ, "WEBHOOK_SECRET": SECRET, "VENDOR": vendor, "SENDER": "Gatehouse",
                "PORT": "0", "VENDOR_URL": f"http://127.0.0.1:{self.vendor.server_port}",
                "TWILIO_ACCOUNT_SID": "AC1", "TWILIO_AUTH_TOKEN": "token",
                "VONAGE_API_KEY": "key", "VONAGE_API_SECRET": "secret",
                "MESSAGEBIRD_ACCESS_KEY": "access",
            })
        self.addCleanup(lambda: (process.kill(), process.wait(), process.stdout.close()))
        return json.loads(process.stdout.readline())["url"]

    def send(self, url, secret=SECRET, kind="phone.verification_code", identifier="msg_1", at=None,
             change=None):
        body = json.dumps(
            {"type": kind, "data": {"phoneNumber": NUMBER, "code": "012345", "message": TEXT}})
        at = at or datetime.now(timezone.utc)
        headers = {
            "webhook-id": identifier, "webhook-timestamp": str(int(at.timestamp())),
            "webhook-signature": Webhook(secret).sign(identifier, at, body),
            "content-type": "application/json",
        }
        data = (change(body) if change else body).encode()
        request = urllib.request.Request(url, data=data, headers=headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def test_twilio(self):
        self.assertEqual(self.send(self.receiver("twilio")), 204)
        basic = "Basic " + base64.b64encode(b"AC1:token").decode()
        self.assertEqual(Vendor.requests, [(
            "/2010-04-01/Accounts/AC1/Messages.json", basic,
            {"To": NUMBER, "From": "Gatehouse", "Body": TEXT})])

    def test_vonage(self):
        self.assertEqual(self.send(self.receiver("vonage")), 204)
        self.assertEqual(Vendor.requests, [(
            "/sms/json", None,
            {
                "api_key": "key", "api_secret": "secret", "from": "Gatehouse",
                "to": "15555550100", "text": TEXT, "type": "unicode",
            })])

    def test_messagebird(self):
        self.assertEqual(self.send(self.receiver("messagebird")), 204)
        self.assertEqual(Vendor.requests, [(
            "/messages", "AccessKey access",
            {
                "recipients": ["15555550100"], "originator": "Gatehouse", "body": TEXT,
                "datacoding": "auto",
            })])

    def test_what_is_forged_old_or_changed_sends_nothing(self):
        url = self.receiver("twilio")
        other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
        self.assertEqual(self.send(url, secret=other), 401)
        now = datetime.now(timezone.utc)
        self.assertEqual(self.send(url, at=now - timedelta(minutes=6)), 401)
        self.assertEqual(self.send(url, at=now + timedelta(minutes=6)), 401)
        self.assertEqual(
            self.send(url, change=lambda body: body.replace(NUMBER, "+15555550199")), 401)
        self.assertEqual(Vendor.requests, [])

    def test_an_event_is_sent_once_however_often_it_comes(self):
        url = self.receiver("twilio")
        self.assertEqual([self.send(url) for _ in range(3)], [204, 204, 204])
        self.assertEqual(len(Vendor.requests), 1)
        self.send(url, identifier="msg_2")
        self.assertEqual(len(Vendor.requests), 2)

    def test_a_test_event_sends_nothing(self):
        self.assertEqual(self.send(self.receiver("twilio"), kind="phone.test"), 204)
        self.assertEqual(Vendor.requests, [])

    def test_a_refusal_of_the_vendors_is_told(self):
        url = self.receiver("vonage")
        Vendor.answer = {"messages": [{"status": "4", "error-text": "Bad credentials"}]}
        self.assertEqual(self.send(url), 422)
        url = self.receiver("messagebird")
        Vendor.status = 401
        self.assertEqual(self.send(url), 422)

    def test_a_vendor_that_is_down_may_be_tried_again(self):
        url = self.receiver("twilio")
        Vendor.status = 503
        self.assertEqual(self.send(url), 503)
        Vendor.status = 201
        self.assertEqual(self.send(url), 204)
        self.assertEqual(len(Vendor.requests), 2)


if __name__ == "__main__":
    unittest.main()
