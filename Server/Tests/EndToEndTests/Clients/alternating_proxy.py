"""A reverse proxy that sends each request to the next of several servers.

    alternating_proxy.py http://127.0.0.1:9099 http://127.0.0.1:9199 …

Listens on loopback. Prints its address as a line of JSON, and serves until its process ends.
`GET /proxy/counts` returns how many requests each server received.
"""

import http.client
import itertools
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

TARGETS = [urlsplit(url) for url in sys.argv[1:]]
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}
next_target = itertools.cycle(range(len(TARGETS)))
counts = [0] * len(TARGETS)
lock = threading.Lock()


class Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def forward(self):
        if self.path == "/proxy/counts":
            return self.answer(200, [("content-type", "application/json")], json.dumps(counts).encode())
        with lock:
            index = next(next_target)
            counts[index] += 1
        body = self.body()
        headers = {
            name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        target = TARGETS[index]
        connection = http.client.HTTPConnection(target.hostname, target.port, timeout=120)
        connection.request(self.command, self.path, body or None, headers)
        answer = connection.getresponse()
        self.answer(answer.status, answer.getheaders(), answer.read())
        connection.close()

    def body(self):
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length", 0)))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def answer(self, status, headers, content):
        self.send_response(status)
        for name, value in headers:
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = do_OPTIONS = forward

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}"}), flush=True)
server.serve_forever()
