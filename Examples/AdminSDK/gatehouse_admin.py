"""Connects Google's Admin SDK for Python to a Gatehouse server in production.

Copy this file into your back end. It replaces internals of firebase-admin 7.7 and google-auth 2.62:
pin these versions.

    app = gatehouse_admin.initialize(
        "https://auth.example.com", "my-app", service_account="backend.json")
    auth.get_user_by_email("alice@example.com", app=app)

Three layers keep credentials and tokens away from Google. Each works without the others:

1. Every address in the SDK's authentication modules is replaced.
2. `initialize` then searches these modules, and the clients that the SDK created, for Google's
   addresses. It fails if it finds one, so a new version of the SDK fails at the start.
3. The credential is never sent to another server, whichever module of the SDK uses it, and
   google-auth can't send its access token to Google's IAM service.

The addresses are replaced for the whole process, so each process can use only one server.
"""

import json
import urllib.parse

import firebase_admin
import google.auth.credentials
import google.oauth2.service_account
from firebase_admin import (
    _auth_client, _auth_providers, _auth_utils, _token_gen, _user_mgt, auth, credentials,
    tenant_mgt)

_MODULES = (
    _auth_client, _auth_providers, _auth_utils, _token_gen, _user_mgt, auth, tenant_mgt)

# The audience of custom tokens: a name in a signed token, not an address that is called.
_NAMES = {"FIREBASE_AUDIENCE"}


class PointsAtGoogle(Exception):
    """A part of the SDK would send credentials or tokens to Google."""


def initialize(server, project, *, service_account=None, admin_key=None, name="[DEFAULT]"):
    """Creates an app of the SDK. Its authentication calls go only to `server`.

    - server: The server's public URL, such as `https://auth.example.com`.
    - project: The project's id.
    - service_account: The path of the file that `gatehouse service-accounts create` wrote.
    - admin_key: Instead of the file, a key that `gatehouse admin-keys create` printed. With a key
      the SDK can't create custom tokens.
    - name: The app's name, if a process has several.

    Raises PointsAtGoogle if an address of Google remains, and ValueError for a wrong argument.
    """
    server = server.rstrip("/")
    if (service_account is None) == (admin_key is None):
        raise ValueError("Give either service_account or admin_key.")
    if _auth_utils.is_emulated():
        raise ValueError(
            "FIREBASE_AUTH_EMULATOR_HOST is set: the SDK would not verify signatures. Unset it.")
    if admin_key is None:
        credential = _ServiceAccount(service_account, server)
    else:
        credential = _AdminKey(admin_key, server)
    _replace_addresses(server)
    app = firebase_admin.initialize_app(credential, {"projectId": project}, name=name)
    try:
        check(app)
    except PointsAtGoogle:
        firebase_admin.delete_app(app)
        raise
    return app


def check(app):
    """Searches for Google's addresses in the SDK's authentication modules and in the app's clients.

    Raises PointsAtGoogle, which names the first one found.
    """
    for module in _MODULES:
        _check_constants(module.__name__, vars(module))
        for class_name, value in vars(module).items():
            if isinstance(value, type) and value.__module__ == module.__name__:
                _check_constants(f"{module.__name__}.{class_name}", vars(value))
    _check_object("auth.Client", auth._get_client(app), set())
    _check_object(
        "tenant_mgt", tenant_mgt._get_tenant_mgt_service(app), set())


