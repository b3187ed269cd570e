"""Replaces Google and Apple: writes sign-in bodies to files, then serves the key set that verifies them.

    python provider.py --port 9190 --count 20000 --audience CLIENT_ID --output sign-ins.txt \
        [--apple-count 10000 --apple-audience BUNDLE_ID --apple-output apple.txt]
        [--returning-users 500] [--refused-output refused.txt]

For each of `count` users there are two tokens of Google, so two lines: the first sign-in and a returning
one. All first sign-ins come before all returning ones. With `returning-users` all returning sign-ins are
of so many users, in turn. For each of `apple-count` users there is one token of Apple.

`refused-output` gets two lines that every system must reject: a token that another key signed, and one for
another audience.

It answers a POST as a token endpoint: the code is the number of a line, from 0, and the lines of
`refused-output` follow the others. The secret and the verifier of PKCE aren't checked.
"""

import argparse
import asyncio
import datetime
import hashlib
import json
import time
import urllib.parse

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa


def signed(key, nonce, claims):
    now = int(time.time())
    claims = {
        **claims,
        "nonce": hashlib.sha256(nonce.encode()).hexdigest(),
        "iat": now,
        "exp": now + 3600,
    }
    return jwt.encode(claims, key, algorithm="RS256", headers={"kid": "bench"})


def body(token, provider, nonce):
    return json.dumps(
        {
            "postBody": f"id_token={token}&providerId={provider}&nonce={nonce}",
            "requestUri": "http://localhost",
            "returnIdpCredential": True,
            "returnSecureToken": True,
        }
    )


def spread(number):
    """A number without a sequence, like real subjects: with a sequence, neighbours in an index would be written."""
    return int.from_bytes(hashlib.sha256(str(number).encode()).digest()[:8], "big")


def google(key, audience, number, use, count):
    """A token of the user `number`, and the nonce in it. `use` and `count` distinguish the tokens of a user."""
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
    nonce = f"nonce-{use}-{count:08d}-0123456789abcdef"
    return signed(key, nonce, claims), nonce


def apple(key, audience, number):
    claims = {
        "iss": "https://appleid.apple.com",
        "aud": audience,
        "sub": f"{spread(number) % 2000:06}.{spread(number):032x}.0900",
        "email": f"{spread(number):016x}{number}@privaterelay.appleid.com",
        "email_verified": True,
        "is_private_email": True,
        "auth_time": int(time.time()),
        "nonce_supported": True,
        "real_user_status": 2,
    }
    nonce = f"nonce-apple-{number:08d}-0123456789abcdef"
    return body(signed(key, nonce, claims), "apple.com", nonce)


def certificate(key):
    """The key in the form of Google's first list: a certificate, which vouches for nothing."""
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "bench")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(serialization.Encoding.PEM).decode()


class Endpoints(asyncio.Protocol):
    """Answers one request after the other on a connection. Implements only as much of HTTP as the measured
    systems need; http.server would take as much processor time as they do."""

    def __init__(self, keys, certificates, tokens):
        self.keys, self.certificates, self.tokens = keys, certificates, tokens
        self.received = b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.received += data
        while (end := self.received.find(b"\r\n\r\n")) >= 0:
            head = self.received[:end].decode("latin-1")
            length = 0
            for line in head.split("\r\n")[1:]:
                name, _, value = line.partition(":")
                if name.lower() == "content-length":
                    length = int(value)
            if len(self.received) < end + 4 + length:
                return
            content = self.received[end + 4 : end + 4 + length]
            self.received = self.received[end + 4 + length :]
            status, answer = self.answer(*head.split(" ", 2)[:2], content)
            self.transport.write(
                f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\n"
                f"cache-control: max-age=86400\r\ncontent-length: {len(answer)}\r\n\r\n".encode()
                + answer
            )

    def answer(self, method, path, content):
        if method != "POST":
            return "200 OK", self.certificates if path.endswith("/v1/certs") else self.keys
        code = urllib.parse.parse_qs(content.decode()).get("code", [""])[0]
        if not code.isdecimal() or int(code) >= len(self.tokens):
            return "400 Bad Request", b'{"error":"invalid_grant"}'
        answer = {
            "access_token": f"access-{code}",
            "expires_in": 3600,
            "id_token": self.tokens[int(code)],
            "token_type": "Bearer",
        }
        return "200 OK", json.dumps(answer).encode()


async def serve(port, keys, certificates, tokens):
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Endpoints(keys, certificates, tokens), "127.0.0.1", port, backlog=1024
    )
    print("ready", flush=True)
    await server.serve_forever()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--audience", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--returning-users", type=int)
    parser.add_argument("--refused-output")
    parser.add_argument("--apple-count", type=int, default=0)
    parser.add_argument("--apple-audience")
    parser.add_argument("--apple-output")
    options = parser.parse_args()

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    entry = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
    keys = json.dumps(
        {"keys": [{**entry, "kid": "bench", "alg": "RS256", "use": "sig"}]}
    ).encode()
    certificates = json.dumps({"bench": certificate(key)}).encode()
    tokens = []

    def write(lines, token, nonce):
        tokens.append(token)
        lines.write(body(token, "google.com", nonce) + "\n")

    returning = options.returning_users or options.count
    with open(options.output, "w", encoding="utf-8") as lines:
        for number in range(options.count):
            write(lines, *google(key, options.audience, number, "first", number))
        for number in range(options.count):
            write(lines, *google(key, options.audience, number % returning, "again", number))
    if options.refused_output:
        other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        with open(options.refused_output, "w", encoding="utf-8") as lines:
            write(lines, *google(other, options.audience, options.count, "refused", 0))
            write(lines, *google(key, "another." + options.audience, options.count, "refused", 1))
    if options.apple_output:
        with open(options.apple_output, "w", encoding="utf-8") as lines:
            for number in range(options.apple_count):
                lines.write(apple(key, options.apple_audience, number) + "\n")
    asyncio.run(serve(options.port, keys, certificates, tokens))


if __name__ == "__main__":
    main()
