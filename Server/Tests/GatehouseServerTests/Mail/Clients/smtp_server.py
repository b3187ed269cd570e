"""An SMTP server that does what a test wants, on PyPI's aiosmtpd, on loopback.

    smtp_server.py SECURITY [BEHAVIOUR] [CERTIFICATE_NAME]

SECURITY is `tls`, `starttls` or `none`. The first line of the output has the port and the file with the
certificate authority. When the standard input ends, so does the server, and a second line tells what
arrived: the messages in base64, and how many connections there were.

The only user is `gatehouse` with the password `correct`, or with XOAUTH2 the token `good-token`. Without
SECURITY, no user is needed.
"""

import asyncio
import base64
import contextlib
import json
import logging
import ssl
import sys
import tempfile
import warnings
from pathlib import Path

import certificates
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

SECURITY = sys.argv[1]
BEHAVIOUR = sys.argv[2] if len(sys.argv) > 2 else "accept"
NAME = sys.argv[3] if len(sys.argv) > 3 else "localhost"

messages: list[dict] = []
connections = 0


def authenticated(server, session, envelope, mechanism, data) -> AuthResult:
    good = isinstance(data, LoginPassword) and (data.login, data.password) == (b"gatehouse", b"correct")
    session.used = mechanism
    return AuthResult(success=good, handled=False)


class Handler:
    async def auth_XOAUTH2(self, server, arguments):
        wanted = b"user=gatehouse\x01auth=Bearer good-token\x01\x01"
        given = base64.b64decode(arguments[1]) if len(arguments) > 1 else await server.challenge_auth("")
        server.session.used = "XOAUTH2"
        return AuthResult(success=given == wanted, handled=False)

    async def handle_MAIL(self, server, session, envelope, address, options):
        if BEHAVIOUR == "mail-421":
            return "421 4.3.2 going down"
        if BEHAVIOUR == "mail-530":
            return "530 5.7.0 authentication required"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if BEHAVIOUR == "rcpt-450":
            return "450 4.2.1 greylisted, try again"
        if BEHAVIOUR == "rcpt-550":
            return "550-5.1.1 no such user\r\n550 5.1.1 really"
        if BEHAVIOUR == "rcpt-control":
            return "550 a\x1b[31mb\x07\tc " + "x" * 900
        if BEHAVIOUR == "rcpt-private":
            return f"550 <{address}>: no, see https://auth.example.com/action?oobCode=abc or Ask@Example.com"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if BEHAVIOUR == "end-drop":
            server.transport.abort()
            return "250 never seen"
        if BEHAVIOUR == "end-silent":
            await asyncio.Event().wait()
        if BEHAVIOUR == "end-451":
            return "451 4.3.0 try again"
        if BEHAVIOUR == "end-554":
            return "554 5.7.1 looks like spam"
        messages.append({
            "from": envelope.mail_from, "to": envelope.rcpt_tos, "hello": session.host_name,
            "mechanism": getattr(session, "used", None), "secure": SECURITY != "none",
            "utf8": envelope.smtp_utf8,
            "content": base64.b64encode(envelope.original_content).decode()})
        session.has_message = True
        return "250 2.0.0 taken as 4711"


class Server(SMTP):
    def connection_made(self, transport):
        global connections
        connections += self.transport is None
        if BEHAVIOUR == "greeting-silent":
            return
        super().connection_made(transport)

    async def _handle_client(self):
        if BEHAVIOUR in {"greeting-554", "greeting-421"}:
            await self.push(f"{BEHAVIOUR[-3:]} no mail here")
            self.transport.close()
            return
        await super()._handle_client()

    async def smtp_MAIL(self, argument):
        # As a server does that closes idle connections.
        if BEHAVIOUR == "idle-drop" and hasattr(self.session, "has_message"):
            self.transport.abort()
            return
        if BEHAVIOUR == "idle-421" and hasattr(self.session, "has_message"):
            await self.push("421 4.4.2 idle for too long")
            self.transport.close()
            return
        await super().smtp_MAIL(argument)

    async def smtp_DATA(self, argument):
        if BEHAVIOUR == "data-drop":
            self.transport.abort()
            return
        if BEHAVIOUR == "message-drop":
            await self.push("354 go on")
            self.transport.abort()
            return
        await super().smtp_DATA(argument)


async def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="gatehouse-mail-"))
    certificates.write(folder, NAME)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem")
    utf8 = {"enable_SMTPUTF8": True} if BEHAVIOUR == "utf8" else {}
    options = {"auth_required": True, "auth_require_tls": False, "authenticator": authenticated}
    if SECURITY == "none":
        options = {}
    if SECURITY == "starttls":
        options |= {"tls_context": context, "require_starttls": True}
    if BEHAVIOUR == "auth-login-only":
        options["auth_exclude_mechanism"] = ["PLAIN"]
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Server(Handler(), hostname="mail.example.com", loop=loop, **options, **utf8), "127.0.0.1", 0,
        ssl=context if SECURITY == "tls" else None)
    port = server.sockets[0].getsockname()[1]
    print(json.dumps({"port": port, "authority": str(folder / "authority.pem")}), flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    # A test that wants no report doesn't read it.
    with contextlib.suppress(BrokenPipeError):
        print(json.dumps({"messages": messages, "connections": connections}), flush=True)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


# TLS from the first byte is none that aiosmtpd knows of.
warnings.simplefilter("ignore")
# Clients that refuse a certificate are what some tests want.
logging.disable(logging.CRITICAL)
asyncio.run(main())
