"""idpyoidc, the OpenID provider of the Identity Python project, with its own login page.

    idpy_provider.py --redirect-uri http://127.0.0.1:9099/__/auth/handler/demo/oidc.idpy \\
                     --email ada@example.com

It requires PKCE with S256, and supports the response modes query, fragment and form_post. Prints the issuer,
the client and the user as a line of JSON, and serves until its process ends. The routes between Flask and the
library are those that its documentation expects a user to write.
"""

import argparse
import json
import pathlib
import tempfile

import flask
import portpicker
import werkzeug.serving
from idpyoidc.message.oidc import AccessTokenRequest, AuthorizationRequest
from idpyoidc.server import Server
from idpyoidc.server.configure import OPConfiguration
from idpyoidc.server.exception import FailedAuthentication
from idpyoidc.server.oidc.token import Token

SECRET = "our-secret-of-thirty-two-letters"
PASSWORD = "a long password"
ENCRYPTION_KEYS = [{"type": "OCT", "use": ["enc"], "kid": name} for name in ("password", "salt")]
PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>{{ page_header }}</title><link rel="icon" href="data:,"></head>
<body><main><h1>{{ page_header }}</h1>
<form action="{{ action }}" method="post">
<input type="hidden" name="token" value="{{ token }}">
<p><label>{{ user_label }} <input name="username" autofocus></label></p>
<p><label>{{ passwd_label }} <input type="password" name="password"></label></p>
<p><button>{{ submit_btn }}</button></p>
</form></main></body>
</html>
"""


def configuration(issuer, folder, email):
    (folder / "user_pass.jinja2").write_text(PAGE)
    (folder / "passwords.json").write_text(json.dumps({"ada": PASSWORD}))
    (folder / "people.json").write_text(json.dumps({"ada": {
        "name": "Ada Lovelace", "given_name": "Ada", "family_name": "Lovelace", "email": email,
        "email_verified": True}}))

    def endpoint(path, place, **options):
        return {"path": path, "class": f"idpyoidc.server.{place}", "kwargs": options}

    return {
        "issuer": issuer,
        "httpc_params": {"verify": False},
        "preference": {"scopes_supported": ["openid", "profile", "email"]},
        "template_dir": str(folder),
        "key_conf": {
            "uri_path": "jwks.json",
            # ID tokens are signed with one key, access tokens with the other.
            "key_defs": [
                {"type": "RSA", "size": 2048, "use": ["sig"]},
                {"type": "EC", "crv": "P-256", "use": ["sig"]}]},
        "token_handler_args": {
            "key_conf": {"key_defs": [{"type": "oct", "bytes": "24", "use": ["enc"]}]},
            "code": {"lifetime": 600},
            "token": {
                "class": "idpyoidc.server.token.jwt_token.JWTToken", "kwargs": {"lifetime": 3600}},
            "id_token": {"class": "idpyoidc.server.token.id_token.IDToken", "kwargs": {}},
        },
        "session_params": {"encrypter": {"kwargs": {"keys": {"key_defs": ENCRYPTION_KEYS}}}},
        "endpoint": {
            "provider_info": endpoint(
                ".well-known/openid-configuration", "oidc.provider_config.ProviderConfiguration"),
            "authorization": endpoint(
                "authorization", "oidc.authorization.Authorization",
                response_types_supported=["code", "id_token"],
                response_modes_supported=["query", "fragment", "form_post"]),
            "token": endpoint(
                "token", "oidc.token.Token",
                client_authn_method=["client_secret_basic", "client_secret_post"]),
            "userinfo": endpoint(
                "userinfo", "oidc.userinfo.UserInfo",
                client_authn_method=["bearer_header"]),
        },
        "authentication": {
            "user": {
                "acr": "urn:oasis:names:tc:SAML:2.0:ac:classes:InternetProtocolPassword",
                "class": "idpyoidc.server.user_authn.user.UserPassJinja2",
                "kwargs": {
                    "template": "user_pass.jinja2", "verify_endpoint": "verify",
                    "page_header": "Sign in to Idpy",
                    "db": {
                        "class": "idpyoidc.server.util.JSONDictDB",
                        "kwargs": {"filename": str(folder / "passwords.json")}}},
            },
        },
        "userinfo": {
            "class": "idpyoidc.server.user_info.UserInfo",
            "kwargs": {"db_file": str(folder / "people.json")}},
        "add_ons": {"pkce": {
            "function": "idpyoidc.server.oauth2.add_on.pkce.add_support",
            "kwargs": {"essential": True, "code_challenge_methods": {"S256": None}}}},
    }


def routes(server):
    app = flask.Flask(__name__)

    def http_info():
        return {
            "headers": {name.lower(): value for name, value in flask.request.headers.items()},
            "method": flask.request.method, "url": flask.request.url, "cookie": []}

    def answer(endpoint, asked, **args):
        told = endpoint.do_response(request=asked, **args)
        if told.get("response_placement", endpoint.response_placement) == "url":
            response = flask.redirect(told["response"])
        else:
            response = flask.make_response(told["response"], 400 if "error" in args else 200)
        for name, value in told.get("http_headers", []):
            response.headers[name] = value
        return response

    def ask(name):
        endpoint = server.get_endpoint(name)
        given = flask.request.values.to_dict()
        asked = endpoint.parse_request(given, http_info=http_info())
        if "error" in asked:
            return flask.make_response(asked.to_json(), 400)
        if isinstance(endpoint, Token):
            asked = AccessTokenRequest(**asked)
        args = endpoint.process_request(asked, http_info=http_info())
        if "http_response" in args:
            return flask.make_response(args["http_response"])
        return answer(endpoint, asked, **args)

    @app.get("/.well-known/openid-configuration")
    def discovery():
        return ask("provider_config")

    @app.get("/jwks.json")
    def keys():
        return flask.Response(
            server.get_attribute("keyjar").export_jwks_as_json(), mimetype="application/json")

    @app.get("/authorization")
    def authorization():
        return ask("authorization")

    @app.post("/verify")
    def verify():
        method = server.context.authn_broker.get_method_by_id("user")
        given = method.unpack_token(flask.request.form["token"])
        asked = AuthorizationRequest().from_urlencoded(given["query"])
        endpoint = server.get_endpoint("authorization")
        try:
            person = method.verify(
                username=flask.request.form["username"], password=flask.request.form["password"])
        except FailedAuthentication:
            return flask.make_response("Wrong name or password.", 401)
        session = endpoint.create_session(
            asked, person, given["authn_class_ref"], given["iat"], method)
        return answer(endpoint, asked, **endpoint.authz_part2(request=asked, session_id=session))

    @app.post("/token")
    def token():
        return ask("token")

    @app.route("/userinfo", methods=["GET", "POST"])
    def userinfo():
        return ask("userinfo")

    return app


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--redirect-uri", required=True)
    parser.add_argument("--email", required=True)
    given = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        serve(given, pathlib.Path(folder))


def serve(given, folder):
    port = portpicker.pick_unused_port()
    issuer = f"http://127.0.0.1:{port}"
    settings = configuration(issuer, folder, given.email)
    server = Server(OPConfiguration(conf=settings, base_path=str(folder)), cwd=str(folder))
    server.context.cdb["our-app"] = {
        "client_id": "our-app", "client_secret": SECRET,
        "redirect_uris": [(given.redirect_uri, {})],
        "token_endpoint_auth_method": "client_secret_basic",
        "response_types_supported": ["code", "id_token"],
        "allowed_scopes": ["openid", "email", "profile"],
    }
    web = werkzeug.serving.make_server("127.0.0.1", port, routes(server))
    print(json.dumps({
        "issuer": issuer, "clientID": "our-app", "clientSecret": SECRET, "user": "ada",
        "password": PASSWORD,
    }), flush=True)
    web.serve_forever()


if __name__ == "__main__":
    main()
