"""A page of another site shows the server's pages in a frame, for clickjacking. The browser refuses
(CSP Level 3, `frame-ancestors`)."""

import support
from chromium import Chromium, Site

FRAMED = {
    "handler": f"{support.BASE}/__/auth/handler",
    "callback": f"{support.BASE}/__/auth/callback?link=any",
}
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Win a prize</title>
<link rel="icon" href="data:,"></head><body><h1>Win a prize</h1><iframe src="{url}"></iframe></body>
</html>"""

with Site({f"/{name}": PAGE.format(url=url) for name, url in FRAMED.items()}) as site:
    with Chromium("framing", [site.origin]) as chromium:
        victim = chromium.profile()
        for name in FRAMED:
            page = victim.open(site.url(f"/{name}"))
            told = " ".join(victim.take_faults())
            assert "frame-ancestors" in told, told
            [frame] = [frame for frame in page.frames if frame != page.main_frame]
            assert frame.url.startswith("chrome-error:"), frame.url
            assert frame.locator("main").count() == 0
