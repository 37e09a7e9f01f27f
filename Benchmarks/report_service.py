"""Serves a month of a busy shop, for the benchmark of reports.

    report_service.py ORDERS

As in sorted_service.py, all records are in memory as they are sent, newest first, and a page is one slice, so that the service
costs little, and the same for each tool. It prints its port when it listens.
"""

import bisect
import http.server
import json
import random
import sys
import urllib.parse

from fixture import MERCHANT
from sorted_service import BOUND, Records, Server

ZONE = "America/New_York"
FIRST = 1_790_827_200_000  # 2026-10-01 00:00 in New York
MONTH = 31 * 86_400_000


def half_up(amount, percent):
    return (2 * amount * percent + 100) // 200


def shop(count):
    """The lists of the shop, oldest first: orders of two to four lines, some with modifications, discounts and service charges;
    their payments; and some refunds and manual refunds."""
    chance = random.Random(1)
    lists = {"orders": [], "payments": [], "refunds": [], "credits": []}
    for number in range(count):
        created, order, employee = FIRST + number * MONTH // count, f"{number:013X}", {"id": f"E{number % 12:012d}"}
        lines, subtotal = [], 0
        for place in range(chance.randrange(2, 5)):
            price = chance.randrange(100, 2000)
            line = {
                "id": f"{number:09X}{place:04X}", "orderRef": {"id": order}, "item": {"id": f"I{chance.randrange(80):012d}"},
                "name": f"Flat white \u2013 n\u00ba {place}", "price": price, "printed": False, "exchanged": False,
                "refunded": False, "createdTime": created, "isRevenue": True}
            if chance.random() < 0.25:
                line["modifications"] = {"elements": [{"id": f"M{number:08X}{place:04X}", "name": "Oat milk", "amount": 75}]}
                price += 75
            if chance.random() < 0.1:
                line["discounts"] = {"elements": [{"id": f"D{number:08X}{place:04X}", "name": "Happy hour", "percentage": 10}]}
                price -= half_up(price, 10)
            lines.append(line)
            subtotal += price
        record = {
            "href": f"https://api.clover.com/v3/merchants/{MERCHANT}/orders/{order}", "id": order, "currency": "USD",
            "employee": employee, "state": "locked", "paymentState": "PAID", "taxRemoved": False, "isVat": False,
            "manualTransaction": False, "groupLineItems": True, "testMode": False, "payType": "FULL", "createdTime": created,
            "clientCreatedTime": created, "modifiedTime": created + 61_000, "lineItems": {"elements": lines}}
        if chance.random() < 0.1:
            record["discounts"] = {"elements": [{"id": f"O{number:012X}", "name": "Staff", "percentage": 20}]}
            subtotal -= half_up(subtotal, 20)
        tax, charge = half_up(subtotal, 8), 0
        if chance.random() < 0.1:
            record["serviceCharge"] = {"id": "SERVICE000000", "name": "Large party", "percentageDecimal": 180_000}
            charge = half_up(subtotal, 18)
        payment = {
            "id": f"P{number:012X}", "order": {"id": order}, "device": {"id": "DEVICE"},
            "tender": {"id": f"T{number % 4:012d}"}, "employee": employee, "amount": subtotal + tax + charge, "tipAmount": chance.choice([0, 0, 200]), "taxAmount": tax,
            "cashbackAmount": 0, "createdTime": created + 30_000, "clientCreatedTime": created + 30_000,
            "modifiedTime": created + 31_000, "offline": False, "result": "FAIL" if chance.random() < 0.01 else "SUCCESS"}
        record |= {"total": payment["amount"], "payments": {"elements": [payment]}}
        lists["orders"].append(record)
        rates = {"elements": [{"id": "TAXRATE000000", "name": "Sales tax", "rate": 800_000, "taxableAmount": subtotal}]}
        lists["payments"].append(payment | {"taxRates": rates})
        back = {"employee": employee, "createdTime": created + 90_000, "clientCreatedTime": created + 90_000, "voided": False}
        if payment["result"] == "SUCCESS" and chance.random() < 0.01:
            lists["refunds"].append(back | {
                "id": f"R{number:012X}", "orderRef": {"id": order}, "amount": 108, "taxAmount": 8, "payment": payment})
        if chance.random() < 0.001:
            lists["credits"].append(back | {
                "id": f"C{number:012X}", "amount": 500, "taxAmount": 0, "tender": payment["tender"], "result": "SUCCESS"})
    return lists


class List:
    def __init__(self, records):
        records.sort(key=lambda record: record["createdTime"])
        self.times = [record["createdTime"] for record in records]
        self.newest_first = Records([
            json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() for record in reversed(records)])

    def page(self, query):
        low, high = 0, len(self.times)
        for bound in filter(None, map(BOUND.fullmatch, query.get("filter", []))):
            find = bisect.bisect_left if bound[2] in (">=", "<") else bisect.bisect_right
            place = find(self.times, int(bound[3]))
            low, high = (max(low, place), high) if bound[2][0] == ">" else (low, min(high, place))
        offset, limit = (int(query.get(name, [number])[-1]) for name, number in (("offset", 0), ("limit", 100)))
        begin, end = len(self.times) - max(high, low) + offset, len(self.times) - low
        return self.newest_first.piece(min(begin, end), min(begin + limit, end))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    lists = None

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        name = address.path.removeprefix(f"/v3/merchants/{MERCHANT}/")
        if name == "properties":
            pieces = [json.dumps({"timezone": ZONE, "defaultCurrency": "USD"}).encode()]
        elif name in self.lists:
            pieces = [b'{"elements":[', self.lists[name].page(urllib.parse.parse_qs(address.query)), b"]}"]
        else:
            self.send_error(404)
            return
        length = sum(len(piece) for piece in pieces)
        self.connection.sendall(
            f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n".encode())
        for piece in pieces:
            self.connection.sendall(piece)

    def log_message(self, *_):
        pass


def main():
    Handler.lists = {name: List(records) for name, records in shop(int(sys.argv[1])).items()}
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
