"""Facebook's Graph API and Limited Login, as far as a sign-in uses them. Written from Meta's pages:

    https://developers.facebook.com/docs/graph-api/reference/debug_token
    https://developers.facebook.com/docs/graph-api/securing-requests
    https://developers.facebook.com/docs/facebook-login/limited-login/token

    facebook_graph.py APP_ID APP_SECRET

Prints its address as a line of JSON, and serves until its process ends. Paths for tests:

    POST /test/access-token {"id", "name", "email", "app"?}  ->  {"token"}
    POST /test/id-token {"sub", "nonce"?, "iss"?, "aud"?}    ->  {"token"}
    GET  /test/requests                                       ->  {"requests": ["GET /graph/me", ...]}
"""

import hashlib
import hmac
import json
import secrets
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

APP_ID, APP_SECRET = sys.argv[1:]
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
TOKENS = {}
REQUESTS = []


class GraphError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.body = {"error": {"message": message, "type": "OAuthException", "code": code}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def bearer(self):
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer":
            raise GraphError(104, "An access token is required to request this resource.")
        return token

    def user_token(self, query):
        """The bearer token, after a check of its proof by the app secret."""
        token = self.bearer()
        proof = hmac.new(APP_SECRET.encode(), token.encode(), hashlib.sha256).hexdigest()
        if query.get("appsecret_proof") != [proof]:
            raise GraphError(100, "Invalid appsecret_proof provided in the API argument")
        if token not in TOKENS:
            raise GraphError(190, "Error validating access token")
        return token

    def inspect(self, query):
        if self.bearer() != f"{APP_ID}|{APP_SECRET}":
            raise GraphError(190, "Invalid OAuth access token signature.")
        person = TOKENS.get(query["input_token"][0])
        if person is None:
            error = {"code": 190, "message": "Malformed access token"}
            return {"data": {"error": error, "is_valid": False, "scopes": []}}
        now = int(time.time())
        return {"data": {
            "app_id": person.get("app", APP_ID), "type": "USER", "application": "Example",
            "data_access_expires_at": now + 7200, "expires_at": now + 3600, "is_valid": True,
            "scopes": ["email", "public_profile"], "user_id": person["id"],
        }}

    def profile(self, query):
        person = TOKENS[self.user_token(query)]
        first, _, last = person["name"].partition(" ")
        everything = {
            "id": person["id"], "name": person["name"], "email": person.get("email"),
            "first_name": first, "last_name": last,
            "picture": {"data": {
                "height": 50, "is_silhouette": False, "url": "https://example.com/p.jpg",
                "width": 50,
            }},
        }
        wanted = query["fields"][0].split(",")
        return {name: everything[name] for name in wanted if everything[name] is not None}

    def handle_graph(self, method):
        url = urlsplit(self.path.removeprefix("/facebook"))
        query = parse_qs(url.query)
        if url.path == "/test/requests":
            return self.answer(200, {"requests": REQUESTS})
        REQUESTS.append(f"{method} {url.path}")
        try:
            if (method, url.path) == ("GET", "/graph/debug_token"):
                self.answer(200, self.inspect(query))
            elif (method, url.path) == ("GET", "/graph/me"):
                self.answer(200, self.profile(query))
            elif (method, url.path) == ("DELETE", "/graph/me/permissions"):
                del TOKENS[self.user_token(query)]
                self.answer(200, {"success": True})
            elif url.path == "/.well-known/oauth/openid/jwks/":
                jwk = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
                self.answer(200, {"keys": [{**jwk, "kid": "limited", "use": "sig", "alg": "RS256"}]})
            else:
                raise GraphError(2500, "Unknown path components")
        except GraphError as error:
            self.answer(400, error.body)
        return None

    def do_GET(self):
        self.handle_graph("GET")

    def do_DELETE(self):
        self.handle_graph("DELETE")

    def do_POST(self):
        fields = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/test/access-token":
            token = "EAAB" + secrets.token_hex(32)
            TOKENS[token] = fields
        else:
            now = int(time.time())
            claims = {
                "iss": "https://www.facebook.com", "aud": APP_ID, "iat": now, "exp": now + 3600,
                "jti": secrets.token_hex(8), **fields,
            }
            token = jwt.encode(claims, KEY, algorithm="RS256", headers={"kid": "limited"})
        self.answer(200, {"token": token})


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}"}), flush=True)
server.serve_forever()
