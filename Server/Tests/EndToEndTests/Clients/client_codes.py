"""Two clients from other developers use email codes: firebase-client-sdk, which calls v1 as apps do, and
firebase-rest-api, which calls v3.

The codes come from the list of codes, as in the emulator.
"""

import urllib.parse

import requests
from firebase.auth import Auth
from firebase_client import AuthException, initialize_app

from support import API_KEY, BASE, PROJECT, unique


def mail(email, request_type):
    """The latest code of a type for the address."""
    listed = requests.get(f"{BASE}/emulator/v1/projects/{PROJECT}/oobCodes", timeout=30).json()
    found = [
        code for code in listed["oobCodes"]
        if code["requestType"] == request_type and email in (code["email"], code.get("newEmail"))]
    assert found, (email, request_type)
    return found[-1]


def modern_client():
    client = initialize_app(
        {"apiKey": API_KEY, "projectId": PROJECT, "storageBucket": f"{PROJECT}.example.com"}, name=unique("app"))
    place = urllib.parse.urlsplit(BASE)
    client.auth.connect_emulator(place.hostname, place.port)
    return client.auth


def goes_through_v1():
    auth = modern_client()
    auth.language_code = "fr"
    email, later = (f"{unique(name)}@example.com" for name in ("modern", "changed"))
    auth.create_user_with_email_and_password(email, "notasecret")

    auth.send_email_verification({"url": "http://localhost/verified"})
    sent = mail(email, "VERIFY_EMAIL")
    assert "lang=fr" in sent["oobLink"], sent
    assert auth.check_action_code(sent["oobCode"]).operation == "VERIFY_EMAIL"
    auth.apply_action_code(sent["oobCode"])
    assert auth.get_user_info()["emailVerified"] is True

    auth.verify_before_update_email(later)
    sent = mail(later, "VERIFY_AND_CHANGE_EMAIL")
    assert auth.check_action_code(sent["oobCode"]).new_email == later
    auth.apply_action_code(sent["oobCode"])
    auth.sign_in_with_email_and_password(later, "notasecret")
    # The old address's owner can revert the change.
    auth.apply_action_code(mail(email, "RECOVER_EMAIL")["oobCode"])

    auth.send_password_reset_email(email)
    code = mail(email, "PASSWORD_RESET")["oobCode"]
    assert auth.verify_password_reset_code(code) == email
    for weak in ("123",):
        try:
            auth.confirm_password_reset(code, weak)
        except AuthException as error:
            assert "WEAK_PASSWORD" in str(error), error
        else:
            raise AssertionError("a weak password was set")
    auth.confirm_password_reset(code, "freshpass")
    auth.sign_in_with_email_and_password(email, "freshpass")

    auth.send_sign_in_link_to_email(
        email, {"url": "http://localhost/in", "handleCodeInApp": True,
                "iOS": {"bundleId": "com.example.app"}})
    link = mail(email, "EMAIL_SIGNIN")["oobLink"]
    assert auth.is_sign_in_with_email_link(link), link
    assert auth.sign_in_with_email_link(email, link).user.email == email
    assert sorted(auth.fetch_sign_in_methods_for_email(email)) == ["emailLink", "password"]
    try:
        auth.sign_in_with_email_link(email, link)
    except AuthException as error:
        assert "INVALID_OOB_CODE" in str(error), error
    else:
        raise AssertionError("a link worked twice")


class Redirected(requests.adapters.HTTPAdapter):
    """Sends a client's requests to Google's hosts to the server instead, with the same path."""

    def send(self, request, **options):
        place = urllib.parse.urlsplit(request.url)
        request.url = f"{BASE}/{place.netloc}{place.path}?{place.query}"
        options["verify"] = False
        return super().send(request, **options)

    def get_connection_with_tls_context(self, request, verify, proxies=None, cert=None):
        return super().get_connection_with_tls_context(request, False, proxies, cert)


def goes_through_v3():
    session = requests.Session()
    session.mount("https://", Redirected())
    auth = Auth(API_KEY, None, session)
    email = f"{unique('old')}@example.com"
    user = auth.create_user_with_email_and_password(email, "notasecret")
    assert auth.send_email_verification(user["idToken"])["email"] == email
    mail(email, "VERIFY_EMAIL")
    assert auth.send_password_reset_email(email)["email"] == email
    code = mail(email, "PASSWORD_RESET")["oobCode"]
    answer = auth.verify_password_reset_code(code, "freshpass")
    assert answer["email"] == email, answer
    assert auth.sign_in_with_email_and_password(email, "freshpass")["localId"] == user["localId"]


goes_through_v1()
goes_through_v3()
print("codes: ok")
