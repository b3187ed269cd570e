"""The example receiver of Examples/Emails against stand-ins for the four vendors. A stand-in refuses a request
that has an unknown field or lacks a required one. The test signs with the Standard Webhooks library."""

import http.server
import json
import os
import subprocess
import sys
import threading
import unittest
import urllib.error
import urllib.request
from datetime import datetime, timezone
from pathlib import Path

from standardwebhooks import Webhook

RECEIVER = Path(__file__).resolve().parents[4] / "Examples/Emails/receiver.py"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
MESSAGE = {
    "from": {"address": "noreply@example.com", "name": "Ghi chú, Notes"},
    "replyTo": {"address": "help@example.com"}, "subject": "Đặt lại mật khẩu", "text": "Xin chào\n",
    "html": "<p>Xin chào</p>",
}
FROM = '"Ghi chú, Notes" <noreply@example.com>'

# The path, a header with its value, the required fields, and the optional ones.
API = {
    "postmark": (
        "/email", ("x-postmark-server-token", "token"), {"From", "To"},
        {"Subject", "TextBody", "HtmlBody", "ReplyTo", "MessageStream", "TrackOpens", "TrackLinks"}),
    "resend": (
        "/emails", ("authorization", "Bearer key"), {"from", "to", "subject"},
        {"text", "html", "reply_to"}),
    "sendgrid": (
        "/v3/mail/send", ("authorization", "Bearer key"),
        {"personalizations", "from", "subject", "content"}, {"reply_to", "tracking_settings"}),
    "ses": (
        "/v2/email/outbound-emails", ("authorization", "AWS4-HMAC-SHA256 Credential=AKID/"),
        {"Content"}, {"FromEmailAddress", "Destination", "ReplyToAddresses"}),
}


