"""Runs the built `clover` in a temporary home, and simulates the browser."""

import html
import json
import os
import re
import signal
import subprocess
import threading
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

# Time limit in seconds, longer than anything here takes on a busy machine; it catches hangs.
PATIENCE = 60

# A shell that starts these tests in the background makes them ignore Ctrl-C, and every program started here would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass(frozen=True)
class Ended:
    status: int  # negative: the number of the signal
    output: str
    messages: str


class Program:
    """`clover` with only PATH from the caller's environment."""

    def __init__(self, home: Path, outputs: list[str]):
        """`outputs` collects the output of every run, except for the requested token."""
        home.mkdir(exist_ok=True)
        folder = os.environ.get("CLOVER_TEST_BINARIES")
        if not folder:
            raise RuntimeError("CLOVER_TEST_BINARIES does not say where the built programs are")
        self._executable = Path(folder).resolve() / "clover"
        self.state = home / "state"
        self._environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(home), "CLOVER_STATE_DIR": str(self.state),
            "CLOVER_CONFIG_DIR": str(home / "config"), "LC_ALL": "C.UTF-8",
        }
        self._outputs = outputs

    def start(self, *arguments: str) -> "Running":
        return Running([str(self._executable), *arguments], self._environment, self._outputs)

    def run(self, *arguments: str, given: str = "") -> Ended:
        return self.start(*arguments).end(given)

    def status(self) -> dict:
        return json.loads(self.run("auth", "status", "--json").output)

    @property
    def credentials(self) -> list[Path]:
        """The files with tokens; journals and locks are next to them."""
        return [path for path in self.state.glob("credentials/*.json") if not path.name.endswith(".refresh.json")]


class Running:
    def __init__(self, command: list[str], environment: dict[str, str], outputs: list[str]):
        self._is_token_asked = command[1:3] == ["auth", "token"]
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._outputs = outputs
        self._said: list[str] = []
        self._output = ""
        self._change = threading.Condition()
        self._is_silent = False
        self._readers = [threading.Thread(target=self._read_messages), threading.Thread(target=self._read_output)]
        for reader in self._readers:
            reader.start()

    def _read_messages(self):
        for line in self._process.stderr:
            with self._change:
                self._said.append(line)
                self._change.notify_all()
        with self._change:
            self._is_silent = True
            self._change.notify_all()

    def _read_output(self):
        self._output = self._process.stdout.read()

    def address(self) -> str:
        """The address that the user is asked to open."""
        pattern = re.compile(r"https?://\S+/oauth/v2/authorize\?\S+")

        def found():
            return next((match[0] for match in map(pattern.search, self._said) if match), None)

        with self._change:
            self._change.wait_for(lambda: found() or self._is_silent, PATIENCE)
            address = found()
        if address is None:
            self.kill()
            raise AssertionError(f"clover printed no address to open: {''.join(self._said)}")
        return address

    def interrupt(self):
        self._process.send_signal(signal.SIGINT)

    def kill(self):
        self._process.kill()
        self.end()

    def end(self, given: str = "") -> Ended:
        """Passes standard input and waits for the end."""
        try:
            self._process.stdin.write(given)
            self._process.stdin.close()
        except BrokenPipeError:
            pass  # It does not read its input; its status and messages show why.
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        finally:
            for reader in self._readers:
                reader.join()
            for stream in (self._process.stdout, self._process.stderr):
                stream.close()
        messages = "".join(self._said)
        self._outputs += [messages] if self._is_token_asked else [messages, self._output]
        return Ended(self._process.returncode, self._output, messages)


@dataclass(frozen=True)
class Page:
    status: int
    address: str  # where the browser ended up
    text: str  # without markup


class _StayHere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


# No proxy settings from the caller: everything is on this machine.
_browser = urllib.request.build_opener(urllib.request.ProxyHandler({}))
_hand = urllib.request.build_opener(urllib.request.ProxyHandler({}), _StayHere)


def _page(opener, request) -> tuple[Page, str | None]:
    try:
        answer = opener.open(request, timeout=PATIENCE)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        text = answer.read().decode()
        style_less = re.sub(r"(?s)<(style|head)\b.*?</\1>", " ", text)
        words = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", style_less)).split())
        return Page(answer.status, answer.url, words), answer.headers["Location"]


def browse(address: str) -> Page:
    """Opens an address and follows its redirects."""
    return _page(_browser, address)[0]


def redirect(address: str) -> tuple[Page, str | None]:
    """Opens an address, and returns its redirect without following it; None if there is none."""
    return _page(_hand, address)


def post(address: str, fields: dict) -> Page:
    return _page(_hand, urllib.request.Request(
        address, json.dumps(fields).encode(), {"Content-Type": "application/json"}, method="POST"))[0]
