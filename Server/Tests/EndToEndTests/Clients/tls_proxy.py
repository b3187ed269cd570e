"""Ends TLS in front of a server, as a proxy in production does.

    tls_proxy.py PORT CERTIFICATE KEY UPSTREAM_PORT

Listens on loopback, and prints `{"port": …}` when it does.
"""

import asyncio
import json
import ssl
import sys

PORT, CERTIFICATE, KEY, UPSTREAM = sys.argv[1:]


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def serve(reader, writer):
    there = await asyncio.open_connection("127.0.0.1", int(UPSTREAM))
    await asyncio.gather(copy(reader, there[1]), copy(there[0], writer))


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE, KEY)
    server = await asyncio.start_server(serve, "127.0.0.1", int(PORT), ssl=context)
    print(json.dumps({"port": int(PORT)}), flush=True)
    await server.serve_forever()


asyncio.run(main())
