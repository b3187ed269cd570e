#!/usr/bin/env python3
"""Sends Gatehouse's emails with Amazon SES, Postmark, Resend or SendGrid.

A program for the setting mail.webhook. It checks the signature of Standard Webhooks
(https://www.standardwebhooks.com) and passes each email to the vendor's HTTP API. It needs the package
standardwebhooks, and boto3 for Amazon SES. See docs/guides/email.md.

Environment:
  WEBHOOK_SECRET   whsec_…, the value of mail.webhookSecret
  VENDOR           ses, postmark, resend or sendgrid
  POSTMARK_TOKEN  |  RESEND_API_KEY  |  SENDGRID_API_KEY  |  for ses, what boto3 reads: AWS_REGION and others
  PORT             the port on this machine (8091); VENDOR_URL replaces the vendor's URL, for tests
"""

import collections
import email.utils
import http.server
import json
import os
import threading
import urllib.error
import urllib.request

from standardwebhooks import Webhook, WebhookVerificationError

MAXIMUM_BYTES = 256 * 1024
VENDOR_SECONDS = 10


class VendorRefused(Exception):
    def __init__(self, status, retry_after=None):
        super().__init__(f"status {status}")
        self.status, self.retry_after = status, retry_after


def post(url, body, headers):
    request = urllib.request.Request(
        url, data=json.dumps(body).encode(), method="POST",
        headers={"content-type": "application/json", "accept": "application/json",
                 "user-agent": "gatehouse-emails", **headers})
    try:
        with urllib.request.urlopen(request, timeout=VENDOR_SECONDS):
            pass
    except urllib.error.HTTPError as error:
        with error:
            raise VendorRefused(error.code, error.headers.get("retry-after")) from error


def written(address):
    """`"Name" <address>`, as an API in UTF-8 takes it."""
    if "name" not in address:
        return address["address"]
    name = address["name"].replace("\\", "\\\\").replace('"', '\\"')
    return f'"{name}" <{address["address"]}>'


# Each vendor can count opens and clicks. Both are switched off: a counted click leads through the vendor's
# server, which then sees a link that signs the user in, and app links no longer open the app.


def postmark(env, identifier, to, message):
    """https://postmarkapp.com/developer/api/email-api#send-a-single-email"""
    body = {
        "From": written(message["from"]), "To": to, "Subject": message["subject"],
        "TextBody": message["text"], "MessageStream": "outbound", "TrackOpens": False,
        "TrackLinks": "None",
    }
    if "html" in message:
        body["HtmlBody"] = message["html"]
    if "replyTo" in message:
        body["ReplyTo"] = written(message["replyTo"])
    base = env.get("VENDOR_URL", "https://api.postmarkapp.com")
    post(f"{base}/email", body, {"x-postmark-server-token": env["POSTMARK_TOKEN"]})


def resend(env, identifier, to, message):
    """https://resend.com/docs/api-reference/emails/send-email. Tracking is a setting of the domain there."""
    body = {
        "from": written(message["from"]), "to": [to], "subject": message["subject"],
        "text": message["text"],
    }
    if "html" in message:
        body["html"] = message["html"]
    if "replyTo" in message:
        body["reply_to"] = written(message["replyTo"])
    base = env.get("VENDOR_URL", "https://api.resend.com")
    post(
        f"{base}/emails", body,
        # Resend sends one email for a key in 24 hours.
        {"authorization": f"Bearer {env['RESEND_API_KEY']}", "idempotency-key": identifier})


def sendgrid(env, identifier, to, message):
    """https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send"""
    def address(given):
        name = {"name": given["name"]} if "name" in given else {}
        return {"email": given["address"], **name}

    content = [{"type": "text/plain", "value": message["text"]}]
    if "html" in message:
        content.append({"type": "text/html", "value": message["html"]})
    body = {
        "personalizations": [{"to": [{"email": to}]}], "from": address(message["from"]),
        "subject": message["subject"], "content": content,
        "tracking_settings": {
            "click_tracking": {"enable": False, "enable_text": False},
            "open_tracking": {"enable": False},
        },
    }
    if "replyTo" in message:
        body["reply_to"] = address(message["replyTo"])
    base = env.get("VENDOR_URL", "https://api.sendgrid.com")
    post(f"{base}/v3/mail/send", body, {"authorization": f"Bearer {env['SENDGRID_API_KEY']}"})


