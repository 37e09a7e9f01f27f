"""Computes the reports of a shop from its complete records: plain and slow, and sharing no code with the program.

`Reference(shop, first, last)` takes the lists of shops.py, and one method per report returns its rows. The comments name the
rules of `clover help reports`. Amounts are whole minor units; fractions are exact.
"""

from collections import defaultdict
from datetime import date, datetime, timedelta
from fractions import Fraction
from math import floor
from zoneinfo import ZoneInfo

DAY = 86_400_000
SALES = ("orders", "grossSales", "discounts", "refunds", "manualRefunds", "includedTax", "netSales", "tax", "serviceCharges",
         "tips", "nonRevenue", "amountCollected", "unpaidBalance")
BY_AMOUNT, MANUAL, NO_RATE = "(refund by amount)", "(manual refund)", "(without a rate)"
UNDECIDED = ("VOID_FAILED", "AUTH_COMPLETED", "DISCOUNT")
# Of refunds and credits. Whether money is given back is unknown with any other word, such as PENDING.
UNPAID = ("FAIL", "INITIATED", "PENDING", "OFFLINE_RETRYING", "VOIDED", "VOIDING", "AUTH")
GIVEN_BACK, NOT_GIVEN_BACK = "SUCCESS", ("FAIL", "VOIDED", "VOIDING", "AUTH")


def rounded(value):
    """To the nearest whole number; a half upwards."""
    return floor(value + Fraction(1, 2))


def nested(record, name):
    return (record.get(name) or {}).get("elements", [])


def reference(record, name):
    return (record.get(name) or {}).get("id")


def shares(amount, weights):
    """The amount, in proportion to the weights: whole units, and the rest to the largest remainders, the earlier first."""
    whole = sum(weights)
    if whole == 0:
        return [0] * len(weights)
    exact = [Fraction(amount * weight, whole) for weight in weights]
    parts = [floor(part) for part in exact]
    by_remainder = sorted(range(len(weights)), key=lambda place: (parts[place] - exact[place], place))
    for place in by_remainder[:amount - sum(parts)]:
        parts[place] += 1
    return parts


def taken_off(base, discounts):
    """What each discount takes off: the percentages of the whole base, each rounded alone, then the amounts; all together
    never more than the base."""
    left, result = max(base, 0), []
    percentages = [one for one in discounts if "percentage" in one or "percentageDecimal" in one]
    for discount in percentages + [one for one in discounts if one not in percentages]:
        if "percentageDecimal" in discount:
            amount = rounded(Fraction(base * discount["percentageDecimal"], 1_000_000))
        elif "percentage" in discount:
            amount = rounded(Fraction(base * discount["percentage"], 100))
        else:
            amount = -discount["amount"]
        result.append((discount["name"], min(amount, left)))
        left -= result[-1][1]
    return result


class Line:
    """A line of goods: not exchanged, and no fee."""

    def __init__(self, record, manual):
        extended = record["price"]
        if record.get("unitQty") is not None:
            extended = rounded(Fraction(record["price"] * record["unitQty"], 1000))
        added = sum(modification["amount"] for modification in nested(record, "modifications"))
        if not manual:
            extended, added = max(extended, 0), max(added, 0)
        self.id, self.item, self.name = record["id"], reference(record, "item"), record.get("name")
        self.thousandths = record["unitQty"] if record.get("unitQty") is not None else 1000
        self.revenue = record.get("isRevenue", True)
        self.gross = extended + added
        self.discounts = taken_off(self.gross, nested(record, "discounts"))
        self.line_net = self.gross - sum(amount for _, amount in self.discounts)
        self.share = 0

    @property
    def net(self):
        return self.line_net - self.share

    @property
    def discount(self):
        return self.gross - self.net


