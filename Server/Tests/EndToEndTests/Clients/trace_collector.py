"""A collector of traces that reads them with OpenTelemetry's own messages.

Prints its address as JSON, then serves: POST takes an ExportTraceServiceRequest in JSON, GET returns all spans since the
start, and what wasn't one.
"""

import http.server
import json

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

spans, faults = [], []


def take(body):
    # In JSON the ids are hexadecimal, unlike other bytes: they are read from the text.
    request = json_format.Parse(body, ExportTraceServiceRequest())
    texts = json.loads(body)["resourceSpans"][0]["scopeSpans"][0]["spans"]
    resource = request.resource_spans[0].resource
    for span, text in zip(request.resource_spans[0].scope_spans[0].spans, texts, strict=True):
        spans.append({
            "service": next(one.value.string_value for one in resource.attributes if one.key == "service.name"),
            "trace": text["traceId"], "span": text["spanId"], "parent": text.get("parentSpanId", ""),
            "name": span.name, "kind": Span.SpanKind.Name(span.kind),
            "attributes": {
                one.key: one.value.string_value or one.value.int_value for one in span.attributes},
            "nanoseconds": span.end_time_unix_nano - span.start_time_unix_nano,
        })


class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            assert self.path == "/v1/traces" and self.headers["content-type"] == "application/json"
            take(body)
        except Exception as error:  # Any fault is the test's to judge.
            faults.append(f"{type(error).__name__}: {error}")
        self.answer({})

    def do_GET(self):
        self.answer({"spans": spans, "faults": faults})

    def answer(self, body):
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}"}), flush=True)
server.serve_forever()
