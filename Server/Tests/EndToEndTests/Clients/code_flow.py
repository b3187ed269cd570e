"""Signs in at an OpenID provider as a browser and an app would: the authorization code flow.

    code_flow.py --issuer http://127.0.0.1:19401 --client-id app [--client-secret s] \\
                 --user alice [--password p] [--nonce-hash HEX]

The endpoints come from discovery. PKCE (S256) is always used. Prints the token endpoint's response as
JSON.
"""

import argparse
import base64
import hashlib
import json
import secrets
import sys
import urllib.parse

import requests

REDIRECT_URI = "http://127.0.0.1:9/callback"


def redirect_of(answer):
    """The callback's parameters, if `answer` redirects the browser there; otherwise None."""
    target = answer.headers.get("location", "")
    if not target.startswith(REDIRECT_URI):
        return None
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(target).query))


def authorize(browser, url, forms):
    """Follows the provider's redirects, and submits the next of `forms` to each page."""
    answer = browser.get(url, allow_redirects=False)
    for _ in range(10):
        parameters = redirect_of(answer)
        if parameters is not None:
            return parameters
        if answer.is_redirect:
            url = urllib.parse.urljoin(url, answer.headers["location"])
            answer = browser.get(url, allow_redirects=False)
        elif answer.status_code == 200 and forms:
            answer = browser.post(url, data=forms.pop(0), allow_redirects=False)
        else:
            break
    sys.exit(f"the provider stopped at {url}: {answer.status_code} {answer.text[:500]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--issuer", required=True)
    parser.add_argument("--client-id", required=True)
    parser.add_argument("--client-secret", default="")
    parser.add_argument("--user", required=True)
    parser.add_argument("--password", default="")
    parser.add_argument("--nonce-hash")
    given = parser.parse_args()

    browser = requests.Session()
    metadata = browser.get(given.issuer + "/.well-known/openid-configuration").json()
    assert metadata["issuer"] == given.issuer, metadata["issuer"]

    verifier = secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest())
    query = {
        "response_type": "code",
        "client_id": given.client_id,
        "redirect_uri": REDIRECT_URI,
        "scope": "openid email profile",
        "state": secrets.token_urlsafe(16),
        "code_challenge": challenge.rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    }
    if given.nonce_hash:
        query["nonce"] = given.nonce_hash
    url = metadata["authorization_endpoint"] + "?" + urllib.parse.urlencode(query)
    # One provider needs the subject, the other a name and a password; each ignores the other fields.
    form = {"sub": given.user, "username": given.user, "password": given.password}
    parameters = authorize(browser, url, [form, {"action": "approve", **form}])
    assert parameters.get("state") == query["state"] and "code" in parameters, parameters

    answer = requests.post(
        metadata["token_endpoint"],
        data={
            "grant_type": "authorization_code",
            "code": parameters["code"],
            "redirect_uri": REDIRECT_URI,
            "code_verifier": verifier,
        },
        auth=(given.client_id, given.client_secret),
    )
    if answer.status_code != 200:
        sys.exit(f"the token endpoint: {answer.status_code} {answer.text[:500]}")
    print(json.dumps(answer.json()))


if __name__ == "__main__":
    main()
