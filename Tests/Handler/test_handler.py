"""What the built `clover` sends to a webhook handler: received by Flask, as a user's handler would.

    Scripts/install-python
    CLOVER_TEST_BINARIES=.build/release .build/python/bin/python Tests/Handler/test_handler.py [TEST...]

The handler checks the auth code and the signature by itself. Also sends the recorded webhook bodies through `clover webhook listen`
and `clover webhook parse`. Prints what was checked; the status is 1 when something does not hold.
"""

import hashlib
import hmac
import json
import logging
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from flask import Flask, request
from werkzeug.serving import make_server

# Leaves the source tree unchanged.
sys.dont_write_bytecode = True
# Without a line for each request.
logging.getLogger("werkzeug").setLevel(logging.ERROR)

# Time limit in seconds, longer than anything here takes on a busy machine; it catches hangs.
PATIENCE = 120
CASES = Path(__file__).resolve().parents[1] / "CLITests" / "Recorded" / "Cases"
CODE, SECRET = "281dbad7-4faf-d98c-5060-07cb414ea6ff", "a-signing-secret"


def program(name: str) -> str:
    folder = os.environ.get("CLOVER_TEST_BINARIES")
    if not folder:
        sys.exit("handler: set CLOVER_TEST_BINARIES to the folder of the built programs")
    return str(Path(folder).resolve() / name)


def recorded(name: str) -> bytes:
    """The body of a recorded webhook: what follows the second empty line."""
    return (CASES / f"{name}.http").read_bytes().split(b"\n\n", 2)[2]


class Handler:
    """A Flask application that accepts what Clover may have sent, and keeps it."""

    def __init__(self) -> None:
        self.accepted: list[bytes] = []
        self.refused = 0
        self.failures = 0
        self._arrival = threading.Condition()
        app = Flask("handler")
        app.post("/webhook")(self._receive)
        self._server = make_server("127.0.0.1", 0, app, threaded=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}/webhook"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()

    def _receive(self):
        with self._arrival:
            if self.failures > 0:
                self.failures -= 1
                return "", 503
            body = request.get_data()
            if not self._is_genuine(body):
                self.refused += 1
                return "", 401
            # Flask parses JSON only if the content type says so.
            assert isinstance(request.get_json(), dict)
            self.accepted.append(body)
            self._arrival.notify_all()
            return "", 200

    @staticmethod
    def _is_genuine(body: bytes) -> bool:
        if "verificationCode" in request.get_json():
            return True
        signature = request.headers.get("Clover-Signature")
        if signature is None:
            return request.headers.get("X-Clover-Auth") == CODE
        parts = dict(part.split("=", 1) for part in signature.split(","))
        code = hmac.new(SECRET.encode(), f"{parts['t']}.".encode() + body, hashlib.sha256).hexdigest()
        return hmac.compare_digest(code, parts["v1"]) and abs(time.time() - int(parts["t"])) < PATIENCE

    def wait(self, count: int) -> list[bytes]:
        """Returns the bodies when there are this many."""
        with self._arrival:
            if not self._arrival.wait_for(lambda: len(self.accepted) >= count, PATIENCE):
                raise AssertionError(f"{len(self.accepted)} of {count} bodies came, {self.refused} were refused")
            return list(self.accepted)


class HandlerTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name, text in (("code", CODE), ("secret", SECRET), ("wrong", "another")):
            path = self.folder / name
            path.touch(mode=0o600)
            path.write_text(text)
        self.handler = Handler()
        self.addCleanup(self.handler.close)
        self._variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "CLOVER_STATE_DIR": str(self.folder / "state"),
            "CLOVER_CONFIG_DIR": str(self.folder / "config"),
        }

    def clover(self, *arguments: str, data: bytes = b"") -> subprocess.CompletedProcess:
        return subprocess.run(
            [program("clover"), "webhook", *arguments], input=data, capture_output=True, timeout=PATIENCE, check=False,
            env=self._variables, cwd=self.folder,
        )

    def listen(self, *arguments: str) -> tuple[subprocess.Popen, str]:
        """Starts a listener. Returns it and its address."""
        command = [program("clover"), "webhook", "listen", "--port", "0", *arguments]
        listener = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self._variables, cwd=self.folder)
        self.addCleanup(listener.communicate)
        self.addCleanup(listener.kill)
        for line in listener.stderr:
            if re.match(rb"https?:", line):
                return listener, line.decode().strip()
        raise AssertionError("the listener did not start")

    def test_trigger(self):
        """Every kind of made-up webhook is accepted by a handler that checks it; with another code or secret, none is."""
        events = ["order.updated", "payment.created", "item.deleted", "customer.created"]
        for event in events:
            ended = self.clover("trigger", event, "--to", self.handler.url, "--auth-code-file", "code", "--merchant", "M1")
            self.assertEqual(ended.returncode, 0, ended.stderr)
        for event in ("checkout.approved", "checkout.declined"):
            ended = self.clover("trigger", event, "--to", self.handler.url, "--secret-file", "secret")
            self.assertEqual(ended.returncode, 0, ended.stderr)
        ended = self.clover("trigger", "verification", "--to", self.handler.url)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        bodies = [json.loads(body) for body in self.handler.accepted]
        types = [body["merchants"]["M1"][0]["type"] for body in bodies[:len(events)]]
        self.assertEqual(types, ["UPDATE", "CREATE", "DELETE", "CREATE"])
        self.assertEqual([body["status"] for body in bodies[4:6]], ["APPROVED", "DECLINED"])
        self.assertIn("verificationCode", bodies[6])
        for arguments in (["order.updated", "--auth-code-file", "wrong"], ["checkout.approved", "--secret-file", "wrong"]):
            ended = self.clover("trigger", *arguments, "--to", self.handler.url)
            self.assertNotEqual(ended.returncode, 0)
            self.assertIn(b"401", ended.stderr)
        self.assertEqual((len(self.handler.accepted), self.handler.refused), (7, 2))

    def test_forward(self):
        """Recorded bodies are forwarded byte for byte, also to a handler that failed before, and parse as the listener prints."""
        listener, address = self.listen("--auth-code-file", "code", "--forward-to", self.handler.url)
        self.handler.failures = 1
        lines = []
        names = ["webhook-order-burst", "webhook-two-merchants"]
        for number, name in enumerate(names, start=1):
            body = recorded(name)
            sent = urllib.request.Request(
                address, body, {"Content-Type": "application/json", "X-Clover-Auth": CODE}, method="POST")
            with urllib.request.urlopen(sent, timeout=PATIENCE) as response:
                self.assertEqual(response.status, 200)
            self.assertEqual(self.handler.wait(number)[-1], body)
            parsed = self.clover("parse", data=body)
            self.assertEqual(parsed.returncode, 0, parsed.stderr)
            for line in parsed.stdout.splitlines():
                found = json.loads(listener.stdout.readline())
                self.assertIsNotNone(found.pop("received"))
                reported = json.loads(line)
                reported.pop("received", None)
                self.assertEqual(found, reported)
                lines.append(found)
        self.assertEqual([line["kind"] for line in lines], ["order"] * 4 + ["payment", "app"])
        self.assertEqual([line["type"] for line in lines], ["CREATE"] + ["UPDATE"] * 3 + ["CREATE", "DELETE"])

    def test_refused(self):
        """A recorded body with the code of another app is refused; the verification code is printed."""
        listener, address = self.listen("--auth-code-file", "code")
        wrong = urllib.request.Request(
            address, recorded("webhook-order-burst"), {"X-Clover-Auth": "another"}, method="POST")
        with self.assertRaises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(wrong, timeout=PATIENCE)
        self.assertEqual(refusal.exception.code, 401)
        body = recorded("webhook-verification")
        with urllib.request.urlopen(urllib.request.Request(address, body, method="POST"), timeout=PATIENCE) as response:
            self.assertEqual(response.status, 200)
        code = json.loads(body)["verificationCode"]
        self.assertIn(code, listener.stdout.readline().decode())
        self.assertIn(code, self.clover("parse", data=body).stdout.decode())


if __name__ == "__main__":
    unittest.main(verbosity=2)
