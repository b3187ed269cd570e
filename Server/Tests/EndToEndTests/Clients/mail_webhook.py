"""A receiver of the mail webhook that uses the Standard Webhooks library. The secret is the first argument.

Prints its URL as JSON, then serves. POST takes an email. GET returns `emails`, the accepted emails; `ids`, the
ids of all requests with a valid signature; and `refused`, the errors of the others. PUT sets the response to
requests: `{"status": 503, "headers": {"retry-after": "1"}}`, `{"hang": true}`, or `{}` to accept them.
"""

import http.server
import json
import sys
import threading

from standardwebhooks import Webhook, WebhookVerificationError

emails, ids, refused = [], [], []
answer, released = {}, threading.Event()


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            event = Webhook(sys.argv[1]).verify(body, headers)
        except WebhookVerificationError as error:
            refused.append(str(error))
            return self.answer(401)
        ids.append(headers["webhook-id"])
        if answer.get("hang"):
            released.wait(60)
            return None
        if "status" in answer:
            return self.answer(answer["status"], headers=answer.get("headers", {}))
        emails.append({"id": headers["webhook-id"], **event})
        return self.answer(204)

    def do_PUT(self):
        set_to = json.loads(self.rfile.read(int(self.headers["content-length"])))
        answer.clear()
        answer.update(set_to)
        if not answer.get("hang"):
            released.set()
        self.answer(200, {})

    def do_GET(self):
        self.answer(200, {"emails": emails, "ids": ids, "refused": refused})

    def answer(self, status, body=None, headers={}):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}/mail"}), flush=True)
server.serve_forever()
