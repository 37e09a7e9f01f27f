#!/usr/bin/env python3
"""Compares the reports of the built `clover` with a separate program, over synthetic shops that another server serves.

    CLOVER_TEST_BINARIES=.build/release python3 Tests/Reports/test_reports.py [--count COUNT] [--seed SEED] [TEST...]

COUNT is the number of random shops (default: 2), and SEED that of the first one. The status is 1 when something differs.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from pathlib import Path

# Leaves the source tree unchanged.
sys.dont_write_bytecode = True

from reference import BY_AMOUNT, DAY, MANUAL, SALES, Reference, shares, taken_off
from server import LARGEST_PAGE, MERCHANT, NESTED_RECORDS, TOKEN, Service
from shops import Shop, american, damaged_shop, german, nasty, odd, random_shop

PROGRAMS = Path(os.environ.get("CLOVER_TEST_BINARIES", ".build/release")).resolve()
# Time limit in seconds, longer than anything here takes on a busy machine; it catches hangs.
PATIENCE = 300
COUNT, SEED = 2, None
UNITS = ("day", "week", "month")
ROOT = Path(__file__).resolve().parents[2]
# Prints how much memory a command had at most, in KB. The kernel counts the memory of the starting process too, so that it
# must be a small one.
PEAK = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"""


def clover(address, *arguments, merchant=MERCHANT, token=TOKEN):
    """The status, the lines that a command prints, and what it says on standard error."""
    with tempfile.TemporaryDirectory() as state:
        environment = {
            "PATH": os.environ["PATH"], "HOME": state, "CLOVER_STATE_DIR": state + "/state", "CLOVER_ENVIRONMENT": address,
            "CLOVER_MERCHANT": merchant, "CLOVER_ACCESS_TOKEN": token}
        run = subprocess.run(
            [PROGRAMS / "clover", *arguments, "--no-pacing"], env=environment, capture_output=True, text=True, timeout=PATIENCE,
            check=False)
    return run.returncode, [json.loads(line) for line in run.stdout.splitlines()], run.stderr


def only(row, names):
    return {name: row.get(name) for name in names}


def proved(expected):
    """The status of a report: nothing else is wrong with the shop."""
    return 79 if expected.has_undecided or expected.refunds_contradict else 0


