"""`clover mcp`, spoken to by the official client of the Model Context Protocol.

    Scripts/install-python mcp2
    CLOVER_TEST_BINARIES=.build/release .build/python-mcp2/bin/python Tests/Assistants/test_mcp.py [TEST...]

The same tests run with version 1 of the client (mcp1), which speaks the protocols before 2026-07-28, and with version 2, in
each of its modes. Every byte that the server writes is kept, and searched for secrets at the end of a session.
"""

import asyncio
import contextlib
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

# Leaves the source tree unchanged.
sys.dont_write_bytecode = True

import mcp

# Time limit in seconds, longer than anything here takes on a busy machine; it catches hangs.
PATIENCE = 120
IS_MODERN = int(importlib.metadata.version("mcp").split(".")[0]) >= 2
MODES = ["2026-07-28", "legacy", "auto"] if IS_MODERN else ["legacy"]
READING = ["get", "report", "reconcile", "endpoints", "schema", "export_status"]
WRITING = ["post", "put", "delete"]


def program(name: str) -> str:
    folder = os.environ.get("CLOVER_TEST_BINARIES")
    if not folder:
        sys.exit("assistants: set CLOVER_TEST_BINARIES to the folder of the built programs")
    return str(Path(folder).resolve() / name)


class Shop:
    """A local Clover, and a home with a sign-in to it."""

    def __init__(self, folder: str, *options: str) -> None:
        self.folder = Path(folder)
        command = [program("clover-emulator"), "serve", "--port", "0", "--now", "clock", *options]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        ready = json.loads(self._process.stdout.readline())
        self.secrets = [ready["accessToken"], ready["appSecret"], *ready["otherAccessTokens"]]
        self.variables = {
            "PATH": os.environ["PATH"], "HOME": folder, "CLOVER_ENVIRONMENT": ready["url"],
            "CLOVER_MERCHANT_ID": ready["merchantId"], "CLOVER_ACCESS_TOKEN": ready["accessToken"],
            "CLOVER_STATE_DIR": str(self.folder / "state"), "CLOVER_CONFIG_DIR": str(self.folder / "config"),
            # What would show secrets or hide messages does not reach the tools.
            "CLOVER_SHOW_SENSITIVE": "1", "CLOVER_QUIET": "1", "CLOVER_FORMAT": "csv",
        }

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE)
        self._process.stdout.close()

    def clover(self, *arguments: str) -> list[dict]:
        """Records of a command that must succeed, without sensitive values."""
        ended = subprocess.run(
            [program("clover"), *arguments, "--json"], capture_output=True, text=True, timeout=PATIENCE, check=False,
            env=self.variables | {"CLOVER_SHOW_SENSITIVE": "0"})
        if ended.returncode != 0:
            raise AssertionError(f"clover {arguments} ended with {ended.returncode}: {ended.stderr}")
        return [json.loads(line) for line in ended.stdout.splitlines()]


class Assistant:
    """An open session, for both versions of the client."""

    def __init__(self, session) -> None:
        self._session = session

    async def tools(self) -> list:
        return (await self._session.list_tools()).tools

    async def call(self, tool: str, **arguments) -> tuple[bool, dict]:
        """Whether the result is an error, and its content, which the text must repeat."""
        result = await self._session.call_tool(tool, arguments)
        content = result.structured_content if IS_MODERN else result.structuredContent
        assert json.loads(result.content[0].text) == content, result
        return (result.is_error if IS_MODERN else result.isError), content

    async def records(self, tool: str, **arguments) -> list[dict]:
        """All records, over as many calls as it takes."""
        found, offset = [], 0
        while True:
            is_error, content = await self.call(tool, offset=offset, **arguments)
            assert not is_error, content
            assert content["count"] == len(content["records"]), content["count"]
            found += content["records"]
            if content["complete"]:
                return found
            assert content["nextOffset"] > offset, content
            offset = content["nextOffset"]


@contextlib.asynccontextmanager
async def assistant(shop: Shop, mode: str, *options: str):
    """A session whose output is kept in a file, by tee(1) between server and client."""
    kept = shop.folder / "output"
    line = f'exec "$0" mcp "$@" > >(exec tee -a "{kept}")'
    server = mcp.StdioServerParameters(command="bash", args=["-c", line, program("clover"), *options], env=shop.variables)
    if IS_MODERN:
        async with mcp.Client(server, mode=mode, read_timeout_seconds=PATIENCE) as client:
            yield Assistant(client)
    else:
        async with mcp.stdio_client(server) as (reading, writing), mcp.ClientSession(reading, writing) as session:
            await session.initialize()
            yield Assistant(session)
    output = kept.read_bytes()
    for text in output.splitlines():
        assert json.loads(text)["jsonrpc"] == "2.0", text
    for secret in shop.secrets:
        assert secret.encode() not in output, "a secret is in the output"


