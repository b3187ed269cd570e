"""A reverse proxy that serves one server below a path, and removes the path from requests.

    prefix_proxy.py PORT /auth http://127.0.0.1:9099

Listens on loopback. Prints its address as a line of JSON, and serves until its process ends.
"""

import http.client
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

PORT, PREFIX, TARGET = int(sys.argv[1]), sys.argv[2], urlsplit(sys.argv[3])
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class Proxy(BaseHTTPRequestHandler):
    def forward(self):
        if not self.path.startswith(PREFIX + "/"):
            self.send_error(404)
            return
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {
            name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        connection = http.client.HTTPConnection(TARGET.hostname, TARGET.port, timeout=60)
        connection.request(self.command, self.path[len(PREFIX):], body or None, headers)
        answer = connection.getresponse()
        content = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        connection.close()

    do_GET = do_POST = forward

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Proxy)
print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}{PREFIX}"}), flush=True)
server.serve_forever()
