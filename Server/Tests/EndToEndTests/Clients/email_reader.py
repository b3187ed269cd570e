"""A user who reads delivered emails in a browser, and follows their links.

    reader = EmailReader(profile, "https://mail.example.com/", language="de")
    page = reader.open(mailbox.next("ada@example.com"), "reset")
    page = reader.follow(page, "reset")

GATEHOUSE_DELIVERED_MAIL is the address of mail_server.py's list of emails.
"""

import os
import time

import accessibility
import requests

LIMIT_SECONDS = 60


class DeliveredMail:
    """The emails that mail_server.py received. `next` returns each of them once."""

    def __init__(self, url=None):
        self.url = url or os.environ["GATEHOUSE_DELIVERED_MAIL"]
        self.read = set()

    def next(self, recipient, mode=None):
        """The oldest unread email to an address with a link of this mode; for the mode None, without a link."""
        end = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < end:
            messages = requests.get(self.url, timeout=30).json()["messages"]
            for number, message in enumerate(messages):
                has = f"mode={mode}&" in message["text"] if mode else "oobCode=" not in message["text"]
                if number not in self.read and message["recipients"] == [recipient] and has:
                    self.read.add(number)
                    return message
            time.sleep(0.1)
        raise AssertionError(f"No email to {recipient} with {mode} among {messages}")


class EmailReader:
    def __init__(self, profile, language):
        self.profile = profile
        self.language = language

    def open(self, message, name):
        """Shows an email in a tab, and takes a screenshot."""
        assert message["language"] == self.language, message
        page = self.profile.tab()
        page.set_content(message["html"])
        assert page.locator("html").get_attribute("lang") == self.language
        wide = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{name} scrolls sideways by {wide}"
        self.profile.shot(f"{name}-email", page)
        return page

    def follow(self, page, name):
        """Clicks the email's button, and checks the page to which it leads."""
        links = page.locator("a[href*='/__/auth/action?']")
        links.first.click()
        self.shown(page, name)
        return page

    def press(self, page, name):
        """Clicks the page's button, which uses the code."""
        with page.expect_navigation():
            page.locator("form button.go").click()
        self.shown(page, f"{name}-done")

    def shown(self, page, name):
        page.get_by_role("heading", level=1).wait_for()
        assert page.locator("html").get_attribute("lang") == self.language
        accessibility.check(page)
        self.profile.shot(name, page)
