"""Synthetic shops, as records of the V3 API: a US shop over a change of clocks, a German shop with tax in its prices, a nasty
one with everything that goes wrong, an odd one with what is rare, and random ones.

The random shops compute their totals while they are made, with whole numbers; reference.py reads finished records, with
fractions.
"""

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
            {"id": f"I{n}", "name": f"Item {n}",
             "categories": elements([{"id": f"C{n % 2}", "name": f"Category {n % 2}"}])} for n in range(6)]
        # An item in two categories counts in the first, and one without any in none.
        self.lists["items"][4]["categories"] = elements([{"id": f"C{n}", "name": f"Category {n}"} for n in (1, 0)])
        self.lists["items"][5]["categories"] = elements([])
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
        order = {"id": self.name("O"), "currency": self.currency, "total": total, "isVat": self.is_vat,
                 "employee": {"id": "E1"}, "createdTime": pays[0][2] if pays else 0, "lineItems": elements(lines)}
        if "discounts" in more:
            more["discounts"] = elements(more["discounts"])
        order |= more
        order["payments"] = elements([self.payment(order["id"], *pay) for pay in pays])
        self.lists["orders"].append(order)
        return order

    def payment(self, order, amount, tax, time, more=None):
        payment = {"id": self.name("P"), "order": {"id": order}, "amount": amount, "taxAmount": tax, "tipAmount": 0,
                   "createdTime": time, "result": "SUCCESS", "employee": {"id": "E1"},
                   "tender": {"id": "T1", "label": "Tender 1"}}
        payment |= more or {}
        self.lists["payments"].append(payment)
        return payment

    def refund(self, payment, amount, tax, time, lines=(), **more):
        refund = {"id": self.name("R"), "amount": amount, "taxAmount": tax, "createdTime": time, "employee": {"id": "E2"},
                  "payment": payment}
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


