"""The two programs: the emulator, and a sign-in that waits for its browser."""

import json
import os
import queue
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.request

# Time limit in seconds; anything that works takes far less.
PATIENCE = 60


class Gone(Exception):
    """A program ended or printed nothing while output was expected."""


class Process:
    """One program in a separate process group, whose lines are collected as they arrive."""

    def __init__(self, arguments, environment):
        self.name = " ".join(os.path.basename(word) for word in arguments[:3])
        self.process = subprocess.Popen(
            arguments, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, errors="replace", start_new_session=True)
        self.lines = {"stdout": [], "stderr": []}
        self.arrived = queue.Queue()
        for stream in ("stdout", "stderr"):
            threading.Thread(target=self._collect, args=(stream,), daemon=True).start()

    def _collect(self, stream):
        for line in getattr(self.process, stream):
            self.lines[stream].append(line.rstrip("\n"))
            self.arrived.put((stream, line.rstrip("\n")))
        self.arrived.put((stream, None))

    def line(self, stream, pattern):
        """Waits for the first line of a stream that matches a pattern, and returns the match."""
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                origin, line = self.arrived.get(timeout=max(0, limit - time.monotonic()))
            except queue.Empty:
                raise Gone(f"{self.name} never printed {pattern}: {self.lines}") from None
            if origin != stream:
                continue
            if line is None:
                raise Gone(f"{self.name} ended without printing {pattern}: {self.lines}")
            found = re.search(pattern, line)
            if found:
                return found

    def status(self):
        """Waits for the end and returns the exit status."""
        try:
            return self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise Gone(f"{self.name} does not end: {self.lines}") from None

    def end(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()


class Programs:
    """Starts the programs with a temporary home, and ends them with the `with` block."""

    def __init__(self, binaries, home):
        self.binaries = binaries
        self.home = home
        self.processes = []
        # Nothing from the caller: no token, no state, no display, no session bus.
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": home, "LANG": "C.UTF-8",
            "CLOVER_STATE_DIR": os.path.join(home, "state"), "CLOVER_CONFIG_DIR": os.path.join(home, "config"),
        }
        for name in ("CLOVER_STATE_DIR", "CLOVER_CONFIG_DIR"):
            os.mkdir(self.environment[name], 0o700)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.end()

    def start(self, program, *arguments):
        process = Process([os.path.join(self.binaries, program), *arguments], self.environment)
        self.processes.append(process)
        return process

    def emulator(self, *options):
        """Starts an emulator, and returns its ready line."""
        process = self.start("clover-emulator", "serve", "--port", "0", *options)
        return json.loads(process.line("stdout", r'^\{.*"ready".*\}$').group())

    def sign_in(self, emulator):
        """Starts a sign-in that waits for a browser; returns its process and the address to open."""
        login = self.start(
            "clover", "auth", "login", "--environment", emulator["url"], "--app-id", emulator["appId"],
            "--callback-port", str(free_port()), "--no-browser")
        return login, login.line("stderr", r"https?://\S+/oauth/v2/authorize\?\S+").group()

    def auth_status(self):
        """The JSON of `clover auth status`; None when it printed none."""
        process = self.start("clover", "auth", "status", "--json")
        process.status()
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            origin, line = process.arrived.get(timeout=PATIENCE)
            if origin == "stdout":
                return json.loads(line) if line else None
        return None


def free_port():
    """A port that is free at this time."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def emulator_statistics(emulator):
    with urllib.request.urlopen(emulator["url"] + "/emulator/stats", timeout=PATIENCE) as answer:
        return json.load(answer)


def wait_until(what, holds):
    """Waits until `holds()` is true and returns its value."""
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        value = holds()
        if value:
            return value
        time.sleep(0.02)
    raise Gone(f"{what}: not within {PATIENCE} seconds")