class Order:
    def __init__(self, record):
        self.record, self.id = record, record["id"]
        lines, manual = nested(record, "lineItems"), record.get("manualTransaction", False)
        if not lines and not nested(record, "discounts") and not record.get("serviceCharge") and record.get("total", 0) > 0:
            tax = sum(one.get("taxAmount", 0) for one in nested(record, "payments") if one["result"] == "SUCCESS")
            price = record["total"] if record.get("isVat") else max(0, record["total"] - tax)
            lines = [{"name": "(no line items)", "price": price}]
        self.lines = [Line(line, manual) for line in lines if not line.get("exchanged") and not line.get("isOrderFee")]
        self.subtotal = sum(line.line_net for line in self.lines)
        self.discounts = taken_off(self.subtotal, nested(record, "discounts"))
        off = sum(amount for _, amount in self.discounts)
        for line, share in zip(self.lines, shares(off, [line.line_net for line in self.lines])):
            line.share = share
        self.discounted = self.subtotal - off
        definition = record.get("serviceCharge") or {}
        self.charge = 0
        if definition.get("percentageDecimal") is not None:
            self.charge = rounded(Fraction(self.discounted * definition["percentageDecimal"], 1_000_000))
        elif definition.get("percentage") is not None:
            self.charge = rounded(Fraction(self.discounted * definition["percentage"], 100))
        self.charge += sum(line["price"] for line in lines if line.get("isOrderFee") and not line.get("exchanged"))

    def of(self, revenue):
        return [line for line in self.lines if line.revenue == revenue]


