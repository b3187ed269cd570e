"""Administers an empty server, from the first project to a deleted user, with requests that it makes from the
description at /openapi.json alone: it has no path of its own.

    administration_story.py KEY_FILE ISSUER
"""

import base64
import hashlib
import pathlib
import plistlib
import secrets
import sys
import urllib.parse

import jsonschema
import requests

from support import BASE, SIMULATOR

KEY_FILE, ISSUER = sys.argv[1:]
OWNER = {"Authorization": "Bearer " + pathlib.Path(KEY_FILE).read_text(encoding="utf-8").strip()}
PROJECT = "shop"
BUNDLE_ID = "com.example.app"


class Client:
    """Calls the operations of a description by their ids."""

    def __init__(self, document):
        self.url = document["servers"][0]["url"]
        self.components = document["components"]
        self.operations = {
            operation["operationId"]: (method, path, operation)
            for path, item in document["paths"].items() for method, operation in item.items()}

    def call(self, name, body=None, status=200, headers=None, query=None, **places):
        method, path, operation = self.operations[name]
        if body is not None:
            media = operation["requestBody"]["content"]["application/json"]
            schema = media["schema"] | {"components": self.components}
            jsonschema.Draft202012Validator(schema).validate(body)
        known = [self.parameter(parameter)["name"] for parameter in operation.get("parameters", [])]
        assert set(query or {}) <= set(known) | {"key"}, f"{name}: {query} isn't described: {known}"
        answer = requests.request(
            method, self.url + path.format(**places), json=body, params=query, headers=headers, timeout=60)
        assert answer.status_code == status, f"{name}: {answer.status_code} {answer.text}"
        return answer.json()

    def parameter(self, parameter):
        reference = parameter.get("$ref")
        return self.components["parameters"][reference.split("/")[-1]] if reference else parameter


def with_nonce(path, **members):
    """A sign-in at the simulator, as an app with a provider's SDK has it."""
    nonce = secrets.token_urlsafe(24)
    members["nonce"] = hashlib.sha256(nonce.encode()).hexdigest()
    sheet = requests.post(f"{SIMULATOR}/{path}/native-sign-in", json=members, timeout=60)
    assert sheet.status_code == 200, sheet.text
    return sheet.json(), nonce


document = requests.get(f"{BASE}/openapi.json", timeout=60).json()
document["servers"] = [{"url": BASE}]  # The public URL is that of a proxy, which this test doesn't have.
client = Client(document)


def manage(name, body=None, **places):
    return client.call(name, body, headers=OWNER, project=PROJECT, **places)


# The project, its app, and its providers with their tests.
assert client.call("projects.list", headers=OWNER) == {"projects": []}
client.call("projects.create", {"projectId": PROJECT, "displayName": "Shop"}, headers=OWNER)
app = manage("iosApps.create", {"bundleId": BUNDLE_ID, "displayName": "Shop for iPhone"})
file = manage("iosApps.config", iosApp=app["appId"])
plist = plistlib.loads(base64.b64decode(file["configFileContents"]))
api_key = {"key": plist["API_KEY"]}
manage("defaultSupportedIdpConfigs.create", {"enabled": True}, query={"idpId": "apple.com"})
company = {"displayName": "Company", "issuer": ISSUER, "clientId": "gatehouse-demo", "clientSecret": "a secret",
           "enabled": True}
manage("oauthIdpConfigs.create", company, query={"oauthIdpConfigId": "oidc.company"})
for collection, provider in [("defaultSupportedIdpConfigs", "apple.com"), ("oauthIdpConfigs", "oidc.company")]:
    tested = manage(f"{collection}.test", provider=provider)
    assert tested["healthy"], tested

# A user signs in with Apple, and links the company's account.
person = requests.post(
    f"{SIMULATOR}/simulator/persons", json={"id": "ada", "email": "ada@example.com", "givenName": "Ada"}, timeout=60)
assert person.status_code == 201, person.text


def sign_in(provider, token, nonce, **members):
    post_body = urllib.parse.urlencode({"providerId": provider, "id_token": token, "nonce": nonce})
    body = {"requestUri": "http://localhost", "postBody": post_body, "returnSecureToken": True} | members
    return client.call("signInWithIdp", body, query=api_key)


sheet, nonce = with_nonce("apple", client_id=BUNDLE_ID, person="ada")
user = sign_in("apple.com", sheet["identityToken"], nonce)
sheet, nonce = with_nonce("oidc", client_id="gatehouse-demo", person="ada")
linked = sign_in("oidc.company", sheet["idToken"], nonce, idToken=user["idToken"])
uid = user["localId"]
assert linked["localId"] == uid, linked

# The user is found, signed out, edited and deleted.
search = {"query": "ada", "filter": {"providerIds": ["apple.com"]}}
assert [found["localId"] for found in manage("accounts.search", search)["users"]] == [uid]
sessions = manage("accounts.sessions", query={"localId": uid})["sessions"]
assert len(sessions) == 2, sessions
for session in sessions:
    manage("accounts.endSession", {"localId": uid, "sessionId": session["sessionId"]})
refused = requests.post(f"{BASE}/v1/token", params=api_key, timeout=60, json={
    "grant_type": "refresh_token", "refresh_token": linked["refreshToken"]})
assert refused.json()["error"]["message"] == "TOKEN_EXPIRED", refused.text
manage("accounts.update", {"localId": uid, "email": "ada@corp.example.com", "displayName": "Ada Lovelace",
                           "customAttributes": '{"role":"editor"}'})
shown = manage("accounts.lookup", {"localId": [uid]})["users"][0]
assert (shown["email"], shown["displayName"]) == ("ada@corp.example.com", "Ada Lovelace"), shown
manage("accounts.delete", {"localId": uid})
assert manage("accounts.search", {"query": "ada"}).get("users", []) == []

# The events tell it.
events = manage("project.events.list", query={"pageSize": 100})["events"]
kinds = [event["kind"] for event in reversed(events)]
expected = ["setting.changed", "account.created", "account.linked", "account.email_changed", "account.claims_changed",
            "account.profile_changed", "account.session_ended", "account.deleted"]
assert not set(expected) - set(kinds), kinds
assert (kinds[0], kinds[-1]) == ("setting.changed", "account.deleted"), kinds
verified = manage("project.events.verify", {})
assert verified["faults"] == [] and verified["verified"] >= len(events), verified
