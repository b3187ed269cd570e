"""The page that `--dev` shows at `/`, as a newcomer clicks through it."""

import accessibility
import support


class Welcome:
    def __init__(self, chromium, **options):
        self.profile = chromium.profile(**options)
        self.page = self.profile.open(f"{support.BASE}/")
        self.ready()

    def ready(self):
        """Waits until its scripts have done what the browser came back with."""
        self.page.wait_for_url(f"{support.BASE}/**")
        self.page.wait_for_selector("html[data-ready=true]")

    def click(self, name):
        self.page.locator(f"#{name}").click()

    def text(self, name):
        return self.page.locator(f"#{name}").inner_text()

    def wait(self, selector):
        self.page.wait_for_selector(selector)

    def shot(self, name):
        self.profile.shot(name, self.page)

    def look(self, name):
        """A picture, and whether everybody can use it."""
        accessibility.check(self.page)
        self.shot(name)

    def at_provider(self, person=None):
        """Clicks through the simulated provider's pages, as somebody who is there or is new."""
        self.wait("body[data-step]")
        if person:
            self.click(f"person-{person}")
        else:
            self.click("another")
            self.page.locator("#email").fill(f"{support.unique('grace')}@example.com")
            self.page.locator("#first-name").fill("Grace")
            self.page.locator("#last-name").fill("Hopper")
            self.click("continue")
        # Who has agreed before isn't asked again by every provider.
        self.page.wait_for_selector("body[data-step=consent], html[data-ready=true]")
        if self.page.locator("body[data-step=consent]").count():
            self.click("continue")
        self.ready()
