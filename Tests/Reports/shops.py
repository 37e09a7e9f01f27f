"""Synthetic shops, as records of the V3 API: a US shop over a change of clocks, a German shop with tax in its prices, a nasty
one with everything that goes wrong, and random ones."""

import random
from datetime import datetime
from zoneinfo import ZoneInfo


def elements(records):
    return {"elements": records}


class Shop:
    def __init__(self, zone, currency, is_vat=False):
        self.zone, self.currency, self.is_vat = zone, currency, is_vat
        self.lists = {name: [] for name in ("payments", "orders", "refunds", "credits", "employees", "tenders", "items")}
        self.lists["employees"] = [{"id": f"E{n}", "name": f"Employee {n}"} for n in range(1, 4)]
        self.lists["tenders"] = [{"id": f"T{n}", "label": f"Tender {n}"} for n in range(1, 4)]
        self.lists["items"] = [
            {"id": f"I{n}", "name": f"Item {n}", "categories": elements([{"id": f"C{n % 2}", "name": f"Category {n % 2}"}])}
            for n in range(6)]
        self.count = 0

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count:06d}"

    def at(self, text):
        """Milliseconds of a local time; `fold=1` after it means the second of a repeated hour."""
        text, _, fold = text.partition("/")
        return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(self.zone), fold=int(fold or 0)).timestamp() * 1000)

    def line(self, price, **more):
        line = {"id": self.name("L"), "name": "Something", "price": price, "isRevenue": True, "exchanged": False}
        for name in ("discounts", "modifications"):
            if name in more:
                more[name] = elements(more[name])
        return line | more

    def order(self, lines, total, pays=(), **more):
        """`pays`: (amount, tax, time) and a dict with more fields."""
        order = {"id": self.name("O"), "currency": self.currency, "total": total, "isVat": self.is_vat, "employee": {"id": "E1"},
                 "createdTime": pays[0][2] if pays else more.get("createdTime", 0), "lineItems": elements(lines)}
        if "discounts" in more:
            more["discounts"] = elements(more["discounts"])
        order |= more
        order["payments"] = elements([self.payment(order["id"], *pay) for pay in pays])
        self.lists["orders"].append(order)
        return order

    def payment(self, order, amount, tax, time, more=None):
        payment = {"id": self.name("P"), "order": {"id": order}, "amount": amount, "taxAmount": tax, "tipAmount": 0,
                   "createdTime": time, "result": "SUCCESS", "employee": {"id": "E1"}, "tender": {"id": "T1", "label": "Tender 1"}}
        payment |= more or {}
        self.lists["payments"].append(payment)
        return payment

    def refund(self, payment, amount, tax, time, lines=(), **more):
        refund = {"id": self.name("R"), "amount": amount, "taxAmount": tax, "createdTime": time, "employee": {"id": "E2"},
                  "payment": {name: payment[name] for name in ("id", "amount", "tipAmount", "createdTime", "order", "tender")}}
        if lines:
            refund["lineItems"] = elements([{"id": line["id"], "name": line["name"], "price": line["price"]} for line in lines])
        self.lists["refunds"].append(refund | more)

    def credit(self, amount, tax, time, **more):
        self.lists["credits"].append(
            {"id": self.name("K"), "amount": amount, "taxAmount": tax, "createdTime": time, "employee": {"id": "E3"},
             "tender": {"id": "T2", "label": "Tender 2"}} | more)


def american():
    """Days from 04:00, over the night of 2026-11-01, when 01:00 to 02:00 comes twice."""
    shop = Shop("America/New_York", "USD")
    for time in ("2026-10-31T03:59", "2026-10-31T04:00", "2026-11-01T01:30", "2026-11-01T01:30/1", "2026-11-01T03:59",
                 "2026-11-01T04:00", "2026-11-02T12:00"):
        shop.order([shop.line(1000, item={"id": "I1"})], 1080, [(1080, 80, shop.at(time), {"tipAmount": 100})])
    return shop


def german():
    """Prices with 19 % and 7 %: of 11.90 and 10.70, 1.90 and 0.70 are tax."""
    shop = Shop("Europe/Berlin", "EUR", is_vat=True)
    lines = [shop.line(1190, item={"id": "I1"}), shop.line(1070, item={"id": "I2"})]
    rates = elements([{"id": "x", "name": "MwSt", "rate": 1900000, "taxableAmount": 1190},
                      {"id": "y", "name": "MwSt ermäßigt", "rate": 700000, "taxableAmount": 1070}])
    order = shop.order(lines, 2260, [(2260, 260, shop.at("2026-10-05T12:00"), {"taxRates": rates})])
    shop.refund(order["payments"]["elements"][0], 1070, 70, shop.at("2026-10-06T12:00"), [lines[1]])
    shop.order([shop.line(595, item={"id": "I1"}, discounts=[{"name": "Stammkunde", "percentage": 20}])], 476,
               [(476, 76, shop.at("2026-10-06T13:00"))])
    return shop


