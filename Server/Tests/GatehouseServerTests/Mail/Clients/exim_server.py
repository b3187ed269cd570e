"""Debian's Exim as an SMTP server on loopback, in a temporary folder, for example.com only.

    exim_server.py

The first line of the output has the ports for `smtps` and for STARTTLS, and the file with the certificate
authority. When the standard input ends, so does the server, and a second line has the messages that were
delivered, in base64. The only user is `gatehouse` with the password `correct`.

Exim needs no privileges: root starts it as `nobody`.
"""

import base64
import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import certificates

CONFIGURATION = """\
exim_user = {user}
exim_group = {group}
never_users =
primary_hostname = mail.example.com
spool_directory = {folder}/spool
log_file_path = {folder}/log.%s
keep_environment =
tls_advertise_hosts = *
tls_certificate = {folder}/server.pem
auth_advertise_hosts = ${{if eq{{$tls_in_cipher}}{{}}{{}}{{*}}}}
acl_smtp_rcpt = recipients
host_lookup =
deliver_drop_privilege = true

begin acl
recipients:
  deny message = no such user
    domains = !example.com
  defer message = try again
    local_parts = busy
  accept authenticated = *
  deny message = relaying needs a user

begin routers
all:
  driver = accept
  transport = keep

begin transports
keep:
  driver = appendfile
  directory = {folder}/delivered
  maildir_format
  user = {user}
  group = {group}

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = ${{if and{{{{eq{{$auth2}}{{gatehouse}}}}{{eq{{$auth3}}{{correct}}}}}}}}
login:
  driver = plaintext
  public_name = LOGIN
  server_prompts = Username:: : Password::
  server_condition = ${{if and{{{{eq{{$auth1}}{{gatehouse}}}}{{eq{{$auth2}}{{correct}}}}}}}}
"""


def serve(listener: socket.socket, command: list[str], who: dict) -> None:
    """Starts a process for each connection, as inetd does. So no port is free for a moment."""
    while True:
        connection, _ = listener.accept()
        subprocess.Popen(command, stdin=connection, stdout=connection, **who)
        connection.close()


def wait(what, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            sys.exit("Exim does not do what it should: see its log")
        time.sleep(0.02)


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="gatehouse-exim-"))
    user = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    certificates.write(folder, "localhost")
    configuration = folder / "exim.conf"
    configuration.write_text(
        CONFIGURATION.format(folder=folder, user=user.pw_uid, group=user.pw_gid), encoding="utf-8")
    for path in (folder, *folder.iterdir()):
        os.chown(path, user.pw_uid, user.pw_gid)
    who = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    command = ["/usr/sbin/exim4", "-C", str(configuration), "-bs"]
    ports = []
    for options in (["-tls-on-connect"], []):
        listener = socket.create_server(("127.0.0.1", 0))
        ports.append(listener.getsockname()[1])
        threading.Thread(target=serve, args=(listener, command + options, who), daemon=True).start()
    print(
        json.dumps({"tls": ports[0], "starttls": ports[1], "authority": str(folder / "authority.pem")}),
        flush=True)
    sys.stdin.read()
    # What was taken is delivered by processes of their own.
    wait(lambda: not list((folder / "spool" / "input").glob("*-H")))
    delivered = sorted((folder / "delivered" / "new").glob("*"))
    print(json.dumps([base64.b64encode(path.read_bytes()).decode() for path in delivered]), flush=True)
    shutil.rmtree(folder, ignore_errors=True)


main()
