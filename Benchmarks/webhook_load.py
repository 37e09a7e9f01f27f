"""Sends webhooks to a handler, on connections that stay open, one after the other on each.

Used by Benchmarks/run. Counts what the handler acknowledged with 200.
"""

import asyncio
import json
import time

CONNECTIONS = 64
CODE = "281dbad7-4faf-d98c-5060-07cb414ea6ff"


def request(number):
    event = {"objectId": f"O:{number:013d}", "type": "UPDATE", "ts": 1_790_000_000_000 + number}
    body = json.dumps({"appId": "WZZGSSQCV5C8J", "merchants": {"R7W4M2K9T1XQ6": [event]}}).encode()
    head = f"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Clover-Auth: {CODE}\r\n"
    return head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body


async def send(port, end, numbers, counts):
    """Sends until the end on one connection, and opens it again if the handler closes it."""
    while time.monotonic() < end:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            while time.monotonic() < end:
                writer.write(request(next(numbers)))
                head = await reader.readuntil(b"\r\n\r\n")
                length = next((
                    int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")), 0)
                await reader.readexactly(length)
                counts[int(head.split()[1])] = counts.get(int(head.split()[1]), 0) + 1
                if b"connection: close" in head.lower():
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()


async def load(port, seconds):
    counts, numbers = {}, iter(range(1 << 40))
    end = time.monotonic() + seconds
    await asyncio.gather(*(send(port, end, numbers, counts) for _ in range(CONNECTIONS)))
    return counts


def run(port, seconds):
    """Returns the number of responses by status."""
    return asyncio.run(load(port, seconds))
