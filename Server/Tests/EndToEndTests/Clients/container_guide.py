"""Runs the commands of "In a container" in docs/guides/production.md, in the guide's order.

No container engine is needed: this program is called as `podman`. It stores volumes and secrets as files,
and runs the `gatehouse` command directly, with the settings of the image and of the guide.

GATEHOUSE_ROOT is the folder of the sources, GATEHOUSE_BINARY the command.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

ROOT, BINARY = Path(os.environ["GATEHOUSE_ROOT"]), os.environ["GATEHOUSE_BINARY"]
WITH_VALUE = {
    "-v", "-e", "-p", "-f", "-t", "--secret", "--name", "--restart", "--network", "--cap-drop",
    "--security-opt", "--subnet", "--format",
}


def options(words):
    """The options as pairs, and the remaining words."""
    found = []
    while words and words[0].startswith("-"):
        name = words.pop(0)
        found.append((name, words.pop(0) if name in WITH_VALUE else None))
    return found, words


def image_settings():
    text = (ROOT / "deploy/Containerfile").read_text(encoding="utf-8")
    return dict(
        pair.split("=", 1) for line in re.findall(r"^ENV (.*)$", text, re.MULTILINE)
        for pair in line.split())


def podman(words):
    state = Path(os.environ["PODMAN_STATE"])
    command = words.pop(0)
    if command == "build":
        given, _ = options(words)
        # Without this format podman ignores HEALTHCHECK.
        assert ("--format", "docker") in given, given
        assert (ROOT / dict(given)["-f"]).exists(), given
    elif command in ("volume", "network"):
        words.pop(0)
        _, names = options(words)
        (state / f"{command}-{names[0]}").mkdir()
    elif command == "secret":
        assert words[0] == "create", words
        (state / f"secret-{words[1]}").write_text(Path(words[2]).read_text())
    elif command == "run":
        return run(state, words)
    elif command == "exec":
        name, program, *arguments = words
        assert program == "gatehouse", words
        environment = json.loads((state / f"container-{name}").read_text())
        return subprocess.run([BINARY, *arguments], env=environment, check=False).returncode
    else:
        raise AssertionError(f"podman {command}")
    return 0


def run(state, words):
    given, (image, *arguments) = options(words)
    assert image == "gatehouse", words
    environment = {"PATH": os.environ["PATH"], **image_settings()}
    # A container without a volume loses its data folder when it ends.
    environment["GATEHOUSE_DATA"] = tempfile.mkdtemp(dir=state)
    for name, value in given:
        if name == "-e":
            environment.update([value.split("=", 1)])
        elif name == "-v":
            volume, folder = value.split(":")
            assert folder == "/data" and (state / f"volume-{volume}").exists(), value
            environment["GATEHOUSE_DATA"] = str(state / f"volume-{volume}")
        elif name == "--secret":
            secret, *rest = value.split(",")
            assert rest[0] == "type=env", value
            environment[rest[1].removeprefix("target=")] = (state / f"secret-{secret}").read_text()
        elif name == "--network":
            assert (state / f"network-{value}").exists(), value
    flags = dict(given)
    if "-d" not in flags:
        return subprocess.run([BINARY, *arguments], env=environment, check=False).returncode
    assert not arguments, "the image's own command is `serve`"
    (state / f"container-{flags['--name']}").write_text(json.dumps(environment))
    # Fixed ports may be in use on this machine, so free ones are chosen.
    environment |= {"GATEHOUSE_PORT": "0", "GATEHOUSE_METRICS_PORT": "0",
                    "GATEHOUSE_HOST": "127.0.0.1", "GATEHOUSE_METRICS_HOST": "127.0.0.1"}
    with open(state / "output", "w") as output:
        process = subprocess.Popen(
            [BINARY, "serve"], env=environment, stdout=output, stderr=subprocess.STDOUT)
    (state / "process").write_text(str(process.pid))
    return 0


def commands():
    guide = (ROOT / "docs/guides/production.md").read_text(encoding="utf-8")
    section = guide.split("\n## In a container\n")[1].split("\n## ")[0]
    return "".join(re.findall(r"^```sh\n(.*?)^```$", section, re.DOTALL | re.MULTILINE))


class Guide(unittest.TestCase):
    def test_its_commands_in_order(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "podman").write_text(
                f'#!/bin/sh\nexec "{sys.executable}" "{os.path.abspath(__file__)}" podman "$@"\n')
            (folder / "podman").chmod(0o755)
            (folder / "deploy").symlink_to(ROOT / "deploy")
            environment = os.environ | {
                "PATH": f"{folder}:{os.environ['PATH']}", "PODMAN_STATE": str(folder)}
            ran = subprocess.run(
                ["bash", "-eu", "-c", commands()], cwd=folder, env=environment,
                capture_output=True, text=True, timeout=120, check=False)
            try:
                self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
                # `config check` prints no note, because the guide's settings name the proxy.
                self.assertIn("The settings are right.", ran.stdout)
                self.assertNotIn("note:", ran.stderr)
                self.assertEqual(self.ready(folder), 200)
            finally:
                if (folder / "process").exists():
                    os.kill(int((folder / "process").read_text()), 15)

    @staticmethod
    def ready(folder):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            output = (folder / "output").read_text()
            if match := re.search(r"Gatehouse listens on (\S+)\n", output):
                with urllib.request.urlopen(f"{match.group(1)}/readyz", timeout=30) as answer:
                    return answer.status
            time.sleep(0.05)
        raise AssertionError(output)


if __name__ == "__main__":
    if sys.argv[1:2] == ["podman"]:
        sys.exit(podman(sys.argv[2:]))
    unittest.main()
