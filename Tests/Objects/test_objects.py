"""Exports of the built `clover` to an object store from another project, which checks every signature.

    Scripts/install-python objects
    CLOVER_TEST_BINARIES=.build/release .build/python-objects/bin/python Tests/Objects/test_objects.py [TEST...]

The store is moto's server. Its check of signatures decodes the query first, so the store that checks has exports at the root of
a bucket. Prints what was checked; the status is 1 when something does not hold.
"""

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

import boto3

# Leaves the source tree unchanged.
sys.dont_write_bytecode = True

# Time limit in seconds, longer than anything here takes on a busy machine; it catches hangs.
PATIENCE = 120
ROOT = Path(__file__).resolve().parents[2]
SHOP = ["--orders", "300", "--days", "200", "--clamp", "50", "--no-limits"]
KILLS = int(os.environ.get("CLOVER_KILLS", "12"))


def program(name: str) -> str:
    folder = os.environ.get("CLOVER_TEST_BINARIES")
    if not folder:
        sys.exit("objects: set CLOVER_TEST_BINARIES to the folder of the built programs")
    return str(Path(folder).resolve() / name)


class Store:
    """An object store on a free port."""

    def __init__(self, checks: bool = False) -> None:
        for _ in range(5):
            # Below the ports of clients, one of which could connect to itself while the server is not there yet.
            self.port = random.randint(20000, 32000)
            self.url = f"http://127.0.0.1:{self.port}"
            command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if self._is_ready():
                break
        self.key, self.secret = "AKIAEXAMPLE", "a-secret-never-to-be-seen"
        options = {"endpoint_url": self.url, "region_name": "us-east-1"}
        self.objects = boto3.client("s3", aws_access_key_id="x", aws_secret_access_key="y", **options)
        self.objects.create_bucket(Bucket="shop")
        if not checks:
            return
        users = boto3.client("iam", aws_access_key_id="x", aws_secret_access_key="y", **options)
        users.create_user(UserName="exporter")
        key = users.create_access_key(UserName="exporter")["AccessKey"]
        self.key, self.secret = key["AccessKeyId"], key["SecretAccessKey"]
        policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
        users.put_user_policy(UserName="exporter", PolicyName="all", PolicyDocument=json.dumps(policy))
        # From now on every request needs a signature.
        urllib.request.urlopen(
            urllib.request.Request(
                f"{self.url}/moto-api/reset-auth", data=b"0", method="POST", headers={"Content-Type": "text/plain"}
            )
        )
        self.objects = boto3.client("s3", aws_access_key_id=self.key, aws_secret_access_key=self.secret, **options)

    def _is_ready(self) -> bool:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.url}/moto-api/", timeout=5)
                return True
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        return False

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE)

    def read(self, key: str) -> bytes:
        return self.objects.get_object(Bucket="shop", Key=key)["Body"].read()

    def keys(self, prefix: str = "") -> list[str]:
        pages = self.objects.get_paginator("list_objects_v2").paginate(Bucket="shop", Prefix=prefix)
        return sorted(entry["Key"] for page in pages for entry in page.get("Contents", []))

    def files(self, prefix: str = "") -> dict[str, bytes]:
        """The exported objects, without the manifest and the id."""
        return {
            key.removeprefix(prefix): self.read(key)
            for key in self.keys(prefix)
            if "/.clover-export/" not in "/" + key and not key.endswith("manifest.ndjson")
        }


class World:
    """A local Clover, and commands with a state of their own."""

    def __init__(self, folder: str, shop: list[str]) -> None:
        self.folder = Path(folder)
        command = [program("clover-emulator"), "serve", "--port", "0"] + shop
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self._ready = json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE)
        self._process.stdout.close()

    def clover(self, store: Store, *words: str, state: str = "state", **variables: str) -> subprocess.CompletedProcess:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "CLOVER_ENVIRONMENT": self._ready["url"],
            "CLOVER_MERCHANT_ID": self._ready["merchantId"],
            "CLOVER_ACCESS_TOKEN": self._ready["accessToken"],
            "CLOVER_STATE_DIR": str(self.folder / state),
            "CLOVER_CONFIG_DIR": str(self.folder / "config"),
            "AWS_ACCESS_KEY_ID": store.key,
            "AWS_SECRET_ACCESS_KEY": store.secret,
            "AWS_ENDPOINT_URL": store.url,
        }
        environment.update(variables)
        return subprocess.run(
            [program("clover"), *words], env=environment, capture_output=True, text=True, timeout=PATIENCE
        )


