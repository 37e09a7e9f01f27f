"""Computes reports from a shop's records, plainly and slowly, from the definitions in `clover help reports`. It shares no code
with the program."""

from collections import defaultdict
from datetime import datetime, timedelta
from fractions import Fraction
from math import floor
from zoneinfo import ZoneInfo

DAY = 86_400_000


def half_up(value):
    return floor(Fraction(value) + Fraction(1, 2))


def inside(record, name):
    return (record.get(name) or {}).get("elements", [])


def moment(record):
    client, server = record.get("clientCreatedTime"), record.get("createdTime")
    if client is None or (server is not None and (client - server > DAY or server - client > 90 * DAY)):
        return server
    return client


def reduced(base, discounts):
    """What each discount takes off: percentages of the base first, then amounts, never more than the base."""
    left, taken = base, [0] * len(discounts)
    for is_rate in (True, False):
        for place, discount in enumerate(discounts):
            rate = discount.get("percentageDecimal") or discount.get("percentage", 0) * 10000
            if bool(rate) == is_rate:
                wanted = half_up(Fraction(base * rate, 1_000_000)) if rate else -discount.get("amount", 0)
                taken[place] = min(left, wanted)
                left -= taken[place]
    return taken


def spread(amount, weights):
    total = sum(weights)
    if total == 0:
        return [amount] + [0] * (len(weights) - 1) if weights else []
    parts = [Fraction(amount * weight, total) for weight in weights]
    whole = [floor(part) for part in parts]
    order = sorted(range(len(parts)), key=lambda place: (whole[place] - parts[place], place))
    for place in order[:amount - sum(whole)]:
        whole[place] += 1
    return whole


class Sale:
    """One order, to the cent."""

    def __init__(self, order):
        self.order = order
        self.goods = [line for line in inside(order, "lineItems") if not line.get("exchanged") and not line.get("isOrderFee")]
        self.gross, self.line_off = [], []
        for line in self.goods:
            extended = line["price"]
            if line.get("unitQty") is not None:
                extended = half_up(Fraction(line["price"] * line["unitQty"], 1000))
            gross = extended + sum(extra["amount"] for extra in inside(line, "modifications"))
            self.gross.append(gross)
            self.line_off.append(reduced(gross, inside(line, "discounts")))
        nets = [gross - sum(off) for gross, off in zip(self.gross, self.line_off)]
        self.order_off = reduced(sum(nets), inside(order, "discounts"))
        self.shares = spread(sum(self.order_off), nets)
        self.paid = [net - share for net, share in zip(nets, self.shares)]
        rate = (order.get("serviceCharge") or {}).get("percentageDecimal", 0)
        self.charge = half_up(Fraction(sum(self.paid) * rate, 1_000_000)) + sum(
            line["price"] for line in inside(order, "lineItems") if line.get("isOrderFee") and not line.get("exchanged"))


