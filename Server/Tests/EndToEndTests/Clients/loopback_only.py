"""Lets this process connect only to this machine, and records its other attempts.

A library may replace the error with its own, so a test has to check `attempts`.
"""

import socket

# The other hosts to which the process tried to connect.
attempts = []

_HERE = {"127.0.0.1", "::1", "localhost"}


class Blocked(OSError):
    pass


def enforce():
    """Applies the rule from now on to all code in this process that uses Python's sockets."""
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
