"""django-oauth-toolkit, the OpenID provider of Django sites, with Django's login and its own consent page.

    django_provider.py --redirect-uri http://127.0.0.1:9099/__/auth/handler/demo/oidc.django \\
                       --email ada@example.com

It requires PKCE, stores the client's secret as a hash, and its ID tokens are valid for ten hours. Its issuer has a
path. Prints the issuer, the client and the user as a line of JSON, and serves until its process ends.
"""

import argparse
import json
import sys
import tempfile
import wsgiref.simple_server

import django
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings

SECRET, PASSWORD = "our-secret", "a long password"
LOGIN = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Log in</title><link rel="icon" href="data:,"></head>
<body><main><h1>Log in</h1><form method="post">{% csrf_token %}{{ form.as_p }}<button>Log in</button></form></main></body>
</html>
"""
BASE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Authorize</title><link rel="icon" href="data:,"></head>
<body><main>{% block content %}{% endblock %}</main></body>
</html>
"""


def configure(database):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption())
    templates = {"registration/login.html": LOGIN, "oauth2_provider/base.html": BASE}
    settings.configure(
        SECRET_KEY="a key for tests of more than fifty letters, and made up by us",
        ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF="urls", LOGIN_URL="/login/",
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", USE_TZ=True,
        INSTALLED_APPS=[
            "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
            "oauth2_provider"],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": database}},
        TEMPLATES=[{
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {
                "context_processors": ["django.template.context_processors.request"],
                "loaders": [
                    ("django.template.loaders.locmem.Loader", templates),
                    "django.template.loaders.app_directories.Loader"]}}],
        OAUTH2_PROVIDER={
            "OIDC_ENABLED": True, "OIDC_RSA_PRIVATE_KEY": key.decode(), "PKCE_REQUIRED": True,
            "SCOPES": {"openid": "your id", "email": "your address", "profile": "your name"},
            "OAUTH2_VALIDATOR_CLASS": "validator.Validator"})
    django.setup()


def modules():
    """What a Django site has in files: the routes, and the claims of its ID tokens."""
    import types

    from django.contrib.auth.views import LoginView
    from django.urls import include, path
    from oauth2_provider.oauth2_validators import OAuth2Validator

    class Validator(OAuth2Validator):
        def get_additional_claims(self, request):
            return {
                "email": request.user.email, "email_verified": True,
                "name": request.user.get_full_name()}

    urls = types.ModuleType("urls")
    urls.urlpatterns = [
        path("login/", LoginView.as_view()),
        path("o/", include("oauth2_provider.urls", namespace="oauth2_provider"))]
    validator = types.ModuleType("validator")
    validator.Validator = Validator
    sys.modules.update(urls=urls, validator=validator)


def create(redirect_uri, email):
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from oauth2_provider.models import get_application_model

    call_command("migrate", verbosity=0)
    get_user_model().objects.create_user(
        "ada", email, PASSWORD, first_name="Ada", last_name="Lovelace")
    get_application_model().objects.create(
        name="Our app", client_id="our-app", client_secret=SECRET, redirect_uris=redirect_uri,
        client_type="confidential", authorization_grant_type="authorization-code",
        algorithm="RS256")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--redirect-uri", required=True)
    parser.add_argument("--email", required=True)
    given = parser.parse_args()

    with tempfile.NamedTemporaryFile(suffix=".sqlite3") as database:
        configure(database.name)
        modules()
        create(given.redirect_uri, given.email)
        from django.core.wsgi import get_wsgi_application

        web = wsgiref.simple_server.make_server("127.0.0.1", 0, get_wsgi_application())
        print(json.dumps({
            "issuer": f"http://127.0.0.1:{web.server_port}/o", "clientID": "our-app",
            "clientSecret": SECRET, "user": "ada", "password": PASSWORD,
        }), flush=True)
        web.serve_forever()


if __name__ == "__main__":
    main()
