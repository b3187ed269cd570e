"""The page that `--dev` shows at `/`, as a new user goes through it."""

import accessibility
import support


class Welcome:
    def __init__(self, chromium, base=support.BASE, **options):
        self.base = base
        self.profile = chromium.profile(**options)
        self.page = self.profile.open(f"{base}/")
        self.ready()

    def ready(self):
        """Waits until the page has loaded and its scripts have handled the response in its URL."""
        self.page.wait_for_url(f"{self.base}/**")
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
        """Checks the page's accessibility, and takes a screenshot."""
        accessibility.check(self.page)
        self.shot(name)

    def at_provider(self, person=None):
        """Goes through the simulated provider's pages as `person`, or as a new person."""
        self.wait("body[data-step]")
        if person:
            self.click(f"person-{person}")
        else:
            self.click("another")
            self.page.locator("#email").fill(f"{support.unique('grace')}@example.com")
            self.page.locator("#first-name").fill("Grace")
            self.page.locator("#last-name").fill("Hopper")
            self.click("continue")
        # Some providers don't ask again for a consent that they have.
        self.page.wait_for_selector("body[data-step=consent], html[data-ready=true]")
        if self.page.locator("body[data-step=consent]").count():
            self.click("continue")
        self.ready()