class Books:
    """The events of a shop in a period of business days."""

    def __init__(self, shop, first, last, start=0):
        self.zone, self.start = ZoneInfo(shop.zone), start
        self.first, self.last, self.is_vat = first, last, shop.is_vat
        orders = {order["id"]: order for order in shop.lists["orders"]}
        tests = {order["id"] for order in shop.lists["orders"] if order.get("testMode")}
        self.payments = [payment for payment in shop.lists["payments"] if payment["result"] == "SUCCESS"
                         and payment["order"]["id"] not in tests and self.holds(payment)]
        self.sales = []
        for order in shop.lists["orders"]:
            paid = [payment for payment in inside(order, "payments") if payment["result"] == "SUCCESS"]
            if paid and not order.get("testMode"):
                first_payment = min(paid, key=moment)
                if self.holds(first_payment):
                    self.sales.append((moment(first_payment), Sale(order)))
        self.refunds = []
        for refund in shop.lists["refunds"]:
            if refund.get("voided") or refund.get("status", "SUCCESS") != "SUCCESS" or not self.holds(refund):
                continue
            goods = (refund["amount"] - refund.get("taxAmount", 0) - refund.get("tipAmount", 0)
                     - refund.get("serviceChargeAmount", {}).get("amount", 0)
                     - sum(charge["amount"] for charge in inside(refund, "additionalCharges")))
            self.refunds.append((refund, goods, self.divided(refund, goods, orders)))
        self.credits = [credit for credit in shop.lists["credits"]
                        if not credit.get("voided") and credit.get("result", "SUCCESS") == "SUCCESS" and self.holds(credit)]

    def date(self, time):
        local = datetime.fromtimestamp(time / 1000, self.zone)
        wall = local.replace(tzinfo=None)
        return (wall - timedelta(minutes=self.start)).date().isoformat()

    def hour(self, time):
        return datetime.fromtimestamp(time / 1000, self.zone).hour

    def holds(self, record):
        return self.first <= self.date(moment(record)) <= self.last

    def divided(self, refund, goods, orders):
        """(line, share) of a refund that names lines; None for one by amount."""
        named = inside(refund, "lineItems")
        if not named:
            return None
        sale = Sale(orders[refund["payment"]["order"]["id"]])
        paid = {line["id"]: (line, amount) for line, amount in zip(sale.goods, sale.paid)}
        amount = goods + (refund.get("taxAmount", 0) if self.is_vat else 0)
        lines = [paid[line["id"]] for line in named]
        return list(zip([line for line, _ in lines], spread(amount, [weight for _, weight in lines])))

    # Reports

    def sums(self, key):
        """The measures of each row; `key(kind, time, record)` names the row of an event."""
        rows = defaultdict(lambda: defaultdict(int))
        for time, sale in self.sales:
            row = rows[key("sale", time, sale.order)]
            row["orders"] += 1
            row["serviceCharges"] += sale.charge
            for line, gross, paid in zip(sale.goods, sale.gross, sale.paid):
                if line.get("isRevenue", True):
                    row["grossSales"] += gross
                    row["discounts"] += gross - paid
                else:
                    row["nonRevenue"] += paid
        for payment in self.payments:
            row = rows[key("payment", moment(payment), payment)]
            row["payments"] += 1
            row["amount"] += payment["amount"]
            row["tips"] += payment["tipAmount"]
            row["tax"] += payment["taxAmount"]
            row["includedTax"] += payment["taxAmount"] if self.is_vat else 0
            row["amountCollected"] += payment["amount"] + payment["tipAmount"]
        for refund, goods, parts in self.refunds:
            row = rows[key("refund", moment(refund), refund)]
            other = sum(share for line, share in parts or [] if not line.get("isRevenue", True))
            row["refunds"] += goods - other
            row["nonRevenue"] -= other
            row["tax"] -= refund.get("taxAmount", 0)
            row["tips"] -= refund.get("tipAmount", 0)
            row["serviceCharges"] -= refund.get("serviceChargeAmount", {}).get("amount", 0)
            row["amountCollected"] -= refund["amount"]
            row["refunded"] += refund["amount"]
            row["refundCount"] += 1
        for credit in self.credits:
            row = rows[key("credit", moment(credit), credit)]
            row["manualRefunds"] += credit["amount"] - credit.get("taxAmount", 0)
            row["tax"] -= credit.get("taxAmount", 0)
            row["amountCollected"] -= credit["amount"]
            row["credited"] += credit["amount"]
            row["manualRefundCount"] += 1
        for row in rows.values():
            row["netSales"] = (row["grossSales"] - row["discounts"] - row["refunds"] - row["manualRefunds"] - row["includedTax"])
            row["unpaidBalance"] = (row["netSales"] + row["tax"] + row["serviceCharges"] + row["tips"] + row["nonRevenue"]
                                    - row["amountCollected"])
        return rows

    def items(self):
        """(quantity in thousandths, lines, gross, discounts, refunds) by item, or by name, and by whether it is revenue."""
        rows = defaultdict(lambda: [0, 0, 0, 0, 0])

        def key(line):
            item = (line.get("item") or {}).get("id")
            return (item or line["name"], line.get("isRevenue", True))

        for _, sale in self.sales:
            for line, gross, paid in zip(sale.goods, sale.gross, sale.paid):
                row = rows[key(line)]
                for place, value in enumerate((line.get("unitQty", 1000), 1, gross, gross - paid)):
                    row[place] += value
        for refund, goods, parts in self.refunds:
            if parts is None:
                rows[("(refund by amount)", True)][4] += goods + (refund.get("taxAmount", 0) if self.is_vat else 0)
            for line, share in parts or []:
                rows[key(line)][4] += share
        for credit in self.credits:
            amount = credit["amount"] - (0 if self.is_vat else credit.get("taxAmount", 0))
            rows[("(manual refund)", True)][4] += amount
        return rows

    def discounts(self):
        rows = defaultdict(lambda: [0, 0])
        for _, sale in self.sales:
            share = 0
            for line, taken, part in zip(sale.goods, sale.line_off, sale.shares):
                if not line.get("isRevenue", True):
                    continue
                share += part
                for discount, amount in zip(inside(line, "discounts"), taken):
                    rows[discount["name"]][0] += 1
                    rows[discount["name"]][1] += amount
            for discount, amount in zip(inside(sale.order, "discounts"), spread(share, sale.order_off)):
                rows[discount["name"]][0] += 1
                rows[discount["name"]][1] += amount
        return rows
