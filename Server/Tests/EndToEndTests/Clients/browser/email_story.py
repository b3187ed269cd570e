"""A user verifies an address, resets a password, changes the address, reverts the change, and signs in
with a link. An app's page requests each email, and the user follows the link of the delivered email.

    email_story.py CLIENT LANGUAGE SCHEME WIDTH

web_app.py describes CLIENT, email_reader.py GATEHOUSE_DELIVERED_MAIL.
"""

import sys

import support
from chromium import Chromium
from email_reader import DeliveredMail, EmailReader
from tls_front import Front
from web_app import WebApp, outcome

client, language, scheme, width = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
SERVER, APP = "auth.example.com", "app.example.com"
AFTER = f"https://{APP}/?after=email"
email, new_email = (f"{support.unique(name)}@example.com" for name in ("ada", "ada-lovelace"))
mail = DeliveredMail()

with Front(SERVER) as front, Chromium(
        f"{client}-{language}-{scheme}-{width}",
        hosts={name: front.place for name in (SERVER, APP)}) as chromium, WebApp(
            chromium, client, server=f"https://{SERVER}", auth_domain=SERVER,
            origin=f"https://{APP}") as app:
    front.sites[APP] = app.site
    chromium.allow(f"https://{SERVER}", f"https://{APP}")
    user = app.visitor(
        language=language, scheme=scheme, size=(width, 640), trusts_any_certificate=True)
    # Google's SDK looks its user up in every tab. The lookup fails after a reset has ended the session.
    user.expect("/v1/accounts:lookup?")
    reader = EmailReader(user, language)
    page = app.open(user)

    def run(method, *given):
        return app.run(page, method, *given)

    def go_on(read):
        """The last page leads back to the app."""
        read.locator("a.go").click()
        read.wait_for_url(f"https://{APP}/**")
        read.locator("#shown[data-state=done]").wait_for()

    run("speak", language)
    uid = run("createUser", email, "first secret")
    assert not run("user")["isVerified"]

    run("verify", AFTER)
    read = reader.open(mail.next(email, "verifyEmail"), "verify")
    reader.follow(read, "verify")
    # Opening the link changes nothing, because programs that check emails open links too.
    assert not run("user")["isVerified"]
    reader.press(read, "verify")
    go_on(read)
    read.close()
    assert run("user")["isVerified"]

    run("reset", email, AFTER)
    read = reader.open(mail.next(email, "resetPassword"), "reset")
    reader.follow(read, "reset")
    read.locator("input[name=newPassword]").fill("second secret")
    reader.press(read, "reset")
    go_on(read)
    read.close()
    reader.open(mail.next(email), "password-changed").close()
    assert run("signIn", email, "second secret") == uid

    run("change", new_email, AFTER)
    read = reader.open(mail.next(new_email, "verifyAndChangeEmail"), "change")
    reader.follow(read, "change")
    reader.press(read, "change")
    read.close()
    assert run("signIn", new_email, "second secret") == uid

    # The old address's owner reverts the change, as after an attack.
    read = reader.open(mail.next(email, "recoverEmail"), "recover")
    reader.follow(read, "recover")
    reader.press(read, "recover")
    reader.press(read, "recover-mail")
    read.close()
    read = reader.open(mail.next(email, "resetPassword"), "recover-reset")
    reader.follow(read, "recover-reset")
    read.locator("input[name=newPassword]").fill("third secret")
    reader.press(read, "recover-reset")
    read.close()
    assert run("signIn", email, "third secret") == uid
    assert run("user")["email"] == email
    run("signOut")

    run("sendLink", email, AFTER)
    read = reader.open(mail.next(email, "signIn"), "sign-in")
    reader.follow(read, "sign-in")
    go_on(read)
    page, link = read, read.url
    assert run("followLink", email) == uid
    assert run("user")["email"] == email
    # The used link fails in another browser.
    other = app.visitor("other", trusts_any_certificate=True)
    page = app.open(other, link.removeprefix(f"https://{APP}"))
    app.begin(page, "followLink", email)
    try:
        outcome(page)
    except Exception as failure:
        assert "invalid-action-code" in str(failure) or "INVALID_OOB_CODE" in str(failure), failure
        other.take_faults()
    else:
        raise AssertionError("A link was used twice.")
