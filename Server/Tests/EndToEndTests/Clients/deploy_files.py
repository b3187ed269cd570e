"""Runs the files of deploy/ with the programs that they configure: nginx, Caddy, Traefik, systemd, Prometheus.

For each proxy this test is both the client and the server behind it, so that it sees the requests that the
proxy passes on. It replaces only ports, names and certificates, in a copy.
GATEHOUSE_ROOT is the folder of the sources, GATEHOUSE_BINARY the command.
"""

import http.client
import http.server
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import kubernetes_validate
import yaml

from programs import comes_true, free_port, listens, tool

ROOT, BINARY = Path(os.environ["GATEHOUSE_ROOT"]), os.environ["GATEHOUSE_BINARY"]
DEPLOY = ROOT / "deploy"
# The programs of the tests' Python environment.
TOOLS = Path(sys.executable).parent
KUBERNETES = "1.37"
# Providers send codes of 2,500 and ID tokens of 3,000 characters; the server's limit is 32 KiB.
LARGE = "x" * 24_000


def copy(name, replacements):
    """A file of deploy/ with some texts replaced. Fails if one of them is missing."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    for old, new in replacements:
        assert old in text, f"{name} no longer says {old}"
        text = text.replace(old, new)
    return text


class Upstream(http.server.BaseHTTPRequestHandler):
    """Takes the server's place: records the requests, and sends large headers."""

    protocol_version = "HTTP/1.1"
    seen = []

    def answer(self):
        if self.path.startswith("/v1/accounts:watch"):
            return self.stream()
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        Upstream.seen.append((self.command, self.path, dict(self.headers), len(body)))
        self.send_response(302)
        self.send_header("Location", f"https://app.example.com/?answer={LARGE}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def stream(self):
        """Sends events as the server does, the second only after the client has received the first."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-cache, no-store, max-age=0, must-revalidate")
        self.send_header("X-Accel-Buffering", "no")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in [b"event: ready\ndata: {}\n\n", b"event: account.deleted\ndata: {}\n\n"]:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
            self.wfile.flush()
            Upstream.may_go_on.wait(60)
        self.wfile.write(b"0\r\n\r\n")

    may_go_on = threading.Event()
    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


class Proxy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.certificate, cls.key = cls.folder / "cert.pem", cls.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:auth.example.com", "-keyout", cls.key, "-out", cls.certificate],
            check=True, capture_output=True)
        cls.upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
        threading.Thread(target=cls.upstream.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.upstream.server_close)
        cls.addClassCleanup(cls.upstream.shutdown)

    def start(self, command, port):
        output = open(self.folder / "output", "w")
        self.addCleanup(output.close)
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT,
            env=os.environ | {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder),
                              "XDG_CONFIG_HOME": str(self.folder)})
        self.addCleanup(process.wait, 30)
        self.addCleanup(process.terminate)
        if not listens(process, port):
            self.fail((self.folder / "output").read_text())

    def request(self, port, method, path, body=None, headers=None):
        """Sends a request. Returns the response, and the request that arrived behind the proxy."""
        Upstream.seen.clear()
        context = ssl.create_default_context(cafile=str(self.certificate))
        with socket.create_connection(("127.0.0.1", port), 30) as plain:
            with context.wrap_socket(plain, server_hostname="auth.example.com") as secure:
                connection = http.client.HTTPConnection("auth.example.com")
                connection.sock = secure
                connection.request(method, path, body, headers or {})
                answer = connection.getresponse()
                answer.read()
                return answer, (Upstream.seen or [None])[0]

    def check(self, port):
        answer, seen = self.request(
            port, "GET", "/__/auth/handler?code=a%2Fb",
            headers={"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9"})
        self.assertEqual(answer.status, 302)
        self.assertEqual(answer.headers["Strict-Transport-Security"], "max-age=63072000")
        method, path, headers, _ = seen
        self.assertEqual((method, path), ("GET", "/__/auth/handler?code=a%2Fb"))
        self.assertEqual(headers["Host"], "auth.example.com")
        # The proxy replaces the client's own X-Forwarded-For.
        self.assertEqual(headers["X-Forwarded-For"], "127.0.0.1")
        # A large provider's response, in the request and in the redirect.
        answer, seen = self.request(port, "GET", f"/__/auth/handler?code={LARGE}")
        self.assertEqual(answer.status, 302)
        self.assertTrue(answer.headers["Location"].endswith(LARGE))
        self.assertTrue(seen[1].endswith(LARGE))
        # A large body, as of an import.
        answer, seen = self.request(port, "POST", "/v1/accounts", b"x" * 15_000_000)
        self.assertEqual((answer.status, seen[3]), (302, 15_000_000))

    def check_protocol(self, port):
        """The proxy speaks HTTP/2."""
        context = ssl.create_default_context(cafile=str(self.certificate))
        context.set_alpn_protocols(["h2", "http/1.1"])
        with socket.create_connection(("127.0.0.1", port), 30) as plain:
            with context.wrap_socket(plain, server_hostname="auth.example.com") as secure:
                self.assertEqual(secure.selected_alpn_protocol(), "h2")

    @staticmethod
    def plain(port, path):
        """The response to a request without TLS."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", path, headers={"Host": "auth.example.com"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer

    def check_redirect(self, port):
        """A request without TLS is sent to the same address with TLS."""
        answer = self.plain(port, "/a?b=c")
        self.assertEqual(answer.status, 301)
        self.assertEqual(answer.headers["Location"], "https://auth.example.com/a?b=c")

    def check_stream(self, port):
        """Each event arrives at once, although the response isn't complete."""
        Upstream.may_go_on.clear()
        context = ssl.create_default_context(cafile=str(self.certificate))
        with socket.create_connection(("127.0.0.1", port), 30) as plain:
            with context.wrap_socket(plain, server_hostname="auth.example.com") as secure:
                connection = http.client.HTTPConnection("auth.example.com")
                connection.sock = secure
                # With a browser's Accept-Encoding. The proxy must not compress the stream, which would delay events.
                connection.request(
                    "GET", "/v1/accounts:watch?key=k",
                    headers={"Authorization": "Bearer t", "Accept-Encoding": "gzip, br"})
                answer = connection.getresponse()
                self.assertEqual(answer.headers["Content-Type"], "text/event-stream")
                self.assertIsNone(answer.headers["Content-Encoding"])
                self.assertEqual(answer.readline(), b"event: ready\n")
                self.assertEqual(answer.readline() + answer.readline(), b"data: {}\n\n")
                Upstream.may_go_on.set()
                self.assertEqual(answer.readline(), b"event: account.deleted\n")

    def test_nginx(self):
        port, plain, upstream = free_port(), free_port(), self.upstream.server_address[1]
        live = "/etc/letsencrypt/live/auth.example.com"
        site = copy("nginx.conf", [
            ("listen 80;", f"listen 127.0.0.1:{plain};"),
            ("    listen [::]:80;\n", ""),
            ("listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;"),
            ("    listen [::]:443 ssl http2;\n", ""),
            ("server 127.0.0.1:9099;", f"server 127.0.0.1:{upstream};"),
            (f"{live}/fullchain.pem", str(self.certificate)),
            (f"{live}/privkey.pem", str(self.key)),
        ])
        (self.folder / "site.conf").write_text(site)
        places = "".join(
            f"  {name}_temp_path {self.folder}/{name};\n"
            for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        user = "user root;\n" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(
            f"{user}daemon off;\nworker_processes 1;\npid {self.folder}/pid;\nerror_log stderr;\n"
            f"events {{}}\nhttp {{\n  access_log off;\n{places}"
            f"  include {self.folder}/site.conf;\n}}\n")
        self.start(
            [tool("nginx"), "-p", str(self.folder), "-e", "stderr", "-c",
             str(self.folder / "nginx.conf")], port)
        self.check(port)
        self.check_protocol(port)
        self.check_redirect(plain)
        self.check_stream(port)

    def test_caddy(self):
        port, upstream = free_port(), self.upstream.server_address[1]
        site = copy("Caddyfile", [
            ("auth.example.com {",
             f"https://auth.example.com:{port} {{\n\ttls {self.certificate} {self.key}"),
            ("127.0.0.1:9099", f"127.0.0.1:{upstream}"),
        ])
        (self.folder / "Caddyfile").write_text(
            "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n" + site)
        self.start(
            [tool("caddy"), "run", "--adapter", "caddyfile", "--config",
             str(self.folder / "Caddyfile")], port)
        self.check(port)
        self.check_protocol(port)
        self.check_stream(port)

    def test_traefik(self):
        port, plain, upstream = free_port(), free_port(), self.upstream.server_address[1]
        site = copy("traefik.yaml", [
            ("      tls:\n        certResolver: letsencrypt\n", "      tls: {}\n"),
            ("http://127.0.0.1:9099", f"http://127.0.0.1:{upstream}"),
        ])
        certificates = {"certificates": [{"certFile": str(self.certificate), "keyFile": str(self.key)}]}
        (self.folder / "dynamic.yaml").write_text(f"{site}\n{yaml.dump({'tls': certificates})}")
        (self.folder / "traefik.yaml").write_text(yaml.dump({
            "entryPoints": {
                "web": {"address": f"127.0.0.1:{plain}"}, "websecure": {"address": f"127.0.0.1:{port}"}},
            "providers": {"file": {"filename": str(self.folder / "dynamic.yaml")}},
        }))
        self.start([TOOLS / "traefik", f"--configFile={self.folder}/traefik.yaml"], port)
        # It listens before it has read its routes.
        self.assertTrue(comes_true(lambda: self.plain(plain, "/").status == 301))
        self.check(port)
        self.check_protocol(port)
        self.check_redirect(plain)
        self.check_stream(port)


def check_settings(test, settings):
    """Checks that a server accepts the settings, with a master key and a database address from files here."""
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder, "master.key")
        made = subprocess.run([BINARY, "keys", "new-master"], capture_output=True, text=True, check=True)
        key.touch(mode=0o600)
        key.write_text(made.stdout)
        url = Path(folder, "database.url")
        url.write_text("postgres://gatehouse@/gatehouse?host=/var/run/postgresql\n")
        here = {"GATEHOUSE_MASTER_KEY_FILE": str(key), "GATEHOUSE_DATABASE_FILE": str(url), "GATEHOUSE_DATA": folder}
        settings = {name: here.get(name, value) for name, value in settings.items()}
        ran = subprocess.run(
            [BINARY, "config", "check"], env=settings | {"PATH": os.environ["PATH"]},
            capture_output=True, text=True, check=False)
        test.assertEqual(ran.returncode, 0, ran.stderr)
        test.assertNotIn("note:", ran.stderr)


class Units(unittest.TestCase):
    def test_systemd_takes_them(self):
        with tempfile.TemporaryDirectory() as folder:
            names = ["gatehouse.service", "gatehouse-backup.service", "gatehouse-backup.timer"]
            for name in names:
                text = (DEPLOY / name).read_text(encoding="utf-8")
                # The program isn't installed here.
                Path(folder, name).write_text(text.replace("/usr/bin/gatehouse", "/bin/true"))
            ran = subprocess.run(
                [tool("systemd-analyze"), "verify", "--man=no",
                 *[str(Path(folder, name)) for name in names]],
                capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            # systemd-analyze only prints a message about an unknown setting, and succeeds.
            about_ours = [line for line in ran.stderr.splitlines() if "gatehouse" in line]
            self.assertEqual(about_ours, [])

    def test_the_commands_of_the_units_are_the_programs_own(self):
        for name in ["gatehouse.service", "gatehouse-backup.service"]:
            line = next(
                line for line in (DEPLOY / name).read_text().splitlines()
                if line.startswith("ExecStart="))
            program, *arguments = line.removeprefix("ExecStart=").split()
            self.assertEqual(program, "/usr/bin/gatehouse")
            words = [word for word in arguments if not word.startswith(("-", "/")) and word != "14"]
            helped = subprocess.run(
                [BINARY, *words, "--help"], capture_output=True, text=True, check=True)
            for flag in [word for word in arguments if word.startswith("--")]:
                self.assertIn(flag, helped.stdout)

    def test_the_settings(self):
        text = (DEPLOY / "gatehouse.env").read_text(encoding="utf-8")
        check_settings(self, dict(line.split("=", 1) for line in text.splitlines() if line and line[0] != "#"))

    def test_every_file_is_tested(self):
        tested = {
            "Caddyfile", "nginx.conf", "traefik.yaml", "gatehouse.env", "gatehouse.service",
            "gatehouse-backup.service", "gatehouse-backup.timer", "kubernetes.yaml",
            # Tested by scripts/container-steps and container_guide.py.
            "Containerfile", "compose.yaml",
            # The alerts are tested by ObservationTests.
            "grafana", "prometheus",
            # Tested by scripts/package-steps.
            "debian", "install.sh",
        }
        self.assertEqual({path.name for path in DEPLOY.iterdir()}, tested)


class Dashboard(unittest.TestCase):
    def test_prometheus_reads_every_expression(self):
        dashboard = json.loads((DEPLOY / "grafana/gatehouse.json").read_text(encoding="utf-8"))
        expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
        rules = [
            {"record": f"expression_{number}", "expr": expression.replace("$__rate_interval", "5m")}
            for number, expression in enumerate(expressions)]
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            # YAML contains JSON.
            json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
            file.flush()
            ran = subprocess.run(
                [tool("promtool"), "check", "rules", file.name], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn(f"{len(expressions)} rules found", ran.stdout)


class Kubernetes(unittest.TestCase):
    """No cluster runs here: Kubernetes' schema, and the settings."""

    documents = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8")))

    def test_the_schema_allows_it(self):
        for document in self.documents:
            kubernetes_validate.validate(document, KUBERNETES, strict=True)

    def test_the_settings(self):
        pod = self.documents[0]["spec"]["template"]["spec"]
        given = {entry["name"]: entry.get("value") for entry in pod["containers"][0]["env"]}
        self.assertIsNone(given.pop("GATEHOUSE_MASTER_KEY"))
        check_settings(self, given | {"GATEHOUSE_MASTER_KEY_FILE": ""})


class Guide(unittest.TestCase):
    def test_the_first_step_installs_the_programs_that_the_page_uses(self):
        page = (ROOT / "docs/guides/production.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        first = next(block for block in blocks if "apt-get install" in block)
        installed = set(" ".join(
            line for line in first.splitlines() if line.startswith("apt-get install")).split())
        # Programs that a bare Debian does not have, and a package with each.
        for program, package in [("sudo", "sudo"), ("curl", "curl"), ("editor", "nano")]:
            self.assertTrue(
                any(re.search(rf"(^|exec |&& ){program} ", block, re.MULTILINE) for block in blocks),
                program)
            self.assertIn(package, installed)


if __name__ == "__main__":
    unittest.main()
