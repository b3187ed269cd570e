"""Sends the calls that a library makes to Google's hosts to the server under test.

For libraries with fixed URLs that use `requests`. The path begins with Google's host, as with the emulator.
"""

import urllib.parse

import requests.adapters

import support

HOSTS = {
    "identitytoolkit.googleapis.com", "securetoken.googleapis.com", "www.googleapis.com",
}


def redirect():
    """Redirects all later calls of this process. Refuses calls to other hosts."""
    send = requests.adapters.HTTPAdapter.send

    def redirected(adapter, request, **options):
        host = urllib.parse.urlsplit(request.url).netloc
        if host in HOSTS:
            request.url = f"{support.BASE}/{host}{request.path_url}"
        else:
            assert request.url.startswith((support.BASE, support.SIMULATOR)), request.url
        return send(adapter, request, **options)

    requests.adapters.HTTPAdapter.send = redirected