class Comparison:
    """Compares all reports of a period with the reference. `differences` has a line for each one that differs."""

    def __init__(self, address, expected, *arguments, statuses=None, **account):
        statuses = statuses or (proved(expected),)
        self.expected, self.differences = expected, []
        self.sum_names = [name for name in SALES if name != "includedTax"]
        period = ("--period", f"{expected.first}..{expected.last}", *arguments)

        def rows(*names):
            status, lines, errors = clover(address, "report", *names, *period, **account)
            if status not in statuses:
                self.differences.append(f"report {' '.join(names)} ends with {status}: {errors.strip().splitlines()[-2:]}")
            return lines

        checks = [
            (self.sales, "sales"), *[(self.sales, "sales", "--by", unit) for unit in (*UNITS, "hour")],
            (self.items, "items"), (self.categories, "categories"), (self.employees, "employees"), (self.tenders, "tenders"),
            (self.taxes, "taxes"), (self.discounts, "discounts"), (self.hours, "hours"), (self.tips, "tips"),
            *[(self.tips, "tips", "--by", unit) for unit in ("employee", "tender", *UNITS)],
            (self.refunds, "refunds"),
            *[(self.refunds_by, "refunds", "--by", unit) for unit in ("employee", "tender", *UNITS)]]
        with ThreadPoolExecutor(3) as pool:
            for (check, *names), found in zip(checks, pool.map(lambda check: rows(*check[1:]), checks)):
                self.name = " ".join(names)
                check(found, names[-1])

    def same(self, found, wanted, of=""):
        if found != wanted:
            if isinstance(found, dict) and isinstance(wanted, dict):
                keys = [key for key in {**found, **wanted} if found.get(key) != wanted.get(key)]
                found, wanted = ({key: side.get(key) for key in keys} for side in (found, wanted))
            elif isinstance(found, set):
                found, wanted = found - wanted, wanted - found
            self.differences.append(f"{self.name} {of}: printed {found}, expected {wanted}")

    def keyed(self, rows, *names):
        """The rows by the values of the names, each once."""
        found = {tuple(row[name] for name in names): row for row in rows}
        self.same(len(found), len(rows), "number of rows")
        return found

    def sales(self, rows, unit):
        if unit == "sales":
            self.same(len(rows), 1, "number of rows")
            units, wanted, found = [""], self.expected.sales_by(lambda time: ""), {"": rows[0]}
            self.whole = rows[0]
        else:
            units, key = self.expected.units(unit)
            wanted, found = self.expected.sales_by(key), {row[unit]: row for row in rows}
            self.same([row[unit] for row in rows], units, "rows")
        for one in units:
            row, zero = found.get(one, {}), dict.fromkeys(SALES, 0)
            printed = zero | only(row, self.sum_names) | {"includedTax": row.get("includedTax", 0)}
            self.same(printed, wanted.get(one, zero), one)
        # The rows add up to the period.
        self.same({name: sum(row[name] for row in rows) for name in self.sum_names}, only(self.whole, self.sum_names), "sum")

    def goods(self, found, wanted):
        found = {key: row for key, row in found.items() if any(row[name] for name in ("lines", "grossSales", "refunds"))}
        self.same({key for key in found}, {key for key in wanted}, "rows")
        for key in found.keys() & wanted.keys():
            row, (quantity, lines, gross, discounts, refunds) = found[key], wanted[key]
            names = ("lines", "grossSales", "discounts", "refunds", "netSales")
            self.same(
                [round(row["quantity"] * 1000), *(row[name] for name in names)],
                [quantity, lines, gross, discounts, refunds, gross - discounts - refunds], key)
        sums = {revenue: sum(row["netSales"] for key, row in found.items() if key[1] == revenue) for revenue in (True, False)}
        if self.expected.is_vat and any(one["order"]["id"] not in self.expected.orders for one in self.expected.payments):
            # Whether the tax of a payment without an order was contained in a price is not known.
            pass
        elif self.expected.is_vat:
            # The rows contain the tax.
            self.same(sum(sums.values()), self.whole["netSales"] + self.whole["nonRevenue"] + self.whole["tax"], "sum")
        else:
            self.same((sums[True], sums[False]), (self.whole["netSales"], self.whole["nonRevenue"]), "sums")

    def items(self, rows, _):
        self.goods({(row["id"] or row["name"], row["revenue"] == "yes"): row for row in rows}, self.expected.items())

    def categories(self, rows, _):
        named = {BY_AMOUNT, MANUAL}
        self.goods(
            {(row["name"] if row["name"] in named else row["id"], row.get("revenue", "yes") == "yes"): row for row in rows},
            self.expected.categories())

    def people(self, rows, wanted):
        found = {row["id"]: row for row in rows}
        # A payment or refund of 0 gives a row of zeros, which may be missing.
        self.same({key for key, row in found.items() if any(isinstance(value, int) and value for value in row.values())},
                  {key for key, row in wanted.items() if any(row.values())}, "rows")
        for key in found.keys() & wanted.keys():
            self.same(only(found[key], wanted[key]), wanted[key], key)
        self.same(sum(row["amountCollected"] for row in rows), self.whole["amountCollected"], "sum")

    def employees(self, rows, _):
        self.people(rows, self.expected.employees())
        self.same(sum(row["grossSales"] for row in rows), self.whole["grossSales"], "sum")

    def tenders(self, rows, _):
        self.people(rows, self.expected.tenders())

    def taxes(self, rows, _):
        found = {(row["name"], row["rate"] if row["rate"] is None else round(row["rate"] * 100_000)):
                 (row["taxableAmount"], row["tax"]) for row in rows}
        self.same({key: row for key, row in found.items() if any(row)}, self.expected.taxes(), "rows")
        self.same(sum(row["tax"] for row in rows), self.whole["tax"], "sum")

    def discounts(self, rows, _):
        wanted, certain = self.expected.discounts()
        if not wanted:
            # Without discounts there is one row, without a name.
            self.same([(row["name"], row["count"], row["amount"]) for row in rows], [(None, 0, 0)], "rows")
            return
        found = {row["name"]: (row["count"], row["amount"]) for row in rows}
        if certain:
            self.same(found, wanted, "rows")
        uses = [{name: count for name, (count, _) in side.items()} for side in (found, wanted)]
        self.same(*uses, "uses")
        self.same(sum(row["amount"] for row in rows), self.whole["discounts"], "sum")

    def hours(self, rows, _):
        # Without sales there is one row, without an hour.
        rows = [row for row in rows if row["weekday"] is not None]
        self.same({key: [row["orders"], row["grossSales"], row["discounts"]]
                   for key, row in self.keyed(rows, "weekday", "hour").items()},
                  self.expected.hours(), "rows")

    def tips(self, rows, unit):
        name = "id" if unit in ("tips", "employee", "tender") else unit
        wanted = self.expected.tips("employee" if unit == "tips" else unit)
        found = {key: [row[field] for field in ("payments", "paymentsWithTip", "amount", "tips", "tipsOpen")]
                 for (key,), row in self.keyed(rows, name).items()}
        self.same(*[{key: row for key, row in side.items() if any(row)} for side in (found, wanted)], "rows")
        for row in rows:
            percent = None if row["amount"] == 0 else 100 * row["tips"] / row["amount"]
            if percent is None or row["percent"] is None:
                self.same(row["percent"], percent, "percent")
            else:
                self.same(abs(row["percent"] - percent) <= 0.005001, True, f"percent of {row}")
        self.same(sum(row["tips"] for row in rows), self.whole["tips"], "sum")

    def refunds(self, rows, _):
        found = {}
        wanted = self.expected.refund_rows()
        if not wanted:
            # Without refunds there is one row, without an id.
            self.same([(row["id"], row["amount"], row["goods"], row["tax"], row["tip"]) for row in rows],
                      [(None, 0, 0, 0, 0)], "rows")
            return
        for (key,), row in self.keyed(rows, "id").items():
            moment = datetime.fromisoformat(row["time"].replace("Z", "+00:00"))
            found[key] = row | {"time": round(moment.timestamp() * 1000)}
        self.same(set(found), set(wanted), "rows")
        for key in found.keys() & wanted.keys():
            self.same(only(found[key], wanted[key]), wanted[key], key)

    def refunds_by(self, rows, unit):
        name = unit if unit in UNITS else "id"
        found = {key: [row[field] for field in ("refundCount", "manualRefundCount", "amount", "goods", "tax", "tip")]
                 for (key,), row in self.keyed(rows, name).items()}
        self.same({key: row for key, row in found.items() if any(row)}, self.expected.refunds_by(unit), "rows")


