"""Serves a shop's records as lists of the V3 API do, everything expanded."""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

COMPARISONS = {">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, "<": lambda a, b: a < b,
               "=": lambda a, b: a == b}


def matches(record, text):
    if found := re.fullmatch(r"id in \((.*)\)", text):
        return record["id"] in found[1].replace("'", "").split(",")
    name, comparison, value = re.fullmatch(r"(\w+)(>=|<=|>|<|=)(.*)", text).groups()
    return record.get(name) is not None and COMPARISONS[comparison](record[name], int(value))


class Service:
    """A context with the address of a running service. `requests` has the lists that were asked for."""

    def __init__(self, shop):
        self.requests = requests = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                url = urlsplit(self.path)
                query = parse_qs(url.query)
                name = url.path.rsplit("/", 1)[-1]
                requests.append(name)
                if name == "properties":
                    return self.answer({"timezone": shop.zone, "defaultCurrency": shop.currency})
                records = [record for record in shop.lists.get(name, [])
                           if all(matches(record, text) for text in query.get("filter", []))]
                records.sort(key=lambda record: (-record.get("createdTime", 0), record["id"]))
                offset, limit = (int(query.get(key, [default])[0]) for key, default in (("offset", 0), ("limit", 100)))
                self.answer({"elements": records[offset:offset + limit]})

            def answer(self, value):
                body = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
