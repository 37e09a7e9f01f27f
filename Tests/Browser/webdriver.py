"""A client for W3C WebDriver (https://www.w3.org/TR/webdriver2/), with the parts that the scenarios need."""

import base64
import json
import os
import re
import signal
import subprocess
import urllib.error
import urllib.request

# Seconds a command of the browser may take.
PATIENCE = 90

# The key under which a reference to an element is sent (section 12.1).
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class WebDriverError(Exception):
    """The browser refused a command; `code` is its error code (section 6.6)."""

    def __init__(self, code, message):
        super().__init__(f"{code}: {message.splitlines()[0] if message else ''}")
        self.code = code


class Driver:
    """A chromedriver on a free port."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "chromium")
        os.mkdir(self.folder)
        self.sessions = 0

    def __enter__(self):
        # A temporary home, so that no profile, proxy or keyring of the user is touched.
        environment = {"PATH": "/usr/bin:/bin", "HOME": self.folder, "LANG": "C.UTF-8", "TMPDIR": self.folder}
        self.process = subprocess.Popen(
            ["chromedriver", "--port=0"], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, start_new_session=True)
        for line in self.process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                self.url = f"http://127.0.0.1:{found.group(1)}"
                return self
        self.process.wait()
        raise RuntimeError(f"chromedriver ended with status {self.process.returncode}")

    def __exit__(self, *_):
        # Its browsers are in the same process group.
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdout.close()

    def session(self, has_script=True):
        self.sessions += 1
        return Session(self, os.path.join(self.folder, str(self.sessions)), has_script)

    def command(self, method, path, body=None):
        data = json.dumps(body if body is not None else {}).encode() if method == "POST" else None
        request = urllib.request.Request(
            self.url + path, data=data, method=method, headers={"Content-Type": "application/json"})
        try:
            with self.opener.open(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise WebDriverError(value["error"], value["message"]) from None

    # The caller's proxy settings must not apply to the loopback interface.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Session:
    """One browser with a new profile."""

    def __init__(self, driver, profile, has_script):
        self.driver = driver
        arguments = [
            "--headless=new", "--window-size=1000,800", f"--user-data-dir={profile}", "--no-first-run",
            "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--disable-extensions", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server",
            # Only this machine is reachable.
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        ]
        if os.geteuid() == 0:
            # Chromium does not start in its sandbox as root, which is what containers run as.
            arguments.append("--no-sandbox")
        options = {"args": arguments}
        if not has_script:
            # 2 means "block" in the browser's content settings.
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        capabilities = {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"},
            # A click does not wait for the page it leads to; the scenarios wait for what they expect.
            "pageLoadStrategy": "none",
        }
        self.id = driver.command("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.call("DELETE", "")

    def call(self, method, path, body=None):
        return self.driver.command(method, f"/session/{self.id}{path}", body)

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def reload(self):
        self.call("POST", "/refresh")

    @property
    def url(self):
        return self.call("GET", "/url")

    @property
    def title(self):
        return self.call("GET", "/title")

    @property
    def source(self):
        return self.call("GET", "/source")

    def element(self, selector):
        """A reference to the first element that a CSS selector matches; None if there is none."""
        try:
            found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        except WebDriverError as error:
            if error.code in ("no such element", "stale element reference"):
                return None
            raise
        return found[ELEMENT]

    def text(self, selector="body"):
        """The visible text of an element; empty if there is none, or if it disappears in the meantime."""
        element = self.element(selector)
        if element is None:
            return ""
        try:
            return self.call("GET", f"/element/{element}/text")
        except WebDriverError as error:
            if error.code == "stale element reference":
                return ""
            raise

    def is_shown(self, selector):
        element = self.element(selector)
        return element is not None and self.call("GET", f"/element/{element}/displayed")

    def rectangle(self, selector):
        return self.call("GET", f"/element/{self.element(selector)}/rect")

    def click(self, selector):
        self.call("POST", f"/element/{self.element(selector)}/click")

    def evaluate(self, expression):
        return self.call("POST", "/execute/sync", {"script": f"return {expression}", "args": []})

    def set_width(self, width, height=740):
        """The size of the page in CSS pixels. A window cannot be that narrow, so the size is emulated."""
        self.call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": False}})

    def set_dark(self):
        self.call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setEmulatedMedia",
            "params": {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}})

    def screenshot(self, file):
        file.write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def complaints(self):
        """The errors that the browser reported: script errors, and violations of a content policy."""
        entries = self.call("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]
