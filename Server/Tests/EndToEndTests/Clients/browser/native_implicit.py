"""An OpenID provider without a client secret: its ID token comes through the browser, in a form POST or
in the URL's fragment, which a script on the server's page sends on.

    native_implicit.py form_post
    native_implicit.py fragment
"""

import sys

import accessibility
import requests
import support
from chromium import Chromium
from native_app import NativeApp, person

mode = sys.argv[1]
provider = support.unique("oidc.implicit")
someone, email = person()


def configure():
    made = requests.post(
        f"{support.BASE}/v2/projects/{support.PROJECT}/oauthIdpConfigs",
        params={"oauthIdpConfigId": provider}, headers={"Authorization": "Bearer owner"},
        json={
            "issuer": f"{support.SIMULATOR}/oidc", "clientId": "gatehouse-demo", "enabled": True,
            "displayName": "Implicit", "responseType": {"idToken": True},
            "responseMode": mode}, timeout=30)
    assert made.status_code == 200, made.text


configure()
with Chromium(f"implicit-{mode}") as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    ada = chromium.profile()
    page = app.leave(ada, provider, {"person": someone})
    account = app.redeem(app.wait(page), provider)
    [asked] = ada.sent("GET", f"{support.SIMULATOR}/oidc/authorize?")
    assert "response_type=id_token&" in asked.url, asked.url
    assert ("response_mode=form_post" in asked.url) == (mode == "form_post"), asked.url
    assert account["email"] == email and account["providerId"] == provider, account

    # Going back leads to the page before the sign-in, and sends no token again.
    page.go_back()
    assert page.url == f"{app.origin}/", page.url

    if mode == "fragment":
        # Without scripts the fragment never reaches the server, and the page says that it needs JavaScript.
        plain = chromium.profile("plain", scripts=False)
        page = plain.open(f"{support.BASE}/__/auth/handler#state=any&id_token=any")
        plain.shot("without-scripts", page)
        assert "JavaScript" in page.get_by_role("main").inner_text()
        accessibility.check(page)
