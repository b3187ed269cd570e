#!/usr/bin/env python3
"""Sends Gatehouse's verification codes with Twilio, Vonage or MessageBird (Bird).

A webhook for `gatehouse phone-numbers set --webhook`. It checks the signature of Standard Webhooks
(https://www.standardwebhooks.com), sends each message once, and responds with 2xx when the vendor
accepts it. It uses only Python's standard library. See docs/guides/phone-numbers.md.

Environment:
  WEBHOOK_SECRET   whsec_…, as `gatehouse phone-numbers set` showed it
  VENDOR           twilio, vonage or messagebird
  SENDER           the number or name of the sender of messages
  TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN  |  VONAGE_API_KEY, VONAGE_API_SECRET  |  MESSAGEBIRD_ACCESS_KEY
  PORT             the port on this machine (8090); VENDOR_URL replaces the vendor's URL, for tests
"""

import base64
import collections
import hashlib
import hmac
import http.server
import json
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

MAXIMUM_BYTES = 16 * 1024
TOLERANCE_SECONDS = 300
VENDOR_SECONDS = 3


class Refused(Exception):
    """The request is not an event of Gatehouse."""


def verify(secret, headers, body, now):
    """Returns the event, if a signature and the time are valid (Standard Webhooks 1.0.0)."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    identifier, timestamp = headers.get("webhook-id"), headers.get("webhook-timestamp", "")
    if not identifier or not timestamp.isdigit():
        raise Refused("the headers are missing")
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        raise Refused("the event is too old, or the sender's clock is ahead")
    signed = f"{identifier}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    given = headers.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(expected.encode(), one.encode()) for one in given):
        raise Refused("the signature is wrong")
    return json.loads(body)


def post(url, content_type, body, authorization=None):
    headers = {"content-type": content_type, "accept": "application/json"}
    if authorization:
        headers["authorization"] = authorization
    request = urllib.request.Request(url, data=body, headers=headers, method="POST")
    with urllib.request.urlopen(request, timeout=VENDOR_SECONDS) as answer:
        return json.loads(answer.read(65536) or b"{}")


FORM = "application/x-www-form-urlencoded"


def twilio(env, number, text):
    """https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource"""
    account, token = env["TWILIO_ACCOUNT_SID"], env["TWILIO_AUTH_TOKEN"]
    base = env.get("VENDOR_URL", "https://api.twilio.com")
    post(
        f"{base}/2010-04-01/Accounts/{account}/Messages.json", FORM,
        urllib.parse.urlencode({"To": number, "From": env["SENDER"], "Body": text}).encode(),
        "Basic " + base64.b64encode(f"{account}:{token}".encode()).decode())


def vonage(env, number, text):
    """https://developer.vonage.com/en/api/sms: 200 also for an error; the status shows it."""
    base = env.get("VENDOR_URL", "https://rest.nexmo.com")
    fields = {
        "api_key": env["VONAGE_API_KEY"], "api_secret": env["VONAGE_API_SECRET"],
        "from": env["SENDER"], "to": number.removeprefix("+"), "text": text,
        "type": "text" if text.isascii() else "unicode",
    }
    answer = post(f"{base}/sms/json", FORM, urllib.parse.urlencode(fields).encode())
    statuses = [message.get("status") for message in answer.get("messages", [])]
    if not statuses or any(status != "0" for status in statuses):
        raise OSError(f"Vonage refused: status {statuses}")


def messagebird(env, number, text):
    """https://developers.messagebird.com/api/sms-messaging/#send-outbound-sms"""
    base = env.get("VENDOR_URL", "https://rest.messagebird.com")
    body = {
        "recipients": [number.removeprefix("+")], "originator": env["SENDER"], "body": text,
        "datacoding": "auto",
    }
    post(
        f"{base}/messages", "application/json", json.dumps(body).encode(),
        "AccessKey " + env["MESSAGEBIRD_ACCESS_KEY"])


VENDORS = {"twilio": twilio, "vonage": vonage, "messagebird": messagebird}


class Sent:
    """The ids of sent events, so that a repeated delivery sends no second message."""

    def __init__(self, maximum=10_000):
        self.lock, self.maximum, self.ids = threading.Lock(), maximum, collections.OrderedDict()

    def begin(self, identifier):
        """False if the event was sent already, or is being sent."""
        with self.lock:
            if identifier in self.ids:
                return False
            self.ids[identifier] = True
            if len(self.ids) > self.maximum:
                self.ids.popitem(last=False)
            return True

    def undo(self, identifier):
        with self.lock:
            self.ids.pop(identifier, None)


class Receiver(http.server.BaseHTTPRequestHandler):
    timeout = 10
    env = dict(os.environ)
    sent = Sent()

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        if not 0 < length <= MAXIMUM_BYTES:
            return self.answer(413)
        body = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            event = verify(self.env["WEBHOOK_SECRET"], headers, body, time.time())
        except (Refused, ValueError) as reason:
            self.log_error("refused: %s", reason)
            return self.answer(401)
        if event.get("type") != "phone.verification_code":
            # phone.test and unknown event types: nothing to send.
            return self.answer(204)
        identifier = headers["webhook-id"]
        if not self.sent.begin(identifier):
            return self.answer(204)
        try:
            data = event["data"]
            VENDORS[self.env["VENDOR"]](self.env, data["phoneNumber"], data["message"])
        except (OSError, ValueError) as error:
            # After a timeout it may have been sent: don't retry, the user can request another code.
            self.log_error("%s did not accept the message: %s", self.env["VENDOR"], error)
            if isinstance(error, urllib.error.HTTPError) and error.code >= 500:
                self.sent.undo(identifier)
                return self.answer(503)
            return self.answer(422)
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_request(self, *_):
        """Logs nothing, to keep codes and numbers out of logs."""


def main():
    missing = [name for name in ("WEBHOOK_SECRET", "VENDOR", "SENDER") if not os.environ.get(name)]
    if missing or os.environ["VENDOR"] not in VENDORS:
        raise SystemExit(f"Set {', '.join(missing) or 'VENDOR to ' + ', '.join(VENDORS)}.")
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", int(os.environ.get("PORT", "8090"))), Receiver)
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}"}), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
