"""Output of the built `clover export --singer`, read by a Singer target from another project.

    Scripts/install-python
    CLOVER_TEST_BINARIES=.build/release .build/python/bin/python Tests/Singer/test_singer.py [TEST...]

The target reads the schemas, judges every record by them and writes a file of comma-separated values for each stream, and
then the state. Prints what was checked; the status is 1 when something does not hold.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

# Leaves the source tree unchanged.
sys.dont_write_bytecode = True

# Time limit in seconds, longer than anything here takes on a busy machine; it catches hangs.
PATIENCE = 120
ORDERS = 1500
STREAMS = ["orders", "payments", "items", "customers", "employees", "tenders"]


def program(name: str) -> str:
    folder = os.environ.get("CLOVER_TEST_BINARIES")
    if not folder:
        sys.exit("singer: set CLOVER_TEST_BINARIES to the folder of the built programs")
    return str(Path(folder).resolve() / name)


def target() -> str:
    """The target's program, next to the interpreter."""
    path = Path(sys.executable).parent / "target-csv"
    if not path.exists():
        sys.exit(f"singer: {path} is missing; run Scripts/install-python, and this with .build/python/bin/python")
    return str(path)


class Pipeline:
    """A local Clover, and a folder in which the target keeps its files."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        command = [program("clover-emulator"), "serve", "--port", "0", "--orders", str(ORDERS), "--now", "clock"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        ready = json.loads(self._process.stdout.readline())
        self.url = ready["url"]
        self._variables = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "CLOVER_ENVIRONMENT": self.url,
            "CLOVER_MERCHANT_ID": ready["merchantId"],
            "CLOVER_ACCESS_TOKEN": ready["accessToken"],
            "CLOVER_STATE_DIR": str(self.folder / "state"),
            "CLOVER_CONFIG_DIR": str(self.folder / "config"),
        }
        (self.folder / "target.json").write_text(
            json.dumps({"output_path": folder, "overwrite_behavior": "replace_file"})
        )

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE)
        self._process.stdout.close()

    def run(self, *arguments: str) -> tuple[list[dict], str]:
        """Pipes the tap into the target. Returns the tap's messages, and the target's output: one state per line."""
        tap = subprocess.run(
            [program("clover"), "export", *arguments, "--singer"],
            capture_output=True, text=True, timeout=PATIENCE, check=False, env=self._variables, cwd=self.folder,
        )
        if tap.returncode != 0:
            raise AssertionError(f"clover ended with {tap.returncode}: {tap.stderr}")
        ended = subprocess.run(
            [target(), "--config", "target.json"], input=tap.stdout,
            capture_output=True, text=True, timeout=PATIENCE, check=False, env=self._variables, cwd=self.folder,
        )
        if ended.returncode != 0:
            raise AssertionError(f"the target ended with {ended.returncode}: {ended.stderr[-4000:]}")
        return [json.loads(line) for line in tap.stdout.splitlines()], ended.stdout

    def rows(self, stream: str) -> list[dict]:
        csv.field_size_limit(sys.maxsize)
        with open(self.folder / f"{stream}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def truth(self, stream: str) -> list[dict]:
        with urllib.request.urlopen(f"{self.url}/emulator/records/{stream}", timeout=PATIENCE) as answer:
            return [json.loads(line) for line in answer]

    def change(self, count: int) -> None:
        request = urllib.request.Request(f"{self.url}/emulator/churn?changes={count}", method="POST")
        urllib.request.urlopen(request, timeout=PATIENCE).close()
        # Every change has a separate millisecond, so changes can be ahead of the clock that ends a run's time range.
        newest = max(record.get("modifiedTime", 0) for name in ("orders", "payments", "items") for record in self.truth(name))
        while time.time() * 1000 <= newest:
            time.sleep(0.01)


class Singer(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="clover-singer-")
        self.addCleanup(folder.cleanup)
        self.pipeline = Pipeline(folder.name)
        self.addCleanup(self.pipeline.close)

    def test_a_target_takes_everything(self):
        """The target accepts every record by its schema, and has a row for each."""
        messages, states = self.pipeline.run(*STREAMS)
        self.assertEqual([m["stream"] for m in messages if m["type"] == "SCHEMA"], STREAMS)
        for stream in STREAMS:
            with self.subTest(stream=stream):
                rows, truth = self.pipeline.rows(stream), self.pipeline.truth(stream)
                self.assertEqual(len(rows), len(truth))
                self.assertEqual({row["id"] for row in rows}, {record["id"] for record in truth})
        totals = {row["id"]: row["total"] for row in self.pipeline.rows("orders")}
        for record in self.pipeline.truth("orders"):
            self.assertEqual(totals[record["id"]], str(record["total"]))
        self.assertEqual(json.loads(states.splitlines()[-1]), messages[-1]["value"])

    def test_the_state_of_the_target_goes_on(self):
        """The target's last output is the state of the next run, which exports the changes and little else."""
        _, states = self.pipeline.run("orders")
        before = {record["id"]: record for record in self.pipeline.truth("orders")}
        self.pipeline.change(80)
        (self.pipeline.folder / "state.json").write_text(states)
        messages, _ = self.pipeline.run("orders", "--state", "state.json")
        changed = [record for record in self.pipeline.truth("orders") if before.get(record["id"]) != record]
        found = {m["record"]["id"]: m["record"] for m in messages if m["type"] == "RECORD"}
        self.assertGreater(len(changed), 10)
        self.assertLess(len(found), ORDERS // 4)
        for record in changed:
            self.assertEqual(found[record["id"]], record)
        self.assertEqual(len(self.pipeline.rows("orders")), sum(m["type"] == "RECORD" for m in messages))


if __name__ == "__main__":
    unittest.main(verbosity=2)
