"""A user opens the links of emails in a browser that runs no scripts: resets a password, verifies,
changes and recovers an address, and continues to the app.

    action_pages.py de dark 320

Google's Admin SDK requests the links where it has a method for them. The server's links have the
emulator's path; the test replaces it with the path of the pages.
"""

import sys
import urllib.parse

import accessibility
import requests
import support
from firebase_admin import auth
from chromium import Chromium, Site

language, scheme, width = sys.argv[1], sys.argv[2], int(sys.argv[3])
PAGE = f"{support.BASE}/__/auth/action"
ADMIN = {"authorization": "Bearer owner"}

# The pages' texts that the story looks for, in the chosen language.
WORDS = {
    "en": {
        "reset": "Choose a new password", "password": "New password", "save": "Save the password",
        "short": "at least 6 characters", "changed": "The password is changed",
        "continue": "Continue", "verify": "Confirm the address", "change": "Change the address",
        "recover": "Restore the address", "mail": "Mail me a link for a new password",
        "digits": "Type the code", "sent": "Check your mail", "spent": "This link doesn’t work any more",
    },
    "de": {
        "reset": "Neues Passwort wählen", "password": "Neues Passwort", "save": "Passwort speichern",
        "short": "mindestens 6 Zeichen", "changed": "Das Passwort ist geändert",
        "continue": "Weiter", "verify": "Adresse bestätigen", "change": "Adresse ändern",
        "recover": "Adresse wiederherstellen", "mail": "Link für ein neues Passwort schicken",
        "digits": "Code eingeben", "sent": "Sieh in deine Mails", "spent": "Dieser Link funktioniert nicht mehr",
    },
    "vi": {
        "reset": "Chọn mật khẩu mới", "password": "Mật khẩu mới", "save": "Lưu mật khẩu",
        "short": "ít nhất 6 ký tự", "changed": "Đã đổi mật khẩu",
        "continue": "Tiếp tục", "verify": "Xác nhận địa chỉ", "change": "Đổi địa chỉ",
        "recover": "Khôi phục địa chỉ", "mail": "Gửi cho tôi liên kết đặt mật khẩu mới",
        "digits": "Nhập mã", "sent": "Hãy xem hộp thư của bạn", "spent": "Liên kết này không còn dùng được",
    },
}[language]


def request(kind, email, **more):
    answer = requests.post(
        f"{support.BASE}/v1/projects/{support.PROJECT}/accounts:sendOobCode", timeout=30,
        headers={**ADMIN, "x-firebase-locale": language},
        json={"requestType": kind, "email": email, "returnOobLink": True, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def requested(kind, email, **more):
    """Requests an email. Returns its link at the path of the pages."""
    return at_page(request(kind, email, **more)["oobLink"])


def at_page(link, **more):
    fields = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(link).query))
    return f"{PAGE}?{urllib.parse.urlencode({**fields, **more})}"


def from_admin_sdk(make, *given, url=None):
    """A link from the Admin SDK, which can't set a language, so the test adds `lang`."""
    settings = auth.ActionCodeSettings(url=url, handle_code_in_app=True) if url else None
    return at_page(make(*given, settings, app=sdk), lang=language)


def mailed(kind, email):
    """The link of the newest email of a kind to an address."""
    answer = requests.get(
        f"{support.BASE}/emulator/v1/projects/{support.PROJECT}/oobCodes", timeout=30)
    links = [
        code["oobLink"] for code in answer.json()["oobCodes"]
        if code["requestType"] == kind and code["email"] == email]
    assert links, answer.text
    return at_page(links[-1])


def can_sign_in(email, password):
    try:
        support.sign_in_with_password(email, password)
    except support.Refused:
        return False
    return True


sdk = support.app()
email, new_email = (f"{support.unique(name)}@example.com" for name in ("ada", "ada-lovelace"))
support.client_call("accounts:signUp", {"email": email, "password": "first secret"})

