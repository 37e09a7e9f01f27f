#!/usr/bin/env python3
"""Compares the reports of the built `clover` with a separate program, over synthetic shops that another server serves.

    CLOVER_TEST_BINARIES=.build/release python3 Tests/Reports/test_reports.py [--seeds COUNT] [TEST...]

The status is 1 when something differs. Random shops name their seed.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from datetime import datetime
from zoneinfo import ZoneInfo

# Leaves the source tree unchanged.
sys.dont_write_bytecode = True

from reference import Books
from server import Service
from shops import american, german, nasty, random_shop

PROGRAM = os.path.join(os.path.abspath(os.environ.get("CLOVER_TEST_BINARIES", ".build/release")), "clover")
MEASURES = ["orders", "grossSales", "discounts", "refunds", "manualRefunds", "netSales", "tax", "serviceCharges", "tips",
            "nonRevenue", "amountCollected", "unpaidBalance"]
SEEDS = 2


def clover(service, *arguments):
    """The status and the lines that a command prints."""
    with tempfile.TemporaryDirectory() as state:
        environment = {
            "PATH": os.environ["PATH"], "HOME": state, "CLOVER_STATE_DIR": state + "/state",
            "CLOVER_ENVIRONMENT": service.address, "CLOVER_MERCHANT": "SHOP000000001", "CLOVER_ACCESS_TOKEN": "token"}
        run = subprocess.run([PROGRAM, *arguments, "--no-pacing"], env=environment, capture_output=True, text=True)
    return run.returncode, [json.loads(line) for line in run.stdout.splitlines()], run.stderr


class Reports(unittest.TestCase):
    def report(self, service, name, period, *more):
        status, rows, errors = clover(service, "report", name, "--period", f"{period[0]}..{period[1]}", *more)
        self.assertEqual(status, 0, errors)
        return rows

    def compare(self, shop, period, start="00:00"):
        """Every report of a period."""
        hours, minutes = map(int, start.split(":"))
        books = Books(shop, *period, start=hours * 60 + minutes)
        names = MEASURES + (["includedTax"] if shop.is_vat and books.payments else [])
        with Service(shop) as service:
            def rows(name, *more):
                return self.report(service, name, period, "--day-start", start, *more)

            whole = rows("sales")[0]
            expected = books.sums(lambda *_: 0)[0]
            self.assertEqual({name: whole[name] for name in names}, {name: expected[name] for name in names})

            days = books.sums(lambda kind, time, record: books.date(time))
            for row in rows("sales", "--by", "day"):
                self.assertEqual({name: row[name] for name in names}, {name: days[row["day"]][name] for name in names}, row["day"])
            hour = books.sums(lambda kind, time, record: books.hour(time))
            for row in rows("sales", "--by", "hour"):
                self.assertEqual(row["grossSales"], hour[row["hour"]]["grossSales"], row)
            months = rows("sales", "--by", "month")
            self.assertEqual({name: sum(row[name] for row in months) for name in MEASURES},
                             {name: whole[name] for name in MEASURES})

            people = books.sums(lambda kind, time, record: record.get("employee", {}).get("id"))
            found = {row["id"]: row for row in rows("employees")}
            self.assertEqual(set(found), {person for person, row in people.items()})
            for person, row in people.items():
                for name in ("orders", "grossSales", "payments", "amount", "amountCollected"):
                    self.assertEqual(found[person][name], row[name], (person, name))
                self.assertEqual(found[person]["refunds"], row["refunded"])
                self.assertEqual(found[person]["name"], "Employee " + person[1:])

            def tender(kind, time, record):
                return (record.get("payment") or record).get("tender", {}).get("id")

            tenders = books.sums(tender)
            for row in rows("tenders"):
                for name in ("payments", "amount", "amountCollected", "refundCount", "manualRefundCount"):
                    self.assertEqual(row[name], tenders[row["id"]][name], (row["id"], name))

            items = books.items()
            found = {(row["id"] or row["name"], row["revenue"] == "yes"): row for row in rows("items")}
            self.assertEqual(set(found), set(items))
            for key, (quantity, lines, gross, discounts, refunds) in items.items():
                row = found[key]
                self.assertEqual([round(row["quantity"] * 1000), row["lines"], row["grossSales"], row["discounts"], row["refunds"]],
                                 [quantity, lines, gross, discounts, refunds], key)
            self.assertEqual(sum(row["netSales"] for row in rows("categories")), sum(row["netSales"] for row in found.values()))

            self.assertEqual({row["name"]: [row["count"], row["amount"]] for row in rows("discounts")}, books.discounts())
            self.assertEqual(sum(row["tax"] for row in rows("taxes")), whole["tax"])
            self.assertEqual(sum(row["tips"] for row in rows("tips")), whole["tips"])
            self.assertEqual(sum(row["grossSales"] for row in rows("hours")), whole["grossSales"])
            listed = rows("refunds")
            self.assertEqual(sorted((row["id"], row["goods"]) for row in listed),
                             sorted([(refund["id"], goods) for refund, goods, _ in books.refunds]
                                    + [(credit["id"], credit["amount"] - credit["taxAmount"]) for credit in books.credits]))
        return whole

    def test_american_days_over_a_change_of_clocks(self):
        # From 04:00 on October 31 to 04:00 on November 1 there are 25 hours, with four of the seven sales: 4 * 10.00.
        whole = self.compare(american(), ("2026-10-31", "2026-10-31"), "04:00")
        self.assertEqual((whole["orders"], whole["grossSales"], whole["tax"], whole["tips"]), (4, 4000, 320, 400))
        whole = self.compare(american(), ("2026-10-30", "2026-11-02"), "04:00")
        self.assertEqual((whole["orders"], whole["amountCollected"], whole["unpaidBalance"]), (7, 8260, 0))
        # By the calendar, October 31 has two sales, and November 1 four.
        self.assertEqual(self.compare(american(), ("2026-10-31", "2026-10-31"))["orders"], 2)
        self.assertEqual(self.compare(american(), ("2026-11-01", "2026-11-01"))["orders"], 4)

    def test_german_prices_contain_tax(self):
        # Sold for 22.60 with 2.60 tax, and 5.95 - 20 % = 4.76 with 0.76; 10.70 with 0.70 came back.
        whole = self.compare(german(), ("2026-10-05", "2026-10-06"))
        self.assertEqual((whole["grossSales"], whole["discounts"], whole["includedTax"]), (2855, 119, 336))
        # 2855 - 119 - (1070 - 70) - 336.
        self.assertEqual((whole["refunds"], whole["netSales"], whole["tax"]), (1000, 1400, 266))
        self.assertEqual((whole["amountCollected"], whole["unpaidBalance"]), (1666, 0))
        whole = self.compare(german(), ("2026-10-05", "2026-10-05"))
        self.assertEqual((whole["netSales"], whole["tax"], whole["amountCollected"]), (2000, 260, 2260))

    def test_everything_that_goes_wrong(self):
        whole = self.compare(nasty(), ("2026-10-05", "2026-10-05"))
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
        whole = self.compare(nasty(), ("2026-10-06", "2026-10-06"))
        self.assertEqual((whole["grossSales"], whole["nonRevenue"], whole["amountCollected"]), (300, -1250, -950))
        self.compare(nasty(), ("2026-10-01", "2026-10-31"))

    def test_reconcile_names_what_went_wrong(self):
        shop = nasty()
        with Service(shop) as service:
            status, findings, errors = clover(service, "reconcile", "--period", "2026-10-05")
        self.assertEqual(status, 82, errors)
        self.assertEqual(sorted((finding["kind"], finding["amount"]) for finding in findings), [
            ("paid_twice", 1000), ("partly_paid", -540), ("payment_without_order", 250), ("undecided_payment", 800)])
        with Service(american()) as service:
            status, findings, errors = clover(service, "reconcile", "--period", "2026-10-30..2026-11-02")
        self.assertEqual((status, findings, errors), (0, [], ""))

    def test_random_shops(self):
        for _ in range(SEEDS):
            seed = random.randrange(1_000_000)
            with self.subTest(seed=seed):
                shop = random_shop(seed)
                self.compare(shop, ("2026-10-14", "2026-11-25"), random.Random(seed).choice(["00:00", "04:00", "22:30"]))
                first = random.Random(seed).randint(15, 25)
                self.compare(shop, (f"2026-10-{first}", f"2026-10-{first + 3}"))


if __name__ == "__main__":
    if "--seeds" in sys.argv:
        place = sys.argv.index("--seeds")
        SEEDS = int(sys.argv[place + 1])
        del sys.argv[place:place + 2]
    unittest.main()
