"""Lets this process connect to this machine alone, and remembers what else it tried.

A library may turn the refusal into an error of its own, so a test has to look at `attempts`.
"""

import socket

# Hosts that something tried to reach.
attempts = []

_HERE = {"127.0.0.1", "::1", "localhost"}


class Blocked(OSError):
    pass


def enforce():
    """From now on, in this process, for everything that uses Python's sockets."""
    look_up, connect = socket.getaddrinfo, socket.socket.connect

    def checked_look_up(host, *arguments, **options):
        _check(host)
        return look_up(host, *arguments, **options)

    def checked_connect(connection, address):
        if connection.family in (socket.AF_INET, socket.AF_INET6):
            _check(address[0])
        return connect(connection, address)

    socket.getaddrinfo = checked_look_up
    socket.socket.connect = checked_connect


def _check(host):
    name = host.decode() if isinstance(host, bytes) else host
    if name not in _HERE:
        attempts.append(name)
        raise Blocked(f"a connection to {name} was blocked")
