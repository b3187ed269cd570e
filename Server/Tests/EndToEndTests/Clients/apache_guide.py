"""Apache with mod_auth_openidc verifies ID tokens, with the configuration of docs/guides/admin-sdk.md.

This test replaces only the names and ports, and lets the module trust the certificate of a TLS proxy in front of
Gatehouse. GATEHOUSE_ROOT is the folder of the sources.
"""

import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

import requests

import support
from programs import free_port, listens, tool
from tls_front import Front

ROOT = pathlib.Path(os.environ["GATEHOUSE_ROOT"])
MODULES = pathlib.Path("/usr/lib/apache2/modules")


def configuration():
    page = (ROOT / "docs/guides/admin-sdk.md").read_text(encoding="utf-8")
    [block] = re.findall(r"^```apache\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return block


class Program(http.server.BaseHTTPRequestHandler):
    """The program behind Apache: responds with the headers of the request."""

    def do_GET(self):
        body = json.dumps(self.headers.items()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Apache(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.front = Front(None)
        cls.front.server = cls.front.place
        cls.program = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Program)
        threading.Thread(target=cls.program.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.program.server_close)
        cls.addClassCleanup(cls.program.shutdown)
        cls.front.__enter__()
        cls.addClassCleanup(cls.front.__exit__)
        cls.user = support.client_call(
            "accounts:signUp",
            {"email": support.unique("apache") + "@example.com", "password": "a long password"})

    def start(self, issuer, audience):
        """Starts Apache with the guide's configuration. Returns the URL of its location."""
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        text = configuration()
        for old, new in [
            ("https://auth.example.com/my-app/.well-known",
             f"https://{self.front.place}/{support.PROJECT}/.well-known"),
            ("iss:https://auth.example.com/my-app", f"iss:{issuer}"),
            ("aud:my-app", f"aud:{audience}"),
            ("http://127.0.0.1:8080/", f"http://127.0.0.1:{self.program.server_address[1]}/"),
        ]:
            assert text.count(old) == 1, f"the guide no longer says {old}"
            text = text.replace(old, new)
        port = free_port()
        modules = "".join(
            f"LoadModule {name}_module {MODULES}/mod_{name}.so\n"
            for name in ["mpm_event", "authn_core", "authz_core", "authz_user", "proxy",
                         "proxy_http", "auth_openidc"])
        (folder / "apache.conf").write_text(
            f"ServerRoot {folder}\nPidFile {folder}/pid\nErrorLog {folder}/errors\n"
            f"DefaultRuntimeDir {folder}\nServerName localhost\nListen 127.0.0.1:{port}\n{modules}"
            f"OIDCOAuthSSLValidateServer Off\nOIDCSSLValidateServer Off\n{text}")
        process = subprocess.Popen(
            [tool("apache2"), "-f", folder / "apache.conf", "-D", "FOREGROUND"],
            stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait, 60)
        self.addCleanup(process.terminate)
        if not listens(process, port):
            self.fail(process.stderr.read() if process.poll() is not None else "Apache didn't start")
        return f"http://127.0.0.1:{port}/api/notes"

    def test_a_valid_token_passes_and_any_other_is_refused(self):
        url = self.start(f"https://securetoken.google.com/{support.PROJECT}", support.PROJECT)
        token = self.user["idToken"]
        accepted = requests.get(url, timeout=60, headers={
            "Authorization": f"Bearer {token}", "OIDC_CLAIM_sub": "somebody",
            "OIDC-CLAIM-sub": "somebody"})
        self.assertEqual(accepted.status_code, 200, accepted.text)
        claims = [
            (name, value) for name, value in accepted.json()
            if name.upper().replace("-", "_").startswith("OIDC_CLAIM_")]
        self.assertEqual(
            [value for name, value in claims if name.upper().endswith("CLAIM_SUB")],
            [self.user["localId"]])
        self.assertIn(("OIDC_CLAIM_email_verified", "0"), claims)
        self.assertEqual(
            json.loads(dict(claims)["OIDC_CLAIM_firebase"])["sign_in_provider"], "password")

        header, payload, signature = token.split(".")
        changed = f"{header}.{payload}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"
        for headers in [{}, {"Authorization": f"Bearer {changed}"}]:
            self.assertEqual(requests.get(url, timeout=60, headers=headers).status_code, 401)

    def test_a_token_of_another_project_is_refused(self):
        issuer = "https://securetoken.google.com/"
        for place in [(issuer + support.PROJECT, "other"), (issuer + "other", support.PROJECT)]:
            refused = requests.get(
                self.start(*place), timeout=60,
                headers={"Authorization": f"Bearer {self.user['idToken']}"})
            self.assertEqual(refused.status_code, 401)


if __name__ == "__main__":
    unittest.main()
