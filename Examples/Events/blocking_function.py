#!/usr/bin/env python3
"""Allows only accounts with a company's addresses, and gives a new account a role if its address is verified.

The functions for `gatehouse blocking-functions set`. They check the signature of Standard Webhooks
(https://www.standardwebhooks.com) and the JWT of the question, and answer in the form of Firebase's blocking
functions. It needs the packages standardwebhooks and pyjwt[crypto]. See docs/guides/blocking-functions.md.

Environment:
  CREATE_SECRET    whsec_…, as `gatehouse blocking-functions set beforeCreate` showed it
  SIGN_IN_SECRET   the same for beforeSignIn
  FUNCTIONS_URL    this program's URL without a path; the functions are /beforeCreate and /beforeSignIn
  ISSUER           the project's issuer, such as https://auth.example.com/my-app
  JWKS_URL         where the issuer's keys are; without it: jwks_uri of its discovery document
  DOMAIN           the company's domain, such as example.com
  PORT             the port on this machine (8093)
"""

import http.server
import json
import os
import urllib.request

import jwt
from standardwebhooks import Webhook, WebhookVerificationError

MAXIMUM_BYTES = 256 * 1024


class Forged(Exception):
    """The request is not a question of our Gatehouse."""


class Refused(Exception):
    """The user gets this message."""


class Functions:
    def __init__(self, env):
        self.webhooks = {
            "beforeCreate": Webhook(env["CREATE_SECRET"]), "beforeSignIn": Webhook(env["SIGN_IN_SECRET"])}
        self.url, self.issuer = env["FUNCTIONS_URL"].rstrip("/"), env["ISSUER"]
        self.domain = env["DOMAIN"]
        self.keys = jwt.PyJWKClient(env.get("JWKS_URL") or discovered(self.issuer), cache_keys=True)

    def question(self, trigger, headers, body):
        """The claims, if the shared secret and the server's key signed them for this function."""
        if trigger not in self.webhooks:
            raise Forged("there is no such function")
        try:
            token = self.webhooks[trigger].verify(body, headers)["data"]["jwt"]
            claims = jwt.decode(
                token, self.keys.get_signing_key_from_jwt(token).key, algorithms=["RS256", "ES256"],
                # The audience differs from every ID token's, so an ID token is no question.
                audience=f"{self.url}/{trigger}", issuer=self.issuer,
                options={"require": ["iss", "aud", "exp", "sub", "event_id"]})
        except (WebhookVerificationError, jwt.PyJWTError, KeyError, TypeError) as error:
            raise Forged(str(error)) from error
        if jwt.get_unverified_header(token).get("typ") != "blocking-function+jwt":
            raise Forged("the token is not a question")
        if claims["event_type"] != trigger:
            raise Forged("the question is for another function")
        return claims

    def answer(self, claims):
        """The fields of the account that change."""
        user = claims["user_record"]
        if claims["event_type"] == "beforeCreate":
            # Anyone can claim an address. So an account whose address isn't verified gets no role here.
            if not user.get("email", "").endswith("@" + self.domain):
                raise Refused(f"Use your address at {self.domain}.")
            return {"customClaims": {"role": "employee"}} if user["email_verified"] else {}
        return {"sessionClaims": {"method": claims["sign_in_method"]}}


def discovered(issuer):
    with urllib.request.urlopen(f"{issuer}/.well-known/openid-configuration", timeout=10) as answer:
        return json.loads(answer.read(65536))["jwks_uri"]


def handler(functions):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers.get("content-length") or 0)
            if length > MAXIMUM_BYTES:
                return self.answer(413, {})
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                claims = functions.question(self.path.strip("/"), headers, self.rfile.read(length))
                changes = functions.answer(claims)
            except Forged as error:
                self.log_error("forged: %s", error)
                return self.answer(401, {})
            except Refused as refusal:
                error = {"message": str(refusal), "status": "PERMISSION_DENIED"}
                return self.answer(403, {"error": error})
            record = {**changes, "updateMask": ",".join(changes)}
            return self.answer(200, {"userRecord": record} if changes else {})

        def answer(self, status, body):
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "8093"))
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", port), handler(Functions(os.environ)))
    print(f"listens on http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
