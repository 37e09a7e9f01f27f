"""The pages that every tool fetches, and their server on loopback: nginx, or a service in Python for exports and reports.

The pages are plain files, so that serving them costs next to nothing: 1000 orders per page with their line items, about
1 KB per order. The same list exists with small records, for runs over a million of them.
"""

import json
import os
import random
import socket
import subprocess
import sys
import time

PAGE = 1000
MERCHANT = "M0BENCH00000M"
NEWEST = 1_790_000_000_000
# Milliseconds between orders: a busy merchant has one every few seconds.
STEP = 5000
# Milliseconds from an order's creation to its last change.
CHANGE = 61_000


def order(number, rich):
    chance = random.Random(number)
    identifier = f"{number:013X}"
    created = NEWEST - number * STEP
    record = {"id": identifier, "currency": "USD", "total": chance.randrange(100, 20000), "createdTime": created}
    if rich:
        record |= {
            "href": f"https://api.clover.com/v3/merchants/{MERCHANT}/orders/{identifier}",
            "employee": {"id": f"E{number % 12:012d}"}, "paymentState": "PAID", "state": "locked",
            "taxRemoved": False, "isVat": False, "manualTransaction": False, "groupLineItems": True, "testMode": False,
            "payType": "FULL", "clientCreatedTime": created, "modifiedTime": created + CHANGE,
            "lineItems": {"elements": [
                {"id": f"{number:09X}{line:04X}", "orderRef": {"id": identifier}, "name": f"Flat white \u2013 nº {line}",
                 "price": chance.randrange(100, 2000), "printed": False, "exchanged": False, "refunded": False,
                 "createdTime": created, "isRevenue": True}
                for line in range(chance.randrange(2, 5))]},
        }
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def write_pages(folder, name, pages, rich):
    """Writes the pages of a list twice: as clover requests them, each starting with the last row of the previous page, and
    as the other tools do. Returns the size of the latter in bytes."""
    records = [order(number, rich) for number in range(pages * PAGE)]
    size = 0
    for step in (PAGE - 1, PAGE):
        size = 0
        for offset in range(0, len(records), step):
            text = '{"elements":[' + ",".join(records[offset:offset + PAGE]) + '],"href":"http://localhost/"}'
            with open(os.path.join(folder, f"{name}-{offset}.json"), "w", encoding="utf-8") as file:
                file.write(text)
            size += len(text.encode())
    # The first page is also requested without an offset.
    os.symlink(f"{name}-0.json", os.path.join(folder, f"{name}-.json"))
    return size


def configuration(folder, port, lists):
    """nginx's configuration: a file for each page, and a Link to the next one for tools that follow it."""
    text = f"""daemon off; pid {folder}/pid; error_log {folder}/errors; worker_processes 1;
events {{ worker_connections 256; }}
http {{
  access_log {folder}/requests; default_type application/json; sendfile on; tcp_nopush on; keepalive_requests 100000;
  map_hash_max_size 65536; map_hash_bucket_size 128;
"""
    for word in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"):
        text += f"  {word}_temp_path {folder}/{word};\n"
    for name, pages in lists.items():
        text += f"  map $arg_offset $next_{name} {{\n    default '';\n    '' {PAGE};\n"
        text += "".join(f"    {page * PAGE} {(page + 1) * PAGE};\n" for page in range(pages - 1)) + "  }\n"
        text += (f"  map $next_{name} $link_{name} {{ '' ''; default '<http://127.0.0.1:{port}/v3/merchants/{MERCHANT}"
                 f"/{name}?expand=lineItems&limit={PAGE}&offset=$next_{name}>; rel=\"next\"'; }}\n")
    text += f"  server {{\n    listen 127.0.0.1:{port}; root {folder}/pages;\n"
    for name in lists:
        text += (f"    location = /v3/merchants/{MERCHANT}/{name} {{ add_header Link $link_{name}; "
                 f"try_files /{name}-$arg_offset.json /empty.json =404; }}\n")
    return text + f"    location /v3/merchants/{MERCHANT}/orders/ {{ try_files /one.json =404; }}\n  }}\n}}\n"


class Fixture:
    """nginx with the lists `orders` (rich records) and `items` (small ones, standing for any long list)."""

    def __init__(self, folder, order_pages, item_pages):
        self.pages = {"orders": order_pages, "items": item_pages}
        pages = os.path.join(folder, "pages")
        os.mkdir(pages)
        self.bytes = write_pages(pages, "orders", order_pages, rich=True)
        write_pages(pages, "items", item_pages, rich=False)
        with open(os.path.join(pages, "empty.json"), "w", encoding="utf-8") as file:
            file.write('{"elements":[],"href":"http://localhost/"}')
        with open(os.path.join(pages, "one.json"), "w", encoding="utf-8") as file:
            file.write(order(1, rich=True))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        path = os.path.join(folder, "nginx.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(configuration(folder, port, self.pages))
        # If started as root, nginx reads files as another user.
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        self.server = subprocess.Popen(["nginx", "-p", folder, "-c", path], stderr=subprocess.DEVNULL)
        self.wait_until_it_listens(port)

    @staticmethod
    def wait_until_it_listens(port):
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        raise SystemExit("bench: nginx does not respond")

    def list_url(self, name):
        return f"{self.url}/v3/merchants/{MERCHANT}/{name}?expand=lineItems&limit={PAGE}&offset="

    def curl_configuration(self, folder, name):
        """A configuration file that makes one curl process fetch every page of a list over one connection."""
        path = os.path.join(folder, f"curl-{name}")
        with open(path, "w", encoding="utf-8") as file:
            file.write("silent\nfail\n")
            for page in range(self.pages[name]):
                file.write(f'url = "{self.list_url(name)}{page * PAGE}"\n')
        return path

    def tap_configuration(self, folder):
        """A configuration file for a Singer tap for REST services, to read the orders page by page."""
        path = os.path.join(folder, "tap.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({
                "api_url": self.url, "pagination_request_style": "simple_offset_paginator",
                "pagination_response_style": "offset", "pagination_page_size": PAGE, "pagination_initial_offset": 0,
                "offset_records_jsonpath": "$.elements",
                "streams": [{
                    "name": "orders", "path": f"/v3/merchants/{MERCHANT}/orders", "primary_keys": ["id"],
                    "params": {"expand": "lineItems", "limit": PAGE}, "records_path": "$.elements[*]"}]}, file)
        return path

    def stop(self):
        self.server.terminate()
        self.server.wait()


class SortedFixture(Fixture):
    """The same orders on a service that filters and sorts by time (sorted_service.py), as an export needs, which requests
    what changed since its last run. The other tools use the same service."""

    def __init__(self, order_pages):
        self.pages = {"orders": order_pages}
        self.serve("sorted_service.py", order_pages)

    def serve(self, name, count):
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
        self.server = subprocess.Popen([sys.executable, program, str(count)], stdout=subprocess.PIPE, text=True)
        port = self.server.stdout.readline().strip()
        if not port:
            raise SystemExit(f"bench: {name} does not respond")
        self.url = f"http://127.0.0.1:{port}"


class ReportFixture(SortedFixture):
    """A month of orders, payments, refunds and manual refunds (report_service.py)."""

    def __init__(self, orders):
        self.serve("report_service.py", orders)