class Reference:
    """The reports of the business days from `first` to `last`, which begin `start` minutes after midnight."""

    def __init__(self, shop, first, last, start=0, zone=None, clock="client"):
        self.first, self.last, self.start, self.clock = date.fromisoformat(first), date.fromisoformat(last), start, clock
        self.zone = ZoneInfo(zone or shop.zone)
        self.lists, self.is_vat = shop.lists, shop.is_vat
        records = {record["id"]: record for record in shop.lists["orders"]}
        self.orders = {name: Order(record) for name, record in records.items()}
        # A test's money is none.
        tests = {name for name, record in records.items() if record.get("testMode")}
        every = [one for one in shop.lists["payments"] if reference(one, "order") not in tests]
        self.every_payment = {one["id"]: one for one in shop.lists["payments"]}
        self.counting = [one for one in every if one["result"] == "SUCCESS"]
        self.undecided = [one for one in every if one["result"] in UNDECIDED and self.within(one)]
        self.payments = [one for one in self.counting if self.within(one)]
        refunds = [
            one for one in shop.lists["refunds"]
            if not one.get("voided") and not one.get("deletedTime") and self.order_of_refund(one) not in tests]
        self.every_refund = [one for one in refunds if one.get("status", GIVEN_BACK) == GIVEN_BACK]
        self.refunds = [one for one in self.every_refund if self.within(one)]
        credits = [
            one for one in shop.lists["credits"]
            if not one.get("voided") and not nested(one, "creditRefunds") and self.within(one)]
        self.credits = [one for one in credits if one.get("result", GIVEN_BACK) == GIVEN_BACK]
        known = (GIVEN_BACK, *NOT_GIVEN_BACK)
        self.pending_refunds = [one for one in refunds if one.get("status", GIVEN_BACK) not in known and self.within(one)]
        self.pending_credits = [
            one for one in credits
            if one.get("result", GIVEN_BACK) not in known and reference(one, "orderRef") not in tests]
        # Whether these count is unknown, so that no report is proved.
        self.has_undecided = bool(self.undecided or self.pending_refunds or self.pending_credits)
        # Nor is one that has refunds of no payment, of an unpaid one, or together above it: those of the period, because a
        # report reads no others for certain.
        self.refunds_contradict = any(
            payment is None or payment["result"] in UNPAID or self.given_back(payment) > payment["amount"] + payment.get("tipAmount", 0)
            for payment in (self.every_payment.get(reference(refund, "payment")) for refund in self.refunds))
        # A sale has the time of the order's first payment.
        first_payments = {}
        for payment in self.counting:
            name = reference(payment, "order")
            if name in self.orders:
                first_payments.setdefault(name, []).append(self.time(payment))
        self.sold = {name: min(times) for name, times in first_payments.items()}
        self.sales = [(time, self.orders[name]) for name, time in self.sold.items() if self.within_time(time)]

    def given_back(self, payment):
        return sum(one["amount"] for one in self.refunds if reference(one, "payment") == payment["id"])

    def order_of_refund(self, refund):
        payment = self.every_payment.get(reference(refund, "payment"), {})
        return reference(payment, "order") or reference(refund, "orderRef")

    def time(self, record):
        client, server = record.get("clientCreatedTime"), record["createdTime"]
        if client is None or self.clock == "server" or client > server + DAY or client < server - 8 * DAY:
            return server
        return client

    def local(self, time):
        return datetime.fromtimestamp(time / 1000, self.zone).replace(tzinfo=None)

    def day(self, time):
        return (self.local(time) - timedelta(minutes=self.start)).date()

    def within_time(self, time):
        return self.first <= self.day(time) <= self.last

    def within(self, record):
        return self.within_time(self.time(record))

    # Parts of refunds

    def goods(self, refund):
        return (refund["amount"] - refund.get("taxAmount", 0) - refund.get("tipAmount", 0) - self.refunded_charge(refund)
                - sum(charge["amount"] for charge in nested(refund, "additionalCharges")))

    def refunded_charge(self, refund):
        return ((refund.get("serviceChargeAmount") or refund.get("serviceCharge")) or {}).get("amount", 0)

    def parts(self, refund):
        """Pairs of a line and its part of the goods, which contains the tax as its price does; the line is None for what
        names no line."""
        goods, named = self.goods(refund), {line["id"] for line in nested(refund, "lineItems")}
        order = self.orders.get(self.order_of_refund(refund))
        if order.record.get("isVat") if order else self.is_vat:
            goods += refund.get("taxAmount", 0)
        lines = [line for line in order.lines if line.id in named] if order else []
        if not lines:
            return [(None, goods)]
        # Lines that were free have equal parts.
        weights = [line.net for line in lines] if any(line.net for line in lines) else [1] * len(lines)
        return list(zip(lines, shares(goods, weights)))

    def refunded_non_revenue(self, refund):
        return sum(part for line, part in self.parts(refund) if line is not None and not line.revenue)

    # Sales

    def sales_by(self, key):
        """The measures by `key(time)`."""
        rows = defaultdict(lambda: dict.fromkeys(SALES, 0))
        for time, order in self.sales:
            row = rows[key(time)]
            row["orders"] += 1
            row["grossSales"] += sum(line.gross for line in order.of(True))
            row["discounts"] += sum(line.discount for line in order.of(True))
            row["nonRevenue"] += sum(line.net for line in order.of(False))
            row["serviceCharges"] += order.charge
        for payment in self.payments:
            row = rows[key(self.time(payment))]
            row["tax"] += payment.get("taxAmount", 0)
            row["tips"] += payment.get("tipAmount", 0)
            row["amountCollected"] += payment["amount"] + payment.get("tipAmount", 0)
            order = self.orders.get(reference(payment, "order"))
            if order and order.record.get("isVat"):
                row["includedTax"] += payment.get("taxAmount", 0)
        for refund in self.refunds:
            row = rows[key(self.time(refund))]
            other = self.refunded_non_revenue(refund)
            row["refunds"] += self.goods(refund) - other
            row["nonRevenue"] -= other
            row["tax"] -= refund.get("taxAmount", 0)
            row["tips"] -= refund.get("tipAmount", 0)
            row["serviceCharges"] -= self.refunded_charge(refund)
            row["amountCollected"] -= refund["amount"]
        for credit in self.credits:
            row = rows[key(self.time(credit))]
            row["manualRefunds"] += credit["amount"] - credit.get("taxAmount", 0)
            row["tax"] -= credit.get("taxAmount", 0)
            row["amountCollected"] -= credit["amount"]
        for row in rows.values():
            row["netSales"] = (row["grossSales"] - row["discounts"] - row["refunds"] - row["manualRefunds"]
                               - row["includedTax"])
            row["unpaidBalance"] = (row["netSales"] + row["tax"] + row["serviceCharges"] + row["tips"] + row["nonRevenue"]
                                    - row["amountCollected"])
        return rows

    def total(self):
        return self.sales_by(lambda time: "")[""]

    def units(self, unit):
        """All days, weeks, months or hours of the period, and the function from a time to one of them."""
        days = [self.first + timedelta(days=number) for number in range((self.last - self.first).days + 1)]
        if unit == "hour":
            # In the order of the business day.
            return [(hour + self.start // 60) % 24 for hour in range(24)], lambda time: self.local(time).hour
        names = {
            "day": date.isoformat, "month": lambda day: day.isoformat()[:7],
            "week": lambda day: (day - timedelta(days=day.weekday())).isoformat()}[unit]
        return sorted({names(day) for day in days}), lambda time: names(self.day(time))

    # Reports of goods

    def goods_by(self, key):
        """Quantity in thousandths, lines, gross, discounts and refunds by `key(line)`; and by names in brackets."""
        rows = defaultdict(lambda: [0] * 5)
        for _, order in self.sales:
            for line in order.lines:
                row = rows[key(line)]
                row[:4] = (row[0] + line.thousandths, row[1] + 1, row[2] + line.gross, row[3] + line.discount)
        for refund in self.refunds:
            for line, part in self.parts(refund):
                rows[(BY_AMOUNT, True) if line is None else key(line)][4] += part
        for credit in self.credits:
            rows[MANUAL, True][4] += credit["amount"] - (0 if self.is_vat else credit.get("taxAmount", 0))
        return {key: row for key, row in rows.items() if any(row)}

    def items(self):
        return self.goods_by(lambda line: (line.item or line.name, line.revenue))

    def categories(self):
        first = {item["id"]: nested(item, "categories")[0]["id"] for item in self.lists["items"] if nested(item, "categories")}
        return self.goods_by(lambda line: (first.get(line.item), line.revenue))

    def discounts(self):
        """Uses and amount by name, and whether each amount is certain. The share of one discount in a line is certain if it
        is the order's only one, or if all lines are revenue."""
        uses, amounts, certain = defaultdict(int), defaultdict(int), True
        for _, order in self.sales:
            for line in order.lines:
                for name, amount in line.discounts:
                    uses[name] += 1
                    amounts[name] += amount if line.revenue else 0
            for name, amount in order.discounts:
                uses[name] += 1
                if not order.of(False):
                    amounts[name] += amount
                elif len(order.discounts) == 1:
                    amounts[name] += sum(line.share for line in order.of(True))
                else:
                    certain = False
        return {name: (uses[name], amounts[name]) for name in uses}, certain

    def hours(self):
        """Sales by the weekday of the business day and the hour of the clock."""
        rows = defaultdict(lambda: [0, 0, 0])
        for time, order in self.sales:
            row = rows[self.day(time).strftime("%A"), self.local(time).hour]
            row[0] += 1
            row[1] += sum(line.gross for line in order.of(True))
            row[2] += sum(line.discount for line in order.of(True))
        return dict(rows)

    # Reports of money

    def money_by(self, of_payment, of_refund, of_credit):
        names = ("payments", "amount", "tips", "refundCount", "refunds", "manualRefundCount", "manualRefunds", "amountCollected")
        rows = defaultdict(lambda: dict.fromkeys(names, 0))
        for payment in self.payments:
            row = rows[of_payment(payment)]
            row["payments"] += 1
            row["amount"] += payment["amount"]
            row["tips"] += payment.get("tipAmount", 0)
        for refund in self.refunds:
            row = rows[of_refund(refund)]
            row["refundCount"] += 1
            row["refunds"] += refund["amount"]
        for credit in self.credits:
            row = rows[of_credit(credit)]
            row["manualRefundCount"] += 1
            row["manualRefunds"] += credit["amount"]
        for row in rows.values():
            row["amountCollected"] = row["amount"] + row["tips"] - row["refunds"] - row["manualRefunds"]
        return rows

    @staticmethod
    def employee(record):
        return reference(record, "employee")

    @staticmethod
    def tender(record):
        return reference(record, "tender")

    def tender_of_refund(self, refund):
        payment = self.every_payment.get(reference(refund, "payment"), {})
        return reference(refund, "overrideMerchantTender") or self.tender(payment)

    def employees(self):
        rows = self.money_by(self.employee, self.employee, self.employee)
        for row in rows.values():
            del row["refundCount"], row["manualRefundCount"]
        names = ("orders", "grossSales", "discounts")
        for row in rows.values():
            row.update(dict.fromkeys(names, 0))
        empty = dict.fromkeys(
            (*names, "payments", "amount", "tips", "refunds", "manualRefunds", "amountCollected"), 0)
        for _, order in self.sales:
            row = rows.setdefault(self.employee(order.record), dict(empty))
            row["orders"] += 1
            row["grossSales"] += sum(line.gross for line in order.of(True))
            row["discounts"] += sum(line.discount for line in order.of(True))
        return dict(rows)

    def tenders(self):
        return dict(self.money_by(self.tender, self.tender_of_refund, self.tender))

    def taxes(self):
        """Taxable amount and tax by name and rate; the rate is Clover's, 100000 for 1 %."""
        rows = defaultdict(lambda: [0, 0])
        transactions = [(payment, 1, "taxRates") for payment in self.payments]
        transactions += [(refund, -1, "taxableAmountRates") for refund in self.refunds]
        transactions += [(credit, -1, "taxRates") for credit in self.credits]
        for record, sign, name in transactions:
            rest = record.get("taxAmount", 0)
            of_refund = name == "taxableAmountRates"
            order = self.orders.get(self.order_of_refund(record) if of_refund else reference(record, "order"))
            contained = order is not None and order.record.get("isVat")
            for rate in nested(record, name):
                tax = rate.get("taxAmount")
                if tax is None:
                    share = Fraction(rate["rate"], 10_000_000)
                    share = share / (1 + share) if contained or rate.get("isVat") else share
                    tax = rounded(rate["taxableAmount"] * share)
                rest -= tax
                row = rows[rate["name"], rate["rate"]]
                row[:] = row[0] + sign * rate["taxableAmount"], row[1] + sign * tax
            rows[NO_RATE, None][1] += sign * rest
        return {key: tuple(row) for key, row in rows.items() if any(row)}

    def tips_by(self, of_payment, of_refund):
        """Payments, payments with a tip, amount, tips and tips that may still change."""
        rows = defaultdict(lambda: [0] * 5)
        for payment in self.payments:
            row, tip, card = rows[of_payment(payment)], payment.get("tipAmount", 0), payment.get("cardTransaction") or {}
            row[0] += 1
            row[1] += tip > 0
            row[2] += payment["amount"]
            row[3] += tip
            row[4] += card.get("type") == "AUTH" and card.get("state") == "PENDING"
        for refund in self.refunds:
            if refund.get("tipAmount", 0):
                rows[of_refund(refund)][3] -= refund["tipAmount"]
        return dict(rows)

    def tips(self, unit):
        if unit == "employee":
            return self.tips_by(self.employee, self.employee)
        if unit == "tender":
            return self.tips_by(self.tender, self.tender_of_refund)
        _, key = self.units(unit)
        return self.tips_by(*[lambda record: key(self.time(record))] * 2)

    def refund_rows(self):
        """One row for each refund and manual refund, by id."""
        rows = {}
        for refund in self.refunds:
            payment = self.every_payment.get(reference(refund, "payment"))
            rows[refund["id"]] = {
                "kind": "refund", "time": self.time(refund), "amount": refund["amount"], "goods": self.goods(refund),
                "tax": refund.get("taxAmount", 0), "tip": refund.get("tipAmount", 0),
                "order": self.order_of_refund(refund), "payment": reference(refund, "payment"),
                "days": (self.day(self.time(refund)) - self.day(self.time(payment))).days if payment else None,
                "employee": self.employee(refund)}
        for credit in self.credits:
            rows[credit["id"]] = {
                "kind": "manual", "time": self.time(credit), "amount": credit["amount"],
                "goods": credit["amount"] - credit.get("taxAmount", 0), "tax": credit.get("taxAmount", 0), "tip": 0,
                "order": reference(credit, "orderRef"), "payment": None, "days": None, "employee": self.employee(credit)}
        return rows

    def refunds_by(self, unit):
        """Refunds, manual refunds, amount, goods, tax and tip."""
        tenders = {one["id"]: self.tender_of_refund(one) for one in self.refunds}
        tenders |= {one["id"]: self.tender(one) for one in self.credits}
        rows = defaultdict(lambda: [0] * 6)
        for name, refund in self.refund_rows().items():
            key = (refund["employee"] if unit == "employee" else tenders[name] if unit == "tender"
                   else self.units(unit)[1](refund["time"]))
            row = rows[key]
            row[0 if refund["kind"] == "refund" else 1] += 1
            for place, part in enumerate(("amount", "goods", "tax", "tip")):
                row[2 + place] += refund[part]
        return dict(rows)

    # What does not add up

    def findings(self):
        """Kind, order, payment, refund and amount of each finding."""
        found = set()

        def find(kind, amount, order=None, payment=None, refund=None):
            found.add((kind, order, payment, refund, amount))

        # Orders that were paid in the period, at least in part.
        for order in filter(None, map(self.orders.get, {reference(one, "order") for one in self.payments})):
            payments = [one for one in self.counting if reference(one, "order") == order.id]
            paid = sum(one["amount"] for one in payments)
            total, tax = order.record["total"], sum(one.get("taxAmount", 0) for one in payments)
            lines = order.discounted + order.charge
            above = total - lines
            # What was paid covers all lines with their tax, or the rest is more than any tax: nothing explains the total.
            if order.record.get("isVat"):
                unexplained = above != 0 and paid >= lines
            else:
                unexplained = above > max(rounded(Fraction(max(0, lines), 2)), tax) or paid - tax >= lines and 0 < tax < above
            if paid < total and unexplained:
                if not order.record.get("isVat"):
                    find("total_differs", above - tax, order.id)
            elif paid < total:
                find("partly_paid", paid - total, order.id)
            elif paid > total:
                repeated = self.repeated(payments)
                if repeated:
                    find("paid_twice", repeated["amount"], order.id, repeated["id"])
                else:
                    find("overpaid", paid - total, order.id)
            rest = total - order.discounted - order.charge
            if order.record.get("isVat") and rest != 0 or rest < 0:
                find("total_differs", rest, order.id)
            elif not order.record.get("isVat") and paid == total and rest != tax:
                find("tax_differs", tax - rest, order.id)
        for payment in self.payments:
            if reference(payment, "order") not in self.orders:
                find("payment_without_order", payment["amount"], reference(payment, "order"), payment["id"])
        for payment in self.undecided:
            find("undecided_payment", payment["amount"], reference(payment, "order"), payment["id"])
        for refund in self.pending_refunds:
            find("undecided_payment", refund["amount"], self.order_of_refund(refund), None, refund["id"])
        for credit in self.pending_credits:
            find("undecided_payment", credit["amount"], reference(credit, "orderRef"))
        for refund in self.refunds:
            payment = self.every_payment.get(reference(refund, "payment"))
            if payment is None:
                find("refund_without_payment", refund["amount"], self.order_of_refund(refund), None, refund["id"])
            order = self.order_of_refund(refund)
            if order and order not in self.orders:
                find("refund_without_order", refund["amount"], order, payment and payment["id"], refund["id"])
        for credit in self.credits:
            order = reference(credit, "orderRef")
            if order and order not in self.orders:
                find("credit_without_order", credit["amount"], order)
        for payment in self.every_payment.values():
            own = [one for one in self.every_refund if reference(one, "payment") == payment["id"]]
            above = sum(one["amount"] for one in own) - payment["amount"] - payment.get("tipAmount", 0)
            if above > 0 and any(self.within(one) for one in own):
                find("refund_above_payment", above, reference(payment, "order"), payment["id"])
        return found

    def repeated(self, payments):
        """The later of two payments of the same amount within five minutes."""
        payments = sorted(payments, key=self.time)
        for place, payment in enumerate(payments):
            for earlier in payments[:place]:
                if earlier["amount"] == payment["amount"] and self.time(payment) - self.time(earlier) <= 300_000:
                    return payment
        return None