class Tests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        # Reports nothing but failures.
        asyncio.get_running_loop().set_debug(False)

    def shop(self, *options: str) -> Shop:
        folder = tempfile.TemporaryDirectory(prefix="clover-mcp-")
        self.addCleanup(folder.cleanup)
        shop = Shop(folder.name, *options)
        self.addCleanup(shop.close)
        return shop

    async def test_tools(self) -> None:
        """Only tools that read are offered, and those that write if they are allowed; none charges."""
        shop = self.shop("--orders", "1")
        for options, names in [([], READING), (["--allow-writes"], READING + WRITING)]:
            for mode in MODES:
                with self.subTest(mode=mode):
                    async with assistant(shop, mode, *options) as session:
                        tools = await session.tools()
                        self.assertEqual([tool.name for tool in tools], names)
                        for tool in tools:
                            hint = tool.annotations.read_only_hint if IS_MODERN else tool.annotations.readOnlyHint
                            self.assertEqual(hint, tool.name in READING)

    async def test_large_list(self) -> None:
        """A list larger than a result is read in parts, which are bounded and together are what the command prints."""
        shop = self.shop("--orders", "300")
        expected = shop.clover("get", "orders", "--all")
        for mode in MODES:
            with self.subTest(mode=mode):
                async with assistant(shop, mode, "--max-result-bytes", "20000") as session:
                    is_error, first = await session.call("get", path="orders", all=True)
                    self.assertFalse(is_error)
                    self.assertFalse(first["complete"])
                    self.assertLess(len(json.dumps(first["records"])), 25_000)
                    self.assertIn("cut at 20000 bytes", " ".join(first["notices"]))
                    self.assertEqual(await session.records("get", path="orders", all=True), expected)

    async def test_answers(self) -> None:
        """Each tool returns what its command prints."""
        shop = self.shop("--orders", "200")
        exports = str(shop.folder / "exports")
        shop.clover("export", "run", "items", "--to", exports)
        rows = [
            ("report", {"report": "sales", "period": "this-month"}, ["report", "sales", "--period", "this-month"]),
            ("report", {"report": "items", "period": "last-week"}, ["report", "items", "--period", "last-week"]),
            ("endpoints", {"path": "orders"}, ["endpoints", "orders"]),
            ("endpoints", {}, ["endpoints"]),
            ("schema", {"model": "order.Order"}, ["schema", "order.Order"]),
            ("get", {"path": "merchant"}, ["get", "merchant"]),
            ("get", {"path": "orders", "filter": ["total>=5000"], "all": True, "fields": ["id", "total"]},
             ["get", "orders", "--filter", "total>=5000", "--all", "--fields", "id,total"]),
        ]
        for mode in MODES:
            with self.subTest(mode=mode):
                async with assistant(shop, mode) as session:
                    for tool, arguments, command in rows:
                        self.assertEqual(await session.records(tool, **arguments), shop.clover(*command), (tool, arguments))
                    _, status = await session.call("export_status", to=exports)
                    self.assertEqual([entry["resource"] for entry in status["records"]], ["items"])
                    # Findings are a result, although the command has a status for them.
                    is_error, findings = await session.call("reconcile", period="last-month..this-month")
                    self.assertFalse(is_error)
                    self.assertTrue(findings["complete"])
                    self.assertIn("partly_paid", [finding["kind"] for finding in findings["records"]])

    async def test_masked(self) -> None:
        """Values that the catalogue calls sensitive are masked, although the environment asks to see them."""
        shop = self.shop("--orders", "1")
        for mode in MODES:
            with self.subTest(mode=mode):
                async with assistant(shop, mode) as session:
                    for employee in await session.records("get", path="employees", all=True):
                        self.assertEqual(employee["pin"], "[masked]")

    async def test_errors(self) -> None:
        """Errors have a status, a message and a hint that an assistant can follow."""
        shop = self.shop("--orders", "1")
        rows = [
            ("get", {"path": "ordes"}, 64, "did you mean: orders"),
            ("get", {"path": "orders", "id": "NOSUCHORDER00"}, 66, ""),
            ("get", {"path": "orders", "filter": ["nonsense=1"]}, 64, ""),
            ("get", {"path": "--help"}, 64, "Path relative"),
            ("get", {"path": "orders", "jq": "env"}, 64, "arguments: path"),
            ("report", {"report": "profit"}, 64, ""),
            ("report", {"report": "sales", "period": "next-year"}, 64, ""),
            ("schema", {"model": "order.Nothing"}, 64, ""),
            ("export_status", {}, 66, "clover export orders --to"),
        ]
        for mode in MODES:
            with self.subTest(mode=mode):
                async with assistant(shop, mode) as session:
                    for tool, arguments, status, hint in rows:
                        is_error, content = await session.call(tool, **arguments)
                        self.assertTrue(is_error, content)
                        self.assertFalse(content["complete"])
                        self.assertEqual(content["error"]["status"], status, content)
                        self.assertIn(hint, content["error"].get("hint", ""))
                        self.assertNotIn("--no-check", json.dumps(content))

    async def test_incomplete(self) -> None:
        """What cannot be read completely is an error, with what was read."""
        shop = self.shop("--orders", "4000", "--fault", "500@4", "--fault", "500@5", "--fault", "500@6", "--fault", "500@7")
        shop.variables["CLOVER_RETRY"] = "0"
        async with assistant(shop, MODES[0], "--max-result-bytes", "10000000") as session:
            is_error, content = await session.call("get", path="orders", all=True, fields=["id"])
            self.assertTrue(is_error)
            self.assertFalse(content["complete"])
            self.assertIn(content["error"]["status"], [69, 79], content["error"])
            self.assertLess(content["count"], 4000)

    async def test_writes(self) -> None:
        """Records are changed only if it is allowed, and money never moves."""
        shop = self.shop("--orders", "20")
        order = shop.clover("get", "orders", "--limit", "1")[0]["id"]
        body = {"name": 'A "café" latte', "price": 450, "priceType": "FIXED"}
        for mode in MODES:
            with self.subTest(mode=mode):
                async with assistant(shop, mode, "--allow-writes") as session:
                    before = shop.clover("get", "payments", "--all")
                    is_error, preview = await session.call("post", path="items", body=body, dryRun=True)
                    self.assertFalse(is_error, preview)
                    is_error, made = await session.call("post", path="items", body=body)
                    self.assertFalse(is_error, made)
                    item = made["records"][0]["id"]
                    self.assertEqual(shop.clover("get", "items", item)[0]["name"], body["name"])
                    is_error, changed = await session.call("post", path="items", id=item, body={"price": 475})
                    self.assertFalse(is_error, changed)
                    self.assertEqual(shop.clover("get", "items", item)[0]["price"], 475)
                    is_error, _ = await session.call("delete", path="items", id=item)
                    self.assertFalse(is_error)
                    for path in [f"orders/{order}/payments", f"/v3/merchants/x/orders/{order}/payments", "/v1/charges",
                                 "/v1/refunds", "authorizations", f"/v1/orders/{order}/pay"]:
                        is_error, refused = await session.call("post", path=path, body={"amount": 100})
                        self.assertTrue(is_error, path)
                        self.assertIn("moves money", refused["error"]["message"])
                    self.assertEqual(shop.clover("get", "payments", "--all"), before)
        for mode in MODES:
            with self.subTest(mode=mode):
                async with assistant(shop, mode) as session:
                    with self.assertRaises(Exception) as refused:
                        is_error, content = await session.call("post", path="items", body=body)
                        self.assertTrue(is_error and False, content)
                    self.assertIn("no tool 'post'", str(refused.exception))

    async def test_side_by_side(self) -> None:
        """Calls run side by side, share the rate limit, and one that is cancelled leaves the others alone."""
        shop = self.shop("--orders", "600", "--latency", "300ms")
        for mode in MODES:
            with self.subTest(mode=mode):
                async with assistant(shop, mode) as session:
                    calls = [asyncio.create_task(session.call("get", path="orders", limit=5, offset=5 * n)) for n in range(6)]
                    given_up = asyncio.create_task(session.call("get", path="payments", all=True))
                    await asyncio.sleep(0.2)
                    given_up.cancel()
                    ids = []
                    for is_error, content in await asyncio.gather(*calls):
                        self.assertFalse(is_error, content)
                        ids += [record["id"] for record in content["records"]]
                    self.assertEqual(ids, [record["id"] for record in shop.clover("get", "orders", "--limit", "30")])


if __name__ == "__main__":
    unittest.main()
