"""A local Clover, the catalogue of the built `clover`, and records of the one read according to the other."""

import json
import os
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from functools import cache
from pathlib import Path

# Time limit in seconds, longer than anything here takes on a busy machine; it catches hangs.
PATIENCE = 60
# Maximum number of names that Clover expands at once.
EXPANDED_AT_ONCE = 3
MERCHANT = "/v3/merchants/{mId}/"


def program(name: str) -> str:
    folder = os.environ.get("CLOVER_TEST_BINARIES")
    if not folder:
        raise RuntimeError("CLOVER_TEST_BINARIES does not say where the built programs are")
    return str(Path(folder).resolve() / name)


def clover(*arguments: str) -> str:
    ended = subprocess.run([program("clover"), *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)
    if ended.returncode != 0:
        raise AssertionError(f"clover {' '.join(arguments)} ended with {ended.returncode}: {ended.stderr}")
    return ended.stdout


@cache
def readable() -> list[dict]:
    """The readable V3 operations in the catalogue that have a model."""
    lines = clover("endpoints", "--method", "get", "--json").splitlines()
    operations = [json.loads(line) for line in lines]
    return [operation for operation in operations if operation["api"] == "v3" and operation["model"]]


@cache
def schema(model: str) -> dict:
    return json.loads(clover("schema", model, "--json-schema"))


class Shop:
    """The emulator, for the duration of the `with` block."""

    def __enter__(self) -> "Shop":
        command = [program("clover-emulator"), "serve", "--port", "0", "--orders", "300", "--no-limits"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        ready = json.loads(self._process.stdout.readline())
        self._url, self._merchant, self._token = ready["url"], ready["merchantId"], ready["accessToken"]
        return self

    def __exit__(self, *_) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE)
        self._process.stdout.close()

    def get(self, path: str, **parameters: str):
        """The response to the path; None if the emulator does not serve it."""
        query = urllib.parse.urlencode(parameters)
        address = self._url + path.replace("{mId}", self._merchant) + (f"?{query}" if query else "")
        request = urllib.request.Request(address, headers={"Authorization": f"Bearer {self._token}"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            error.close()
            # An unknown path may also be refused as that of another merchant.
            if error.code in (401, 404, 405, 501):
                return None
            raise AssertionError(f"{address} answers {error.code}") from error

    def records(self, operation: dict) -> list[tuple[str, dict]] | None:
        """Records that the operation returns, without and with each expansion, each with its address; None if the
        emulator does not serve it, or has no records for it."""
        found = None
        for path in self.paths(operation["path"]):
            names = operation["expand"]
            groups = [names[start : start + EXPANDED_AT_ONCE] for start in range(0, len(names), EXPANDED_AT_ONCE)]
            for group in [[], *groups]:
                parameters = {"expand": ",".join(group)} if group else {}
                if operation["returns"] == "list":
                    parameters["limit"] = str(operation.get("largestPage") or 1000)
                answer = self.get(path, **parameters)
                if answer is None:
                    break
                listed = answer["elements"] if operation["returns"] == "list" else [answer]
                place = f"{path} {parameters.get('expand', '')}".strip()
                found = (found or []) + [(place, record) for record in listed]
        return found

    @cache
    def paths(self, template: str, count: int = 3) -> tuple[str, ...]:
        """The template with IDs of existing records for its names in braces: a few paths, or none."""
        words = template.split("/")
        for place, word in enumerate(words):
            if word.startswith("{") and word != "{mId}":
                rest = "/".join(words[place + 1 :])
                ids = [] if place < 5 else self.ids("/".join(words[:place]))
                filled = ["/".join([*words[:place], one, *words[place + 1 :]]) for one in ids]
                # If another name follows, a parent without children is useless.
                found = [path for one in filled[: 20 if rest else count] for path in self.paths(one, 1 if rest else count)]
                return tuple(found[:count])
        return (template,)

    @cache
    def ids(self, path: str) -> tuple[str, ...]:
        """The IDs in a list; for stock, the IDs of its items."""
        answer = self.get(path, limit="1000") or {}
        records = answer.get("elements", [])
        return tuple(one for one in (record.get("id") or record.get("item", {}).get("id") for record in records) if one)