class Emulator:
    """The emulator with 400 days of orders, in a context. `shop` has its complete records, read page by page."""

    FIRST, LAST, ZONE = "2024-12-28", "2026-01-31", "America/New_York"
    ORDERS = "lineItems,lineItems.discounts,lineItems.modifications,discounts,serviceCharge,payments"

    def __enter__(self):
        command = [PROGRAMS / "clover-emulator", "serve", "--port", "0", "--orders", "2500", "--days", "400", "--no-limits"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        ready = json.loads(self.process.stdout.readline())
        self.address, self.account = ready["url"], {"merchant": ready["merchantId"], "token": ready["accessToken"]}
        self.shop = Shop(self.ZONE, "USD")
        end = self.shop.at("2026-02-02T00:00")
        # Clover serves at most 90 days of payments at once.
        for begin in range(end - 420 * DAY, end, 60 * DAY):
            self.shop.lists["payments"] += self.records(
                "payments", "expand=taxRates,cardTransaction,additionalCharges", f"filter=createdTime>={begin}",
                f"filter=createdTime<{begin + 60 * DAY}")
        self.shop.lists |= {
            "orders": self.records("orders", f"expand={self.ORDERS}"), "credits": self.records("credits", "expand=taxRates"),
            "refunds": self.records("refunds", "expand=lineItems,payment,serviceCharge,overrideMerchantTender"),
            "items": self.records("items", "expand=categories")}
        for order in self.shop.lists["orders"]:
            if len(order.get("lineItems", {}).get("elements", [])) == NESTED_RECORDS:
                order["lineItems"]["elements"] = self.records(
                    f"orders/{order['id']}/line_items", "expand=discounts,modifications")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()

    def records(self, path, *parameters):
        found, page = [], [None] * LARGEST_PAGE
        while len(page) == LARGEST_PAGE:
            query = urllib.parse.quote("&".join([*parameters, f"limit={LARGEST_PAGE}", f"offset={len(found)}"]), safe="&=,.")
            request = urllib.request.Request(
                f"{self.address}/v3/merchants/{self.account['merchant']}/{path}?{query}",
                headers={"Authorization": f"Bearer {self.account['token']}"})
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                page = json.load(answer)["elements"]
            found += page
        return found


class Arithmetic(unittest.TestCase):
    """The reference against numbers that were worked out by hand."""

    def test_shares(self):
        # 100 * 1/3 = 33.3 each: the first line takes the remaining one.
        self.assertEqual(shares(100, [500, 500, 500]), [34, 33, 33])
        # 51 * 67/101 = 33.8 and 51 * 34/101 = 17.2.
        self.assertEqual(shares(51, [67, 34]), [34, 17])
        # 7 * 10/60 = 1.17, 7 * 20/60 = 2.33, 7 * 30/60 = 3.5: the last has the largest remainder.
        self.assertEqual(shares(7, [10, 20, 30]), [1, 2, 4])
        self.assertEqual(shares(5, [0, 0]), [0, 0])

    def test_discounts(self):
        # Twice 10 % of 1005 is twice 100.5 -> 101: they add, and do not compound.
        ten = {"name": "ten", "percentage": 10}
        self.assertEqual(taken_off(1005, [ten, ten]), [("ten", 101), ("ten", 101)])
        # 12.5 % of 1004 is 125.5 -> 126. Percentages come before amounts.
        eighth, five = {"name": "eighth", "percentageDecimal": 125_000}, {"name": "five", "amount": -500}
        self.assertEqual(taken_off(1004, [five, eighth]), [("eighth", 126), ("five", 500)])
        # Never below 0: 60 % of 500 is 300, and 200 of the 500 are left.
        self.assertEqual(taken_off(500, [{"name": "sixty", "percentage": 60}, five]), [("sixty", 300), ("five", 200)])


class Reports(unittest.TestCase):
    def compare(self, shop, first, last, start="00:00", zone=None, clock="client", statuses=None):
        """Every report of a period. Returns the measures of the reference."""
        hours, minutes = map(int, start.split(":"))
        expected = Reference(shop, first, last, hours * 60 + minutes, zone, clock)
        more = ["--day-start", start, "--clock", clock] + (["--zone", zone] if zone else [])
        with Service(shop) as service:
            differences = Comparison(service.address, expected, *more, statuses=statuses).differences
        self.assertEqual(differences, [], "\n" + "\n".join(differences))
        return expected.total()

    def day(self, number, **wanted):
        """What the odd shop sold on a day of October, worked out by hand; other measures are 0."""
        name = f"2026-10-{number:02d}"
        total = Reference(odd(), name, name).total()
        self.assertEqual({key: value for key, value in total.items() if value}, wanted, name)

    def test_american_days_over_a_change_of_clocks(self):
        # From 04:00 on October 31 to 04:00 on November 1 there are 25 hours, with four of the seven sales: 4 * 10.00.
        whole = self.compare(american(), "2026-10-31", "2026-10-31", "04:00")
        self.assertEqual((whole["orders"], whole["grossSales"], whole["tax"], whole["tips"]), (4, 4000, 320, 400))
        whole = self.compare(american(), "2026-10-30", "2026-11-02", "04:00")
        self.assertEqual((whole["orders"], whole["amountCollected"], whole["unpaidBalance"]), (7, 8260, 0))
        # By the calendar, October 31 has two sales, and November 1 four.
        self.assertEqual(self.compare(american(), "2026-10-31", "2026-10-31")["orders"], 2)
        self.assertEqual(self.compare(american(), "2026-11-01", "2026-11-01")["orders"], 4)

    def test_german_prices_contain_tax(self):
        # Sold for 22.60 with 2.60 tax, and 5.95 - 20 % = 4.76 with 0.76; 10.70 with 0.70 came back.
        whole = self.compare(german(), "2026-10-05", "2026-10-06")
        self.assertEqual((whole["grossSales"], whole["discounts"], whole["includedTax"]), (2855, 119, 336))
        # 2855 - 119 - (1070 - 70) - 336.
        self.assertEqual((whole["refunds"], whole["netSales"], whole["tax"]), (1000, 1400, 266))
        self.assertEqual((whole["amountCollected"], whole["unpaidBalance"]), (1666, 0))
        whole = self.compare(german(), "2026-10-05", "2026-10-05")
        self.assertEqual((whole["netSales"], whole["tax"], whole["amountCollected"]), (2000, 260, 2260))

    def test_everything_that_goes_wrong(self):
        whole = self.compare(nasty(), "2026-10-05", "2026-10-05")
        # 600 + 1005 + 1500 + 1000 (beside the gift card) + twice paid 1000 + partly paid 1000.
        self.assertEqual((whole["orders"], whole["grossSales"]), (6, 6105))
        # 202 + 40 on the second order, 100 on the third.
        self.assertEqual((whole["discounts"], whole["refunds"], whole["manualRefunds"]), (342, 300, 100))
        self.assertEqual((whole["netSales"], whole["nonRevenue"]), (5363, 2500))
        # 108 + 99 - 36; tips 200 - 50; tax 48 + 61 + 40 + 20 - 24 - 20.
        self.assertEqual((whole["serviceCharges"], whole["tips"], whole["tax"]), (171, 150, 125))
        # 756 + 1024 + 1499 + 3500 + 600 + 2000 + 540 + 250 - 430 - 120.
        self.assertEqual(whole["amountCollected"], 9619)
        # 500 owed before tax, 600 paid for an earlier sale, 1000 too much, 230 without an order, 20 of surcharges given back.
        self.assertEqual(whole["unpaidBalance"], 500 - 600 - 1000 - 230 + 20)
        # On the next day half of the gift card came back, and the offline sale was taken.
        whole = self.compare(nasty(), "2026-10-06", "2026-10-06")
        self.assertEqual((whole["grossSales"], whole["nonRevenue"], whole["amountCollected"]), (300, -1250, -950))
        self.compare(nasty(), "2026-10-01", "2026-10-31")

    def test_rare_things(self):
        def sale(gross, net=None, **more):
            net = gross if net is None else net
            return {"orders": 1, "grossSales": gross, "netSales": net, "amountCollected": net} | more

        self.day(1, **sale(1004, 878, discounts=126))
        # 1500 - 400; elsewhere a negative price is 0, and so are modifications of -30: 1500 + 0 + 200.
        self.day(2, **sale(1100))
        self.day(3, **sale(1700))
        # 500 - 500 + 100.
        self.day(4, **sale(600, 100, discounts=500))
        # 67 - 34 of goods, and 34 - 17 of the gift card.
        self.day(5, **sale(67, 33, discounts=34, nonRevenue=17, amountCollected=50))
        self.day(6, **sale(750))
        # 180 + 75 + 125.
        self.day(7, **sale(1000, serviceCharges=380, amountCollected=1380))
        # 540 - 40 - 50 of goods came back.
        self.day(8, **sale(1000, 550, refunds=450, tax=40, tips=99, serviceCharges=-50, amountCollected=639))
        # The money counts without the order: 700 - 350; it is no sale, so 650 and -325 of goods show as unpaid.
        self.day(9, netSales=-325, refunds=325, tax=25, amountCollected=350, unpaidBalance=-325 + 25 - 350)
        self.day(10, netSales=-280, manualRefunds=280, tax=-22, amountCollected=-302)
        self.day(11, **sale(1100))
        self.day(12, **sale(1200))
        self.day(13)
        self.day(14, **sale(1400))
        self.day(15, **sale(1500))
        self.day(16, **sale(1600, tips=160, amountCollected=1760))
        # 1000 of 1700 came back, and on the next day 900 more.
        self.day(17, **sale(1700, 700, refunds=1000))
        self.day(18, netSales=-900, refunds=900, amountCollected=-900)
        self.day(19)
        # 8.15 % of 2000, and 10 for a bag.
        self.day(20, **sale(2000, tax=173, amountCollected=2173))
        self.day(21, **sale(2100))
        # Twice 1200 + 1000, paid with 176 of tax each.
        self.day(22, orders=2, grossSales=4400, netSales=4400, tax=352, amountCollected=4752)
        # Half of 2300 and its 184 of tax was paid: 1150 of the goods are owed.
        self.day(23, orders=1, grossSales=2300, netSales=2300, tax=92, amountCollected=1242, unpaidBalance=1150)
        self.compare(odd(), "2026-10-01", "2026-10-23")
        for number in (5, 6, 8, 9, 10, 11, 14, 18, 22, 23):
            self.compare(odd(), f"2026-10-{number:02d}", f"2026-10-{number:02d}")

    def test_random_shops(self):
        for seed in seeds():
            with self.subTest(seed=seed):
                shop, chance = random_shop(seed), random.Random(seed)
                start = chance.choice(("00:00", "04:00", "22:30"))
                self.compare(shop, "2026-09-14", "2026-11-20", start, clock=chance.choice(("client", "client", "server")))
                first = chance.randint(1, 26)
                self.compare(shop, f"2026-10-{first:02d}", f"2026-10-{first + chance.randint(0, 4):02d}", start)

    def test_random_shops_that_do_not_add_up(self):
        for seed in seeds():
            with self.subTest(seed=seed):
                self.compare(damaged_shop(seed), "2026-10-01", "2026-10-31", statuses=(0, 79))

    def test_days_are_months_in_every_zone(self):
        shop = random_shop(7)
        with Service(shop) as service:
            for zone in ("America/New_York", "America/St_Johns", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe",
                         "Pacific/Kiritimati", "Pacific/Pago_Pago", "Africa/Casablanca"):
                for start in random.sample(("00:00", "04:00", "22:30"), 1):
                    sums = {}
                    hours, minutes = map(int, start.split(":"))
                    expected = Reference(shop, "2026-09-01", "2026-11-20", hours * 60 + minutes, zone)
                    for unit in UNITS:
                        status, rows, errors = clover(
                            service.address, "report", "sales", "--period", "2026-09..2026-11-20", "--by", unit, "--zone", zone,
                            "--day-start", start)
                        self.assertEqual(status, proved(expected), errors)
                        for row in rows:
                            month = row["day"][:7] if unit == "day" else row["month"] if unit == "month" else ""
                            for name in SALES:
                                sums.setdefault((unit, month), {}).setdefault(name, 0)
                                sums[unit, month][name] += row.get(name, 0)
                    months = [month for unit, month in sums if unit == "month"]
                    self.assertEqual(len(months), 3)
                    for month in months:
                        self.assertEqual(sums["day", month], sums["month", month], (zone, start, month))
                    whole = {name: sum(sums["month", month][name] for month in months) for name in SALES}
                    self.assertEqual(sums["week", ""], whole, (zone, start))
                    self.assertEqual(whole, expected.total())


    def test_no_payment_is_lost(self):
        """A payment counts on one day, however late it arrives: taken on the first of September, it arrives days later."""
        for late in (1, 7, 8, 9, 30, 80, 89, 91):
            shop = Shop("America/New_York", "USD")
            taken = shop.at("2026-08-01T12:00")
            shop.order([shop.line(1000)], 1000, [(1000, 0, taken + late * DAY, {"clientCreatedTime": taken, "offline": True})])
            arrived = (date(2026, 8, 1) + timedelta(days=late)).isoformat()
            with self.subTest(late=late), Service(shop) as service:
                orders = [clover(service.address, "report", "sales", "--period", day)[1][0]["orders"]
                          for day in ("2026-08-01", arrived)]
                self.assertEqual(sum(orders), 1)

    def test_lists_that_lack_records(self):
        shop = american()
        period = ("--period", "2026-10-30..2026-11-02")
        whole = Reference(shop, "2026-10-30", "2026-11-02").total()
        # An order that no list has is found by its address, and a deleted one is not.
        with Service(shop, hidden={order["id"] for order in shop.lists["orders"]}) as service:
            status, rows, errors = clover(service.address, "report", "sales", *period)
            self.assertEqual((status, only(rows[0], ["orders", "grossSales"])), (0, only(whole, ["orders", "grossSales"])), errors)
        payment = shop.lists["payments"][0]["id"]
        with Service(shop, hidden={payment}) as service:
            status, _, errors = clover(service.address, "report", "sales", *period, "-q")
            self.assertEqual(status, 79)
            self.assertIn(f"payment {payment}: the payment is in its order and not in the list of payments", errors)
            status, findings, _ = clover(service.address, "reconcile", *period)
            self.assertEqual((status, [one["kind"] for one in findings]), (82, ["payment_not_listed"]))

    def test_orders_that_cannot_be_checked(self):
        shop = Shop("America/New_York", "USD")
        for total, more in ((1000, {}), (1000, {"currency": "CAD"}), (1000, {"total": None}), (0, {"paymentState": "PAID"})):
            at = shop.at("2026-10-05T12:00")
            order = shop.order([shop.line(total)], total, [(total, 0, at)] if total else [], createdTime=at)
            order.update(more)
        arguments = ("--period", "2026-10-05")
        with Service(shop) as service:
            status, rows, errors = clover(service.address, "report", "sales", *arguments)
            self.assertEqual((status, rows[0]["orders"], rows[0]["grossSales"]), (79, 3, 3000))
            for sentence in ("the order is in CAD", "the order has no total", "1 order of 0 that is marked as paid"):
                self.assertIn(sentence, errors)
            status, findings, _ = clover(service.address, "reconcile", *arguments)
            self.assertEqual(sorted(one["kind"] for one in findings), ["currency_differs", "total_missing"])
            # The report is written nevertheless, and its receipt says why the status is 79.
            with tempfile.TemporaryDirectory() as folder:
                page, rows, receipt = (f"{folder}/{name}" for name in ("page.html", "rows.ndjson", "receipt.json"))
                status, _, _ = clover(
                    service.address, "report", "sales", *arguments, "--html", page, "-o", rows, "--receipt", receipt)
                self.assertEqual((status, json.loads(Path(rows).read_text())["orders"]), (79, 3))
                self.assertIn("the order is in CAD", Path(page).read_text())
                receipt = json.loads(Path(receipt).read_text())
                self.assertEqual((receipt["complete"], len(receipt["reasons"])), (False, 2))
                self.assertTrue(any("the order has no total" in reason for reason in receipt["reasons"]), receipt)

    def test_memory(self):
        """What a report keeps of an order with its payment."""
        peaks = []
        for orders in (2_000, 32_000):
            service = subprocess.Popen(
                [sys.executable, ROOT / "Benchmarks" / "report_service.py", str(orders)], stdout=subprocess.PIPE, text=True)
            self.addCleanup(service.stdout.close)
            self.addCleanup(service.wait)
            self.addCleanup(service.kill)
            address = f"http://127.0.0.1:{service.stdout.readline().strip()}"
            with tempfile.TemporaryDirectory() as state:
                environment = {
                    "HOME": state, "CLOVER_STATE_DIR": state + "/state", "CLOVER_ENVIRONMENT": address,
                    "CLOVER_MERCHANT": "M0BENCH00000M", "CLOVER_ACCESS_TOKEN": TOKEN}
                run = subprocess.run(
                    [sys.executable, "-c", PEAK, PROGRAMS / "clover", "report", "taxes", "--period", "2026-10", "--no-pacing"],
                    env=environment, capture_output=True, text=True, timeout=PATIENCE, check=True)
            peaks.append(int(run.stdout) * 1024)
        self.assertLess((peaks[1] - peaks[0]) / 30_000, 250)

    def test_400_days_of_the_emulator(self):
        with Emulator() as emulator:
            expected = Reference(emulator.shop, emulator.FIRST, emulator.LAST)
            self.assertEqual(Comparison(emulator.address, expected, **emulator.account).differences, [])
            run = subprocess.run(
                ["jq", "--compact-output", "--from-file", Path(__file__).with_name("sales.jq")],
                input=json.dumps(emulator.shop.lists), env=os.environ | {"TZ": emulator.ZONE}, capture_output=True, text=True,
                timeout=PATIENCE, check=True)
            wanted = {row.pop("day"): row for row in map(json.loads, run.stdout.splitlines())}
            _, rows, _ = clover(emulator.address, "report", "sales", "--by", "day", "--period",
                                f"{emulator.FIRST}..{emulator.LAST}", **emulator.account)
            self.assertEqual(len(rows), 400)
            self.assertGreater(len(wanted), 350)
            names = ("orders", "grossSales", "discounts", "refunds", "manualRefunds", "serviceCharges", "tax", "tips",
                     "amountCollected")
            for row in rows:
                day = wanted.pop(row["day"], {})
                self.assertEqual(only(row, names), {name: day.get(name, 0) for name in names}, row["day"])
            self.assertEqual(wanted, {})


class Reconcile(unittest.TestCase):
    def found(self, shop, first, last):
        with Service(shop) as service:
            status, findings, errors = clover(service.address, "reconcile", "--period", f"{first}..{last}")
        self.assertEqual(status, 82 if findings else 0, errors)
        for finding in findings:
            self.assertTrue(finding["sentence"], finding)
        return {(one["kind"], one["order"], one["payment"], one["refund"], one["amount"]) for one in findings
                if one["kind"] != "clock_differs"}

    def test_what_went_wrong(self):
        found = self.found(nasty(), "2026-10-05", "2026-10-05")
        self.assertEqual(sorted((kind, amount) for kind, *_, amount in found), [
            ("paid_twice", 1000), ("partly_paid", -540), ("payment_without_order", 250), ("undecided_payment", 800)])
        self.assertEqual(self.found(american(), "2026-10-30", "2026-11-02"), set())
        self.assertEqual(self.found(german(), "2026-10-05", "2026-10-06"), set())
        # Of 1700, 1000 and 900 came back; half of 2484 was paid; a refund of 112 is pending; and a cent of 192 of tax is missing.
        found = self.found(odd(), "2026-10-01", "2026-10-31")
        self.assertEqual(sorted((kind, amount) for kind, *_, amount in found), [
            ("partly_paid", -1242), ("payment_without_order", 700), ("refund_above_payment", 200),
            ("refund_without_order", 350), ("tax_differs", -1), ("undecided_payment", 112)])

    def test_random_shops(self):
        for seed in seeds():
            for shop in (random_shop(seed), damaged_shop(seed)):
                for first, last in (("2026-09-14", "2026-11-20"), ("2026-10-10", "2026-10-20")):
                    with self.subTest(seed=seed, first=first):
                        found, wanted = self.found(shop, first, last), Reference(shop, first, last).findings()
                        self.assertEqual((sorted(map(str, found - wanted)), sorted(map(str, wanted - found))), ([], []))


def seeds():
    first = random.randrange(1_000_000) if SEED is None else SEED
    print(f"reports: random shops {first} to {first + COUNT - 1}", flush=True)
    return range(first, first + COUNT)


def main():
    global COUNT, SEED
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int)
    options, names = parser.parse_known_args()
    COUNT, SEED = options.count, options.seed
    unittest.main(argv=[sys.argv[0], *names])


if __name__ == "__main__":
    main()
