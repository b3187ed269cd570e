"""Replaces Google: writes sign-in bodies to a file, then serves the key set that verifies them.

    python provider.py --port 9190 --count 20000 --audience CLIENT_ID --output sign-ins.txt

For each of `count` users there are two tokens, so two lines: the first sign-in and a returning one.
All first sign-ins come before all returning ones.
"""

import argparse
import hashlib
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa


def body(key, audience, number, use):
    nonce = f"nonce-{use}-{number:08d}-0123456789abcdef"
    now = int(time.time())
    # Spread as real subjects are, which are no sequence: neighbours in an index would be written at once.
    spread = int.from_bytes(hashlib.sha256(str(number).encode()).digest()[:8], "big")
    claims = {
        "iss": "https://accounts.google.com",
        "azp": audience,
        "aud": audience,
        "sub": f"{10**20 + spread}",
        "email": f"{spread % 10**9:09}.{number}@example.com",
        "email_verified": True,
        "name": f"Person {number}",
        "picture": f"https://example.com/{number}.png",
        "nonce": hashlib.sha256(nonce.encode()).hexdigest(),
        "iat": now,
        "exp": now + 3600,
    }
    token = jwt.encode(claims, key, algorithm="RS256", headers={"kid": "bench"})
    return json.dumps(
        {
            "postBody": f"id_token={token}&providerId=google.com&nonce={nonce}",
            "requestUri": "http://localhost",
            "returnIdpCredential": True,
            "returnSecureToken": True,
        }
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--audience", required=True)
    parser.add_argument("--output", required=True)
    options = parser.parse_args()

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    entry = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
    document = json.dumps(
        {"keys": [{**entry, "kid": "bench", "alg": "RS256", "use": "sig"}]}
    ).encode()
    with open(options.output, "w", encoding="utf-8") as lines:
        for use in ("first", "again"):
            for number in range(options.count):
                lines.write(body(key, options.audience, number, use) + "\n")

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

    print("ready", flush=True)
    ThreadingHTTPServer(("127.0.0.1", options.port), Handler).serve_forever()


if __name__ == "__main__":
    main()
