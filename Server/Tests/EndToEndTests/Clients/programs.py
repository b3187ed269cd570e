"""Shared by the tests that run other developers' servers: where the program is, and when it listens."""

import os
import shutil
import socket
import time

SECONDS_TO_START = 60


def tool(name):
    """The path of a program, which may be in a folder that only administrators have in their PATH."""
    path = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    assert path, f"{name} is missing: run make test, which installs it"
    return path


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def listens(process, port):
    """Waits until the process accepts connections. False if it ended or didn't start in time."""
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            time.sleep(0.05)
    return False


def comes_true(condition):
    """Waits until the condition is true. False if that takes too long."""
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False