def odd():
    """What is rare, one thing a day, from 2026-10-01."""
    shop = Shop("America/New_York", "USD")
    day = lambda number, time="12:00": shop.at(f"2026-10-{number:02d}T{time}")
    # 1: 12.5 % of 1004 is 125.5 -> 126. 2: a manual transaction keeps its negative line. 3: elsewhere it is 0.
    shop.order([shop.line(1004, discounts=[{"name": "Eighth", "percentageDecimal": 125000}])], 878, [(878, 0, day(1))])
    shop.order([shop.line(1500), shop.line(-400)], 1100, [(1100, 0, day(2))], manualTransaction=True)
    shop.order([shop.line(1500), shop.line(-400), shop.line(200, modifications=[{"amount": -50}, {"amount": 20}])], 1700,
               [(1700, 0, day(3))])
    # 4: discounts above the price leave 0: 300 of 500, then 200 of the 250 of the amount.
    shop.order([shop.line(500, discounts=[{"name": "Sixty", "percentage": 60}, {"name": "Voucher", "amount": -250}]),
                shop.line(100)], 100, [(100, 0, day(4))])
    # 5: half of an order with a gift card: of 101, a half is 50.5 -> 51, shared as 34 (of 67) and 17 (of 34).
    shop.order([shop.line(67), shop.line(34, isRevenue=False, name="Gift card")], 50, [(50, 0, day(5))],
               discounts=[{"name": "Half", "percentage": 50}])
    # 6: 250 lines of 3, of which an expanded list has 100.
    shop.order([shop.line(3, item={"id": f"I{number % 6}"}) for number in range(250)], 750, [(750, 0, day(6))])
    # 7: two fees, of which one is a gratuity; and a charge of 18 whole percent of 1000.
    fees = [shop.line(75, isOrderFee=True), shop.line(125, isOrderFee=True, orderFeeType="AUTO_GRATUITY")]
    shop.order([shop.line(1000), *fees], 1380, [(1380, 0, day(7))], serviceCharge={"percentage": 18})
    # 8: a refund of two lines of 600 and 300, with a service charge in the other field: 450 = 300 + 150.
    lines = [shop.line(600, item={"id": "I1"}), shop.line(300, item={"id": "I2"}), shop.line(100, item={"id": "I3"})]
    order = shop.order(lines, 1080, [(1080, 80, day(8), {"tipAmount": 99})])
    shop.refund(order["payments"]["elements"][0], 540, 40, day(8, "13:00"), lines[:2], serviceCharge={"amount": 50},
                overrideMerchantTender={"id": "T3", "label": "Tender 3"})
    # 9: a refund of a deleted order's payment, a deleted refund, and one that is pending.
    orphan = shop.payment("GONE", 700, 50, day(9))
    shop.refund(orphan, 350, 25, day(9, "14:00"), [shop.line(350)])
    shop.refund(orphan, 111, 0, day(9, "14:00"), deletedTime=day(9, "15:00"))
    shop.refund(orphan, 112, 0, day(9, "14:00"), status="PENDING")
    # 10: manual refunds that were given back, failed, and counted.
    shop.credit(300, 0, day(10), creditRefunds=elements([{"id": "X"}]))
    shop.credit(301, 0, day(10), result="FAIL")
    shop.credit(302, 22, day(10), result="SUCCESS")
    # 11: a device whose clock is two days ahead, and 12: one that was 91 days behind: the server's time.
    shop.order([shop.line(1100)], 1100, [(1100, 0, day(11), {"clientCreatedTime": day(13)})])
    shop.order([shop.line(1200)], 1200, [(1200, 0, day(12), {"clientCreatedTime": day(12) - 91 * 86_400_000})])
    # 14: a tab that was opened 60 days before. 15: no employee's sale.
    shop.order([shop.line(1400)], 1400, [(1400, 0, day(14))], createdTime=day(14) - 60 * 86_400_000)
    shop.order([shop.line(1500)], 1500, [(1500, 0, day(15), {"employee": None})], employee=None)
    # 16: a held card that was not taken, and one whose tip may change. 17: two refunds above the payment.
    shop.order([shop.line(1600)], 1600, [
        (1600, 0, day(16), {"result": "AUTH"}),
        (1600, 0, day(16, "18:00"), {"tipAmount": 160, "cardTransaction": {"type": "AUTH", "state": "PENDING"}})])
    paid = shop.order([shop.line(1700)], 1700, [(1700, 0, day(17))])["payments"]["elements"][0]
    shop.refund(paid, 1000, 0, day(17, "13:00"))
    shop.refund(paid, 900, 0, day(18))
    # 19: a test and its refund. 20: two taxes on one line, of which one is flat. 21: the tax was removed.
    shop.refund(shop.order([shop.line(1900)], 1900, [(1900, 0, day(19))], testMode=True)["payments"]["elements"][0], 1900, 0,
                day(19, "13:00"))
    shop.order([shop.line(2000)], 2173, [(2173, 173, day(20), {"taxRates": elements([
        {"id": "x", "name": "State", "rate": 815000, "taxableAmount": 2000, "taxAmount": 163},
        {"id": "y", "name": "Bag", "rate": 0, "taxableAmount": 2000, "taxAmount": 10}])})])
    shop.order([shop.line(2100)], 2100, [(2100, 0, day(21))], taxRemoved=True)
    # 22: after the refund of a line, the total may be that before or that after it. 23: partly paid, with a refunded line.
    shop.order([shop.line(1200), shop.line(1000, refunded=True)], 2376, [(2376, 176, day(22))])
    shop.order([shop.line(1200), shop.line(1000, refunded=True)], 1296, [(2376, 176, day(22))])
    shop.order([shop.line(1300), shop.line(1000, refunded=True)], 2484, [(1242, 92, day(23))])
    # 24: paid in full with a refunded line, and one cent of tax is missing. 25: a test's undecided payment.
    shop.order([shop.line(1400), shop.line(1000, refunded=True)], 2592, [(2592, 191, day(24))])
    shop.order([shop.line(2500)], 2500, [(2500, 0, day(25), {"result": "VOID_FAILED"})], testMode=True)
    return shop


def part(amount, factor, divisor):
    """amount * factor / divisor, a half upwards."""
    return (2 * amount * factor + divisor) // (2 * divisor)