def ses(env, identifier, to, message):
    """https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html. Tracking is a setting of the
    configuration set, of which none is named here."""
    import boto3
    import botocore.config
    import botocore.exceptions

    def encoded(address):
        """Amazon SES takes only ASCII here: RFC 2047."""
        return email.utils.formataddr((address.get("name", ""), address["address"]))

    client = boto3.client(
        "sesv2", endpoint_url=env.get("VENDOR_URL"),
        config=botocore.config.Config(
            connect_timeout=VENDOR_SECONDS, read_timeout=VENDOR_SECONDS,
            retries={"total_max_attempts": 1}))
    text = {"Text": {"Data": message["text"], "Charset": "UTF-8"}}
    if "html" in message:
        text["Html"] = {"Data": message["html"], "Charset": "UTF-8"}
    replies = {"ReplyToAddresses": [encoded(message["replyTo"])]} if "replyTo" in message else {}
    try:
        client.send_email(
            FromEmailAddress=encoded(message["from"]), Destination={"ToAddresses": [to]},
            Content={"Simple": {
                "Subject": {"Data": message["subject"], "Charset": "UTF-8"}, "Body": text}},
            **replies)
    except botocore.exceptions.ClientError as error:
        raise VendorRefused(error.response["ResponseMetadata"]["HTTPStatusCode"]) from error
    except botocore.exceptions.BotoCoreError as error:
        raise OSError(str(error)) from error


VENDORS = {"ses": ses, "postmark": postmark, "resend": resend, "sendgrid": sendgrid}


class Receiver(http.server.BaseHTTPRequestHandler):
    timeout = 10
    env = dict(os.environ)
    # The ids of emails that the vendor took: a repeated one is not sent again.
    sent, lock = collections.deque(maxlen=10_000), threading.Lock()

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        if not 0 < length <= MAXIMUM_BYTES:
            return self.answer(413)
        body = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            event = Webhook(self.env["WEBHOOK_SECRET"]).verify(body, headers)
        except (WebhookVerificationError, ValueError) as reason:
            self.log_error("refused: %s", reason)
            return self.answer(401)
        if event.get("type") not in ("email.send", "email.test"):
            return self.answer(204)
        identifier = headers["webhook-id"]
        with self.lock:
            if identifier in self.sent:
                return self.answer(204)
        try:
            data = event["data"]
            VENDORS[self.env["VENDOR"]](self.env, identifier, data["to"], data["message"])
        except VendorRefused as refusal:
            self.log_error("%s refused an email: %s", self.env["VENDOR"], refusal)
            if refusal.status == 429:
                return self.answer(429, refusal.retry_after)
            # A wrong key, or the vendor's fault: Gatehouse tries again. Others: this email is refused.
            waits = refusal.status in (401, 403) or refusal.status >= 500
            return self.answer(503 if waits else 422)
        except OSError as error:
            self.log_error("%s can't be reached: %s", self.env["VENDOR"], error)
            return self.answer(503)
        with self.lock:
            self.sent.append(identifier)
        return self.answer(204)

    def answer(self, status, retry_after=None):
        self.send_response(status)
        if retry_after:
            self.send_header("retry-after", retry_after)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_request(self, *_):
        """Logs nothing, to keep addresses and links out of logs."""


def main():
    missing = [name for name in ("WEBHOOK_SECRET", "VENDOR") if not os.environ.get(name)]
    if missing or os.environ["VENDOR"] not in VENDORS:
        raise SystemExit(f"Set {', '.join(missing) or 'VENDOR to ' + ', '.join(VENDORS)}.")
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", int(os.environ.get("PORT", "8091"))), Receiver)
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}"}), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
