"""Plays Apple: serves a key set, and sends a server many notifications at once.

    apple_notifications.py PORT COUNT

Serves the key set on PORT, signs users in, and posts COUNT notifications over 64 connections: they switch
users' addresses off and on, and at the end withdraw each user's consent. Meanwhile other users sign in.
The server must accept every notification, and sign out exactly the users whose consent was withdrawn.
"""

import concurrent.futures
import http.server
import json
import secrets
import sys
import threading
import time

import jwt
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from support import API_KEY, BASE, PROJECT

PORT, COUNT = int(sys.argv[1]), int(sys.argv[2])
AUDIENCE, CONNECTIONS = "com.example.app", 64
USERS = max(1, COUNT // 10)

key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
keys = json.dumps({"keys": [{**public, "kid": "load", "alg": "RS256", "use": "sig"}]}).encode()
sessions = threading.local()


class Keys(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(keys)))
        self.end_headers()
        self.wfile.write(keys)

    def log_message(self, *arguments):
        pass


def signed(claims):
    now = int(time.time())
    base = {"iss": "https://appleid.apple.com", "aud": AUDIENCE, "iat": now, "exp": now + 3600}
    return jwt.encode({**base, **claims}, key, algorithm="RS256", headers={"kid": "load"})


def notification(subject, kind):
    event = {"type": kind, "sub": subject, "event_time": int(time.time() * 1000)}
    return signed({"jti": secrets.token_hex(16), "events": json.dumps(event)})


def post(path, body):
    if not hasattr(sessions, "session"):
        sessions.session = requests.Session()
    begun = time.monotonic()
    answer = sessions.session.post(BASE + path, json=body, timeout=60)
    return answer, time.monotonic() - begun


def call(method, body):
    answer, seconds = post(f"/identitytoolkit.googleapis.com/v1/accounts:{method}?key={API_KEY}", body)
    return answer, seconds


def sign_in(subject):
    answer, seconds = call(
        "signInWithIdp",
        {
            "postBody": f"providerId=apple.com&id_token={signed({'sub': subject})}",
            "requestUri": "http://localhost", "returnSecureToken": True,
        })
    assert answer.status_code == 200, answer.text
    return answer.json()["idToken"], seconds


def verdict(token):
    answer, _ = call("lookup", {"idToken": token})
    return answer.status_code if answer.ok else answer.json()["error"]["message"]


def median(values):
    return sorted(values)[len(values) // 2]


server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Keys)
threading.Thread(target=server.serve_forever, daemon=True).start()

with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
    users = [f"user{number}" for number in range(USERS)]
    tokens = [token for token, _ in pool.map(sign_in, users)]
    bystanders = [token for token, _ in pool.map(sign_in, ["one", "two", "three"])]
    alone = median([sign_in("four")[1] for _ in range(9)])

    toggles = [
        notification(users[number % USERS], ("email-disabled", "email-enabled")[number % 2])
        for number in range(COUNT - USERS)
    ]
    withdrawals = [notification(user, "consent-revoked") for user in users]
    stopped = threading.Event()

    def sign_in_meanwhile():
        seconds = []
        while not stopped.is_set():
            seconds.append(sign_in(f"other{len(seconds)}")[1])
        return seconds

    begun = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(1) as beside:
        others = beside.submit(sign_in_meanwhile)
        path = f"/v1/notifications/apple/{PROJECT}"
        answers = list(pool.map(lambda jws: post(path, {"payload": jws}), toggles + withdrawals))
        accepted = time.monotonic() - begun
        stopped.set()
        meanwhile = others.result()
    statuses = [answer.status_code for answer, _ in answers]
    assert statuses == [200] * COUNT, {status: statuses.count(status) for status in set(statuses)}

    waiting = list(tokens)
    while waiting:
        assert time.monotonic() - begun < 170, f"{len(waiting)} users are still signed in"
        waiting = [
            token for token, found in zip(waiting, pool.map(verdict, waiting))
            if found != "TOKEN_EXPIRED"
        ]
    applied = time.monotonic() - begun
    assert list(pool.map(verdict, bystanders)) == [200] * 3

print(json.dumps({
    "notifications": COUNT, "users": USERS, "acceptedSeconds": round(accepted, 1),
    "appliedSeconds": round(applied, 1), "signInsMeanwhile": len(meanwhile),
    "signInMilliseconds": round(median(meanwhile) * 1000, 1),
    "signInMillisecondsAlone": round(alone * 1000, 1),
}))
