"""Exports of orders with their line items to SQLite and PostgreSQL, and a PostgreSQL server for them.

clover, dlt and sqlite-utils make a table of orders and one of line items; a Singer tap knows nested lists only as JSON, so
its target keeps them in the orders. Each tool uses its fastest way to load into an empty database that can be loaded into
again without duplicates.
"""

import json
import os
import pwd
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

from fixture import MERCHANT

SQLITE = "an export to SQLite"
POSTGRESQL = "an export to PostgreSQL"
OURS = "clover export"
# The counts and sums by which the tools' results are compared: orders, line items.
COUNTS = "SELECT count(*), sum(total) FROM orders UNION ALL SELECT count(*), sum(price) FROM orders__line_items"
CHECKS = {
    OURS: COUNTS,
    "dlt": COUNTS.replace("orders__line_items", "bench.orders__line_items__elements").replace("FROM orders", "FROM bench.orders"),
    "sqlite-utils": COUNTS.replace("orders__line_items", "line_items"),
    "Singer: tap-rest-api-msdk and target-postgres": (
        "SELECT count(*), sum(total) FROM orders UNION ALL SELECT count(*), sum((item->>'price')::bigint)"
        """ FROM orders, jsonb_array_elements("lineItems_elements"::jsonb) AS item"""),
}


class Server:
    """A PostgreSQL server with its usual settings, which listens on a socket in a temporary folder, and on a port of
    loopback if one is given."""

    def __init__(self, port=None):
        versions = [name for name in os.listdir("/usr/lib/postgresql") if name.isdecimal()]
        self.programs = f"/usr/lib/postgresql/{max(versions, key=int)}/bin"
        # The socket has its number in its name too.
        self.port = port or 5432
        # The name of a socket is short, and the server's user must reach it.
        self.folder = tempfile.mkdtemp(prefix="clover-pg-", dir="/tmp")
        os.chmod(self.folder, 0o755)
        # The server refuses to run as root.
        self.user = []
        if os.geteuid() == 0:
            os.chown(self.folder, pwd.getpwnam("postgres").pw_uid, -1)
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
        data = f"{self.folder}/data"
        subprocess.run(
            [*self.user, f"{self.programs}/initdb", "-D", data, "-U", "bench", "-A", "trust", "-E", "UTF8", "--locale",
             "C.UTF-8"], stdout=subprocess.DEVNULL, check=True, cwd="/")
        self.process = subprocess.Popen(
            [*self.user, f"{self.programs}/postgres", "-D", data, "-k", self.folder, "-c", f"listen_addresses={'127.0.0.1' if port else ''}",
             "-p", str(self.port), "-c", "max_connections=250"],
            stderr=subprocess.DEVNULL, cwd="/")
        for _ in range(100):
            if subprocess.run(["pg_isready", "-q", "-h", self.folder, "-p", str(self.port)], check=False).returncode == 0:
                return
            time.sleep(0.1)
        raise SystemExit("bench: PostgreSQL does not start")

    def rows(self, statement, database="bench", mark="|"):
        """The rows of the last statement, as lists of texts."""
        command = ["psql", "-XAtq", "-F", mark, "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p", str(self.port), "-U", "bench", "-d", database, "-c", statement]
        environment = os.environ | {"PGOPTIONS": "-c client_min_messages=warning"}
        text = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True).stdout.decode()
        return [line.split(mark) for line in text.splitlines()]

    def empty(self):
        """Makes an empty database. The work that the previous one left for the server is done now."""
        for statement in ("DROP DATABASE IF EXISTS bench", "CREATE DATABASE bench", "CHECKPOINT"):
            self.rows(statement, "postgres")

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def target_configuration(folder, server):
    """A configuration file for target-postgres that loads with COPY, in large batches."""
    path = os.path.join(folder, "target.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({
            "sqlalchemy_url": f"postgresql+psycopg://bench:none@/bench?host={server.folder}",
            "default_target_schema": "public", "use_copy": True, "batch_size_rows": 20_000,
            "add_record_metadata": False, "activate_version": False}, file)
    return path


def cases(fixture, folder, server, python, peers):
    """(what, tool, command) of each case, as in Benchmarks/run."""
    # A single time window, because the other tools fetch a single list.
    clover = "clover export orders --expand lineItems --no-pacing --since 2026-09-01 --until 2026-10-01 --to"
    arguments = f"{fixture.url} /v3/merchants/{MERCHANT}/orders $SCRATCH"
    url = f"{fixture.url}/v3/merchants/{MERCHANT}/orders?expand=lineItems&limit=1000&offset="
    yield SQLITE, OURS, f"{clover} sqlite:$SCRATCH/shop.db"
    yield SQLITE, "dlt", f"{python} {peers}/dlt_database.py {arguments} sqlite >/dev/null 2>&1"
    yield SQLITE, "sqlite-utils", f"{python} {peers}/sqlite_utils_load.py '{url}' $SCRATCH/shop.db"
    yield POSTGRESQL, OURS, f"{clover} 'postgresql://bench@/bench?host={server.folder}'"
    yield POSTGRESQL, "dlt", f"{python} {peers}/dlt_database.py {arguments} {server.folder} >/dev/null 2>&1"
    tap, target = (
        os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(python))), environment, "bin", name)
        for environment, name in (("python-bench", "tap-rest-api-msdk"), ("python-bench-target", "target-postgres")))
    yield POSTGRESQL, "Singer: tap-rest-api-msdk and target-postgres", (
        f"{tap} --config {fixture.tap_configuration(folder)} 2>/dev/null"
        f" | {target} --config {target_configuration(folder, server)} >/dev/null 2>&1")


def found(what, tool, scratch, server):
    """The counts and sums in the database that a tool wrote."""
    if what.startswith(POSTGRESQL):
        rows = server.rows(CHECKS[tool])
    else:
        with sqlite3.connect(f"{scratch}/shop.db") as database:
            if tool == "dlt":
                database.execute("ATTACH ? AS bench", (f"{scratch}/shop__bench.db",))
            rows = database.execute(CHECKS[tool]).fetchall()
    return sorted([int(value) for value in row] for row in rows)
