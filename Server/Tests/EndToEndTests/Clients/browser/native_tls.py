"""Over TLS, under the server's public name: only that host can set or read the cookie of a sign-in, and
only over https (`__Host-`, RFC 6265bis §4.1.3.2). Apple's POST still comes without it.

    native_tls.py auth.example.com

GATEHOUSE_BASE is the server's URL with a loopback address that its certificate names.
"""

import sys
import urllib.parse

import support
from chromium import Chromium
from native_app import NativeApp, person

host = sys.argv[1]
port = urllib.parse.urlsplit(support.BASE).port
server = f"https://{host}:{port}"
handler = f"{server}/__/auth/handler"


def sign_in_cookie(request):
    pairs = request.all_headers().get("cookie", "").split("; ")
    return [pair.split("=")[0] for pair in pairs if "gatehouse-signin-" in pair]


with Chromium("tls", [server], hosts={host: "127.0.0.1"}) as chromium, NativeApp(server) as app:
    chromium.allow(app.origin)
    ada = chromium.profile(trusts_any_certificate=True)
    someone, email = person(givenName="Ada")
    page, authorize = app.leave_and_stop(
        ada, "apple.com", {"person": someone}, "*/apple/auth/authorize*")
    [cookie] = ada.context.cookies(server)
    assert cookie["name"].startswith("__Host-gatehouse-signin-"), cookie
    assert cookie["secure"] and cookie["httpOnly"] and cookie["sameSite"] == "Lax", cookie
    assert cookie["domain"] == host and cookie["path"] == "/", cookie

    ada.open(authorize, page)
    answer = app.wait(page)
    [post] = ada.sent("POST", handler)
    assert sign_in_cookie(post) == [], post.all_headers()
    [get] = ada.sent("GET", f"{handler}?posted=")
    assert sign_in_cookie(get) == [cookie["name"]], get.all_headers()
    assert ada.context.cookies(server) == []
    account = app.redeem(answer, "apple.com")
    assert account["email"] == email and account["displayName"].startswith("Ada"), account

    # A provider that responds with a redirect, in the same browser.
    with NativeApp(server) as other:
        chromium.allow(other.origin)
        page = ada.open(other.handler("google.com", {"person": someone}))
        again = other.redeem(other.wait(page), "google.com")
        assert again["localId"] == account["localId"], again
