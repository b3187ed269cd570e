"""A receiver of verification codes that uses the Standard Webhooks library, as an operator would write it.

Prints its address as JSON, then serves: POST takes an event, GET returns all events since the start, the
verification errors, and the number of deliveries of each event. The secret is the first argument. With `fail`
as the second argument it refuses the first two deliveries of each event with 503.
"""

import collections
import http.server
import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

SECRET, MODE = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "take"
received, refused, deliveries = [], [], collections.Counter()


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            event = Webhook(SECRET).verify(body, headers)
        except WebhookVerificationError as error:
            refused.append(str(error))
            return self.answer(401, {})
        deliveries[headers["webhook-id"]] += 1
        if MODE == "fail" and deliveries[headers["webhook-id"]] < 3:
            return self.answer(503, {})
        received.append(event)
        return self.answer(204, None)

    def do_GET(self):
        self.answer(
            200, {"events": received, "refused": refused, "deliveries": list(deliveries.values())})

    def answer(self, status, body):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}"}), flush=True)
server.serve_forever()
