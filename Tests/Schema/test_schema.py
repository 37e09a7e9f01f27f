"""The schemas that the built `clover` prints, checked by a validator from another project.

    Scripts/install-python
    CLOVER_TEST_BINARIES=.build/release .build/python/bin/python Tests/Schema/test_schema.py [TEST...]

Prints what was checked; the status is 1 when something does not hold.
"""

import copy
import json
import sys
import unittest

# Leaves the source tree unchanged.
sys.dont_write_bytecode = True

try:
    from jsonschema import Draft202012Validator
except ImportError as error:
    sys.exit(f"schema: {error}; run Scripts/install-python, and this with .build/python/bin/python")

from shop import Shop, clover, readable, schema

# Fewer would mean that reading the catalogue failed.
FEWEST_SERVED = 90


class Schemas(unittest.TestCase):
    def test_every_schema_is_one(self):
        """Every model's schema follows the draft, and contains everything that it refers to."""
        lines = [json.loads(line) for line in clover("schema").splitlines()]
        models = [line["model"] for line in lines if line.get("kind") != "enum"]
        self.assertGreater(len(models), 500)
        # Most models contain others, whose definitions are judged once. A name stands for one definition in all schemas.
        known = {}
        for model in models:
            with self.subTest(model=model):
                printed = schema(model)
                definitions = printed["$defs"]
                fresh = {name: definition for name, definition in definitions.items() if name not in known}
                known.update(fresh)
                for name, definition in definitions.items():
                    self.assertEqual(definition, known[name], name)
                    self.assertLessEqual(references(definition), definitions.keys(), name)
                Draft202012Validator.check_schema(printed | {"$defs": fresh})
                # Validating a value resolves every reference.
                validator = Draft202012Validator(printed)
                for definition in fresh.values():
                    for rule in definition.get("properties", {}).values():
                        list(validator.descend({}, rule))
                self.assertTrue(validator.is_valid({}))
                self.assertFalse(validator.is_valid([]))


def references(part) -> set[str]:
    """The names of the definitions that a part of a schema refers to."""
    if isinstance(part, list):
        return set().union(*map(references, part))
    if not isinstance(part, dict):
        return set()
    own = {part["$ref"].removeprefix("#/$defs/")} if isinstance(part.get("$ref"), str) else set()
    return own.union(*map(references, part.values()))


class Records(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shop = Shop()
        cls.shop.__enter__()
        cls.addClassCleanup(cls.shop.__exit__)

    def test_what_is_answered_is_what_the_schema_says(self):
        """Every readable path with a model, without and with each expansion."""
        served, judged, missing = 0, 0, []
        for operation in readable():
            model = operation["model"]
            if operation["returns"] == "csv" or model.startswith("docs:"):
                continue
            with self.subTest(path=operation["path"]):
                records = self.shop.records(operation)
                if records is None:
                    missing.append(operation["shortPath"])
                    continue
                served += 1
                validator = Draft202012Validator(schema(model))
                for place, record in records:
                    judged += 1
                    for error in validator.iter_errors(record):
                        self.fail(f"{place}: {error.json_path}: {error.message} ({model})")
        print(f"schema: {served} paths and {judged} records as their schemas say; not served: {', '.join(missing)}")
        self.assertGreaterEqual(served, FEWEST_SERVED)

    def test_a_spoiled_record_is_refused(self):
        """Each field of each record that has a plain value, with a value of another type."""
        spoiled = 0
        for path, model in (("orders", "order.Order"), ("items", "inventory.Item"), ("payments", "payments.Payment")):
            validator = Draft202012Validator(schema(model))
            record = self.shop.get(f"/v3/merchants/{{mId}}/{path}", limit="1")["elements"][0]
            self.assertTrue(validator.is_valid(record))
            properties = schema(model)["$defs"][model]["properties"]
            for name, value in record.items():
                if name not in properties:
                    continue
                worse = copy.deepcopy(record)
                worse[name] = 7 if isinstance(value, str) else "seven"
                with self.subTest(path=path, field=name):
                    self.assertFalse(validator.is_valid(worse))
                spoiled += 1
        self.assertGreater(spoiled, 20)


def main() -> int:
    names = sys.argv[1:]
    module, loader = sys.modules[__name__], unittest.TestLoader()
    tests = loader.loadTestsFromNames(names, module) if names else loader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0).run(tests)
    failed = len({test.id().partition(" ")[0] for test, _ in result.failures + result.errors})
    print(f"schema: {result.testsRun - failed} passed, {failed} failed")
    return 0 if result.wasSuccessful() and result.testsRun > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
