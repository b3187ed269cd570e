"""After a finished sign-in, going back leads to the page before it, without another request to the
server. The provider's response, opened again, shows a page and sends the app nothing.

    native_back_and_reload.py google.com
"""

import sys

import accessibility
import support
from chromium import Chromium
from native_app import NativeApp, person

provider = sys.argv[1]
someone, email = person()

with Chromium(f"back-{provider}") as chromium, NativeApp() as app:
    chromium.allow(app.origin)
    ada = chromium.profile()
    page = app.leave(ada, provider, {"person": someone})
    answer = app.wait(page)
    asked = len(ada.sent("GET", support.BASE))

    page.go_back()
    assert page.url == f"{app.origin}/", page.url
    page.go_forward()
    assert page.url.startswith(app.callback)
    page.reload()
    assert len(ada.sent("GET", support.BASE)) == asked
    assert app.redeem(answer, provider)["email"] == email

    answers = app.answers
    arrival = ada.sent("GET", f"{support.BASE}/__/auth/handler")[-1].url
    page = ada.open(arrival)
    ada.shot("again", page)
    heading = page.get_by_role("heading", level=1).inner_text()
    assert heading == "This sign-in is finished", heading
    accessibility.check(page)
    assert app.answers == answers
