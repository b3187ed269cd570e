"""Checks that scripts/bill-of-materials writes CycloneDX 1.6, and that it matches the built program.

    GATEHOUSE_ROOT=… GATEHOUSE_BINARY=… python bill_of_materials.py

The required fields are those of https://cyclonedx.org/docs/1.6/json/. They are written down again here, so
that the check shares no code with the script.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ["GATEHOUSE_ROOT"])
BINARY = Path(os.environ["GATEHOUSE_BINARY"])

# Those of the schema's types that a component here can have.
TYPES = {"application", "framework", "library"}
# Identifiers from SPDX's list. If a dependency has another licence, a maintainer has to review it first.
IDENTIFIERS = {
    "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "LGPL-2.1-or-later", "MIT", "Zlib", "blessing",
    "PostgreSQL", "curl",
}
EXPRESSIONS = {"Apache-2.0 WITH Swift-exception", "GPL-3.0-or-later WITH GCC-exception-3.1"}
# Everything but letters, digits, `.-_~` and `:` is percent-encoded (purl-spec, "Character encoding").
ENCODED = r"(?:[A-Za-z0-9._~:-]|%(?!3A)[0-9A-F]{2})+"
PACKAGE_URL = re.compile(
    rf"pkg:[a-z]+/{ENCODED}(/{ENCODED})*@{ENCODED}(\?[a-z]+={ENCODED}(&[a-z]+={ENCODED})*)?")
# The program always contains these.
NEEDED = {
    "swift-crypto", "swift-nio", "swift-nio-ssl", "hummingbird", "async-http-client", "grdb.swift", "swift",
    "boringssl", "llhttp",
}


def written(folder: str, name: str) -> str:
    path = Path(folder) / name
    subprocess.run(
        [ROOT / "scripts/bill-of-materials", BINARY, path], check=True, stdout=subprocess.DEVNULL)
    return path.read_text(encoding="utf-8")


def check_component(component: dict) -> None:
    name = component.get("name")
    assert component.get("type") in TYPES, (name, component.get("type"))
    assert isinstance(name, str) and name, component
    assert isinstance(component.get("version"), str) and component["version"], name
    assert isinstance(component.get("bom-ref"), str), name
    assert PACKAGE_URL.fullmatch(component.get("purl", "")), (name, component.get("purl"))
    assert component.get("scope", "required") in {"required", "optional", "excluded"}, name
    assert len(component.get("licenses", [])) == 1, name
    licence = component["licenses"][0]
    if "expression" in licence:
        assert licence == {"expression": licence["expression"]}, name
        assert licence["expression"] in EXPRESSIONS, (name, licence)
    else:
        assert licence == {"license": {"id": licence["license"]["id"]}}, name
        assert licence["license"]["id"] in IDENTIFIERS, (name, licence)
    for reference in component.get("externalReferences", []):
        assert reference["type"] == "vcs" and reference["url"].startswith("https://"), name
    for property_ in component.get("properties", []):
        assert set(property_) == {"name", "value"}, name


def check_document(document: dict) -> list[dict]:
    """Checks the document's required fields. Returns all components, also nested ones."""
    assert document["bomFormat"] == "CycloneDX"
    assert document["specVersion"] == "1.6"
    assert document["version"] == 1
    uuid = r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    assert re.fullmatch(uuid, document["serialNumber"]), document["serialNumber"]
    time = document["metadata"].get("timestamp")
    assert time is None or re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", time), time
    components = [document["metadata"]["component"], *document["components"]]
    for component in list(components):
        components += component.get("components", [])
    for component in components:
        check_component(component)
    references = [component["bom-ref"] for component in components]
    assert len(set(references)) == len(references), "a reference is there twice"
    for edge in document["dependencies"]:
        assert {edge["ref"], *edge["dependsOn"]} <= set(references), edge
    edges = [edge["ref"] for edge in document["dependencies"]]
    assert len(set(edges)) == len(edges), "a node is there twice"
    return components


def check_truth(document: dict, components: list[dict]) -> None:
    own = document["metadata"]["component"]
    said = subprocess.run([BINARY, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    assert (own["name"], own["version"]) == ("gatehouse", said), own
    assert own["hashes"] == [
        {"alg": "SHA-256", "content": hashlib.sha256(BINARY.read_bytes()).hexdigest()}]

    recorded = {
        pin["identity"]: pin
        for pin in json.loads((ROOT / "dependencies.json").read_text(encoding="utf-8"))["pins"]}
    listed = {component["name"] for component in components}
    assert NEEDED <= listed, NEEDED - listed
    for component in components:
        if component["purl"].startswith("pkg:swift/"):
            pin = recorded[component["name"]]
            assert component["version"] == pin["state"]["version"], component["name"]
            assert component["pedigree"]["commits"][0]["uid"] == pin["state"]["revision"], component["name"]

    linked = subprocess.run(["ldd", BINARY], check=True, capture_output=True, text=True).stdout
    of_system = {
        property_["value"] for component in components for property_ in component.get("properties", [])
        if property_["name"] == "gatehouse:linked"}
    asked = set(re.findall(
        r"\(NEEDED\).*\[(.+)\]",
        subprocess.run(["readelf", "-d", BINARY], check=True, capture_output=True, text=True).stdout))
    assert "libcurl.so.4" in asked, asked
    for path in re.findall(r"(/\S+)", linked):
        if "/swift/" not in path and Path(path).name in asked:
            assert Path(path).name in of_system, f"{path} isn't listed"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = written(folder, "one.json")
        assert text == written(folder, "two.json"), "the same program got another text"
    document = json.loads(text)
    components = check_document(document)
    check_truth(document, components)
    print(f"{len(components)} components")


if __name__ == "__main__":
    sys.exit(main())
