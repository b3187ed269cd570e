"""A user who follows the links of emails, for a test that is not written in Python.

    email_service.py LANGUAGE SCHEME WIDTH

Prints its port as JSON, then serves. POST takes an email of mail_server.py, a name for the screenshots, and
optionally a new password:

    {"message": {…}, "name": "reset", "password": "second secret"}

It opens the email, follows its link, types the password if there is one, and presses the button of the page
and of the next page, if they have one. The response has the last page's heading and the target of its link.
"""

import http.server
import json
import sys

from chromium import Chromium
from email_reader import EmailReader
from tls_front import Front

language, scheme, width = sys.argv[1], sys.argv[2], int(sys.argv[3])
SERVER = "auth.example.com"


class Service(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        wanted = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps(follow(**wanted)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def follow(message, name, password=None):
    page = reader.open(message, name)
    reader.follow(page, name)
    if password:
        page.locator("input[name=newPassword]").fill(password)
    for step in (name, f"{name}-more"):
        if page.locator("form button.go").count():
            reader.press(page, step)
    heading = page.get_by_role("heading", level=1).inner_text()
    link = page.locator("a.go")
    leads_to = link.first.get_attribute("href") if link.count() else None
    page.close()
    faults = user.take_faults()
    assert not faults, faults
    return {"heading": heading, "link": leads_to}


with Front(SERVER) as front, Chromium(
        f"sdk-{language}-{scheme}-{width}", [f"https://{SERVER}"],
        hosts={SERVER: front.place}) as chromium:
    user = chromium.profile(
        language=language, scheme=scheme, size=(width, 640), scripts=False,
        trusts_any_certificate=True)
    reader = EmailReader(user, language)
    # One request at a time: the browser works only in the thread that started it.
    service = http.server.HTTPServer(("127.0.0.1", 0), Service)
    print(json.dumps({"port": service.server_address[1]}), flush=True)
    service.serve_forever()
