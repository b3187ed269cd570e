"""Google's Admin SDK creates links to reset, verify and sign in, and the links work."""

import urllib.parse

import requests
from firebase_admin import auth

from support import BASE, PROJECT, app, client_call, sign_in_with_password, unique

SETTINGS = auth.ActionCodeSettings(
    url="http://localhost:3000/done?next=%2Fhome", handle_code_in_app=True,
    ios_bundle_id="com.example.app", android_package_name="com.example.app",
    android_minimum_version="12", android_install_app=True)


def fields(link):
    assert link.startswith(f"{BASE}/emulator/action?"), link
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(link).query))


def resets_a_password(sdk):
    email = f"{unique('reset')}@example.com"
    user = auth.create_user(email=email, password="notasecret", app=sdk)
    link = auth.generate_password_reset_link(email, SETTINGS, app=sdk)
    found = fields(link)
    assert found["mode"] == "resetPassword", found
    assert found["continueUrl"] == SETTINGS.url, found
    assert found["ibi"] == found["apn"] == "com.example.app", found
    # As in the emulator, opening the link applies the code and redirects the user to the app.
    answer = requests.get(
        link, params={"newPassword": "freshpass"}, allow_redirects=False, timeout=30)
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"] == SETTINGS.url, answer.headers
    assert sign_in_with_password(email, "freshpass")["localId"] == user.uid
    assert auth.get_user(user.uid, app=sdk).email_verified
    again = requests.get(link, params={"newPassword": "another"}, timeout=30)
    assert again.status_code == 400, again.text


def proves_an_address(sdk):
    email = f"{unique('verify')}@example.com"
    user = auth.create_user(email=email, app=sdk)
    assert not user.email_verified
    link = auth.generate_email_verification_link(email, app=sdk)
    answer = client_call("accounts:update", {"oobCode": fields(link)["oobCode"]})
    assert answer["emailVerified"] is True, answer
    assert auth.get_user(user.uid, app=sdk).email_verified


def signs_in_with_a_link(sdk):
    email = f"{unique('link')}@example.com"
    link = auth.generate_sign_in_with_email_link(email, SETTINGS, app=sdk)
    code = fields(link)["oobCode"]
    signed_in = client_call("accounts:signInWithEmailLink", {"email": email, "oobCode": code})
    assert signed_in["isNewUser"] is True, signed_in
    user = auth.get_user_by_email(email, app=sdk)
    assert user.uid == signed_in["localId"]
    assert user.email_verified
    assert [info.provider_id for info in user.provider_data] == ["password"]
    claims = auth.verify_id_token(signed_in["idToken"], app=sdk)
    assert claims["firebase"]["sign_in_provider"] == "password", claims


def refuses(sdk):
    nobody = f"{unique('nobody')}@example.com"
    for make in (auth.generate_email_verification_link, auth.generate_password_reset_link):
        try:
            make(nobody, app=sdk)
        except (auth.UserNotFoundError, auth.EmailNotFoundError):
            pass
        else:
            raise AssertionError(f"{make.__name__} made a link for nobody")
    elsewhere = auth.ActionCodeSettings(url="not a URL")
    try:
        auth.generate_sign_in_with_email_link(nobody, elsewhere, app=sdk)
    except Exception as error:
        assert "Malformed" in str(error) or "INVALID_CONTINUE_URI" in str(error), error
    else:
        raise AssertionError("a link leads to something that isn't an address")


def lists_codes():
    listed = requests.get(f"{BASE}/emulator/v1/projects/{PROJECT}/oobCodes", timeout=30).json()
    for code in listed["oobCodes"]:
        assert {"email", "requestType", "oobCode", "oobLink"} <= code.keys(), code


sdk = app()
resets_a_password(sdk)
proves_an_address(sdk)
signs_in_with_a_link(sdk)
refuses(sdk)
lists_codes()
print("links: ok")
