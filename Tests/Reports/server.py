"""Serves a shop's records as the lists of the V3 API do: a field that must be expanded is absent, or only a reference, unless
the request expands it; an expanded list ends after 100 records; a list refuses filters on fields that Clover does not filter.

    server.py SHOP     serves one of the shops of shops.py, and prints its address
"""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

MERCHANT, TOKEN = "SHOP000000001", "5d7c0b9e-1a34-4c58-9f06-2e8b7d41a6c3"
NESTED_RECORDS, LARGEST_PAGE = 100, 1000
COMPARISONS = {">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, "<": lambda a, b: a < b,
               "=": lambda a, b: a == b}
# Fields that are absent unless expanded, and fields that are then only references.
ABSENT = {
    "orders": ["lineItems", "discounts", "serviceCharge", "payments"],
    "payments": ["taxRates", "additionalCharges", "cardTransaction"], "refunds": ["lineItems", "serviceCharge"],
    "credits": ["taxRates"], "items": ["categories"], "line_items": ["discounts", "modifications", "taxRates"],
}
REFERENCES = {"payments": ["tender"], "refunds": ["payment", "overrideMerchantTender"], "credits": ["tender"]}
FILTERS = {
    "orders": ["createdTime", "clientCreatedTime", "modifiedTime", "id", "testMode", "state"],
    "payments": ["createdTime", "clientCreatedTime", "modifiedTime", "id", "result", "offline"], "refunds": [],
    "credits": ["clientCreatedTime", "id", "result"], "items": ["id"], "employees": ["id"], "tenders": [],
}


class Refused(Exception):
    pass


def matches(record, text, allowed):
    found = re.fullmatch(r"([\w.]+) ?(>=|<=|>|<|=| in )(.*)", text)
    if not found or found[1] not in allowed:
        raise Refused(f"unsupported filter: {text}")
    name, comparison, value = found.groups()
    if comparison == " in ":
        return record.get(name) in re.findall(r"'([^']*)'", value)
    own = record.get(name)
    if own is None:
        return False
    return COMPARISONS[comparison](own, type(own)(value))


def cut(record, kind, expanded):
    """What the record shows with these expansions."""
    shown = dict(record)
    for name in ABSENT.get(kind, []):
        if name not in expanded:
            shown.pop(name, None)
    for name in REFERENCES.get(kind, []):
        if name in shown and name not in expanded:
            shown[name] = {"id": shown[name]["id"]}
    if "lineItems" in shown and kind == "orders":
        inner = {name.partition(".")[2] for name in expanded if name.startswith("lineItems.")}
        shown["lineItems"] = {"elements": [
            cut(line, "line_items", inner) for line in shown["lineItems"]["elements"][:NESTED_RECORDS]]}
    # Records inside of others are not expanded themselves.
    if "payments" in shown and kind == "orders":
        shown["payments"] = {"elements": [
            cut(payment, "payments", ()) for payment in shown["payments"]["elements"][:NESTED_RECORDS]]}
    if kind == "refunds" and "payment" in expanded and shown.get("payment"):
        shown["payment"] = cut(shown["payment"], "payments", ())
    return shown


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Ignores a client that disconnects in the middle of a page."""


class Service:
    """A context with the address of a running service. `requests` has what was asked for. Its lists lack the records with
    the ids in `hidden`."""

    def __init__(self, shop, hidden=()):
        self.requests = requests = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self):
                requests.append(self.path)
                if self.headers.get("Authorization") != f"Bearer {TOKEN}":
                    return self.answer({"message": "401 Unauthorized"}, 401)
                try:
                    self.answer(self.page(urlsplit(self.path)))
                except (KeyError, Refused, ValueError) as error:
                    self.answer({"message": f"400 {error}"}, 404 if isinstance(error, KeyError) else 400)

            def page(self, url):
                query = parse_qs(url.query)
                start, path = url.path.split(f"/v3/merchants/{MERCHANT}/")
                if start:
                    raise KeyError(url.path)
                if path == "properties":
                    return {"timezone": shop.zone, "defaultCurrency": shop.currency, "vat": shop.is_vat}
                kind, *rest = path.split("/")
                if len(rest) == 1:
                    found = {record["id"]: record for record in shop.lists[kind]}
                    return cut(found[rest[0]], kind, set(",".join(query.get("expand", [])).split(",")))
                if rest:
                    order = next(order for order in shop.lists[kind] if order["id"] == rest[0])
                    kind, records = rest[1], order["lineItems"]["elements"]
                else:
                    field, _, direction = query.get("orderBy", ["createdTime DESC"])[0].partition(" ")
                    records = sorted(
                        [record for record in shop.lists[kind]
                         if record["id"] not in hidden and all(matches(record, text, FILTERS[kind]) for text in query.get("filter", []))],
                        key=lambda record: (record.get(field, 0), record["id"]), reverse=direction == "DESC")
                offset, limit = (int(query.get(key, [default])[0]) for key, default in (("offset", 0), ("limit", 100)))
                expanded = set(",".join(query.get("expand", [])).split(","))
                page = records[offset:offset + min(limit, LARGEST_PAGE)]
                return {"elements": [cut(record, kind, expanded) for record in page]}

            def answer(self, value, status=200):
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    import shops

    with Service(getattr(shops, sys.argv[1])(*map(int, sys.argv[2:]))) as service:
        print(f"CLOVER_ENVIRONMENT={service.address} CLOVER_MERCHANT={MERCHANT} CLOVER_ACCESS_TOKEN={TOKEN}", flush=True)
        sys.stdin.read()
