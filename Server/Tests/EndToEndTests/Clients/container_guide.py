"""Runs the commands of "In a container" in docs/guides/production.md, in the guide's order.

No container engine is needed: this program is called as `docker`. It reads deploy/compose.yaml, stores volumes as
folders, runs the `gatehouse` command directly, with the settings of the image and of the file, and in place of
PostgreSQL's image the PostgreSQL of this machine.

GATEHOUSE_ROOT is the folder of the sources, GATEHOUSE_BINARY the command.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path

import yaml

from programs import comes_true

ROOT, BINARY = Path(os.environ["GATEHOUSE_ROOT"]), os.environ["GATEHOUSE_BINARY"]
COMPOSE = ROOT / "deploy/compose.yaml"
SOCKETS = "/var/run/postgresql"
WITH_VALUE = {"-f", "-t", "--build-arg"}


def options(words):
    """The options, those with values as a dictionary, and the remaining words."""
    given, values = [], {}
    while words and words[0].startswith("-"):
        name = words.pop(0)
        given.append(name)
        if name in WITH_VALUE:
            values[name] = words.pop(0)
    return given, values, words


def image_settings():
    text = (ROOT / "deploy/Containerfile").read_text(encoding="utf-8")
    return dict(
        pair.split("=", 1) for line in re.findall(r"^ENV (.*)$", text, re.MULTILINE)
        for pair in line.split())


def docker(words):
    command = words.pop(0)
    if command == "build":
        _, values, (folder,) = options(words)
        assert (Path(folder) / values["-f"]).exists(), values
        return 0
    if command == "run":
        given, _, (image, *arguments) = options(words)
        assert given == ["--rm"] and image == "gatehouse", words
        return gatehouse(arguments, image_settings())
    assert command == "compose", command
    return compose(*words)


def compose(command, *words):
    file = yaml.safe_load(Path("compose.yaml").read_text(encoding="utf-8"))
    given, _, words = options(list(words))
    if command == "up":
        assert given == ["-d"] and not words, "the services without a profile start"
        return up(file)
    service, *arguments = words
    if command == "exec":
        assert arguments.pop(0) == "gatehouse", "the program's name in the image"
    else:
        assert (command, given) == ("run", ["--rm"]), command
    return gatehouse(arguments, settings(file, service))


def state():
    return Path(os.environ["DOCKER_STATE"])


def volume(name):
    return state() / f"volume-{name}"


def settings(file, name):
    """The environment of a service, with the folders of this machine for those of the container."""
    service = file["services"][name]
    found = image_settings() | service["environment"]
    for mounted in service.get("volumes", []):
        source, target = mounted.split(":")
        assert source in file["volumes"], source
        volume(source).mkdir(exist_ok=True)
        found = {key: str(volume(source)) if value == target else value for key, value in found.items()}
    for secret in service.get("secrets", []):
        here = state() / secret
        text = Path(file["secrets"][secret]["file"]).read_text(encoding="ascii")
        here.touch(mode=0o600)
        here.write_text(text.replace(SOCKETS, str(volume("socket"))), encoding="ascii")
        found = {key: value.replace(f"/run/secrets/{secret}", str(here)) for key, value in found.items()}
    assert not any("/run/secrets" in value for value in found.values()), found
    for needed in service.get("depends_on", {}):
        assert needed == "postgres", needed
        postgres(settings(file, needed))
    return found


def gatehouse(arguments, environment):
    return subprocess.run(
        [BINARY, *arguments], env={"PATH": os.environ["PATH"], **environment}, check=False).returncode


def up(file):
    environment = {"PATH": os.environ["PATH"], **settings(file, "gatehouse")}
    # Fixed ports may be in use on this machine, so free ones are chosen.
    environment |= {"GATEHOUSE_PORT": "0", "GATEHOUSE_METRICS_PORT": "0",
                    "GATEHOUSE_HOST": "127.0.0.1", "GATEHOUSE_METRICS_HOST": "127.0.0.1"}
    with open(state() / "output", "w") as output:
        process = subprocess.Popen(
            [BINARY, "serve"], env=environment, stdout=output, stderr=subprocess.STDOUT)
    (state() / "process").write_text(str(process.pid))
    return 0


def postgres(environment):
    """Does what the image's first start does, if it hasn't been done."""
    data, sockets = volume("database") / "data", volume("socket")
    if data.exists():
        return
    user = environment["POSTGRES_USER"]
    # PostgreSQL refuses to run as root.
    become = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    for folder in (volume("database"), sockets, state()):
        folder.chmod(0o777)
    password = state() / "database.password"
    password.chmod(0o644)
    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    subprocess.run(
        [*become, binaries / "initdb", "--pgdata", data, "--username", user, f"--pwfile={password}", "--no-sync",
         *environment["POSTGRES_INITDB_ARGS"].split()], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(
        [*become, binaries / "pg_ctl", "--pgdata", data, "--wait", "--log", sockets / "log", "--options",
         f"-k {sockets} -c listen_addresses= -c fsync=off", "start"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(
        [binaries / "createdb", "--host", sockets, "--username", user, user], check=True,
        env={"PATH": os.environ["PATH"], "PGPASSWORD": password.read_text().strip()})
    (state() / "stop").write_text(json.dumps(
        [*become, str(binaries / "pg_ctl"), "--pgdata", str(data), "--mode", "immediate", "stop"]))


def commands():
    guide = (ROOT / "docs/guides/production.md").read_text(encoding="utf-8")
    section = guide.split("\n## In a container\n")[1].split("\n## ")[0]
    return "".join(re.findall(r"^```sh\n(.*?)^```$", section, re.DOTALL | re.MULTILINE))


class Guide(unittest.TestCase):
    def test_its_commands_in_order(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "docker").write_text(
                f'#!/bin/sh\nexec "{sys.executable}" "{os.path.abspath(__file__)}" docker "$@"\n')
            (folder / "docker").chmod(0o755)
            # Only root can give a file away.
            (folder / "chown").symlink_to("/bin/true")
            shutil.copytree(ROOT / "deploy", folder / "deploy")
            environment = os.environ | {
                "PATH": f"{folder}:{os.environ['PATH']}", "DOCKER_STATE": str(folder)}
            try:
                ran = subprocess.run(
                    ["bash", "-eu", "-c", commands()], cwd=folder, env=environment,
                    capture_output=True, text=True, timeout=120, check=False)
                self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
                # `config check` prints no note, because the file's settings name the proxy.
                self.assertIn("The settings are right.", ran.stdout)
                self.assertNotIn("note:", ran.stderr)
                self.assertEqual(self.ready(folder), 200)
            finally:
                if (folder / "process").exists():
                    os.kill(int((folder / "process").read_text()), 15)
                if (folder / "stop").exists():
                    subprocess.run(json.loads((folder / "stop").read_text()), check=True, stdout=subprocess.DEVNULL)

    def ready(self, folder):
        def listens():
            return re.search(r"Gatehouse listens on (\S+)\n", (folder / "output").read_text())
        self.assertTrue(comes_true(listens), (folder / "output").read_text())
        with urllib.request.urlopen(f"{listens().group(1)}/readyz", timeout=30) as answer:
            return answer.status


class File(unittest.TestCase):
    def test_the_schema_allows_it(self):
        checked = subprocess.run(
            [Path(sys.executable).parent / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE],
            capture_output=True, text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_the_development_server(self):
        service = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]["development"]
        self.assertEqual(service["command"], ["serve", "--dev"])
        self.assertEqual(gatehouse(["config", "check", "--dev"], image_settings() | service["environment"]), 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["docker"]:
        sys.exit(docker(sys.argv[2:]))
    unittest.main()
