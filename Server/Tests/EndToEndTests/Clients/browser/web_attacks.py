"""Attacks from pages of other sites: they try to receive a sign-in's outcome or to forge one."""

import json
import urllib.parse

import support
from chromium import Chromium, Site
from native_app import person
from web_app import WebApp, outcome

LISTENING = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Another site</title>
<link rel="icon" href="data:,"></head><body><h1>Another site</h1><button id="open">Open</button>
<script>
  window.heard = [];
  addEventListener("message", ({ origin, data }) => heard.push([origin, data]));
  document.getElementById("open").addEventListener("click", () => {
    window.opened = window.open(window.wanted, "sign-in", "width=500,height=600");
  });
</script></body></html>"""


def handler(redirect_url, mode="signInViaPopup", **more):
    fields = {
        "apiKey": "any-key", "appName": "[DEFAULT]", "authType": mode, "eventId": "1",
        "providerId": "google.com", "redirectUrl": redirect_url,
        "customParameters": json.dumps({"person": person()[0]}), **more}
    return f"{support.BASE}/__/auth/handler?{urllib.parse.urlencode(fields)}"


FRAME = f"{support.BASE}/__/auth/iframe?apiKey=any-key&appName=%5BDEFAULT%5D&gatehouse=1"
hosts = {"evil.example.com": "127.0.0.1"}
with Chromium("attacks", hosts=hosts, opens_popups=True) as chromium, WebApp(chromium) as app, \
        WebApp(chromium, host="localhost") as neighbour, \
        Site({"/": LISTENING}, "evil.example.com") as evil, Site({"/": LISTENING}) as plain:
    chromium.allow(evil.origin, plain.origin)
    ada = app.visitor()
    # The browser's messages when it blocks another site's message or frame.
    for complaint in ["does not match the recipient window", "frame-ancestors", "BLOCKED_BY_RESPONSE"]:
        ada.expect(complaint)
    page = app.open(ada)
    attacker = ada.open(evil.url("/"))

    def opens(tab, url):
        tab.evaluate("url => { window.wanted = url }", url)
        with tab.expect_popup() as opened:
            tab.get_by_role("button", name="Open").click()
        return opened.value

    def tells_nobody(popup):
        popup.locator("#failure").wait_for(state="visible")
        popup.close()

    # The frame's page as a window, to which `frame-ancestors` doesn't apply: it has no opener, and loads
    # nothing from Google, which the harness would report.
    alone = opens(attacker, FRAME.removesuffix("&gatehouse=1"))
    alone.wait_for_load_state("load")
    assert alone.evaluate("window.opener") is None
    alone.close()

    # The frame in a page of another site: the browser refuses to show it.
    attacker.evaluate("""url => new Promise((resolve) => {
        const frame = document.createElement("iframe");
        frame.onload = resolve;
        frame.src = url;
        document.body.append(frame);
    })""", FRAME)
    attacker.wait_for_timeout(200)
    assert attacker.frames[1].url.startswith("chrome-error:"), attacker.frames[1].url

    # Another site opens the sign-in window in the app's name. The user signs in; the site receives nothing.
    tells_nobody(opens(attacker, handler(app.origin + "/")))
    assert attacker.evaluate("heard") == []

    # Neither does it if it shows the app's page in a frame, which in turn contains the server's frame.
    attacker.evaluate("""url => new Promise((resolve) => {
        document.querySelector("iframe").remove();
        const frame = document.createElement("iframe");
        frame.onload = resolve;
        frame.src = url;
        document.body.append(frame);
    })""", app.origin + "/")
    tells_nobody(opens(attacker, handler(app.origin + "/")))
    assert attacker.evaluate("heard") == []

    # A page of another authorized domain opens the window: only the app's page may receive the outcome.
    other = neighbour.open(ada)
    with other.expect_popup():
        neighbour.begin(other, "popup", "signIn", "google.com", {"person": person()[0]})
    outcome(other)
    frame = next(frame for frame in other.frames if "/auth/iframe" in frame.url)
    assert "gatehouse=1" in frame.url
    other.evaluate("""url => {
        const button = document.createElement("button");
        button.textContent = "Raw";
        button.onclick = () => window.open(url, "raw", "width=500,height=600");
        document.body.append(button);
    }""", handler(app.origin + "/"))
    with other.expect_popup() as opened:
        other.get_by_role("button", name="Raw").click()
    tells_nobody(opened.value)

    # The right page has no instance of the SDK with that name.
    with page.expect_popup():
        app.begin(page, "popup", "signIn", "google.com", {"person": person()[0]})
    outcome(page)
    page.evaluate("""url => {
        const button = document.createElement("button");
        button.textContent = "Raw";
        button.onclick = () => window.open(url, "raw", "width=500,height=600");
        document.body.append(button);
    }""", handler(app.origin + "/", appName="another"))
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Raw").click()
    tells_nobody(opened.value)

    # Another site sends messages to the frame of a page that it opened: it receives no response, and the
    # forged outcome doesn't reach the waiting page.
    victim = opens(attacker, app.origin + "/")
    outcome(victim)
    with victim.expect_popup() as opened:
        app.begin(victim, "popup", "signIn", "google.com", {"person": person()[0]})
    account = outcome(victim)
    forged = {
        "gatehouse": "event", "id": "1", "apiKey": "any-key", "appName": "[DEFAULT]",
        "origin": app.origin, "event": {
            "type": "signInViaPopup", "eventId": "1", "urlResponse": "https://evil.example.com/",
            "sessionId": "s", "postBody": None, "tenantId": None, "error": None}}
    attacker.evaluate("""(forged) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = ({ data }) => heard.push(["port", data]);
        const frame = opened.frames[0];
        frame.postMessage(forged, "*");
        frame.postMessage({ gatehouse: "connect" }, "*", [channel.port2]);
    }""", forged)
    attacker.wait_for_timeout(500)
    assert attacker.evaluate("heard") == []
    assert app.run(victim, "user")["uid"] == account["uid"]
    victim.close()

    # In the same tab, a page of another origin doesn't receive an outcome that was stored for the first.
    tab = app.open(ada)
    tab.evaluate("sessionStorage.setItem('pending', 'true')")
    tab.goto(handler(plain.url("/"), "signInViaRedirect"))
    tab.wait_for_url(plain.url("/"))
    tab.goto(app.origin + "/")
    assert outcome(tab) is None
