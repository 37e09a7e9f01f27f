"""Measures how soon `clover follow` prints a change, with its default settings, in a local shop that keeps changing.

Used by Benchmarks/run. A delay is the time from the change, which the record names, to the arrival of its line.
"""

import json
import os
import subprocess
import threading
import time
import urllib.request

CODE = "281dbad7-4faf-d98c-5060-07cb414ea6ff"
LISTS = ["orders", "payments", "items", "customers"]
FAULTS = ["webhook-lose=10%", "webhook-double=20%", "webhook-reorder=100%"]
# Time in seconds for the first readings.
START = 5


def churn(service, rate):
    request = urllib.request.Request(f"{service['url']}/emulator/churn?rate={rate}", method="POST")
    urllib.request.urlopen(request).read()


def run(binaries, folder, environment, port, seconds, rate, faults=()):
    """Returns the delays in milliseconds, sorted, of a shop with that many changes a second.

    `port` is free; None is for a feed without webhooks. Faults are those of the emulator's webhooks."""
    code = os.path.join(folder, "code")
    with open(code, "w", encoding="ascii", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write(CODE)
    serve = [os.path.join(binaries, "clover-emulator"), "serve", "--port", "0", "--orders", "500", "--now", "clock", "--churn", "0"]
    if port is not None:
        serve += ["--webhook-url", f"http://127.0.0.1:{port}", "--webhook-auth-code", CODE]
        serve += [word for fault in faults for word in ("--fault", fault)]
    clover = os.path.join(binaries, "clover")
    processes = []

    def start(command, environment):
        processes.append(subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True))
        return processes[-1]

    try:
        service = json.loads(start(serve, environment).stdout.readline())
        environment = environment | {
            "CLOVER_ENVIRONMENT": service["url"], "CLOVER_MERCHANT_ID": service["merchantId"],
            "CLOVER_ACCESS_TOKEN": service["accessToken"], "CLOVER_STATE_DIR": os.path.join(folder, "state")}
        if port is not None:
            listener = start([clover, "webhook", "listen", "--port", str(port), "--auth-code-file", code], environment)
            # The emulator's set-up code.
            listener.stdout.readline()
            threading.Thread(target=listener.stdout.read, daemon=True).start()
        feed = start([clover, "follow", *LISTS], environment)
        delays = []

        def read():
            for line in feed.stdout:
                now = time.time()
                changed = json.loads(line)["record"].get("modifiedTime")
                if changed is not None:
                    delays.append(now * 1000 - changed)

        reader = threading.Thread(target=read)
        reader.start()
        time.sleep(START)
        churn(service, rate)
        time.sleep(seconds)
        churn(service, 0)
        # The last changes come, too.
        time.sleep(START)
        feed.terminate()
        reader.join()
        return sorted(delays)
    finally:
        for process in processes:
            process.terminate()
            process.wait()
