"""Ends TLS in front of PostgreSQL, as a pooler or a cloud's proxy does.

    tls_proxy.py SOCKET

What the server sends is collected, and goes on in TLS records of 16 KB. The port is written to `port`, in this
folder, which has the certificate and its key.
"""

import os
import select
import socket
import ssl
import sys
import threading

RECORD = 16_384
# How long the server may pause within a record, in seconds.
PAUSE = 0.05

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("proxy.crt", "proxy.key")


def pass_on(client):
    client.recv(8)  # The request for TLS (PostgreSQL's manual, section 55.2.10).
    client.sendall(b"S")
    client = context.wrap_socket(client, server_side=True)
    server = socket.socket(socket.AF_UNIX)
    server.connect(sys.argv[1])
    threading.Thread(target=send, args=(client, server), daemon=True).start()
    while record := server.recv(RECORD):
        while len(record) < RECORD and select.select([server], [], [], PAUSE)[0]:
            more = server.recv(RECORD - len(record))
            if not more:
                break
            record += more
        client.sendall(record)
    client.close()


def send(client, server):
    while data := client.recv(RECORD):
        server.sendall(data)
    server.shutdown(socket.SHUT_RDWR)


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
with open("port.new", "w", encoding="utf-8") as file:
    file.write(str(listener.getsockname()[1]))
os.rename("port.new", "port")
while True:
    threading.Thread(target=pass_on, args=(listener.accept()[0],), daemon=True).start()