ZONES = ("America/New_York", "America/St_Johns", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Auckland",
         "Pacific/Kiritimati", "UTC")
RATES = (("x", "State", 887_500), ("y", "Reduced", 450_000), ("z", "None", 0))


class Maker:
    """Makes a random shop. Each order adds up, unless `damage` says otherwise."""

    def __init__(self, seed, damage=False):
        self.chance, self.damage = random.Random(seed), damage
        self.shop = Shop(self.chance.choice(ZONES), "USD", is_vat=self.chance.random() < 0.3)
        # Clocks change in New York, St. John's, Berlin, on Lord Howe Island and in Auckland.
        self.first, self.length = self.shop.at("2026-09-20T00:00"), 50 * 86_400_000

    def often(self, probability):
        return self.chance.random() < probability

    def employee(self):
        return None if self.often(0.05) else {"id": f"E{self.chance.randint(1, 3)}"}

    def percentage(self):
        """A percentage as fields of a discount, and as a factor of 1000000."""
        if self.often(0.3):
            decimal = self.chance.choice((125_000, 333_300, 5_000))
            return {"percentageDecimal": decimal}, decimal
        whole = self.chance.choice((1, 5, 10, 33, 50))
        return {"percentage": whole}, whole * 10_000

    def discounts(self, base, name):
        """Discounts that leave something, and what they take off."""
        found, off = [], 0
        for number in range(self.chance.choice((1, 1, 1, 2))):
            if self.often(0.6):
                fields, factor = self.percentage()
                amount = part(base, factor, 1_000_000)
            else:
                amount = self.chance.randint(0, max(0, base // 4))
                fields = {"amount": -amount}
            if off + amount <= base:
                found.append({"name": f"{name} {number}"} | fields)
                off += amount
        return found, off

    def line(self):
        """A line, and its net and tax rates; None if it is no goods."""
        number, more = self.chance.randrange(6), {}
        price = self.chance.choice((1, 99, 333, 1005, 2499, self.chance.randint(1, 9000)))
        if self.often(0.85):
            more |= {"item": {"id": f"I{number}"}, "name": f"Item {number}"}
        else:
            more["name"] = f"Custom {number}"
        gross = price
        if self.often(0.15):
            more["unitQty"] = self.chance.choice((1, 250, 1000, 1500, 3333))
            gross = part(price, more["unitQty"], 1000)
        if self.often(0.2):
            amounts = [self.chance.choice((0, 50, 75, 125)) for _ in range(self.chance.randint(1, 3))]
            more["modifications"] = [{"amount": amount, "name": "Extra"} for amount in amounts]
            gross += sum(amounts)
        if self.often(0.08):
            more["isRevenue"] = False
        net = gross
        if self.often(0.2):
            more["discounts"], off = self.discounts(gross, "Line")
            net -= off
        if self.often(0.04):
            return self.shop.line(price, exchanged=True, **more), None, ()
        if self.often(0.04):
            more["refunded"] = True
        return self.shop.line(price, **more), net, self.chance.choice(((0,), (0,), (1,), (0, 1), (2,), ()))

    def order(self):
        chance, shop = self.chance, self.shop
        made = [self.line() for _ in range(chance.choice((1, 2, 3, 5)) if self.often(0.98) else 130)]
        goods = [(net, rates) for _, net, rates in made if net is not None]
        lines, subtotal = [line for line, _, _ in made], sum(net for net, _ in goods)
        discounted, more = subtotal, {"employee": self.employee()}
        if self.often(0.3):
            more["discounts"], off = self.discounts(subtotal, "Order")
            discounted -= off
        charge = 0
        if self.often(0.2):
            more["serviceCharge"], factor = self.percentage()
            charge = part(discounted, factor, 1_000_000)
        if self.often(0.1):
            fee = chance.randint(1, 300)
            lines.append(shop.line(fee, isOrderFee=True, name="Fee"))
            charge += fee
        rates = []
        for number, (name, label, rate) in enumerate(RATES):
            base = sum(net for net, own in goods if number in own)
            if subtotal and base:
                if shop.is_vat:
                    tax = part(base * discounted, rate, subtotal * (10_000_000 + rate))
                else:
                    tax = part(base * discounted, rate, subtotal * 10_000_000)
                rates.append({"id": name, "name": label, "rate": rate, "isVat": shop.is_vat,
                              "taxableAmount": part(base, discounted, subtotal), "taxAmount": tax})
        if self.often(0.05):
            more["taxRemoved"], rates = True, []
        tax = sum(rate["taxAmount"] for rate in rates)
        total = discounted + charge + (0 if shop.is_vat else tax)
        if self.often(0.03):
            more["testMode"] = True
        time = self.first + chance.randrange(self.length)
        more["createdTime"] = time - (chance.randrange(50 * 86_400_000) if self.often(0.05) else chance.randrange(4_000_000))
        order = shop.order(lines, total, self.pays(total, tax, rates, time), **more)
        if self.damage:
            self.spoil(order)
        self.give_back(order, lines, rates)

    def pays(self, total, tax, rates, time):
        """Payments of an order, and perhaps some that do not count."""
        chance, result = self.chance, []
        for _ in range(chance.choice((0, 0, 0, 0, 0, 0, 1, 2))):
            result.append((total, tax, time - chance.randrange(100_000), self.fields(time) | {
                "result": chance.choice(("FAIL", "VOIDED", "AUTH", "PENDING", "INITIATED", "VOIDING", "OFFLINE_RETRYING"))}))
        if self.often(0.07):
            return result
        parts = [(total, tax, rates, time)]
        if self.often(0.2) and total > 3:
            least = total // 3
            split = [rate | {name: rate[name] // 3 for name in ("taxableAmount", "taxAmount")} for rate in rates]
            rest = [rate | {name: rate[name] - own[name] for name in ("taxableAmount", "taxAmount")}
                    for rate, own in zip(rates, split)]
            own = sum(rate["taxAmount"] for rate in split)
            parts = [(total - least, tax - own, rest, time), (least, own, split, time + chance.randrange(6 * 86_400_000))]
            if self.often(0.2):
                parts.pop()
        for amount, own, own_rates, when in parts:
            more = self.fields(when)
            if own_rates and self.often(0.9):
                more["taxRates"] = elements(own_rates)
            elif own_rates and len(parts) == 1:
                # Older records have no tax of a rate.
                more["taxRates"] = elements([
                    {name: value for name, value in rate.items() if name != "taxAmount"} for rate in own_rates])
            created = more.pop("arrived", when)
            result.append((amount, own, created, more))
        return result

    def fields(self, time):
        chance = self.chance
        more = {"employee": self.employee(), "tender": {"id": f"T{chance.randint(1, 3)}", "label": "T"},
                "tipAmount": chance.choice((0, 0, 0, 250, 77))}
        if self.often(0.1):
            more |= {"offline": True, "clientCreatedTime": time, "arrived": time + chance.randrange(7 * 86_400_000)}
        elif self.often(0.1):
            more["clientCreatedTime"] = time + chance.choice((-95, 2, 400)) * 86_400_000
        elif self.often(0.5):
            more["clientCreatedTime"] = time
        if self.often(0.2):
            more["cardTransaction"] = {
                "type": chance.choice(("AUTH", "PREAUTHCAPTURE")), "state": chance.choice(("PENDING", "CLOSED"))}
        return more

    def give_back(self, order, lines, rates):
        chance, shop = self.chance, self.shop
        for payment in order["payments"]["elements"]:
            if payment["result"] != "SUCCESS" or not self.often(0.25):
                continue
            whole, more = payment["amount"] + payment["tipAmount"], {"employee": self.employee()}
            amount = payment["amount"] if self.often(0.4) else chance.randint(0, payment["amount"])
            tax = min(amount, payment["taxAmount"] * amount // max(payment["amount"], 1))
            if self.often(0.2) and amount < whole:
                more["tipAmount"] = min(whole - amount, payment["tipAmount"])
                amount += more["tipAmount"]
            left = amount - tax - more.get("tipAmount", 0)
            if self.often(0.2):
                more[chance.choice(("serviceChargeAmount", "serviceCharge"))] = {"amount": chance.randint(0, left // 3)}
            if self.often(0.1):
                more["additionalCharges"] = elements([{"amount": chance.randint(0, left // 3)}])
            if self.often(0.1):
                more |= chance.choice(({"voided": True}, {"deletedTime": payment["createdTime"]}, {"status": "FAIL"},
                                       {"status": "PENDING"}))
            elif self.often(0.3):
                more["status"] = "SUCCESS"
            if self.often(0.1):
                more["overrideMerchantTender"] = {"id": f"T{chance.randint(1, 3)}", "label": "T"}
            if len(rates) == 1 and self.often(0.7):
                more["taxableAmountRates"] = elements([{
                    "id": rates[0]["id"], "name": rates[0]["name"], "rate": rates[0]["rate"], "isVat": shop.is_vat,
                    "taxableAmount": left, "taxAmount": tax}])
            goods = [line for line in lines if not line["exchanged"] and not line.get("isOrderFee")]
            # The service expands 100 entries, and has no list of a refund's lines: with 100, a report rightly ends with 79.
            most = min(len(goods), 99)
            places = chance.sample(range(len(goods)), chance.randint(1, most)) if goods and self.often(0.5) else []
            named = [goods[place] for place in sorted(places)]
            time = payment["createdTime"] + chance.randrange(25 * 86_400_000)
            if self.often(0.15):
                more["clientCreatedTime"] = time - chance.choice((1, 30, 95)) * 86_400_000
            shop.refund(payment, amount, tax, time, named, orderRef={"id": order["id"]}, **more)

    def spoil(self, order):
        """Something that does not add up."""
        paid = [payment for payment in order["payments"]["elements"] if payment["result"] == "SUCCESS"]
        # Whether the total of an order with a refunded line is that before or after the refund is not known.
        if not paid or not self.often(0.2) or any(line.get("refunded") for line in order["lineItems"]["elements"]):
            return
        kind = self.chance.randrange(7)
        if kind == 0:
            order["total"] -= self.chance.randint(1, order["total"] + 5)
        elif kind == 1:
            order["total"] += self.chance.randint(1, 500)
        elif kind == 2:
            # A tax below zero or above its amount cannot be, and makes the payment or its refunds unreadable.
            step = self.chance.choice((-1, 1))
            tax = paid[0]["taxAmount"]
            paid[0]["taxAmount"] = tax + (step if 0 <= tax + step <= paid[0]["amount"] else -step)
        elif kind == 3:
            again = self.shop.payment(order["id"], paid[0]["amount"], 0, paid[0]["createdTime"] + 4000)
            order["payments"]["elements"].append(again)
        elif kind == 4:
            paid[0]["amount"] += self.chance.randint(1, 300)
        elif kind == 5:
            self.shop.lists["orders"].remove(order)
        else:
            paid[0]["result"] = self.chance.choice(("VOID_FAILED", "AUTH_COMPLETED", "DISCOUNT"))

    def make(self, count):
        for _ in range(count):
            self.order()
        for _ in range(count // 15):
            tax = self.chance.choice((0, 5))
            more = {} if self.often(0.6) else self.chance.choice((
                {"voided": True}, {"result": "FAIL"}, {"result": "PENDING"}, {"result": "SUCCESS"},
                {"creditRefunds": elements([{"id": "X"}])},
                {"taxRates": elements([{"id": "x", "name": "State", "rate": 887_500, "taxableAmount": 56, "taxAmount": tax}])}))
            if self.often(0.15):
                more = more | {"clientCreatedTime": self.first + self.chance.randrange(self.length)}
            self.shop.credit(self.chance.randint(5, 900), tax, self.first + self.chance.randrange(self.length),
                             **({"employee": self.employee(), "orderRef": {"id": "CREDITED"}} | more))
        return self.shop


def random_shop(seed, count=120):
    return Maker(seed).make(count)


def damaged_shop(seed, count=120):
    return Maker(seed, damage=True).make(count)
