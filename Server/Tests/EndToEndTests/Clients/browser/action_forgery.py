"""A page of another site posts an email code's form in its visitor's browser, and shows the form in a
frame. Both fail, and the code stays unused.

    action_forgery.py [ADMIN_TOKEN]

The token is that of a production server, whose links begin with its public URL.
"""

import sys
import urllib.parse

import requests
import support
from chromium import Chromium, Site

token = sys.argv[1] if len(sys.argv) > 1 else "owner"
PAGE = f"{support.BASE}/__/auth/action"
FORGED = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Win a prize</title>
<link rel="icon" href="data:,"></head><body><form method="post" action="{page}">{fields}
<button>Win a prize</button></form></body></html>"""
FRAMED = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Win a prize</title>
<link rel="icon" href="data:,"></head><body><iframe src="{page}"></iframe></body></html>"""

email = f"{support.unique('ada')}@example.com"
support.client_call("accounts:signUp", {"email": email, "password": "first secret"})
answer = requests.post(
    f"{support.BASE}/v1/projects/{support.PROJECT}/accounts:sendOobCode", timeout=30,
    headers={"authorization": f"Bearer {token}"},
    json={"requestType": "PASSWORD_RESET", "email": email, "returnOobLink": True})
assert answer.status_code == 200, answer.text
query = urllib.parse.urlsplit(answer.json()["oobLink"]).query
link = f"{PAGE}?{query}"
fields = dict(urllib.parse.parse_qsl(query)) | {"newPassword": "chosen by another"}
inputs = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in fields.items())

with Site({
    "/forged": FORGED.format(page=PAGE, fields=inputs), "/framed": FRAMED.format(page=link),
}, host="localhost") as site:
    with Chromium("action-forgery", [site.origin]) as chromium:
        victim = chromium.profile()
        page = victim.open(site.url("/forged"))
        page.get_by_role("button", name="Win a prize").click()
        page.get_by_role("heading", name="This came from another site").wait_for()
        [post] = victim.sent("POST", PAGE)
        # `localhost` and 127.0.0.1 are different sites.
        assert post.all_headers()["sec-fetch-site"] == "cross-site", post.all_headers()
        support.sign_in_with_password(email, "first secret")

        page = victim.open(site.url("/framed"), page)
        told = " ".join(victim.take_faults())
        assert "frame-ancestors" in told, told

        # The email's recipient can still use the code.
        page = victim.open(link, page)
        page.get_by_label("New password").fill("chosen by ada")
        page.get_by_role("button", name="Save the password").click()
        page.get_by_role("heading", name="The password is changed").wait_for()
        support.sign_in_with_password(email, "chosen by ada")
