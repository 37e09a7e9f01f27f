"""Serves a list of orders that can be filtered and sorted by time, which the benchmark of exports needs.

    sorted_service.py PAGES

nginx serves files, and a file cannot be the page from any given time on. This service holds all records in memory, sorted
by time, and once more in reverse: a page is one slice, which is found by bisection and sent unchanged. So the service costs
as little as nginx for any request, and all tools use the same one. It prints its port when it listens.
"""

import bisect
import http.server
import re
import sys
import urllib.parse

from fixture import CHANGE, MERCHANT, NEWEST, PAGE, STEP, order

LIST = f"/v3/merchants/{MERCHANT}/orders"
# An export to a database needs the shop's currency and time zone.
PROPERTIES = f"/v3/merchants/{MERCHANT}/properties"
# Both times sort the records in the same order.
BOUND = re.compile(r"(createdTime|modifiedTime)(>=|<=|>|<)(\d+)")
OLDEST_FIRST = re.compile(r"(createdTime|modifiedTime) ASC\b")


class Records:
    """Consecutive records, with commas between them."""

    def __init__(self, texts):
        self.starts = [0]
        for text in texts:
            self.starts.append(self.starts[-1] + len(text) + 1)
        self.bytes = memoryview(b",".join(texts))

    def piece(self, begin, end):
        return self.bytes[self.starts[begin]:self.starts[end] - 1] if begin < end else self.bytes[:0]


class Shop:
    def __init__(self, pages):
        numbers = range(pages * PAGE)
        texts = [order(number, rich=True).encode() for number in numbers]
        self.newest_first = Records(texts)
        texts.reverse()
        self.oldest_first = Records(texts)
        self.times = [NEWEST - number * STEP for number in reversed(numbers)]

    def page(self, query):
        """The requested records, and whether more records follow."""
        low, high = 0, len(self.times)
        for text in query.get("filter", []):
            bound = BOUND.fullmatch(text)
            if bound is None:
                continue
            sign, time = bound[2], int(bound[3]) - (CHANGE if bound[1] == "modifiedTime" else 0)
            find = bisect.bisect_left if sign in (">=", "<") else bisect.bisect_right
            place = find(self.times, time)
            low, high = (max(low, place), high) if sign[0] == ">" else (low, min(high, place))
        offset, limit = (int(query.get(name, [number])[-1]) for name, number in (("offset", 0), ("limit", 100)))
        count = max(0, high - low)
        begin = min(offset, count)
        end = min(begin + min(limit, PAGE), count)
        if any(OLDEST_FIRST.match(text) for text in query.get("orderBy", [])):
            return self.oldest_first.piece(low + begin, low + end), end < count
        last = len(self.times) - max(high, low)
        return self.newest_first.piece(last + begin, last + end), end < count


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    shop = None
    disable_nagle_algorithm = True

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        if address.path == PROPERTIES:
            text = b'{"timezone":"America/New_York","defaultCurrency":"USD"}'
            head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
            self.connection.sendall(head.encode() + text)
            return
        if address.path != LIST:
            self.send_error(404)
            return
        query = urllib.parse.parse_qs(address.query)
        records, has_more = self.shop.page(query)
        head, tail = b'{"elements":[', b'],"href":"http://localhost/"}'
        lines = [
            "HTTP/1.1 200 OK", "Content-Type: application/json", f"Content-Length: {len(head) + len(records) + len(tail)}"]
        if has_more:
            offset = int(query.get("offset", [0])[-1]) + PAGE
            url = f"http://{self.headers['Host']}{LIST}?expand=lineItems&limit={PAGE}&offset={offset}"
            lines.append(f'Link: <{url}>; rel="next"')
        self.connection.sendall("\r\n".join([*lines, "", ""]).encode() + head)
        self.connection.sendall(records)
        self.connection.sendall(tail)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_):
        """Ignores a client that disconnects in the middle of a page."""


def main():
    Handler.shop = Shop(int(sys.argv[1]))
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
