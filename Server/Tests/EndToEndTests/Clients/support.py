"""Shared by the tests of clients: the server's address, and plain calls where an SDK has no method.

Environment: GATEHOUSE_BASE and GATEHOUSE_SIMULATOR are URLs without a slash at the end.
GATEHOUSE_PROJECT is the project, GATEHOUSE_API_KEY one of its API keys.
"""

import hashlib
import os
import secrets
import time
import urllib.parse

import firebase_admin
import google.auth.credentials
import requests
from firebase_admin import credentials

import described

BASE = os.environ["GATEHOUSE_BASE"]
SIMULATOR = os.environ.get("GATEHOUSE_SIMULATOR", "")
PROJECT = os.environ.get("GATEHOUSE_PROJECT", "demo")
API_KEY = os.environ.get("GATEHOUSE_API_KEY", "any-key")
described.watch(BASE)


class Refused(Exception):
    """An error response. `message` is the protocol's error message."""

    def __init__(self, answer):
        try:
            self.message = answer.json()["error"]["message"]
        except (ValueError, KeyError, TypeError):
            self.message = answer.text
        self.status = answer.status_code
        super().__init__(f"{answer.status_code} {self.message}")


def client_call(method, body):
    """Calls a method as an app does: `accounts:signUp`, …"""
    answer = requests.post(
        f"{BASE}/identitytoolkit.googleapis.com/v1/{method}?key={API_KEY}", json=body, timeout=30)
    if answer.status_code != 200:
        raise Refused(answer)
    return answer.json()


def refresh(refresh_token):
    answer = requests.post(
        f"{BASE}/securetoken.googleapis.com/v1/token?key={API_KEY}",
        data={"grant_type": "refresh_token", "refresh_token": refresh_token}, timeout=30)
    if answer.status_code != 200:
        raise Refused(answer)
    return answer.json()


def sign_in_with_password(email, password):
    return client_call(
        "accounts:signInWithPassword",
        {"email": email, "password": password, "returnSecureToken": True})


def sign_in_with_simulated_google(person):
    """Creates a simulated person, who signs in with Google, with a nonce."""
    made = requests.post(f"{SIMULATOR}/simulator/persons", json={"id": person}, timeout=30)
    assert made.status_code in (200, 201), made.text
    nonce = secrets.token_urlsafe(24)
    sheet = requests.post(
        f"{SIMULATOR}/google/native-sign-in",
        json={
            "client_id": "demo.apps.example.com", "person": person,
            "nonce": hashlib.sha256(nonce.encode()).hexdigest(),
        }, timeout=30)
    assert sheet.status_code == 200, sheet.text
    post_body = urllib.parse.urlencode(
        {"providerId": "google.com", "id_token": sheet.json()["idToken"], "nonce": nonce})
    return client_call(
        "accounts:signInWithIdp",
        {"requestUri": "http://localhost", "postBody": post_body, "returnSecureToken": True})


def wait_for_next_second():
    """Waits for the next second: times in tokens are whole seconds, so a later time needs a later second."""
    start = int(time.time())
    while int(time.time()) <= start:
        time.sleep(0.02)


def unique(prefix):
    return f"{prefix}-{secrets.token_hex(5)}"


class StaticBearer(credentials.Base):
    """A credential with a fixed access token, such as an administrator's key."""

    class _Token(google.auth.credentials.Credentials):
        def __init__(self, token):
            super().__init__()
            self.token = token

        def refresh(self, request):
            raise AssertionError("a fixed token is not refreshed")

        @property
        def expired(self):
            return False

        @property
        def valid(self):
            return True

    def __init__(self, token):
        self._token = self._Token(token)

    def get_credential(self):
        return self._token


def app(credential=None):
    """Google's SDK, initialized as in an ordinary back end."""
    return firebase_admin.initialize_app(
        credential=credential, options={"projectId": PROJECT}, name=unique("app"))
