#!/usr/bin/env python3
"""Checks what a package that uses CloverKit, or a product beside it, has to build: no unsafe flags, and none of the libraries that
only the programs need. SwiftPM refuses some of these, depending on its version and on how the dependency is named, so they are checked here.

The argument is the package's folder; SWIFT sets another swift command.
"""

import json
import os
import subprocess
import sys

# The products of other packages that each product may need; any other product, only Logging.
ALLOWED = {"CloverKitPayments": {"Logging", "GRDB"}, "CloverKitReaders": {"Logging", "GRDB"}}


def names(target):
    """The modules and products that a target depends on."""
    for dependency in target["dependencies"]:
        for kind, value in dependency.items():
            yield kind, value[0]


def main():
    described = subprocess.run(
        [os.environ.get("SWIFT", "swift"), "package", "--package-path", sys.argv[1], "dump-package"],
        check=True, capture_output=True, text=True).stdout
    package = json.loads(described)
    targets = {target["name"]: target for target in package["targets"]}
    for product in package["products"]:
        if "library" in product["type"]:
            check(product["name"], product["targets"], ALLOWED.get(product["name"], {"Logging"}), targets)


def check(product, modules, allowed, targets):
    waiting = list(modules)
    needed, faults = set(), []
    while waiting:
        name = waiting.pop()
        if name in needed:
            continue
        needed.add(name)
        faults += [f"{name} has unsafe flags" for setting in targets[name]["settings"] if "unsafeFlags" in setting["kind"]]
        for kind, other in names(targets[name]):
            if kind != "product":
                waiting.append(other)
            elif other not in allowed:
                faults.append(f"{name} needs {other}")
    if faults:
        sys.exit("FAILED: " + "; ".join(sorted(faults)))
    print(f"{product} needs {len(needed) - 1} other modules: {', '.join(sorted(needed - {product}))}")


main()
