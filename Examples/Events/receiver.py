#!/usr/bin/env python3
"""Deletes a user's document when Gatehouse deletes the account.

A receiver for `gatehouse hooks add`. It checks the signature of Standard Webhooks
(https://www.standardwebhooks.com) and the security event token (RFC 8417) in the event, and answers with
2xx when the document is gone. It needs the packages standardwebhooks and pyjwt[crypto]. See
docs/guides/events.md.

Environment:
  WEBHOOK_SECRET   whsec_…, as `gatehouse hooks add` showed it
  WEBHOOK_URL      this receiver's URL, as `gatehouse hooks add` got it
  ISSUER           the project's issuer, such as https://auth.example.com/my-app
  JWKS_URL         where the issuer's keys are; without it: jwks_uri of its discovery document
  DOCUMENTS        the folder with a document `users/UID.json` for each user
  PORT             the port on this machine (8092)
"""

import http.server
import json
import os
import pathlib
import urllib.request

import jwt
from standardwebhooks import Webhook, WebhookVerificationError

MAXIMUM_BYTES = 64 * 1024


class Refused(Exception):
    """The request is not an event of our Gatehouse."""


class Receiver:
    def __init__(self, env):
        self.webhook = Webhook(env["WEBHOOK_SECRET"])
        self.url, self.issuer = env["WEBHOOK_URL"], env["ISSUER"]
        self.users = pathlib.Path(env["DOCUMENTS"]) / "users"
        self.keys = jwt.PyJWKClient(env.get("JWKS_URL") or discovered(self.issuer), cache_keys=True)

    def event(self, headers, body):
        """The event, if the shared secret and the server's key signed it for this receiver."""
        try:
            event = self.webhook.verify(body, headers)
        except WebhookVerificationError as error:
            raise Refused(str(error)) from error
        # Standard Webhooks shows that the sender knows the secret. The token shows that it is the server:
        # a receiver that gets events from others, who know the secret, needs this.
        token = event["token"]
        try:
            claims = jwt.decode(
                token, self.keys.get_signing_key_from_jwt(token).key, algorithms=["RS256", "ES256"],
                audience=self.url, issuer=self.issuer,
                options={"require": ["iss", "aud", "iat", "jti", "events"]})
        except jwt.PyJWTError as error:
            raise Refused(str(error)) from error
        if jwt.get_unverified_header(token).get("typ") != "secevent+jwt":
            raise Refused("not a security event token")
        if claims["jti"] != headers["webhook-id"]:
            raise Refused("the token is of another event")
        return event

    def apply(self, event):
        """Has the same effect when the event comes twice."""
        if event["type"] != "account.deleted":
            return
        (self.users / f"{file_name(event['data']['uid'])}.json").unlink(missing_ok=True)


def file_name(uid):
    """An id may have any characters; in a path it must be one name."""
    return "".join(c if c.isalnum() or c in "-_" else f"%{ord(c):x}" for c in uid)


def discovered(issuer):
    with urllib.request.urlopen(f"{issuer}/.well-known/openid-configuration", timeout=10) as answer:
        return json.loads(answer.read(65536))["jwks_uri"]


def handler(receiver):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers.get("content-length") or 0)
            if length > MAXIMUM_BYTES:
                return self.answer(413)
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                receiver.apply(receiver.event(headers, self.rfile.read(length)))
            except Refused as refusal:
                self.log_error("refused: %s", refusal)
                return self.answer(401)
            return self.answer(204)

        def answer(self, status):
            self.send_response(status)
            self.send_header("content-length", "0")
            self.end_headers()

    return Handler


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "8092"))
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", port), handler(Receiver(os.environ)))
    print(f"listens on http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
