"""The server under callgrind, and the requests that are counted in it. `instructions` uses it."""

import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import seed

ROOT = Path(__file__).resolve().parent.parent
# callgrind's files: callgrind.out.1, callgrind.out.2, …
WORK = ROOT / ".build/instructions"
PYTHON = os.environ.get("GATEHOUSE_PYTHON", str(ROOT / ".build/python/bin/python"))
# Requests before the count begins. They create what is created only once: keys, statements, buffers.
WARM_UP = 20
COUNTED = 100
AUDIENCE = "demo.apps.example.com"


def fail(message: str) -> None:
    print(message, file=sys.stderr)
    sys.exit(1)


def need_tools() -> None:
    for tool in ("valgrind", "callgrind_control"):
        if shutil.which(tool) is None:
            fail(f"{tool} is missing; on Debian: apt-get install valgrind")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def release_build() -> str:
    if given := os.environ.get("GATEHOUSE_BINARY"):
        return given
    subprocess.run([ROOT / "scripts/dependencies"], check=True)
    subprocess.run([ROOT / "scripts/release"], check=True)
    return str(ROOT / "Server/.build/release/gatehouse")


class Server:
    """The program under callgrind. One connection, one request at a time: the count is then the cost of
    a request, independent of concurrent requests."""

    def __init__(self, binary: str, provider: int, folder: Path, accounts: int, options: Sequence[str]):
        self.port = free_port()
        self.folder = folder
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GATEHOUSE_")},
            # Without it dictionaries are laid out differently in each process.
            "SWIFT_DETERMINISTIC_HASHING": "1",
            "LD_PRELOAD": str(folder / "sigsuspend.so"),
        }
        serve = [binary, "serve", "--dev", "--port", str(self.port), "--simulator-port", "0",
                 "--data", str(folder / "data"),
                 "--set", f"providers.baseURL=http://127.0.0.1:{provider}"]
        callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + str(folder / "callgrind.out"), *options]
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        if accounts:
            # Makes the database.
            self.start(serve, environment)
            self.stop()
            self.connection.close()
            seed.seed(str(folder / "data"), accounts)
        self.start(callgrind + serve, environment)

    def start(self, command: list[str], environment: dict[str, str]) -> None:
        with open(self.folder / "server.log", "wb") as log:
            self.process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.wait()

    def wait(self) -> None:
        for _ in range(600):
            if self.process.poll() is not None:
                break
            try:
                self.connection.request("GET", "/readyz")
                if self.connection.getresponse().read() is not None:
                    return
            except OSError:
                self.connection.close()
                time.sleep(0.5)
        fail((self.folder / "server.log").read_text(encoding="utf-8", errors="replace"))

    def post(self, path: str, body: str, kind: str) -> dict:
        self.connection.request("POST", path, body, {"content-type": kind})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            fail(f"POST {path}: {answer.status} {text[:300]!r}")
        return json.loads(text)

    def counted(self, name: str) -> int:
        """The instructions since the last call."""
        # The last response was sent. Wait for the work after it, such as a log line.
        time.sleep(1)
        before = set(self.folder.glob("callgrind.out.*"))
        subprocess.run(
            ["callgrind_control", f"--dump={name}", str(self.process.pid)], check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            for path in sorted(set(self.folder.glob("callgrind.out.*")) - before):
                found = re.search(r"^(?:totals|summary): (\d+)", path.read_text(encoding="utf-8"), re.MULTILINE)
                if found:
                    return int(found.group(1))
            time.sleep(0.1)
        fail("callgrind wrote no file.")
        return 0

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()


def count(binary: str, accounts: int = 0, options: Sequence[str] = ()) -> dict[str, int]:
    """Instructions per request, of each kind. The options are callgrind's."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    # Valgrind fails on debug information that is newer than itself.
    stripped = str(WORK / "gatehouse")
    subprocess.run(["strip", "-o", stripped, binary], check=True)
    shim = ["clang", "-shared", "-fPIC", "-O1", "-o", str(WORK / "sigsuspend.so")]
    subprocess.run([*shim, str(ROOT / "Benchmarks/sigsuspend.c")], check=True)
    total = WARM_UP + COUNTED
    port = free_port()
    provider = subprocess.Popen(
        [PYTHON, ROOT / "Benchmarks/provider.py", "--port", str(port), "--count", str(total),
         "--audience", AUDIENCE, "--output", WORK / "sign-ins.txt"], stdout=subprocess.PIPE, text=True)
    server = None
    try:
        if provider.stdout is None or provider.stdout.readline().strip() != "ready":
            fail("Benchmarks/provider.py didn't start.")
        lines = (WORK / "sign-ins.txt").read_text(encoding="utf-8").splitlines()
        server = Server(stripped, port, WORK, accounts, options)
        return measure(server, lines[:total], lines[total:])
    finally:
        if server:
            server.stop()
        provider.terminate()


def measure(server: Server, first: list[str], returning: list[str]) -> dict[str, int]:
    def sign_in(body: str) -> dict:
        return server.post("/v1/accounts:signInWithIdp?key=bench", body, "application/json")

    def refresh(answer: dict) -> dict:
        form = f"grant_type=refresh_token&refresh_token={answer['refreshToken']}"
        return server.post("/v1/token?key=bench", form, "application/x-www-form-urlencoded")

    def look_up(answer: dict) -> dict:
        body = json.dumps({"idToken": answer["idToken"]})
        return server.post("/v1/accounts:lookup?key=bench", body, "application/json")

    found = {}
    answers: list[dict] = []

    def phase(name: str, send, inputs: list) -> None:
        results = [send(one) for one in inputs[:WARM_UP]]
        server.counted(f"before {name}")
        results += [send(one) for one in inputs[WARM_UP:]]
        found[name] = server.counted(name) // (len(inputs) - WARM_UP)
        answers[:] = results

    phase("first sign-in", sign_in, first)
    phase("returning sign-in", sign_in, returning)
    signed_in = list(answers)
    phase("lookup", look_up, signed_in)
    phase("refresh", refresh, signed_in)
    return found
