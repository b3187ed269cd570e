"""canaille, an OpenID provider, as its own test fixture (pytest-iam) sets it up.

    canaille_provider.py --email ada@example.com

Creates one client, and one user who is signed in and has consented; with --signed-out the user has done
neither. Prints the issuer, the client and the user as a line of JSON, and serves until its process ends.
"""

import argparse
import datetime
import json
import os
import uuid

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import portpicker
import pytest_iam
from canaille import create_app
from canaille.backends import Backend
from joserfc.jwk import JWKRegistry

REDIRECT_URI = "http://127.0.0.1:9/callback"
PASSWORD = "a long password"


def configuration(port, key):
    return {
        "TESTING": True,
        "ENV_FILE": None,
        "SECRET_KEY": str(uuid.uuid4()),
        "WTF_CSRF_ENABLED": False,
        "PREFERRED_URL_SCHEME": "http",
        "SERVER_NAME": f"localhost:{port}",
        "CANAILLE": {
            "DATABASE": "memory",
            "JAVASCRIPT": False,
            "ACL": {"DEFAULT": {"PERMISSIONS": ["use_oidc", "manage_oidc"]}},
        },
        "CANAILLE_OIDC": {"ACTIVE_JWKS": [key.as_dict(private=True)]},
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--email", required=True)
    parser.add_argument("--algorithm", default="RS256")
    parser.add_argument("--redirect-uri", default=REDIRECT_URI)
    parser.add_argument("--signed-out", action="store_true")
    parser.add_argument("--jwks-uri", help="the client signs, with the key that is found here")
    given = parser.parse_args()

    port = portpicker.pick_unused_port()
    key = JWKRegistry.generate_key("RSA", 2048)
    key.ensure_kid()
    app = create_app(config=configuration(port, key))
    server = pytest_iam.Server(app, port, Backend.instance)
    with app.app_context():
        person = server.models.User(
            formatted_name="Ada Lovelace", given_name="Ada", family_name="Lovelace",
            user_name="ada", emails=[given.email], password=PASSWORD)
        server.backend.save(person)
        client = server.models.Client(
            client_id="our-app", client_secret="our-secret",
            client_id_issued_at=datetime.datetime.now(datetime.UTC),
            client_name="Our app", redirect_uris=[given.redirect_uri],
            grant_types=["authorization_code", "refresh_token"], response_types=["code"],
            scope=["openid", "email", "profile"],
            token_endpoint_auth_method=(
                "private_key_jwt" if given.jwks_uri else "client_secret_basic"),
            jwks_uri=given.jwks_uri,
            id_token_signed_response_alg=given.algorithm)
        server.backend.save(client)
        # Its ID tokens have a second audience beside our client.
        other = server.models.Client(
            client_id="their-api", client_secret="their-secret",
            client_id_issued_at=datetime.datetime.now(datetime.UTC), client_name="Their API")
        server.backend.save(other)
        client.audience = [client, other]
        server.backend.save(client)
    if not given.signed_out:
        server.consent(person, client)
        server.login(person)
    print(json.dumps({
        "issuer": f"http://localhost:{port}", "clientID": client.client_id,
        "clientSecret": client.client_secret, "user": person.user_name,
        "password": PASSWORD,
    }), flush=True)
    server.httpd.serve_forever()


if __name__ == "__main__":
    main()
