"""A name server over UDP and TCP. Its arguments are its records, each as NAME TYPE VALUE.

Prints its port as JSON, then serves. It splits a TXT value into strings of at most 255 bytes (RFC 1035
§3.3.14). A response that doesn't fit a UDP datagram has the flag TC, so that the client repeats the query over
TCP.
"""

import json
import socketserver
import sys
import threading

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

records = {}
for name, kind, value in zip(*[iter(sys.argv[1:])] * 3):
    if kind == "TXT":
        value = " ".join(
            json.dumps(value[start:start + 255]) for start in range(0, max(1, len(value)), 255))
    records.setdefault((name.lower() + ".", kind), []).append(value)


def answer(wire):
    query = dns.message.from_wire(wire)
    response = dns.message.make_response(query)
    # Without this flag an empty response means that the server isn't authoritative for the zone.
    response.flags |= dns.flags.AA
    name, kind = query.question[0].name.to_text().lower(), query.question[0].rdtype
    for _ in range(4):
        alias = records.get((name, "CNAME"))
        if not alias:
            break
        response.answer.append(dns.rrset.from_text(name, 60, "IN", "CNAME", alias[0]))
        name = alias[0].lower()
    values = records.get((name, dns.rdatatype.to_text(kind)))
    if values:
        response.answer.append(
            dns.rrset.from_text(name, 60, "IN", dns.rdatatype.to_text(kind), *values))
    elif name not in {known for known, _ in records}:
        response.set_rcode(dns.rcode.NXDOMAIN)
    return response


class Datagram(socketserver.BaseRequestHandler):
    def handle(self):
        wire, socket = self.request
        response = answer(wire)
        data = response.to_wire()
        if len(data) > 512:
            response.answer.clear()
            response.flags |= dns.flags.TC
            data = response.to_wire()
        socket.sendto(data, self.client_address)


class Stream(socketserver.StreamRequestHandler):
    def handle(self):
        size = int.from_bytes(self.rfile.read(2), "big")
        data = answer(self.rfile.read(size)).to_wire()
        self.wfile.write(len(data).to_bytes(2, "big") + data)


socketserver.ThreadingTCPServer.allow_reuse_address = True
while True:
    udp = socketserver.ThreadingUDPServer(("127.0.0.1", 0), Datagram)
    try:
        tcp = socketserver.ThreadingTCPServer(("127.0.0.1", udp.server_address[1]), Stream)
        break
    except OSError:
        udp.server_close()
threading.Thread(target=tcp.serve_forever, daemon=True).start()
print(json.dumps({"port": udp.server_address[1]}), flush=True)
udp.serve_forever()
