"""On the page at `/`, a new user signs in with a provider, signs out, and signs in again.

    welcome_providers.py google.com
"""

import sys

from chromium import Chromium
from native_app import person
from welcome import Welcome

provider = sys.argv[1]
way = "sign-in-" + provider.replace(".", "-")
name, email = person(givenName="Ada", familyName="Lovelace")

with Chromium(f"provider-{provider}") as chromium:
    welcome = Welcome(chromium)
    welcome.click(way)
    # The user cancels at the provider: the page says so, and no one is signed in.
    welcome.wait("body[data-step]")
    welcome.click("cancel")
    welcome.ready()
    welcome.wait("#problem:not([hidden])")
    assert welcome.page.locator("html").get_attribute("data-signed") == "out"
    welcome.look("cancelled")
    welcome.click("problem-close")

    welcome.click(way)
    welcome.at_provider(name)
    welcome.wait("html[data-signed=in]")
    assert email in welcome.text("person-email")
    account = welcome.text("person-uid")
    if provider == "facebook.com":
        # Of these providers only Facebook always sends a picture, here the simulator's.
        welcome.wait("#person-photo img")
    welcome.shot("signed-in")
    welcome.click("sign-out")
    welcome.wait("html[data-signed=out]")

    welcome.click(way)
    welcome.at_provider(name)
    welcome.wait("html[data-signed=in]")
    assert welcome.text("person-uid") == account
