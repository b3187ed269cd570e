"""The description at /openapi.json is valid for PyPI's `openapi-spec-validator`. `schemathesis` sends what it
allows, and what it doesn't: no answer is a failure of the server or missing in the description.

The description gets real ids and tokens first. With random ones, few requests would pass the first check."""

import json
import pathlib
import subprocess
import sys
import tempfile

import openapi_spec_validator
import requests

from support import API_KEY, BASE, PROJECT

OWNER = {"Authorization": "Bearer owner"}
EXAMPLES = 8
# A stream that lasts for an hour isn't an answer that schemathesis can compare.
STREAMS = ["watch", "watch.get"]
# They end what the others need: users, providers, hooks, settings.
DESTRUCTIVE = ["delete", "accounts.delete", "accounts.batchDelete", "accounts.update", "hooks.delete",
               "oauthIdpConfigs.delete", "defaultSupportedIdpConfigs.delete", "config.patch"]
# It asks providers and name servers.
SLOW = ["server.doctor"]
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def post(path, body, headers=None):
    answer = requests.post(f"{BASE}/{path}", json=body, params=None if headers else {"key": API_KEY},
                           headers=headers, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


def users():
    """Some users, because the generated requests delete and disable them."""
    people = [post("v1/accounts:signUp", {}) for _ in range(4)]
    people += [post("v1/accounts:signUp", {"email": f"user{n}@example.com", "password": f"password {n}"})
               for n in range(4)]
    return people


def with_real_values(document):
    settings = {"mfa": {"state": "ENABLED", "enabledProviders": ["PHONE_SMS"]}, "passkeys": {"enabled": True}}
    answer = requests.patch(f"{BASE}/v2/projects/{PROJECT}/config", json=settings, headers=OWNER, timeout=60)
    assert answer.status_code == 200, answer.text
    people = users()
    hook = post(f"v2/projects/{PROJECT}/hooks", {"url": "https://hook.example/events"}, OWNER)
    provider = {"clientId": "client", "issuer": "https://issuer.example", "enabled": True}
    post(f"v2/projects/{PROJECT}/oauthIdpConfigs?oauthIdpConfigId=oidc.company", provider, OWNER)
    code = post("v1/accounts:sendVerificationCode", {"phoneNumber": "+4915112345678"})
    values = {
        "Project": [PROJECT],
        "LocalID": [user["localId"] for user in people],
        "IDToken": [user["idToken"] for user in people],
        "Email": [user["email"] for user in people if "email" in user] + ["nobody@example.com"],
        "PhoneNumber": ["+4915112345678", "+12025550123"],
    }
    for name, texts in values.items():
        document["components"]["schemas"][name] = {"type": "string", "enum": texts}
    parameters = document["components"]["parameters"]
    parameters["hook"]["schema"] = {"enum": [hook["name"].split("/")[-1]]}
    parameters["provider"]["schema"] = {"enum": ["oidc.company", "google.com", "apple.com"]}
    parameters["serviceAccount"]["schema"] = {"enum": [f"robot@{PROJECT}.example.com"]}
    schemas = document["components"]["schemas"]
    schemas["TokenRequest"]["properties"]["refresh_token"]["enum"] = [
        user["refreshToken"] for user in people]
    schemas["SignInWithPhoneNumberRequest"]["properties"]["sessionInfo"]["enum"] = [code["sessionInfo"]]
    # schemathesis can't write this media type.
    body = document["paths"]["/v1/notifications/google/{project}"]["post"]["requestBody"]
    body["content"] = {"text/plain": body["content"]["application/secevent+jwt"]}
    return document


def run(name, document, examples, *options, headers=()):
    """Ends with schemathesis' report if it found something."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "openapi.json")
        path.write_text(json.dumps(document), encoding="utf-8")
        command = [pathlib.Path(sys.executable).with_name("st"), "run", path, "--url", BASE,
                   "--checks", CHECKS, "--max-examples", str(examples), "--seed", "38",
                   "--generation-deterministic", "--no-shrink", "--continue-on-failure",
                   "--suppress-health-check", "all", "--warnings", "off", "--request-timeout", "120",
                   "--no-color", *options]
        command += [part for stream in STREAMS for part in ("--exclude-operation-id", stream)]
        command += [part for header in headers for part in ("-H", header)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{name}:\n{done.stdout[-20000:]}\n{done.stderr[-2000:]}"
        print(name, [line.strip() for line in done.stdout.splitlines() if "generated" in line])


def chosen(kind, names):
    return [part for name in names for part in (f"--{kind}-operation-id", name)]


answer = requests.get(f"{BASE}/openapi.json", timeout=60)
assert answer.status_code == 200, answer.text
assert answer.json()["servers"] == [{"url": BASE}], answer.json()["servers"]
openapi_spec_validator.validate(answer.json())
real = with_real_values(answer.json())
key = f"x-goog-api-key: {API_KEY}"
everything = ("--phases", "coverage,fuzzing")
of_projects = "/projects/"
run("nobody", real, 2, "--phases", "fuzzing")
run("an app", real, EXAMPLES, *everything, "--exclude-path-regex", of_projects,
    *chosen("exclude", DESTRUCTIVE), headers=[key])
run("an administrator", real, EXAMPLES, *everything, "--include-path-regex", of_projects,
    *chosen("exclude", DESTRUCTIVE), headers=["Authorization: Bearer owner"])
run("an owner of the server", real, EXAMPLES, *everything, "--include-path-regex", "^/v2/server/",
    *chosen("exclude", SLOW), headers=["Authorization: Bearer owner"])
run("what others need", real, EXAMPLES, *everything, *chosen("include", DESTRUCTIVE),
    headers=["Authorization: Bearer owner", key])
