"""A driver for card readers, written from clover-reader-driver(5) alone.

    reader_driver.py [MODE]

MODE is 'good', or the single fault of the driver. If DRIVER_LOG is set in the environment, requests are appended to that
file, and 'end' at the end of the input.
"""

import json
import os
import select
import signal
import sys
import time

MODE = sys.argv[1] if len(sys.argv) > 1 else "good"
READER = {"id": "F0:0D:00:00:00:01", "name": "Clover_Go_630094", "rssi": -58}


class Driver:
    def __init__(self):
        self.planned = []
        self.scanning = False
        self.session = None
        self.charge = None
        self.buffer = b""
        self.payments = {}

    def say(self, message):
        os.write(1, (json.dumps(message) + "\n").encode())

    def result(self, number, **fields):
        self.say({"id": number, "result": fields})

    def error(self, number, code, message, **more):
        self.say({"id": number, "error": {"code": code, "message": message, **more}})

    def plan(self, seconds, work):
        self.planned.append((time.monotonic() + seconds, work))

    def run(self):
        while True:
            pause = None
            if self.planned:
                pause = max(0, min(when for when, _ in self.planned) - time.monotonic())
            readable, _, _ = select.select([0], [], [], pause)
            if readable:
                chunk = os.read(0, 65536)
                if not chunk:
                    return self.end()
                self.buffer += chunk
                while b"\n" in self.buffer:
                    line, self.buffer = self.buffer.split(b"\n", 1)
                    self.receive(json.loads(line))
            due = [item for item in self.planned if item[0] <= time.monotonic()]
            self.planned = [item for item in self.planned if item not in due]
            for _, work in sorted(due, key=lambda item: item[0]):
                work()

    def end(self):
        log("end")
        if MODE == "deaf":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True:
                time.sleep(1)

    def receive(self, request):
        log(request["request"])
        if MODE == "mute" and self.charge or MODE == "mute-payment" and request["request"] == "payment":
            return
        handler = getattr(self, "on_" + request["request"], None)
        if handler:
            handler(request["id"], request)
        elif MODE == "agreeable":
            self.result(request["id"])
        else:
            self.error(request["id"], "unknown_request", "what is that?")

    def on_hello(self, number, request):
        if MODE == "crash":
            print("cannot open /dev/reader0", file=sys.stderr, flush=True)
            sys.exit(3)
        if MODE == "silent":
            return
        if MODE == "not-json":
            os.write(1, b"Reader driver 1.0 ready\n")
            return
        if MODE == "closed":
            os.close(1)
            time.sleep(30)
            return
        if MODE == "version" or 1 not in request["versions"]:
            return self.error(number, "version", "only version 2", versions=[2])
        if MODE == "wrong-id":
            number += 98
        capabilities = ["scan", "connect"] if MODE == "no-charge" else ["scan", "connect", "charge"]
        self.result(number, version=1, driver="python", capabilities=capabilities)

    def on_ping(self, number, request):
        if not MODE.startswith("no-ping"):
            self.result(number)

    def on_scan(self, number, request):
        self.scanning = True
        self.result(number)
        if MODE != "no-ping-no-reader":
            self.plan(0.1, self.find)

    def find(self):
        if not self.scanning:
            return
        if MODE == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if MODE == "long-line":
            os.write(1, b'{"event":"found","reader":{"id":"' + b"x" * 200000)
        if MODE == "flood":
            while True:
                self.say({"event": "found", "reader": READER})
        reader = dict(READER)
        if MODE == "bad-battery":
            reader["battery"] = 150
        if MODE == "unknown-battery":
            reader["battery"] = -1
        if MODE == "decimal-rssi":
            reader["rssi"] = -58.5
        if MODE == "empty-name":
            reader["name"] = ""
        if MODE == "no-id":
            del reader["id"]
        self.say({"event": "found", "reader": reader})
        self.plan(0.1, self.find)

    def on_stopScan(self, number, request):
        self.scanning = False
        self.result(number)
        if MODE == "late-found":
            self.say({"event": "found", "reader": READER})

    def on_connect(self, number, request):
        if request["reader"] != READER["id"]:
            return self.error(number, "not_found", "no such reader")
        if MODE == "other-reader":
            return self.result(number, reader={"id": "F0:0D:00:00:00:02"})
        self.session = "initializing"
        self.result(number, reader=READER)
        if MODE != "early-ready":
            self.say({"event": "state", "state": "initializing"})
        if MODE == "hasty-update":
            self.say({"event": "progress", "progress": 0.5})
        self.plan(0.1, self.ready)

    def ready(self):
        if MODE == "never-ready":
            self.say({"event": "battery", "battery": 57})
            return self.plan(0.1, self.ready)
        if self.session == "initializing":
            self.session = "ready"
            self.say({"event": "reader", "reader": {"id": READER["id"], "battery": 57, "firmware": "1.0.14"}})
            self.say({"event": "state", "state": "ready"})

    def on_disconnect(self, number, request):
        if self.session:
            self.session = None
            self.say({"event": "state", "state": "disconnected"})
        self.result(number)
        if MODE == "late-battery":
            self.say({"event": "battery", "battery": 56})

    def on_charge(self, number, request):
        if self.session != "ready":
            return self.error(number, "reader_not_ready", "connect a reader first")
        self.charge = number
        self.say({"event": "say", "say": "SWIPE_DIP_OR_TAP_CARD"})
        if MODE == "chatty":
            self.chat()
        if MODE in ("declined-paid", "cancelled-paid"):
            charge = request["charge"]
            payment = {"id": "P9", "externalPaymentId": charge["externalPaymentId"], "amount": charge["amount"],
                       "currency": charge["currency"], "final": True, "captured": True}
            self.charge = None
            self.result(number, outcome=MODE[:-5], code="card_declined", payment=payment)
        if MODE == "lost":
            self.say({"event": "state", "state": "disconnected", "error": {"code": "lost", "message": "gone"}})

    def chat(self):
        self.say({"event": "say", "say": "PROCESSING_TRANSACTION"})
        self.plan(0.05, self.chat)

    def on_cancel(self, number, request):
        self.result(number)
        if self.charge:
            if MODE not in ("stubborn", "chatty", "lost"):
                self.result(self.charge, outcome="cancelled", code="cancelled", message="given up")
            self.charge = None

    def on_payment(self, number, request):
        self.result(number, status="none")


def log(word):
    path = os.environ.get("DRIVER_LOG")
    if path:
        with open(path, "a") as file:
            file.write(word + "\n")


Driver().run()
