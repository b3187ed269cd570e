"""Apple posts its response from its own site, so the browser omits the sign-in's cookie (`SameSite=Lax`).
The server redirects to a GET, with which the browser sends the cookie."""

import support
from chromium import Chromium
from native_app import NativeApp, person

HANDLER = f"{support.BASE}/__/auth/handler"
someone, _ = person()


def is_sign_in_cookie(request):
    return "gatehouse-signin-" in request.all_headers().get("cookie", "")


# SameSite compares sites, and a site has no port, so the simulated Apple needs another host.
apple = support.SIMULATOR.replace("127.0.0.1", "localhost")

with Chromium("apple-form-post", [apple]) as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    ada = chromium.profile()
    page, authorize = app.leave_and_stop(
        ada, "apple.com", {"person": someone}, "*/apple/auth/authorize*")
    [cookie] = ada.context.cookies(support.BASE)
    assert cookie["sameSite"] == "Lax" and cookie["httpOnly"], cookie

    ada.open(authorize.replace(support.SIMULATOR, apple), page)
    answer = app.wait(page)
    [post] = ada.sent("POST", HANDLER)
    assert not is_sign_in_cookie(post), post.all_headers()
    assert post.all_headers()["origin"] in (apple, "null"), post.all_headers()
    [get] = ada.sent("GET", f"{HANDLER}?posted=")
    assert is_sign_in_cookie(get), get.all_headers()
    assert app.redeem(answer, "apple.com")["providerId"] == "apple.com"