with Site({"/app": "<!DOCTYPE html><html lang=en><link rel=icon href=data:,><h1>The app</h1>"}) as app:
    with Chromium(f"action-{language}-{scheme}-{width}", [app.origin]) as chromium:
        reader = chromium.profile(
            language=language, scheme=scheme, size=(width, 640), scripts=False)

        def shown(name):
            """Checks the page's language and accessibility, and takes a screenshot."""
            assert page.locator("html").get_attribute("lang") == language
            accessibility.check(page)
            reader.shot(name, page)

        def press(name):
            page.get_by_role("button", name=name, exact=True).click()

        # A new password. The first is too short; the link still works after that.
        link = from_admin_sdk(auth.generate_password_reset_link, email, url=app.url("/app"))
        page = reader.open(link)
        assert page.get_by_role("heading", level=1).inner_text() == WORDS["reset"]
        shown("reset")
        page.get_by_label(WORDS["password"], exact=True).fill("short")
        press(WORDS["save"])
        alert = page.get_by_role("alert")
        assert WORDS["short"] in alert.inner_text(), alert.inner_text()
        field = page.get_by_label(WORDS["password"], exact=True)
        assert field.input_value() == ""
        assert field.get_attribute("aria-invalid") == "true"
        assert can_sign_in(email, "first secret")
        shown("reset-refused")
        field.fill("second secret")
        # Enter submits the form.
        field.press("Enter")
        page.get_by_role("heading", name=WORDS["changed"]).wait_for()
        # For a browser without `Sec-Fetch-Site` the server compares `Origin`, so the page's referrer
        # policy must not hide it from the server.
        post = reader.sent("POST", PAGE)[-1].all_headers()
        assert post["origin"] == support.BASE and post["sec-fetch-site"] == "same-origin", post
        # No URL but the link's contains the code.
        assert page.url == PAGE + "?", page.url
        shown("reset-done")
        assert can_sign_in(email, "second secret") and not can_sign_in(email, "first secret")
        page.get_by_role("link", name=WORDS["continue"]).click()
        page.get_by_role("heading", name="The app").wait_for()
        assert page.url == app.url("/app"), page.url
        [arrived] = reader.sent("GET", app.url("/app"))
        assert "referer" not in arrived.all_headers(), arrived.all_headers()
        page = reader.open(link, page)
        assert page.get_by_role("heading", level=1).inner_text() == WORDS["spent"]
        shown("spent")

        # Six digits instead of the link: after wrong ones the page asks again.
        sent = request("PASSWORD_RESET", email, withVerificationCode=True)
        digits = sent["verificationCode"]
        page = reader.open(f"{PAGE}?" + urllib.parse.urlencode({
            "mode": "resetPassword", "sessionInfo": sent["sessionInfo"], "apiKey": support.API_KEY,
            "lang": language}), page)
        assert page.get_by_role("heading", level=1).inner_text() == WORDS["digits"]
        assert email not in page.content()
        shown("digits")
        field = page.locator("input[name=digits]")
        field.fill("111111" if digits != "111111" else "222222")
        field.press("Enter")
        page.get_by_role("alert").wait_for()
        assert field.input_value() == "" and field.get_attribute("aria-invalid") == "true"
        shown("digits-refused")
        field.fill(f"{digits[:3]} {digits[3:]}")
        field.press("Enter")
        page.get_by_label(WORDS["password"], exact=True).fill("second secret")
        press(WORDS["save"])
        page.get_by_role("heading", name=WORDS["changed"]).wait_for()
        assert can_sign_in(email, "second secret")

        # The address is verified, then changed, then recovered.
        page = reader.open(from_admin_sdk(auth.generate_email_verification_link, email), page)
        shown("verify")
        press(WORDS["verify"])
        shown("verify-done")
        assert page.get_by_role("button").count() == 0
        page = reader.open(
            requested("VERIFY_AND_CHANGE_EMAIL", email, newEmail=new_email), page)
        shown("change")
        press(WORDS["change"])
        page.get_by_text(new_email).wait_for()
        shown("change-done")
        assert can_sign_in(new_email, "second secret")
        page = reader.open(mailed("RECOVER_EMAIL", email), page)
        shown("recover")
        press(WORDS["recover"])
        page.get_by_role("button", name=WORDS["mail"]).wait_for()
        shown("recover-done")
        assert not can_sign_in(new_email, "second secret")
        press(WORDS["mail"])
        page.get_by_role("heading", name=WORDS["sent"]).wait_for()
        shown("mail-sent")
        page = reader.open(mailed("PASSWORD_RESET", email), page)
        page.get_by_label(WORDS["password"], exact=True).fill("third secret")
        press(WORDS["save"])
        page.get_by_role("heading", name=WORDS["changed"]).wait_for()
        assert can_sign_in(email, "third secret")

        # A sign-in link leads to the app, which gets the code.
        link = from_admin_sdk(
            auth.generate_sign_in_with_email_link, email, url=app.url("/app?from=mail#top"))
        page = reader.open(link, page)
        shown("sign-in")
        page.get_by_role("link", name=WORDS["continue"]).click()
        page.get_by_role("heading", name="The app").wait_for()
        given = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page.url).query))
        assert given["from"] == "mail" and given["mode"] == "signIn", given
        signed_in = support.client_call(
            "accounts:signInWithEmailLink", {"email": email, "oobCode": given["oobCode"]})
        assert signed_in["email"] == email
