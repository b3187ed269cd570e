"""What the console of a production server refuses: a stolen cookie, pages of another site, guesses, a role that isn't
enough; and it shows hostile texts as texts.

    console_attacks.py INVITATION ISSUER
"""

import sys

import requests
from chromium import Chromium, Site
from console_page import EMAIL, Console
from virtual_authenticator import Authenticator

INVITATION, _ = sys.argv[1:]
BASE = INVITATION.split("/console")[0]
HOSTILE = '<img src="/x" onerror="document.title=1"><script>document.title=1</script>\u202e'
COOKIE = "__Host-gatehouse-console"

PRIZE = f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Win a prize</title>
<link rel="icon" href="data:,"></head><body><h1>Win a prize</h1><iframe src="{BASE}/console"></iframe>
<form method="post" enctype="text/plain" action="{BASE}/v2/projects" target="_blank">
<input name='{{"projectId":"stolen","x":"' value='"}}'><button>Go</button></form></body></html>"""
ASK = """async ([url, method, headers]) => {
  try {
    const response = await fetch(url, { method, headers, credentials: "include", body: '{"projectId":"stolen"}' });
    return response.status;
  } catch (error) { return error.name; }
}"""


def projects(page):
    """The names in the project switcher."""
    return page.get_by_role("combobox", name="Project").locator("option").all_inner_texts()


with Site({"/": PRIZE}) as site, Chromium("console-attacks", [site.origin], opens_popups=True) as chromium:
    ada = chromium.profile("ada", size=(1280, 900), trusts_any_certificate=True)
    ada.expect("answered 4")
    console = Console(ada)
    console.accept(INVITATION)
    page = console.page
    console.heading("First steps")
    page.get_by_label("Name", exact=True).fill(HOSTILE)
    page.get_by_label("Project id").fill("shop")
    console.press("Create the project")
    page.get_by_label("Bundle id").wait_for()
    [cookie] = [one for one in ada.context.cookies(BASE) if one["name"] == COOKIE]
    assert cookie["httpOnly"] and cookie["secure"] and cookie["sameSite"] == "Strict", cookie
    assert cookie["path"] == "/" and cookie["domain"] == "localhost", cookie

    # The cookie in another browser, and in a program.
    thief = chromium.profile("thief", trusts_any_certificate=True)
    thief.context.add_cookies([cookie])
    stolen = Console(thief)
    stolen.page.goto(f"{BASE}/console")
    stolen.heading("Sign in to the console")
    answer = requests.get(f"{BASE}/v2/projects", cookies={COOKIE: cookie["value"]}, timeout=60)
    assert answer.status_code == 403, answer.text

    # Another site, in Ada's browser: a frame, a form, and scripts.
    evil = ada.open(site.url("/"))
    assert "frame-ancestors" in " ".join(ada.take_faults())
    with ada.context.expect_page() as opened:
        evil.get_by_role("button", name="Go").click()
    opened.value.wait_for_load_state()
    opened.value.close()
    for headers in ({"content-type": "text/plain"}, {"content-type": "text/plain", "dpop": "a.b.c"}):
        assert evil.evaluate(ASK, [f"{BASE}/v2/projects", "POST", headers]) in (403, "TypeError")
    ada.take_faults()
    evil.close()

    # Hostile texts: names of projects, users and their agents.
    page.bring_to_front()
    console.go("#/shop/users")
    console.heading("Users")
    console.press("Create a user")
    asked = page.get_by_role("dialog")
    asked.get_by_label("Email").first.fill("eve@example.com")
    asked.get_by_label("Name").fill(HOSTILE)
    asked.get_by_role("button", name="Create").last.click()
    page.wait_for_url("**/console#/shop/users/*")
    for name in ["users", "overview", "events", "start"]:
        console.go(f"#/shop/{name}")
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_load_state("networkidle")
    assert page.title() != "1" and page.locator("main img").count() == 0, page.title()
    assert not any("stolen" in name for name in projects(page)), projects(page)

    # A viewer with a passkey sees, and changes nothing.
    console.go("#/server/settings?tab=administrators")
    console.press("Invite")
    asked = page.get_by_role("dialog")
    asked.get_by_label("Name").fill("vera")
    asked.get_by_label("Role").select_option("viewer")
    asked.get_by_role("button", name="Invite").click()
    link = page.get_by_role("dialog").locator("code", has_text="#invitation=")
    link.wait_for()
    vera = chromium.profile("vera", size=(1280, 900), trusts_any_certificate=True)
    viewer = Console(vera)
    authenticator = Authenticator(vera, viewer.page)
    viewer.page.goto(link.inner_text())
    viewer.press("Create a passkey")
    viewer.heading("Overview")
    assert len(authenticator.credentials()) == 1
    viewer.go("#/shop/users")
    viewer.heading("Users")
    assert viewer.page.get_by_role("button", name="Create a user").count() == 0
    assert viewer.page.get_by_role("link", name="Server settings").count() == 0
    vera.expect("answered 403")
    refused = viewer.page.evaluate("""async (base) => {
      const { api } = await import(`${base}/console/console-api.js`);
      try { await api.post("/v1/projects/shop/accounts", {}); } catch (error) { return error.status; }
    }""", BASE)
    assert refused == 403, refused
    viewer.press("Sign out")
    viewer.heading("Sign in to the console")
    viewer.press("Sign in with a passkey")
    viewer.heading("Overview")

    # Guesses: an unknown address is answered like a wrong password, and they are counted.
    state = requests.get(f"{BASE}/console/session", timeout=60).json()
    assert state["mode"] == "signedOut", state
    def guess(email):
        return requests.post(f"{BASE}/v1/accounts:signInWithPassword", params={"key": state["apiKey"]}, timeout=60, json={
            "email": email, "password": "a wrong password", "returnSecureToken": True}).json()["error"]["message"]
    assert guess("nobody@example.com") == guess(EMAIL) == "INVALID_LOGIN_CREDENTIALS"
    assert any(guess(EMAIL).startswith("TOO_MANY_ATTEMPTS_TRY_LATER") for _ in range(60))
