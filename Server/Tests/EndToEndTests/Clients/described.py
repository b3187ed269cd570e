"""Compares what `requests` gets from the server with the description at /openapi.json: `support` turns it on. So the
clients of others are witnesses for the description, too: a status or a member that it lacks ends their test."""

import functools
import json
import re
import urllib.parse

import jsonschema
import requests

GOOGLE = re.compile(r"^/(identitytoolkit|securetoken|www)\.googleapis\.com(?=/)")
send = requests.Session.send


def watch(base):
    """From now on, an answer of the server at `base` that isn't described raises an AssertionError."""
    @functools.cache
    def description(verify):
        answer = requests.Session().get(f"{base}/openapi.json", verify=verify, timeout=60)
        return Description(answer.json())

    @functools.wraps(send)
    def watched(session, request, **options):
        answer = send(session, request, **options)
        if request.url.startswith(base + "/") and not request.url.endswith("/openapi.json"):
            description(options.get("verify", True)).check(request, base, answer)
        return answer

    requests.Session.send = watched


class Description:
    def __init__(self, document):
        self.components = document["components"]
        self.operations = [
            (re.compile(re.sub(r"\\\{\w+\\\}", "[^/:]+", re.escape(path))), method.upper(), operation)
            for path, item in document["paths"].items() for method, operation in item.items()]

    def check(self, request, base, answer):
        path = urllib.parse.urlsplit(request.url[len(base):]).path
        path = GOOGLE.sub("", path).replace("/admin/v2/", "/v2/", 1)
        for pattern, method, operation in self.operations:
            if method == request.method and pattern.fullmatch(path):
                self.compare(operation, answer)

    def compare(self, operation, answer):
        name = f"{answer.status_code} of {operation['operationId']}"
        response = operation["responses"].get(str(answer.status_code))
        assert response, f"{name} is not described: {answer.text}"
        if "$ref" in response:
            response = self.components["responses"][response["$ref"].split("/")[-1]]
        media = answer.headers["content-type"].split(";")[0]
        assert media in response["content"], f"{name} is {media}, which is not described"
        if media == "application/json":
            schema = response["content"][media]["schema"] | {"components": self.components}
            faults = jsonschema.Draft202012Validator(schema).iter_errors(json.loads(answer.content))
            for fault in faults:
                raise AssertionError(f"{name} isn't as described: {fault.message} at {fault.json_path}")
