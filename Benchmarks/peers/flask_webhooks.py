"""A webhook handler as one would write it with Flask: checks the auth code, and commits each body to SQLite before it responds.

    DATABASE=FILE CODE=CODE gunicorn --chdir Benchmarks/peers flask_webhooks:app
"""

import hmac
import os
import sqlite3
import threading

from flask import Flask, request

app = Flask(__name__)
# SQLite's connections belong to a thread.
local = threading.local()


def connect():
    if not hasattr(local, "database"):
        local.database = sqlite3.connect(os.environ["DATABASE"], timeout=60)
        local.database.execute("CREATE TABLE IF NOT EXISTS delivery (id INTEGER PRIMARY KEY, body BLOB NOT NULL)")
    return local.database


@app.post("/")
def receive():
    if not hmac.compare_digest(request.headers.get("X-Clover-Auth", ""), os.environ["CODE"]):
        return "", 401
    request.get_json()
    with connect() as transaction:
        transaction.execute("INSERT INTO delivery (body) VALUES (?)", (request.get_data(),))
    return "", 200
