"""Writes every record of a list of pages to an SQLite database with sqlite-utils: a table for orders, and one for line items.

    sqlite_utils_load.py URL DATABASE
"""

import sys

import httpx
import sqlite_utils

url, path = sys.argv[1:]


def pages():
    with httpx.Client() as client:
        offset = 0
        while True:
            records = client.get(f"{url}{offset}").raise_for_status().json()["elements"]
            if not records:
                return
            yield records
            offset += len(records)


database = sqlite_utils.Database(path)
with database.conn:
    for orders in pages():
        items = []
        for order in orders:
            for item in order.pop("lineItems")["elements"]:
                items.append(item | {"order_id": order["id"]})
        database["orders"].insert_all(orders, pk="id", replace=True, batch_size=len(orders))
        database["line_items"].insert_all(items, pk="id", replace=True, batch_size=len(items))
database["line_items"].create_index(["order_id"])
