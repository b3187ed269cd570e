"""Sends the calls that a library makes to Google's hosts to the server under test.

For libraries with fixed URLs: whatever they call over `requests` arrives as it does when their users
point those hosts at a server of their own.
"""

import urllib.parse

import requests.adapters

import support

HOSTS = {
    "identitytoolkit.googleapis.com", "securetoken.googleapis.com", "www.googleapis.com",
}


def redirect():
    """From now on, in this process. A call to another host is refused: tests stay on this machine."""
    send = requests.adapters.HTTPAdapter.send

    def redirected(adapter, request, **options):
        host = urllib.parse.urlsplit(request.url).netloc
        if host in HOSTS:
            request.url = f"{support.BASE}/{host}{request.path_url}"
        else:
            assert request.url.startswith((support.BASE, support.SIMULATOR)), request.url
        return send(adapter, request, **options)

    requests.adapters.HTTPAdapter.send = redirected
