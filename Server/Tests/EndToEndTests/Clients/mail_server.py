"""A mail server that uses aiosmtpd, and lists the received emails over HTTP.

Prints its two ports as JSON, then serves. GET returns the emails, parsed strictly by Python's email
package, oldest first. PUT sets the reply to each recipient: `{"reply": "550 no such user"}`. With null the
server accepts emails. A reply of 421 also closes the connection.
"""

import asyncio
import email
import email.policy
import http.server
import json
import threading

from aiosmtpd.controller import Controller

received, lock = [], threading.Lock()
state = {"reply": None}


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if state["reply"]:
            return state["reply"]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        # Defects and too long lines raise an error, and the sender receives the reply 500.
        message = email.message_from_bytes(
            envelope.original_content, policy=email.policy.SMTP + email.policy.strict)
        parts = {
            part.get_content_type(): part.get_content().replace("\r\n", "\n")
            for part in message.walk() if not part.is_multipart()}
        with lock:
            received.append({
                "sender": envelope.mail_from, "recipients": envelope.rcpt_tos,
                "hello": session.host_name, "from": str(message["from"]),
                "to": str(message["to"]), "subject": str(message["subject"]),
                "id": str(message["message-id"]), "language": str(message["content-language"]),
                "text": parts["text/plain"], "html": parts.get("text/html")})
        return "250 OK"


class Control(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with lock:
            self.answer({"messages": received})

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        state.update(json.loads(body))
        self.answer({})

    def answer(self, body):
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


async def main():
    loop = asyncio.get_running_loop()
    controller = Controller(Handler(), hostname="127.0.0.1", port=0)
    smtp = await loop.create_server(controller.factory, "127.0.0.1", 0)
    control = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Control)
    threading.Thread(target=control.serve_forever, daemon=True).start()
    print(json.dumps({
        "smtp": smtp.sockets[0].getsockname()[1], "http": control.server_address[1]}), flush=True)
    await smtp.serve_forever()


asyncio.run(main())
