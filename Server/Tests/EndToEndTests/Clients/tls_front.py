"""A TLS proxy as in production: it terminates TLS, and passes a request on according to its host name."""

import http.client
import http.server
import pathlib
import ssl
import subprocess
import tempfile
import threading
import urllib.parse

import support


class Front:
    """Listens on loopback with a self-signed certificate.

    - server: Gatehouse's host name: all its requests go to Gatehouse. For every other host name only
      requests below `/__/auth/` go there; the others go to that host's entry in `sites`.
    """

    def __init__(self, server):
        self.server = server
        self.sites = {}
        front = self
        to = urllib.parse.urlsplit(support.BASE).netloc

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                host = self.headers["Host"]
                is_servers = host == front.server or self.path.startswith("/__/auth/")
                there = to if is_servers else urllib.parse.urlsplit(front.sites[host].origin).netloc
                length = int(self.headers.get("Content-Length") or 0)
                connection = http.client.HTTPConnection(there, timeout=60)
                # All headers but `Connection` are passed on, `Host` too.
                connection.putrequest(
                    self.command, self.path, skip_host=True, skip_accept_encoding=True)
                for name, value in self.headers.items():
                    if name.lower() != "connection":
                        connection.putheader(name, value)
                connection.endheaders(self.rfile.read(length))
                answer = connection.getresponse()
                body = answer.read()
                self.send_response_only(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                connection.close()

            do_GET = do_POST = do_OPTIONS = do_HEAD = pass_on

            def log_message(self, *_):
                pass

        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        # A browser closes its first connection because of the unknown certificate.
        self._http.handle_error = lambda *_: None
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = (str(pathlib.Path(folder) / name) for name in ("key", "certificate"))
            subprocess.run([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                "-nodes", "-days", "2", "-subj", "/CN=example.com", "-keyout", key, "-out", certificate,
            ], check=True, capture_output=True)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
        self._http.socket = context.wrap_socket(
            self._http.socket, server_side=True, do_handshake_on_connect=False)

    @property
    def place(self):
        return f"127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._http.shutdown()
        self._http.server_close()
