"""Sales by day of a month, as one would compute them with pandas: fetch the lists, and group them.

    pandas_report.py ADDRESS MERCHANT TOKEN ZONE BEGIN END
"""

import json
import sys
import urllib.request

import pandas as pd

address, merchant, token, zone, begin, end = sys.argv[1:]
PERIOD = f"&filter=createdTime%3E%3D{begin}&filter=createdTime%3C{end}"


def fetch(path, query=""):
    records, offset = [], 0
    while True:
        url = f"{address}/v3/merchants/{merchant}/{path}?limit=1000&offset={offset}{query}"
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request) as response:
            page = json.load(response)["elements"]
        records += page
        offset += 1000
        if len(page) < 1000:
            return records


def day(times):
    return pd.to_datetime(times, unit="ms", utc=True).dt.tz_convert(zone).dt.strftime("%Y-%m-%d")


def percent(amount, hundredths):
    return (2 * amount * hundredths + 10_000) // 20_000


def percentage(record):
    return 100 * sum(discount["percentage"] for discount in record.get("discounts", {"elements": []})["elements"])


payments = pd.DataFrame(fetch("payments", PERIOD + "&expand=taxRates"))
payments = payments[payments["result"] == "SUCCESS"]
payments["day"] = day(payments["createdTime"])
payments["order"] = payments["order"].map(lambda order: order["id"])
payments["collected"] = payments["amount"] + payments["tipAmount"]
sold_on = payments.sort_values("createdTime").groupby("order")["day"].first()

fetched = fetch(
    "orders", PERIOD + "&expand=lineItems,lineItems.discounts,lineItems.modifications,discounts,serviceCharge,payments")
lines = pd.DataFrame([
    {"order": order["id"], "discount": percentage(line), "gross": line["price"] + sum(
        modification["amount"] for modification in line.get("modifications", {"elements": []})["elements"])}
    for order in fetched for line in order["lineItems"]["elements"] if not line["exchanged"]])
lines["net"] = lines["gross"] - percent(lines["gross"], lines["discount"])
orders = pd.DataFrame([
    {"order": order["id"], "discount": percentage(order),
     "charge": order.get("serviceCharge", {"percentageDecimal": 0})["percentageDecimal"] // 100} for order in fetched])
orders = orders.set_index("order").join(lines.groupby("order")[["gross", "net"]].sum())
orders["discounted"] = orders["net"] - percent(orders["net"], orders["discount"])
orders["discounts"] = orders["gross"] - orders["discounted"]
orders["charges"] = percent(orders["discounted"], orders["charge"])
orders["day"] = sold_on
refunds = pd.DataFrame(fetch("refunds", "&expand=lineItems,payment"))
refunds = refunds[~refunds["voided"]]
refunds["day"] = day(refunds["createdTime"])
credits = pd.DataFrame(fetch("credits", "&expand=taxRates"))
credits = credits[~credits["voided"] & (credits["result"] == "SUCCESS")]
credits["day"] = day(credits["createdTime"])

sales, paid, back, manual = (frame.groupby("day") for frame in (orders, payments, refunds, credits))
days = pd.DataFrame({
    "orders": sales.size(), "grossSales": sales["gross"].sum(), "discounts": sales["discounts"].sum(),
    "serviceCharges": sales["charges"].sum(), "tips": paid["tipAmount"].sum(), "paid": paid["collected"].sum(),
    "paidTax": paid["taxAmount"].sum(), "refunded": back["amount"].sum(), "refundedTax": back["taxAmount"].sum(),
    "credited": manual["amount"].sum(), "creditedTax": manual["taxAmount"].sum()}).fillna(0).astype(int)
days["refunds"] = days["refunded"] - days["refundedTax"]
days["manualRefunds"] = days["credited"] - days["creditedTax"]
days["netSales"] = days["grossSales"] - days["discounts"] - days["refunds"] - days["manualRefunds"]
days["tax"] = days["paidTax"] - days["refundedTax"] - days["creditedTax"]
days["amountCollected"] = days["paid"] - days["refunded"] - days["credited"]
days["nonRevenue"] = 0
days["unpaidBalance"] = days["netSales"] + days["tax"] + days["serviceCharges"] + days["tips"] - days["amountCollected"]
names = ["orders", "grossSales", "discounts", "refunds", "manualRefunds", "netSales", "tax", "serviceCharges", "tips",
         "nonRevenue", "amountCollected", "unpaidBalance"]
for name, row in days.iterrows():
    print(json.dumps({"day": name} | {key: int(row[key]) for key in names}, separators=(",", ":")))