def _replace_addresses(server):
    replaced = getattr(_token_gen, "_gatehouse_server", server)
    if replaced != server:
        raise ValueError(f"This process already uses {replaced}: use one server per process.")
    _token_gen._gatehouse_server = server
    _user_mgt.UserManager.ID_TOOLKIT_URL = f"{server}/v1"
    _token_gen.TokenGenerator.ID_TOOLKIT_URL = f"{server}/v1"
    _token_gen.TokenGenerator._init_signing_provider = _signing_provider
    _auth_providers.ProviderConfigClient.PROVIDER_CONFIG_URL = f"{server}/v2"
    tenant_mgt._TenantManagementService.TENANT_MGT_URL = f"{server}/v2"
    # Signatures are verified, with this server's certificates.
    _token_gen.ID_TOKEN_ISSUER_PREFIX = f"{server}/"
    _token_gen.ID_TOKEN_CERT_URI = (
        f"{server}/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com")
    _token_gen.COOKIE_ISSUER_PREFIX = _CookieIssuer(f"{server}/")
    _token_gen.COOKIE_CERT_URI = (
        f"{server}/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys")
    # Used only without a service account's file, and then `_signing_provider` fails first.
    _token_gen.METADATA_SERVICE_URL = f"{server}/"


class _CookieIssuer(str):
    """The SDK adds the project to a prefix. Our cookies' issuer is longer: `…/<project>/session`."""

    def __add__(self, project):
        return f"{str(self)}{project}/session"


def _signing_provider(generator):
    """Signs custom tokens with the file's key. Without one the SDK would ask Google to sign."""
    credential = generator.app.credential.get_credential()
    if not isinstance(credential, google.oauth2.service_account.Credentials):
        raise ValueError("Custom tokens need a service account's file.")
    return _token_gen._SigningProvider.from_credential(credential)


class _OneServer:
    """Credentials that are sent only to one server."""

    _server = None

    def before_request(self, request, method, url, headers):
        if not _is_at(url, self._server):
            raise PointsAtGoogle(f"The credential of {self._server} was about to be sent to {url}.")
        super().before_request(request, method, url, headers)

    # google-auth asks iamcredentials.googleapis.com for the regions of each service account, with
    # its access token and in a thread of its own ("regional access boundary").
    def _after_refresh(self, request, method, url, headers):
        pass

    def _is_regional_access_boundary_lookup_required(self):
        return False


def _is_at(url, server):
    parts, own = urllib.parse.urlsplit(url), urllib.parse.urlsplit(server)
    return (
        (parts.scheme, parts.netloc) == (own.scheme, own.netloc)
        and f"{parts.path}/".startswith(f"{own.path}/"))


class _ServiceAccount(credentials.Certificate):
    class _Credentials(_OneServer, google.oauth2.service_account.Credentials):
        pass

    def __init__(self, path, server):
        super().__init__(path)
        with open(path, encoding="utf-8") as file:
            contents = json.load(file)
        # With Google's file, assertions would go to Google, and one key would be used at both.
        if not _is_at(contents["token_uri"], server):
            raise ValueError(f"{path} is not a service account of {server}: its token_uri differs.")
        self._g_credential = self._Credentials.from_service_account_info(
            contents, scopes=credentials._scopes)
        self._g_credential._server = server


class _AdminKey(credentials.Base):
    class _Credentials(_OneServer, google.auth.credentials.Credentials):
        def refresh(self, request):
            raise ValueError("The server rejected the administrator's key.")

    def __init__(self, key, server):
        self._credential = self._Credentials()
        self._credential.token = key
        self._credential._server = server

    def get_credential(self):
        return self._credential


def _is_of_google(value):
    if not isinstance(value, str) or not value.startswith(("http://", "https://")):
        return False
    host = urllib.parse.urlsplit(value).hostname or ""
    return f".{host}".endswith((".googleapis.com", ".google.com", ".google.internal"))


def _check_constants(place, values):
    for key, value in values.items():
        if _is_of_google(value) and key not in _NAMES:
            raise PointsAtGoogle(f"{place}.{key} is {value}: this version of the SDK is unknown.")


def _check_object(place, value, seen):
    """Follows the attributes of the SDK's own objects."""
    if id(value) in seen or not type(value).__module__.startswith("firebase_admin"):
        return
    seen.add(id(value))
    for key, part in vars(value).items():
        if _is_of_google(part) and key != "url":
            raise PointsAtGoogle(f"{place}.{key} is {part}: this version of the SDK is unknown.")
        _check_object(f"{place}.{key}", part, seen)
