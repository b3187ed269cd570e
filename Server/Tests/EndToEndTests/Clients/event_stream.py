"""Reads a stream of `accounts:watch` (server-sent events), and prints a JSON line for each event.

GATEHOUSE_STREAM is the URL. GATEHOUSE_ID_TOKEN is sent as the bearer token; with
GATEHOUSE_ORIGIN it is sent in the body instead, as a page of that origin does. GATEHOUSE_LAST is
the id of the last known event. The last line says how the stream ended, or has the error.
"""

import json
import os
import sys

import requests

url, token = os.environ["GATEHOUSE_STREAM"], os.environ["GATEHOUSE_ID_TOKEN"]
origin, last = os.environ.get("GATEHOUSE_ORIGIN"), os.environ.get("GATEHOUSE_LAST")


def tell(**fields):
    print(json.dumps(fields), flush=True)


def ask():
    if origin:
        body = {"idToken": token} | ({"lastEventId": last} if last else {})
        return requests.post(
            url, json=body, headers={"Origin": origin}, stream=True, timeout=(60, 300))
    headers = {"Authorization": f"Bearer {token}"} | ({"Last-Event-ID": last} if last else {})
    return requests.get(url, headers=headers, stream=True, timeout=(60, 300))


with ask() as answer:
    if answer.status_code != 200:
        tell(status=answer.status_code, error=answer.json()["error"]["message"])
        sys.exit()
    allowed = answer.headers.get("Access-Control-Allow-Origin")
    event = {}
    try:
        for line in answer.iter_lines(chunk_size=1, decode_unicode=True):
            name, _, value = line.partition(":")
            if name:
                event[name] = value.removeprefix(" ")
            elif "data" in event:
                tell(allowed=allowed, **event)
            if not line:
                event = {}
        tell(end="complete")
    except requests.RequestException as error:
        tell(end=type(error).__name__)
