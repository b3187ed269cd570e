"""Parses composed mails with Python's `email`, strictly, and compares them with what they should say.

    parse_mails.py FOLDER     pairs of N.eml and N.json

Prints a line for each fault, and ends with 1 if there is one.
"""

import email
import email.policy
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

faults: list[str] = []


class Shape(HTMLParser):
    """The elements with the names of their attributes, and what they link to."""

    def __init__(self, text: str):
        super().__init__()
        self.elements: list[tuple] = []
        self.links: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, *sorted(name for name, _ in attributes)))
        self.links += [value for name, value in attributes if name in {"href", "src"}]

    def handle_endtag(self, tag):
        self.elements.append(("/" + tag,))

    def handle_data(self, data):
        self.text.append(data)


def check(path: Path) -> None:
    raw = path.read_bytes()
    wanted = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))

    def want(what: str, found, expected) -> None:
        if found != expected:
            faults.append(f"{path.name}: {what}: {found!r} instead of {expected!r}")

    want("bare CR or LF", re.search(rb"\r(?!\n)|(?<!\r)\n", raw), None)
    want("bytes beyond ASCII", any(byte > 0x7E for byte in raw), False)
    head, _, body = raw.partition(b"\r\n\r\n")
    long = [line for line in head.split(b"\r\n") if len(line) > 78 and b"@" not in line]
    want("long lines of the header", long, [])
    want("long lines of the body", [line for line in body.split(b"\r\n") if len(line) > 76], [])
    want("spaces at the end of a line", [line for line in body.split(b"\r\n") if line != line.rstrip()], [])

    try:
        message = email.message_from_bytes(raw, policy=email.policy.strict)
        for name, value in message.items():
            if value.defects:
                faults.append(f"{path.name}: {name}: {value.defects}")
        names = [name.lower() for name in message.keys()]
        want("fields", sorted(names), sorted(wanted["fields"]))
        want("subject", message["subject"], wanted["subject"])
        for field, key in (("from", "from"), ("to", "to"), ("reply-to", "replyTo")):
            if wanted.get(key) is None:
                continue
            (address,) = message[field].addresses
            # Python adds a space between two encoded words of a name (https://bugs.python.org/issue35547),
            # which RFC 2047 §6.2 forbids.
            name = re.sub(" +", " ", address.display_name)
            want(field, [name, address.addr_spec], wanted[key])
        want("date", message["date"].datetime.isoformat(), wanted["date"])
        want("message id", message["message-id"], wanted["id"])
        text = message.get_body(preferencelist=("plain",)).get_content().replace("\r\n", "\n")
        want("text", text, wanted["text"])
        part = message.get_body(preferencelist=("html",))
        if wanted.get("html") is None:
            want("html", part, None)
            return
        want("type", message.get_content_type(), "multipart/alternative")
        html = part.get_content().replace("\r\n", "\n")
        want("html", html, wanted["html"])
        shape, plain = Shape(html), Shape(wanted["harmlessHTML"])
        want("elements", shape.elements, plain.elements)
        want("links", shape.links, plain.links)
        for shown in wanted["shown"]:
            want(f"{shown!r} is shown", shown in "".join(shape.text), True)
    except Exception as error:  # A defect is raised by the strict policy.
        faults.append(f"{path.name}: {type(error).__name__}: {error}")


paths = sorted(Path(sys.argv[1]).glob("*.eml"))
for found in paths:
    check(found)
print("\n".join(faults) if faults else f"{len(paths)} mails")
sys.exit(1 if faults or not paths else 0)