class Objects(unittest.TestCase):
    def world(self, shop: list[str] = SHOP) -> World:
        folder = tempfile.mkdtemp(prefix="clover-objects-")
        self.addCleanup(shutil.rmtree, folder)
        world = World(folder, shop)
        self.addCleanup(world.close)
        return world

    def store(self, checks: bool = False) -> Store:
        store = Store(checks)
        self.addCleanup(store.close)
        return store

    def expect(self, result: subprocess.CompletedProcess, status: int, text: str = "") -> None:
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn(text, result.stderr + result.stdout)

    def kill_point(self, world: World) -> str:
        """The library that kills a program at a system call."""
        library = str(world.folder / "kill-point.so")
        source = str(ROOT / "Tests/CLITests/Fixtures/kill-point.c")
        compiler = next(name for name in ["clang", "cc", "gcc"] if shutil.which(name))
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
        return library

    def test_signed(self) -> None:
        """The objects are the files of a directory, by signed requests; the keys stay secret."""
        world, store = self.world(), self.store(checks=True)
        words = ["export", "orders", "items", "refunds", "--name", "{resource}/{from}.{extension}"]
        self.expect(world.clover(store, *words, "--to", "s3://shop", AWS_SECRET_ACCESS_KEY="other"), 77, "does not let this key in")
        for _ in range(2):
            self.expect(world.clover(store, *words, "--to", "s3://shop"), 0)
        self.expect(world.clover(store, *words, "--to", str(world.folder / "dir"), state="other"), 0)
        files = {
            str(path.relative_to(world.folder / "dir")): path.read_bytes()
            for path in (world.folder / "dir").glob("*/*.ndjson")
            if ".clover-export" not in path.parts
        }
        times = {name for name in files if name.startswith("refunds")}
        self.assertEqual({k: v for k, v in store.files().items() if not k.startswith("refunds")},
                         {k: v for k, v in files.items() if k not in times})
        lines = [json.loads(line) for line in store.read("manifest.ndjson").splitlines()]
        for line in lines:
            self.assertEqual(hashlib.sha256(store.read(line["file"])).hexdigest(), line["sha256"])
        self.assertEqual(len(lines), len(store.files()))
        self.expect(world.clover(store, "export", "verify", "s3://shop"), 0)
        debug = world.clover(store, *words, "--to", "s3://shop", "--debug", "all")
        self.expect(debug, 0, "AWS4-HMAC-SHA256 (redacted)")
        for secret in [store.secret, store.key]:
            self.assertNotIn(secret, debug.stderr)
        for path in (world.folder / "state").rglob("*"):
            if path.is_file() and path.stat().st_size < 1 << 20:
                self.assertNotIn(store.secret.encode(), path.read_bytes())

    def test_profile(self) -> None:
        """Keys, region and endpoint come from the files of AWS's tools, too."""
        world, store = self.world(), self.store(checks=True)
        (world.folder / ".aws").mkdir()
        (world.folder / ".aws/config").write_text(
            f"[default]\nregion = eu-west-1\n\n[profile books]\nendpoint_url = {store.url}\nregion=us-east-1\n"
        )
        (world.folder / ".aws/credentials").write_text(
            f"[books]\naws_access_key_id = {store.key}\naws_secret_access_key={store.secret}\n"
        )
        none = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_ENDPOINT_URL": ""}
        self.expect(world.clover(store, "export", "items", "--to", "s3://shop", AWS_PROFILE="books", **none), 0)
        self.expect(world.clover(store, "export", "items", "--to", "s3://shop", **none), 77, "no access key")
        self.expect(world.clover(store, "export", "items", "--to", "s3://shop", AWS_PROFILE="x", **none), 78)

    def test_large(self) -> None:
        """A large file is uploaded in parts, and what a killed run uploaded of it is removed."""
        world, store = self.world(["--orders", "9000", "--days", "60", "--no-limits"]), self.store(checks=True)
        words = ["export", "orders", "--expand", "lineItems", "--to", "s3://shop", "--no-pacing"]
        point = {
            "LD_PRELOAD": self.kill_point(world),
            "KILL_POINT_FOLDER": str(world.folder),
            "KILL_POINT_SINCE": "partNumber=2",
            "KILL_POINT_AT": "1",
            "KILL_POINT_SIDE": "after",
        }
        self.expect(world.clover(store, *words, **point), -9)
        self.assertEqual(len(store.objects.list_multipart_uploads(Bucket="shop").get("Uploads", [])), 1)
        self.expect(world.clover(store, *words), 0)
        self.assertEqual(store.objects.list_multipart_uploads(Bucket="shop").get("Uploads", []), [])
        sizes = {key: len(store.read(key)) for key in store.keys()}
        self.assertGreater(max(sizes.values()), 8 << 20)
        large = max(sizes, key=sizes.get)
        # An object that was uploaded in parts has their number in its tag.
        self.assertRegex(store.objects.head_object(Bucket="shop", Key=large)["ETag"], r'-\d+"$')
        self.expect(world.clover(store, "export", "verify", "s3://shop"), 0)
        # The directory that shows the objects has none of their bytes.
        shown = list((world.folder / "state/exports").glob("objects-*/orders/*"))
        self.assertEqual([path.stat().st_blocks for path in shown], [0] * len(shown))

    def test_damage(self) -> None:
        """`verify` names what is missing, changed or foreign, and --repair exports what is missing."""
        world, store = self.world(), self.store()
        to = "s3://shop/a/b"
        words = ["export", "orders", "items", "--to", to]
        self.expect(world.clover(store, *words), 0)
        names = [key for key in store.keys("a/b/orders/")]
        whole = store.files("a/b/")
        store.objects.delete_object(Bucket="shop", Key=names[0])
        changed = bytearray(store.read(names[1]))
        changed[10] ^= 1
        store.objects.put_object(Bucket="shop", Key=names[1], Body=bytes(changed))
        store.objects.put_object(Bucket="shop", Key="a/b/notes.txt", Body=b"mine")
        found = world.clover(store, "export", "verify", to, "--json")
        self.expect(found, 79)
        kinds = {json.loads(line)["kind"] for line in found.stdout.splitlines()}
        self.assertEqual(kinds, {"missing", "changed", "foreign"})
        self.expect(world.clover(store, *words), 79, "missing")
        status = world.clover(store, "export", "status", "--to", to, "--json")
        self.assertEqual([json.loads(line)["missingFiles"] for line in status.stdout.splitlines()], [0, 1])
        store.objects.put_object(Bucket="shop", Key=names[1], Body=whole[names[1].removeprefix("a/b/")])
        store.objects.delete_object(Bucket="shop", Key="a/b/notes.txt")
        self.expect(world.clover(store, "export", "verify", to, "--repair"), 0)
        self.assertEqual(store.files("a/b/"), whole)
        # The manifest is restored from the state.
        lines = store.read("a/b/manifest.ndjson")
        store.objects.put_object(Bucket="shop", Key="a/b/manifest.ndjson", Body=lines[: len(lines) // 2])
        self.expect(world.clover(store, "export", "verify", to), 82)
        self.expect(world.clover(store, "export", "verify", to, "--repair"), 0)
        self.expect(world.clover(store, "export", "forget", to), 0)
        self.expect(world.clover(store, "export", "status", "--to", to), 66)

    def test_kinds_of_damage(self) -> None:
        """`verify` finds each kind of damage, and nothing when the objects are whole again."""
        world, store = self.world(), self.store()
        to, root = "s3://shop/d", "d/"
        words = ["export", "orders", "items", "--with", "line_items", "--window", "20d", "--to", to]
        self.expect(world.clover(store, *words), 0)
        whole = {key: store.read(key) for key in store.keys(root)}
        orders = [key for key in whole if key.startswith(root + "orders/")]
        one, other = sorted(orders, key=lambda key: len(whole[key]))[:: len(orders) - 1]
        manifest, identity = root + "manifest.ndjson", next(key for key in whole if key.endswith("/id"))
        touched: set[str] = set()

        def put(key: str, body: bytes) -> None:
            touched.add(key)
            store.objects.put_object(Bucket="shop", Key=key, Body=body)

        def remove(*keys: str) -> None:
            touched.update(keys)
            for key in keys:
                store.objects.delete_object(Bucket="shop", Key=key)

        def edit(key: str, change) -> None:
            put(key, change(whole[key]))

        def lines(key: str, change) -> None:
            rows = whole[key].splitlines(keepends=True)
            put(key, b"".join(change(rows)))

        def move(key: str, new: str) -> None:
            put(new, whole[key])
            remove(key)

        def line(old: bytes, new: bytes) -> None:
            """Changes the manifest's line of an object."""
            lines(manifest, lambda rows: [
                row.replace(old, new) if one.removeprefix(root).encode() in row else row for row in rows])

        def lose_window() -> None:
            remove(one)
            lines(manifest, lambda rows: [row for row in rows if one.removeprefix(root).encode() not in row])

        damages = [
            ("object removed", "missing", lambda: remove(one)),
            ("all objects of a resource removed", "missing", lambda: remove(*orders)),
            ("object renamed", "missing", lambda: move(one, root + "orders/other.ndjson")),
            ("object moved out", "missing", lambda: move(one, "elsewhere.ndjson")),
            ("object renamed in capitals", "missing", lambda: move(one, one.upper())),
            ("object emptied", "shortened", lambda: put(one, b"")),
            ("truncated to half", "shortened", lambda: edit(one, lambda text: text[: len(text) // 2])),
            ("last byte lost", "shortened", lambda: edit(one, lambda text: text[:-1])),
            ("first byte lost", "shortened", lambda: edit(one, lambda text: text[1:])),
            ("first row deleted", "shortened", lambda: lines(other, lambda rows: rows[1:])),
            ("row deleted in the middle", "shortened", lambda: lines(other, lambda rows: rows[:1] + rows[2:])),
            ("last row deleted", "shortened", lambda: lines(other, lambda rows: rows[:-1])),
            ("one byte changed", "changed", lambda: edit(one, lambda text: text[:9] + b"~" + text[10:])),
            ("first byte changed", "changed", lambda: edit(one, lambda text: b" " + text[1:])),
            ("last byte changed", "changed", lambda: edit(one, lambda text: text[:-1] + b" ")),
            ("one byte added", "changed", lambda: edit(one, lambda text: text + b"\n")),
            ("byte order mark added", "changed", lambda: edit(one, lambda text: b"\xef\xbb\xbf" + text)),
            ("row repeated", "changed", lambda: lines(one, lambda rows: rows[:1] + rows)),
            ("rows in another order", "changed", lambda: lines(other, lambda rows: rows[::-1])),
            ("row changed to another of the same length", "changed",
             lambda: edit(one, lambda text: text.replace(b'"id"', b'"Id"', 1))),
            ("line breaks of another system", "changed", lambda: edit(one, lambda text: text.replace(b"\n", b"\r\n"))),
            ("end overwritten with zeros", "changed",
             lambda: edit(one, lambda text: text[: len(text) // 2] + bytes(len(text) - len(text) // 2))),
            ("two objects swapped", "changed", lambda: (put(one, whole[other]), put(other, whole[one]))),
            ("object replaced by another", "changed", lambda: put(one, whole[other])),
            ("manifest removed", "manifest", lambda: remove(manifest)),
            ("manifest emptied", "manifest", lambda: put(manifest, b"")),
            ("manifest cut in a line", "manifest", lambda: edit(manifest, lambda text: text[:-40])),
            ("first line of the manifest lost", "manifest", lambda: lines(manifest, lambda rows: rows[1:])),
            ("last line of the manifest lost", "manifest", lambda: lines(manifest, lambda rows: rows[:-1])),
            ("line of the manifest repeated", "manifest", lambda: lines(manifest, lambda rows: rows + rows[:1])),
            ("lines of the manifest in another order", "manifest", lambda: lines(manifest, lambda rows: rows[::-1])),
            ("line of the manifest that is no JSON", "manifest",
             lambda: lines(manifest, lambda rows: rows[:1] + [b"not a line\n"] + rows[1:])),
            ("checksum in the manifest changed", "manifest", lambda: line(b'"sha256":"', b'"sha256":"0')),
            ("number of rows in the manifest changed", "manifest", lambda: line(b'"results":', b'"results":1')),
            ("window in the manifest changed", "manifest", lambda: line(b'"from":"20', b'"from":"19')),
            ("another resource in the manifest", "manifest", lambda: line(b'"resource":"orders', b'"resource":"o')),
            ("path in the manifest that leads out", "manifest", lambda: line(b'"file":"', b'"file":"../')),
            ("window lost: the object and its line", "missing", lose_window),
            ("id of the destination removed", "identity", lambda: remove(identity)),
            ("id of the destination overwritten", "identity", lambda: put(identity, b"unknown\n")),
            ("object of another program", "foreign", lambda: put(root + "notes.txt", b"mine")),
            ("object of another program among ours", "foreign", lambda: put(root + "orders/x.ndjson", b"\n")),
            ("hidden object", "foreign", lambda: put(root + "orders/.hidden", b"")),
            ("object below a prefix of another program", "foreign", lambda: put(root + "mine/deep/file", b"1")),
        ]
        self.assertGreaterEqual(len(damages), 40)
        for name, kind, damage in damages:
            with self.subTest(name):
                damage()
                found = world.clover(store, "export", "verify", to, "--json")
                self.assertIn(found.returncode, [79, 82], found.stderr)
                kinds = {json.loads(line)["kind"] for line in found.stdout.splitlines()}
                self.assertIn(kind, kinds, found.stderr)
            for key in tuple(touched):
                if key in whole:
                    put(key, whole[key])
                else:
                    remove(key)
            touched.clear()
        self.assertEqual({key: store.read(key) for key in store.keys()}, whole)
        self.expect(world.clover(store, "export", "verify", to), 0)

    def test_errors(self) -> None:
        """Each failure has its status, and what others have there is not touched."""
        world, store = self.world(), self.store()
        self.expect(world.clover(store, "export", "items", "--to", "s3://no-such-bucket"), 73, "no bucket")
        self.expect(world.clover(store, "export", "items", "--to", "s3://k:s@shop"), 64, "takes no keys")
        self.expect(world.clover(store, "export", "items", "--append", "--to", "s3://shop"), 64, "--append")
        away = {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}
        self.expect(world.clover(store, "export", "items", "--to", "s3://shop", "--max-time", "3", **away), 75)
        self.expect(
            world.clover(
                store, "export", "items", "--to", "s3://shop/one", "--endpoint-url", store.url, AWS_ENDPOINT_URL=""
            ),
            0,
        )
        before = store.files()
        self.expect(world.clover(store, "export", "items", "--to", "s3://shop/one", state="other"), 78)
        # A file of the user keeps its name.
        name = next(iter(store.files("one/")))
        store.objects.put_object(Bucket="shop", Key="two/" + name, Body=b"mine")
        self.expect(world.clover(store, "export", "items", "--to", "s3://shop/two"), 73, name)
        before["two/" + name] = b"mine"
        self.assertEqual(store.files(), before)

    def test_lists(self) -> None:
        """A list that is exported in full is one object beside the log of its changes, and each run finds both."""
        world, store = self.world(), self.store()
        words = ["export", "tenders", "items", "--to", "s3://shop/l"]
        log = "l/tenders/changes.log"

        def change(number: int) -> None:
            self.expect(
                world.clover(store, "post", "tenders", "--field", f"label=T{number}", "--field", "opensCashDrawer=true"), 0)

        def check() -> None:
            self.expect(world.clover(store, "export", "verify", "s3://shop/l"), 0)
            current = [json.loads(line) for line in store.read("l/tenders/current.ndjson").splitlines()]
            rows = {}
            for line in map(json.loads, store.read(log).splitlines()):
                rows[line["id"]] = line.get("record")
            self.assertEqual({key: row for key, row in rows.items() if row}, {row["id"]: row for row in current})

        for number in range(3):
            self.expect(world.clover(store, *words), 0)
            check()
            change(number)
        self.expect(world.clover(store, *words), 0)
        whole = store.read(log)
        for damage in [None, b"", whole[:-1]]:
            if damage is None:
                store.objects.delete_object(Bucket="shop", Key=log)
            else:
                store.objects.put_object(Bucket="shop", Key=log, Body=damage)
            self.expect(world.clover(store, *words), 79, "changes.log")
            self.expect(world.clover(store, "export", "verify", "s3://shop/l", "--repair"), 0)
            check()
        # What a killed run added to the log is taken back.
        library = self.kill_point(world)
        for number in range(3, 9):
            change(number)
            point = {"LD_PRELOAD": library, "KILL_POINT_FOLDER": str(world.folder), "KILL_POINT_SINCE": "changes.log"}
            killed = world.clover(store, *words, **point, KILL_POINT_AT=str(number - 2), KILL_POINT_SIDE="after")
            self.assertIn(killed.returncode, [0, -9], killed.stderr)
            if number % 2:
                self.expect(world.clover(store, *words), 0)
                check()
        self.expect(world.clover(store, *words), 0)
        check()

    def test_overtaken(self) -> None:
        """A manifest that another program replaced is not overwritten."""
        world, store = self.world(), self.store()
        self.expect(world.clover(store, "export", "items", "--to", "s3://shop/m"), 0)
        store.objects.put_object(Bucket="shop", Key="m/manifest.ndjson", Body=b"other\n")
        self.expect(world.clover(store, "export", "orders", "--to", "s3://shop/m"), 73, "manifest.ndjson")
        self.assertEqual(store.read("m/manifest.ndjson"), b"other\n")

    def test_failed_records(self) -> None:
        """A record on which the jq program fails is kept beside the others."""
        world, store = self.world(), self.store()
        words = ["export", "items", "--jq", 'if .price > 400 then error("dear") else .id end', "--to", "s3://shop/j"]
        for _ in range(2):
            self.expect(world.clover(store, *words), 82 if _ == 0 else 0)
        self.assertEqual(len([key for key in store.keys("j/failed/")]), 1)

    def test_killed(self) -> None:
        """Killed at any call, the next run ends with the same objects, and nothing else is left."""
        world, store = self.world(), self.store()
        library = self.kill_point(world)

        def run(prefix: str, number: int | None = None, side: str = "after") -> subprocess.CompletedProcess:
            log = world.folder / f"{prefix}.log"
            point = {"LD_PRELOAD": library, "KILL_POINT_FOLDER": str(world.folder), "KILL_POINT_LOG": str(log)}
            point["KILL_POINT_SIDE"] = side
            if number:
                point["KILL_POINT_AT"] = str(number)
            return world.clover(store, *words, "--to", f"s3://shop/{prefix}", state=f"state-{prefix}", **point)

        words = ["export", "orders", "items", "--with", "line_items", "--name", "{resource}/{from}.{extension}"]
        words.append("--no-pacing")
        self.expect(run("calm"), 0)
        calls = (world.folder / "calm.log").read_text().splitlines()
        expected = store.files("calm/")
        self.assertEqual(len(expected), 7)
        for place in range(KILLS):
            number = 1 + (len(calls) - 1) * place // max(1, KILLS - 1)
            prefix = f"run-{place}"
            killed = run(prefix, number, ["after", "before"][place % 2])
            self.assertIn(killed.returncode, [0, -9], killed.stderr)
            again = world.clover(store, *words, "--to", f"s3://shop/{prefix}", state=f"state-{prefix}")
            self.expect(again, 0)
            self.assertEqual(store.files(prefix + "/"), expected, calls[number - 1])
            lines = [json.loads(line)["file"] for line in store.read(f"{prefix}/manifest.ndjson").splitlines()]
            self.assertEqual(sorted(lines), sorted(expected), calls[number - 1])
            verified = world.clover(store, "export", "verify", f"s3://shop/{prefix}", state=f"state-{prefix}")
            self.expect(verified, 0)
        print(f"killed at {KILLS} of {len(calls)} calls")


if __name__ == "__main__":
    unittest.main(verbosity=2)
