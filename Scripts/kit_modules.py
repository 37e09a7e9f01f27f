"""The built modules of CloverKit: where they are, what they import, and their public symbols."""

import json
import os
import pathlib
import re
import subprocess
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
# The folder of built modules.
MODULES = os.environ.get("MODULES") or str(TOP / ".build" / "release" / "Modules")
MODULE_NAMES = re.findall(r'\.library\(name: "(\w+)"', (TOP / "Package.swift").read_text(encoding="utf-8"))
GENERATED = TOP / "Sources" / "CloverKit" / "Generated"
MODELS = set(re.findall(r"^public struct (\w+)", (GENERATED / "Models.swift").read_text(encoding="utf-8"), re.M))
READS = set(re.findall(r"^    public (?:var|func) `?(\w+)", (GENERATED / "Reads.swift").read_text(encoding="utf-8"), re.M))


def module_maps():
    """The options that name the maps of the C modules. GRDB's own map of SQLite is in the checkout of its package."""
    places = ("Sources/C*/**/module.modulemap", ".build/checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap")
    maps = [str(path) for place in places for path in sorted(TOP.glob(place))]
    return [word for path in maps for word in ("-Xcc", "-fmodule-map-file=" + path)]


def extract(folder):
    """Writes the symbol graphs of the modules."""
    triple = json.loads(
        subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True, text=True).stdout
    )["target"]["unversionedTriple"]
    for name in MODULE_NAMES:
        subprocess.run(
            ["swift-symbolgraph-extract", "-module-name", name, "-I", MODULES, "-target", triple,
             "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder] + module_maps(),
            check=True)


def is_generated(path):
    """Whether a symbol is a model, a part of one, or a read."""
    return path[0] in MODELS or path[0] == "Shop" and len(path) == 2 and path[1].split("(")[0] in READS


def symbols():
    """Each public symbol that is not generated, and whether a protocol or a parent class has its comment."""
    with tempfile.TemporaryDirectory() as folder:
        extract(folder)
        graphs = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(pathlib.Path(folder).glob("*.json"))]
    for graph in graphs:
        inherited = {
            relation["source"] for relation in graph["relationships"]
            if relation["kind"] in ("defaultImplementationOf", "overrides") or "sourceOrigin" in relation
        }
        for symbol in graph["symbols"]:
            if not is_generated(symbol["pathComponents"]):
                yield symbol, symbol["identifier"]["precise"] in inherited
