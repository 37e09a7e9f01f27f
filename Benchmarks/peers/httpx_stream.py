"""Prints every record of a list as a line of JSON, over one connection, page by page, as a Python user would write it.

    httpx_stream.py URL [FILTER]      FILTER: id or shape
"""

import json
import sys

import httpx

PAGE = 1000
shapes = {
    "id": lambda order: order["id"],
    "shape": lambda order: {
        "id": order["id"], "total": order["total"], "n": len(order.get("lineItems", {}).get("elements", []))},
}
shape = shapes.get(sys.argv[2] if len(sys.argv) > 2 else "", lambda order: order)
with httpx.Client() as client:
    offset = 0
    while True:
        page = client.get(sys.argv[1] + str(offset)).raise_for_status().json()["elements"]
        for order in page:
            print(json.dumps(shape(order), ensure_ascii=False, separators=(",", ":")))
        if len(page) < PAGE:
            break
        offset += PAGE