def nasty():
    shop = Shop("America/New_York", "USD")
    noon, next_noon, before = (shop.at(f"2026-10-{day}T12:00") for day in ("05", "06", "01"))
    # 333 * 1.5 = 499.5 -> 500, and 100 for the modification: 600. A service charge of 18 %: 108. Tax 48.
    shop.order([shop.line(333, unitQty=1500, modifications=[{"amount": 100}], item={"id": "I1"})], 756, [(756, 48, noon)],
               serviceCharge={"percentageDecimal": 180000})
    # Twice 10 % of 1005 is twice 101: 803; 5 % of the order is 40.15 -> 40: 763; tax 61.
    shop.order([shop.line(1005, item={"id": "I2"}, discounts=[{"name": "A", "percentage": 10}, {"name": "B", "percentage": 10}])],
               824, [(824, 61, noon, {"tipAmount": 200})], discounts=[{"name": "C", "percentage": 5}])
    # 100 off three equal lines: 34, 33 and 33. An exchanged line is no goods, and a fee of 99 is a service charge.
    shop.order([shop.line(500, item={"id": "I3"}), shop.line(500, item={"id": "I4"}), shop.line(500, item={"id": "I5"}),
                shop.line(700, exchanged=True), shop.line(99, isOrderFee=True)], 1499, [(1499, 0, noon)],
               discounts=[{"name": "C", "amount": -100}])
    # A gift card of 2500 beside goods of 1000.
    card = [shop.line(1000, item={"id": "I1"}), shop.line(2500, isRevenue=False, name="Gift card")]
    bought = shop.order(card, 3500, [(3500, 0, noon)])
    shop.refund(bought["payments"]["elements"][0], 1250, 0, next_noon, [card[1]])
    # A part is refunded by amount, with tax, tip, service charge and surcharge: goods are 300.
    paid = shop.order([shop.line(900, item={"id": "I2"})], 972, [(972, 72, before, {"tipAmount": 150})])
    shop.refund(paid["payments"]["elements"][0], 430, 24, noon, tipAmount=50, serviceChargeAmount={"amount": 36},
                additionalCharges=elements([{"amount": 20}]))
    shop.refund(paid["payments"]["elements"][0], 999, 0, noon, voided=True)
    shop.refund(paid["payments"]["elements"][0], 999, 0, noon, status="FAIL")
    # What does not count.
    for result in ("FAIL", "VOIDED", "AUTH", "PENDING", "VOID_FAILED"):
        shop.order([shop.line(800)], 800, [(800, 0, noon, {"result": result})])
    shop.order([shop.line(800)], 800, createdTime=noon)
    shop.order([shop.line(700)], 700, [(700, 0, noon)], testMode=True)
    # Paid in two parts, one of them before; paid twice; paid in part; and an order that is gone.
    shop.order([shop.line(1000)], 1000, [(400, 0, before), (600, 0, noon)])
    shop.order([shop.line(1000)], 1000, [(1000, 0, noon), (1000, 0, noon + 4000)])
    shop.order([shop.line(1000)], 1080, [(540, 40, noon)])
    shop.payment("GONE", 250, 20, noon)
    # Manual refunds, of which one was voided.
    shop.credit(120, 20, noon)
    shop.credit(500, 0, noon, voided=True)
    # A sale that was taken offline and arrived three days later belongs to the day on which it was taken.
    shop.order([shop.line(300)], 300, [(300, 0, next_noon + 3 * 86_400_000, {"clientCreatedTime": next_noon, "offline": True})])
    return shop


def rounded(amount, factor, divisor):
    return (2 * amount * factor + divisor) // (2 * divisor)


def random_shop(seed):
    chance = random.Random(seed)
    shop = Shop(chance.choice(["America/New_York", "Europe/Berlin", "Asia/Kolkata", "Pacific/Auckland"]), "USD")
    first = shop.at("2026-10-15T00:00")
    for _ in range(120):
        lines = []
        for _ in range(chance.randint(1, 5)):
            item = chance.randrange(6)
            line = shop.line(chance.randint(1, 5000), item={"id": f"I{item}"}, name=f"Item {item}")
            if chance.random() < 0.1:
                line["isRevenue"] = False
            if chance.random() < 0.2:
                line["discounts"] = elements([{"name": "Line", "percentage": chance.choice([5, 10, 33])}])
            lines.append(line)
        net = sum(line["price"] - sum(rounded(line["price"], d["percentage"], 100) for d in
                                      line.get("discounts", {"elements": []})["elements"]) for line in lines)
        more = {"employee": {"id": f"E{chance.randint(1, 3)}"}}
        if chance.random() < 0.3:
            more["discounts"] = [{"name": "Order", "percentage": chance.choice([3, 10, 50])}]
            net -= rounded(net, more["discounts"][0]["percentage"], 100)
        charge = 0
        if chance.random() < 0.2:
            more["serviceCharge"] = {"percentageDecimal": 125000}
            charge = rounded(net, 125000, 1000000)
        tax = rounded(net, 8, 100)
        total, time = net + charge + tax, first + chance.randrange(30 * 86_400_000)
        paid = {"employee": {"id": f"E{chance.randint(1, 3)}"}, "tender": {"id": f"T{chance.randint(1, 3)}", "label": "T"},
                "tipAmount": chance.choice([0, 0, 250])}
        parts = [(total, tax, time, paid)]
        if chance.random() < 0.2:
            parts = [(total - total // 3, tax - tax // 3, time, paid),
                     (total // 3, tax // 3, time + chance.randrange(3 * 86_400_000), paid)]
        if chance.random() < 0.05:
            parts = parts[:1] if len(parts) > 1 else []
        order = shop.order(lines, total, parts, **more)
        if parts and chance.random() < 0.2:
            payment, line = order["payments"]["elements"][0], chance.choice(lines)
            shop.refund(payment, chance.randint(1, max(1, payment["amount"] // 2)), chance.randint(0, 3),
                        time + chance.randrange(9 * 86_400_000), [line] if chance.random() < 0.5 else [])
    for _ in range(5):
        shop.credit(chance.randint(1, 900), 3, first + chance.randrange(30 * 86_400_000))
    return shop
