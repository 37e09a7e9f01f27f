#!/usr/bin/env python3
"""Sales by day of a month, as one would compute them with pandas: fetch the lists, and group them.

    pandas_report.py ADDRESS MERCHANT TOKEN ZONE
"""

import json
import sys
import urllib.request

import pandas as pd

address, merchant, token, zone = sys.argv[1:]


def fetch(path, expand=""):
    records, offset = [], 0
    while True:
        url = f"{address}/v3/merchants/{merchant}/{path}?limit=1000&offset={offset}{expand}"
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request) as response:
            page = json.load(response)["elements"]
        records += page
        offset += 1000
        if len(page) < 1000:
            return records


def day(times):
    return pd.to_datetime(times, unit="ms", utc=True).dt.tz_convert(zone).dt.strftime("%Y-%m-%d")


payments = pd.DataFrame(fetch("payments"))
payments = payments[payments["result"] == "SUCCESS"]
payments["day"] = day(payments["createdTime"])
payments["order"] = payments["order"].map(lambda order: order["id"])
sold_on = payments.sort_values("createdTime").groupby("order")["day"].first()

orders = fetch("orders", "&expand=lineItems,lineItems.discounts,lineItems.modifications,discounts,serviceCharge,payments")
lines = pd.DataFrame(
    [{"order": order["id"], "price": line["price"]} for order in orders for line in order["lineItems"]["elements"]])
lines["day"] = lines["order"].map(sold_on)
refunds = fetch("refunds", "&expand=lineItems,payment")
credits = fetch("credits")

days = pd.DataFrame({
    "orders": sold_on.groupby(sold_on).size(),
    "grossSales": lines.groupby("day")["price"].sum(),
    "tax": payments.groupby("day")["taxAmount"].sum(),
    "tips": payments.groupby("day")["tipAmount"].sum(),
    "amountCollected": (payments["amount"] + payments["tipAmount"]).groupby(payments["day"]).sum(),
}).fillna(0).astype(int)
assert not refunds and not credits
for name, row in days.iterrows():
    print(json.dumps({"day": name} | {key: int(value) for key, value in row.items()}))
