"""A local Clover, the catalogue that the built `clover` has, and records from the one by the other."""

import json
import os
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from functools import cache
from pathlib import Path

# Longer than anything here takes on a busy machine, in seconds. It is for what hangs.
PATIENCE = 60
# Clover takes so many names to expand at once.
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
    """The readable operations of V3 that the catalogue has, with a model."""
    lines = clover("endpoints", "--method", "get", "--json").splitlines()
    operations = [json.loads(line) for line in lines]
    return [operation for operation in operations if operation["api"] == "v3" and operation["model"]]


@cache
def schema(model: str) -> dict:
    return json.loads(clover("schema", model, "--json-schema"))


class Shop:
    """The emulator, for as long as the `with` lasts."""

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
        """What the path answers; None when the emulator does not serve it."""
        query = urllib.parse.urlencode(parameters)
        address = self._url + path.replace("{mId}", self._merchant) + (f"?{query}" if query else "")
        request = urllib.request.Request(address, headers={"Authorization": f"Bearer {self._token}"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            error.close()
            # A path that it does not know may be refused as somebody else's, too.
            if error.code in (401, 404, 405, 501):
                return None
            raise AssertionError(f"{address} answers {error.code}") from error

    def records(self, operation: dict) -> list[tuple[str, dict]] | None:
        """Records that the operation answers, without and with each expansion, each with its address; None when the
        emulator does not serve it, or has nothing to ask it about."""
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
        """The template with ids of existing records for its names in braces: a few of them, or none."""
        words = template.split("/")
        for place, word in enumerate(words):
            if word.startswith("{") and word != "{mId}":
                rest = "/".join(words[place + 1 :])
                ids = [] if place < 5 else self.ids("/".join(words[:place]))
                filled = ["/".join([*words[:place], one, *words[place + 1 :]]) for one in ids]
                # Where there is more to come, a parent without children is no use.
                found = [path for one in filled[: 20 if rest else count] for path in self.paths(one, 1 if rest else count)]
                return tuple(found[:count])
        return (template,)

    @cache
    def ids(self, path: str) -> tuple[str, ...]:
        """Ids that a list answers; stock has its item's."""
        answer = self.get(path, limit="1000") or {}
        records = answer.get("elements", [])
        return tuple(one for one in (record.get("id") or record.get("item", {}).get("id") for record in records) if one)
