"""Blocking functions that verify the JWT and the signature, and then behave as the test demands.

Prints its address as JSON, then serves: POST /beforeCreate and /beforeSignIn are the functions, POST /setup
takes {"secrets", "issuer", "jwks"}, PUT sets the behaviour, GET returns the verified requests' claims and
the errors of those that failed verification.

A behaviour is {"allow": {...userRecord}}, {"refuse": message}, {"hang": true}, {"garbage": text},
{"status": number}.
"""

import http.server
import json
import threading
import urllib.request

import jwt
from standardwebhooks import Webhook, WebhookVerificationError

lock = threading.Lock()
state = {"setup": None, "behaviour": {"allow": {}}, "asked": [], "forged": []}
release = threading.Event()


class Function(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/setup":
            with lock:
                state["setup"] = json.loads(body)
            return self.answer(200, {})
        trigger = self.path.strip("/")
        try:
            claims = verified(trigger, self.headers, body)
        except (WebhookVerificationError, jwt.PyJWTError, ValueError) as error:
            with lock:
                state["forged"].append(str(error))
            return self.answer(401, {})
        with lock:
            state["asked"].append(claims)
            behaviour = state["behaviour"].get(trigger, state["behaviour"])
        if "hang" in behaviour:
            release.wait(600)
            return self.answer(200, {})
        if "garbage" in behaviour:
            return self.answer(200, behaviour["garbage"])
        if "status" in behaviour:
            return self.answer(behaviour["status"], {})
        if "refuse" in behaviour:
            error = {"message": behaviour["refuse"], "status": "PERMISSION_DENIED"}
            return self.answer(403, {"error": error})
        record = behaviour.get("allow", {})
        if not record:
            return self.answer(200, {})
        return self.answer(200, {"userRecord": {**record, "updateMask": ",".join(record)}})

    def do_GET(self):
        with lock:
            return self.answer(200, {"asked": state["asked"], "forged": state["forged"]})

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        with lock:
            state["behaviour"] = json.loads(body)
            state["asked"] = []
        return self.answer(200, {})

    def answer(self, status, body):
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def verified(trigger, headers, body):
    setup = state["setup"]
    Webhook(setup["secrets"][trigger]).verify(
        body, {name.lower(): value for name, value in headers.items()})
    token = json.loads(body)["data"]["jwt"]
    header = jwt.get_unverified_header(token)
    if header["typ"] != "blocking-function+jwt":
        raise ValueError("the token is no question")
    with urllib.request.urlopen(setup["jwks"], timeout=30) as answer:
        keys = jwt.PyJWKSet.from_json(answer.read())
    claims = jwt.decode(
        token, keys[header["kid"]].key, algorithms=["RS256", "ES256"], audience=url + trigger,
        issuer=setup["issuer"], leeway=300, options={"require": ["exp", "iat", "sub", "event_id"]})
    if claims["event_type"] != trigger or claims["event_id"] != headers["webhook-id"]:
        raise ValueError("the token is of another question")
    return claims


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Function)
server.daemon_threads = True
url = f"http://127.0.0.1:{server.server_port}/"
print(json.dumps({"url": url}), flush=True)
server.serve_forever()
