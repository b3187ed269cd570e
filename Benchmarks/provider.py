"""Replaces Google and Apple: writes sign-in bodies to files, then serves the key set that verifies them.

    python provider.py --port 9190 --count 20000 --audience CLIENT_ID --output sign-ins.txt \
        [--apple-count 10000 --apple-audience BUNDLE_ID --apple-output apple.txt]

For each of `count` users there are two tokens of Google, so two lines: the first sign-in and a returning
one. All first sign-ins come before all returning ones. For each of `apple-count` users there is one
token of Apple.
"""

import argparse
import hashlib
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa


def body(key, provider, nonce, claims):
    now = int(time.time())
    claims = {
        **claims,
        "nonce": hashlib.sha256(nonce.encode()).hexdigest(),
        "iat": now,
        "exp": now + 3600,
    }
    token = jwt.encode(claims, key, algorithm="RS256", headers={"kid": "bench"})
    return json.dumps(
        {
            "postBody": f"id_token={token}&providerId={provider}&nonce={nonce}",
            "requestUri": "http://localhost",
            "returnIdpCredential": True,
            "returnSecureToken": True,
        }
    )


def spread(number):
    """As real subjects are, which are no sequence: neighbours in an index would be written at once."""
    return int.from_bytes(hashlib.sha256(str(number).encode()).digest()[:8], "big")


def google(key, audience, number, use):
    claims = {
        "iss": "https://accounts.google.com",
        "azp": audience,
        "aud": audience,
        "sub": f"{10**20 + spread(number)}",
        "email": f"{spread(number) % 10**9:09}.{number}@example.com",
        "email_verified": True,
        "name": f"Person {number}",
        "picture": f"https://example.com/{number}.png",
    }
    return body(key, "google.com", f"nonce-{use}-{number:08d}-0123456789abcdef", claims)


def apple(key, audience, number):
    claims = {
        "iss": "https://appleid.apple.com",
        "aud": audience,
        "sub": f"{number % 10**6:06}.{spread(number):032x}.0900",
        "email": f"{spread(number):016x}{number}@privaterelay.appleid.com",
        "email_verified": True,
        "is_private_email": True,
        "auth_time": int(time.time()),
        "nonce_supported": True,
        "real_user_status": 2,
    }
    return body(key, "apple.com", f"nonce-apple-{number:08d}-0123456789abcdef", claims)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--audience", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--apple-count", type=int, default=0)
    parser.add_argument("--apple-audience")
    parser.add_argument("--apple-output")
    options = parser.parse_args()

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    entry = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
    document = json.dumps(
        {"keys": [{**entry, "kid": "bench", "alg": "RS256", "use": "sig"}]}
    ).encode()
    with open(options.output, "w", encoding="utf-8") as lines:
        for use in ("first", "again"):
            for number in range(options.count):
                lines.write(google(key, options.audience, number, use) + "\n")
    if options.apple_output:
        with open(options.apple_output, "w", encoding="utf-8") as lines:
            for number in range(options.apple_count):
                lines.write(apple(key, options.apple_audience, number) + "\n")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("cache-control", "max-age=86400")
            self.send_header("content-length", str(len(document)))
            self.end_headers()
            self.wfile.write(document)

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    print("ready", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
