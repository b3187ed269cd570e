"""Chromium's virtual authenticators."""


class Authenticator:
    """A virtual authenticator of a page's browser. https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn"""

    def __init__(self, person, page, **options):
        self._session = person.context.new_cdp_session(page)
        self._session.send("WebAuthn.enable", {"enableUI": False})
        settings = {
            "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal",
            "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True,
            "automaticPresenceSimulation": True, **options}
        self._id = self._session.send(
            "WebAuthn.addVirtualAuthenticator", {"options": settings})["authenticatorId"]

    def credentials(self):
        return self._session.send(
            "WebAuthn.getCredentials", {"authenticatorId": self._id})["credentials"]

    def set(self, name, **parameters):
        self._session.send(name, {"authenticatorId": self._id, **parameters})

    def remove(self):
        self._session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": self._id})
