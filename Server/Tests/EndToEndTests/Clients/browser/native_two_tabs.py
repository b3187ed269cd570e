"""Two simultaneous sign-ins in one browser each sign in the right user, in whichever order they end."""

from chromium import Chromium
from native_app import NativeApp, person

first, first_email = person()
second, second_email = person()

with Chromium("two-tabs") as chromium, NativeApp() as one, NativeApp() as other:
    chromium.allow(one.origin, other.origin)
    ada = chromium.profile()
    waiting, authorize = one.leave_and_stop(
        ada, "google.com", {"person": first}, "*/google/o/oauth2/*")
    page = ada.open(other.handler("apple.com", {"person": second}))
    assert other.redeem(other.wait(page), "apple.com")["email"] == second_email

    assert len([name for name in ada.cookies() if "gatehouse-signin-" in name]) == 1
    ada.open(authorize, waiting)
    assert one.redeem(one.wait(waiting), "google.com")["email"] == first_email
