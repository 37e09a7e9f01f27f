"""Counts and prints the results of checks."""


class Checks:
    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.scenario = ""

    def begin(self, scenario):
        self.scenario = scenario

    def that(self, what, holds, otherwise=""):
        """Records whether `what` holds; if not, prints `otherwise`, the actual state."""
        if holds:
            self.passed += 1
            print(f"ok    {self.scenario}: {what}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL  {self.scenario}: {what}" + (f": {otherwise}" if otherwise else ""), flush=True)
        return holds
