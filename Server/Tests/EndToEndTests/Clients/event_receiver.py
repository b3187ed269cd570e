"""A receiver of events that uses the Standard Webhooks library, and keeps the events in their order.

Prints its address as JSON, then serves: POST takes an event, GET returns the accepted events and the errors of
those that failed verification, PUT sets the status of further responses (null: accept). POST /secret sets the
secret. Every third event is refused once, with 503.
"""

import http.server
import json
import threading

from standardwebhooks import Webhook, WebhookVerificationError

lock = threading.Lock()
state = {"secret": None, "status": None, "events": [], "refused": [], "seen": set()}


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        with lock:
            if self.path == "/secret":
                state["secret"] = body.decode()
                return self.answer(200, {})
            try:
                event = Webhook(state["secret"]).verify(body, headers)
            except WebhookVerificationError as error:
                state["refused"].append(str(error))
                return self.answer(401, {})
            if state["status"]:
                return self.answer(state["status"], {})
            identifier = headers["webhook-id"]
            if identifier not in state["seen"] and len(state["seen"]) % 3 == 2:
                state["seen"].add(identifier)
                return self.answer(503, {})
            state["seen"].add(identifier)
            event["id"] = identifier
            state["events"].append(event)
            return self.answer(204, None)

    def do_GET(self):
        with lock:
            return self.answer(200, {"events": state["events"], "refused": state["refused"]})

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        with lock:
            state["status"] = json.loads(body)["status"]
            return self.answer(200, {})

    def answer(self, status, body):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}/"}), flush=True)
server.serve_forever()