class Vendor(http.server.BaseHTTPRequestHandler):
    requests, status, retry_after = [], 200, None

    def do_POST(self):
        fields = json.loads(self.rfile.read(int(self.headers["content-length"])))
        path, (name, value), required, others = API[Vendor.name]
        right = (
            self.path == path and (self.headers[name] or "").startswith(value)
            and self.headers["content-type"] == "application/json" and self.headers["user-agent"]
            and required <= set(fields) <= required | others)
        status = Vendor.status if right else 400
        if status == 200:
            Vendor.requests.append((fields, self.headers))
        data = b"{}"
        self.send_response(status)
        if Vendor.retry_after:
            self.send_header("retry-after", Vendor.retry_after)
        self.send_header("content-type", "application/json")
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

    def receiver(self, vendor, vendor_url=None):
        Vendor.name, Vendor.requests, Vendor.status, Vendor.retry_after = vendor, [], 200, None
        process = subprocess.Popen(
            [sys.executable, str(RECEIVER)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True,
            env={
                **os.environ, "WEBHOOK_SECRET": SECRET, "VENDOR": vendor, "PORT": "0",
                "VENDOR_URL": vendor_url or f"http://127.0.0.1:{self.vendor.server_port}",
                "POSTMARK_TOKEN": "token", "RESEND_API_KEY": "key", "SENDGRID_API_KEY": "key",
                "AWS_REGION": "eu-central-1", "AWS_DEFAULT_REGION": "eu-central-1",
                "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret",
            })
        self.addCleanup(lambda: (process.kill(), process.wait(), process.stdout.close()))
        return json.loads(process.stdout.readline())["url"]

    def send(self, url, secret=SECRET, kind="email.send", identifier="email_1", message=MESSAGE):
        body = json.dumps({"type": kind, "data": {"to": "ann@example.com", "message": message}})
        at = datetime.now(timezone.utc)
        headers = {
            "webhook-id": identifier, "webhook-timestamp": str(int(at.timestamp())),
            "webhook-signature": Webhook(secret).sign(identifier, at, body),
            "content-type": "application/json",
        }
        request = urllib.request.Request(url, data=body.encode(), headers=headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.headers
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers

    def fields(self, vendor):
        url = self.receiver(vendor)
        self.assertEqual(self.send(url)[0], 204)
        bare = {name: MESSAGE[name] for name in ("from", "subject", "text")}
        self.assertEqual(self.send(url, identifier="email_2", message=bare)[0], 204)
        self.assertEqual(len(Vendor.requests), 2)
        return Vendor.requests[0][0]

    def test_postmark(self):
        self.assertEqual(self.fields("postmark"), {
            "From": FROM, "To": "ann@example.com", "ReplyTo": "help@example.com",
            "Subject": MESSAGE["subject"], "TextBody": MESSAGE["text"],
            "HtmlBody": MESSAGE["html"], "MessageStream": "outbound", "TrackOpens": False,
            "TrackLinks": "None"})

    def test_resend(self):
        self.assertEqual(self.fields("resend"), {
            "from": FROM, "to": ["ann@example.com"], "reply_to": "help@example.com",
            "subject": MESSAGE["subject"], "text": MESSAGE["text"], "html": MESSAGE["html"]})
        self.assertEqual(Vendor.requests[0][1]["idempotency-key"], "email_1")

    def test_sendgrid(self):
        fields = self.fields("sendgrid")
        self.assertEqual(fields["personalizations"], [{"to": [{"email": "ann@example.com"}]}])
        self.assertEqual(
            fields["from"], {"email": "noreply@example.com", "name": "Ghi chú, Notes"})
        self.assertEqual(fields["reply_to"], {"email": "help@example.com"})
        # The API demands the plain text first.
        self.assertEqual(
            [part["type"] for part in fields["content"]], ["text/plain", "text/html"])
        self.assertEqual(
            fields["tracking_settings"]["click_tracking"], {"enable": False, "enable_text": False})

    def test_ses(self):
        fields = self.fields("ses")
        self.assertEqual(
            fields["FromEmailAddress"], "=?utf-8?b?R2hpIGNow7osIE5vdGVz?= <noreply@example.com>")
        self.assertEqual(fields["Destination"], {"ToAddresses": ["ann@example.com"]})
        self.assertEqual(fields["ReplyToAddresses"], ["help@example.com"])
        self.assertEqual(fields["Content"]["Simple"]["Body"]["Html"]["Data"], MESSAGE["html"])

    def test_what_is_forged_sends_nothing(self):
        url = self.receiver("postmark")
        other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
        self.assertEqual(self.send(url, secret=other)[0], 401)
        self.assertEqual(Vendor.requests, [])

    def test_an_email_is_sent_once_however_often_it_comes(self):
        url = self.receiver("resend")
        self.assertEqual([self.send(url)[0] for _ in range(3)], [204, 204, 204])
        self.assertEqual(len(Vendor.requests), 1)

    def test_a_test_email_is_sent_and_an_unknown_event_is_not(self):
        url = self.receiver("postmark")
        self.assertEqual(self.send(url, kind="email.test")[0], 204)
        self.assertEqual(len(Vendor.requests), 1)
        self.assertEqual(self.send(url, kind="email.other", identifier="email_2")[0], 204)
        self.assertEqual(len(Vendor.requests), 1)

    def test_what_the_vendor_says_decides_whether_it_is_tried_again(self):
        for vendor in ("postmark", "ses"):
            url = self.receiver(vendor)
            for status, told in ((400, 422), (422, 422), (401, 503), (403, 503), (500, 503)):
                Vendor.status = status
                self.assertEqual(self.send(url)[0], told, f"{vendor} {status}")
            Vendor.status = 200
            self.assertEqual(self.send(url)[0], 204)

    def test_a_vendors_limit_is_passed_on(self):
        url = self.receiver("sendgrid")
        Vendor.status, Vendor.retry_after = 429, "7"
        status, headers = self.send(url)
        self.assertEqual((status, headers["retry-after"]), (429, "7"))

    def test_a_vendor_that_is_not_there_may_be_tried_again(self):
        closed = http.server.HTTPServer(("127.0.0.1", 0), Vendor)
        closed.server_close()
        for vendor in ("resend", "ses"):
            url = self.receiver(vendor, f"http://127.0.0.1:{closed.server_port}")
            self.assertEqual(self.send(url)[0], 503)


if __name__ == "__main__":
    unittest.main()
