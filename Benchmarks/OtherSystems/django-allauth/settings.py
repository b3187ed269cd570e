"""The smallest Django project that signs in with an ID token of Google, in production settings.

BESIDE_DATA is the folder of the database, BESIDE_PROVIDER the URL of provider.py, BESIDE_AUDIENCE the
client ID, BESIDE_SECRET a random text. With BESIDE_CACHED_KEYS=1 the provider's keys are cached: see adapter.py.
"""

import os

DEBUG = False
SECRET_KEY = os.environ["BESIDE_SECRET"]
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "urls"
WSGI_APPLICATION = "wsgi.application"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.google",
    "allauth.headless",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": os.path.join(os.environ["BESIDE_DATA"], "db.sqlite3"),
        "CONN_MAX_AGE": None,
        # One commit for each request, not one for each statement. A sign-in is stored as a whole or not
        # at all, as in Gatehouse, and waits for the disk once.
        "ATOMIC_REQUESTS": True,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            # As Gatehouse: a commit is on the disk before the response.
            "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;",
        },
    }
}

HEADLESS_ONLY = True
HEADLESS_CLIENTS = ["app"]
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*"]
# All requests come from one address.
ACCOUNT_RATE_LIMITS = False
if os.environ.get("BESIDE_CACHED_KEYS") == "1":
    SOCIALACCOUNT_ADAPTER = "adapter.CachedKeysAdapter"
SOCIALACCOUNT_PROVIDERS = {
    "google": {
        "APPS": [{"client_id": os.environ["BESIDE_AUDIENCE"], "secret": "", "key": ""}],
        "CERTS_URL": os.environ["BESIDE_PROVIDER"] + "/oauth2/v1/certs",
    }
}
