"""OpenID providers with faulty key endpoints. Each issuer is a path:

    /good      has no fault
    /slow      the key set arrives a byte at a time, for a minute
    /huge      a key set of a megabyte
    /redirect  redirects to the key set of /good
    /private   a key set at a private address

    POST /test/token {"issuer", "kid"?, "sub"}  ->  {"token"}  (the key set has no key with another kid)
    GET  /test/fetches                          ->  {"/good/jwks": 1, ...}

Prints its address as a line of JSON, and serves until its process ends.
"""

import json
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
FETCHES = Counter()


def key_set():
    jwk = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
    return {"keys": [{**jwk, "kid": "the-key", "use": "sig", "alg": "RS256"}]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, **headers):
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        base = f"http://127.0.0.1:{self.server.server_port}"
        issuer, _, rest = self.path[1:].partition("/")
        if self.path == "/test/fetches":
            return self.answer(200, FETCHES)
        FETCHES[self.path] += 1
        if rest == ".well-known/openid-configuration":
            keys = f"{base}/{issuer}/jwks" if issuer != "private" else "https://10.255.255.1/jwks"
            return self.answer(200, {"issuer": f"{base}/{issuer}", "jwks_uri": keys})
        if issuer == "slow":
            self.send_response(200)
            self.send_header("content-length", "100000")
            self.end_headers()
            # The bytes defeat a time limit that begins again with each byte.
            for _ in range(600):
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.1)
            return None
        if issuer == "huge":
            return self.answer(200, {**key_set(), "padding": "x" * (1 << 20)})
        if issuer == "redirect":
            return self.answer(302, {}, location=f"{base}/good/jwks")
        return self.answer(200, key_set(), **{"cache-control": "max-age=3600"})

    def do_POST(self):
        fields = json.loads(self.rfile.read(int(self.headers["content-length"])))
        now = int(time.time())
        claims = {
            "iss": f"http://127.0.0.1:{self.server.server_port}/{fields['issuer']}",
            "aud": "our-app", "sub": fields["sub"], "iat": now, "exp": now + 3600,
        }
        token = jwt.encode(
            claims, KEY, algorithm="RS256", headers={"kid": fields.get("kid") or "the-key"})
        self.answer(200, {"token": token})


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Ignores readers that close the connection, which these tests expect."""


server = Server(("127.0.0.1", 0), Handler)
print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}"}), flush=True)
server.serve_forever()
