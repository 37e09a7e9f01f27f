"""The recipes of docs/recipes.md, run as they are printed there.

    Scripts/install-python recipes
    CLOVER_TEST_BINARIES=.build/release .build/python-recipes/bin/python Tests/Recipes/test_recipes.py [TEST...]

Each test takes the blocks of one section, runs them on a local shop, and compares the result with the payments of the shop itself.
"""

import contextlib
import csv
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path

# Leaves the source tree unchanged.
sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Benchmarks"))

from databases import Server  # noqa: E402

# Time limit in seconds, longer than anything here takes on a busy machine; it catches hangs.
PATIENCE = 300
TEXT = Path(__file__).resolve().parents[2] / "docs" / "recipes.md"


def program_folder() -> str:
    folder = os.environ.get("CLOVER_TEST_BINARIES")
    if not folder:
        sys.exit("recipes: set CLOVER_TEST_BINARIES to the folder of the built programs")
    return str(Path(folder).resolve())


def blocks(section: str) -> list[str]:
    """The code of a section, in order."""
    found = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", TEXT.read_text(), re.MULTILINE | re.DOTALL)
    assert found, f"no section {section}"
    return re.findall(r"^```\w+\n(.*?)^```$", found.group(1), re.MULTILINE | re.DOTALL)


class Recipes(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        binaries = program_folder()
        cls._temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls._temporary.name)
        command = [f"{binaries}/clover-emulator", "serve", "--port", "0", "--orders", "400", "--no-limits"]
        cls._service = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        ready = json.loads(cls._service.stdout.readline())
        cls.variables = {
            "PATH": f"{binaries}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(cls.folder),
            "CLOVER_ENVIRONMENT": ready["url"],
            "CLOVER_MERCHANT_ID": ready["merchantId"],
            "CLOVER_ACCESS_TOKEN": ready["accessToken"],
            "CLOVER_STATE_DIR": str(cls.folder / "state"),
            "CLOVER_CONFIG_DIR": str(cls.folder / "config"),
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        }
        # The commands at the top of the page.
        start = re.search(r"^```\n(.*?)^```$", TEXT.read_text(), re.MULTILINE | re.DOTALL)
        cls.run_shell(start.group(1))
        # The shop's own numbers, which no export had in its hands.
        cls.shop = {}
        for name in ("orders", "payments", "tenders"):
            with urllib.request.urlopen(f"{ready['url']}/emulator/records/{name}", timeout=PATIENCE) as response:
                cls.shop[name] = [json.loads(line) for line in response if line.strip()]
        cls.total = sum(payment["amount"] for payment in cls.shop["payments"] if payment["result"] == "SUCCESS")
        assert cls.total > 0

    @classmethod
    def tearDownClass(cls) -> None:
        cls._service.terminate()
        cls._service.wait()
        cls._service.stdout.close()
        cls._temporary.cleanup()

    @classmethod
    def run_shell(cls, text: str) -> str:
        result = subprocess.run(
            ["/bin/bash", "-euo", "pipefail", "-c", text], cwd=cls.folder, env=cls.variables, text=True,
            capture_output=True, timeout=PATIENCE, check=False)
        assert result.returncode == 0, f"{text}\n{result.stdout}{result.stderr}"
        return result.stdout

    def run_python(self, text: str) -> str:
        (self.folder / "recipe.py").write_text(text)
        return self.run_shell(f"{sys.executable} recipe.py")

    def duckdb(self, statement: str, database: str = "") -> list:
        import duckdb

        here = os.getcwd()
        os.chdir(self.folder)
        try:
            with duckdb.connect(database or ":memory:") as connection:
                return connection.execute(statement).fetchall()
        finally:
            os.chdir(here)

    def assert_total(self, amount: float) -> None:
        self.assertEqual(round(amount * 100), self.total)

    def test_duckdb(self) -> None:
        self.assert_total(sum(row[2] for row in self.duckdb(blocks("DuckDB")[0])))

    def test_pandas(self) -> None:
        rows = [line.split() for line in self.run_python(blocks("pandas")[0] + "print((payments['amount'].sum()))\n")
                .splitlines()]
        self.assertEqual(int(rows[-1][0]), self.total)

    # The databases, as the clients of each read them: the columns, the records, and the view for people.
    COUNTS = """SELECT count(*), sum(total) FROM orders UNION ALL
        SELECT count(*), sum(amount) FROM payments WHERE result = 'SUCCESS' UNION ALL
        SELECT count(*), count(DISTINCT id) FROM tenders"""

    def assert_counts(self, rows: list) -> None:
        paid = [payment for payment in self.shop["payments"] if payment["result"] == "SUCCESS"]
        self.assertEqual(
            sorted([int(value) for value in row] for row in rows),
            sorted([
                [len(self.shop["orders"]), sum(order.get("total", 0) for order in self.shop["orders"])],
                [len(paid), self.total], [len(self.shop["tenders"])] * 2]))

    def assert_records(self, lines: list) -> None:
        records = {record["id"]: record for record in map(json.loads, lines)}
        self.assertEqual(records, {record["id"]: record for record in self.shop["payments"]})

    def test_sqlite3(self) -> None:
        (self.folder / "counts.sql").write_text(self.COUNTS)
        rows = self.run_shell("sqlite3 -readonly shop.db <counts.sql").splitlines()
        self.assert_counts([row.split("|") for row in rows])
        self.assert_records(self.run_shell("sqlite3 -readonly shop.db 'SELECT record FROM payments'").splitlines())

    def test_pandas_database(self) -> None:
        import pandas

        with contextlib.closing(sqlite3.connect(self.folder / "shop.db")) as database:
            self.assert_counts(pandas.read_sql(self.COUNTS, database).values.tolist())
            sold = pandas.read_sql("SELECT amount FROM payments_by_tender", database)
        self.assert_total(sold["amount"].sum())

    def test_psql(self) -> None:
        server = Server()
        self.addCleanup(server.stop)
        server.empty()
        self.run_shell(
            "clover export orders payments tenders --with line_items"
            f" --to 'postgresql://bench@/bench?host={server.folder}'")
        self.assert_counts(server.rows(self.COUNTS))
        self.assert_records([line for [line] in server.rows("SELECT record FROM payments", mark="\t")])
        self.assert_total(sum(float(row[0]) for row in server.rows("SELECT amount FROM payments_by_tender")))

    def test_datasette(self) -> None:
        command = blocks("Datasette")[0].strip()
        self.assertEqual(command, "datasette serve shop.db")
        text = self.run_shell(command + " --get '/shop/payments_by_tender.json?_shape=array&_size=max'")
        self.assert_total(sum(row["amount"] for row in json.loads(text)))

    def test_grafana(self) -> None:
        metrics, statement = blocks("Grafana")
        self.run_shell(metrics)
        self.assertIn("clover_export_last_success_timestamp_seconds{", (self.folder / "clover.prom").read_text())
        (self.folder / "series.sql").write_text(statement)
        rows = self.run_shell("sqlite3 -csv shop.db <series.sql").splitlines()
        self.assert_total(sum(float(row.split(",")[1]) for row in rows))

    def test_dbt(self) -> None:
        project, profiles, model, command = blocks("dbt")
        (self.folder / "models").mkdir()
        for name, text in [
            ("dbt_project.yml", project), ("profiles.yml", profiles), ("models/daily_payments.sql", model)]:
            (self.folder / name).write_text(text)
        self.run_shell(command)
        rows = self.duckdb("SELECT sum(amount) FROM daily_payments", "shop.duckdb")
        self.assert_total(float(rows[0][0]))

    def test_excel(self) -> None:
        self.run_shell(blocks("Excel")[0])
        text = (self.folder / "payments.csv").read_bytes()
        self.assertTrue(text.startswith(b"\xef\xbb\xbf"))
        rows = list(csv.DictReader(text.decode("utf-8-sig").splitlines()))
        self.assert_total(sum(float(row["amount"]) for row in rows))

    def test_journal(self) -> None:
        statement, command = blocks("A journal for the accountant")
        (self.folder / "journal.sql").write_text(statement)
        self.run_shell(command)
        rows = list(csv.DictReader((self.folder / "journal.csv").read_text().splitlines()))
        debit, credit = (sum(float(row[side] or 0) for row in rows) for side in ("debit", "credit"))
        # Both sides are equal.
        self.assertEqual(round(debit * 100), round(credit * 100))
        sales = sum(float(row["credit"]) for row in rows if row["account"] in ("4000", "2200"))
        self.assert_total(sales)


if __name__ == "__main__":
    unittest.main(verbosity=2)
